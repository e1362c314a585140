"""What parsers of JSON, TOML and Parquet and decompressors object to: they say it in English, here it is in Chinese "
"too."""

from __future__ import annotations

import re

from rankgauge._text import Text

__all__ = ["objection"]

_SAID: tuple[tuple[str, str], ...] = (
    # msgspec, which reads JSON
    ("[Ii]nput data was truncated", "数据不完整"),
    ("invalid character", "有无效的字符"),
    ("invalid number", "有无效的数字"),
    ("trailing characters", "末尾有多余的字符"),
    ("trailing comma in object", "对象末尾多了一个逗号"),
    ("trailing comma in array", "数组末尾多了一个逗号"),
    ("object keys must be strings", "对象的键必须是字符串"),
    ("expected ('.+') or ('.+')", r"应为 \1 或 \2"),
    ("expected ('.+')", r"应为 \1"),
    ("invalid escape character in string|invalid escaped character", "字符串中有无效的转义字符"),
    ("invalid character in unicode escape|unexpected end of hex escape", "Unicode 转义无效"),
    (".*utf-16 surrogate pair", "UTF-16 代理对无效"),
    # json, which reads stored records
    ("Expecting value", "此处应有值"),
    ("Expecting property name enclosed in double quotes", "此处应有双引号括起的键名"),
    ("Expecting ('.+') delimiter", r"此处应有分隔符 \1"),
    ("Illegal trailing comma before end of (?:object|array)", "末尾多了一个逗号"),
    ("Extra data", "末尾有多余的内容"),
    ("Unterminated string starting at", "字符串没有结束"),
    ("Invalid control character.*at", "有无效的控制字符"),
    (r"Invalid \\.*escape.*", "有无效的转义"),
    ("Exceeds the limit .* for integer string conversion.*", "整数的位数过多"),
    # ast, which reads Python literals
    (
        r"invalid syntax\. (?:Perhaps you forgot|Is this intended to be part of the string|Maybe you meant).*",
        "语法错误，是否少了逗号？",
    ),
    ("invalid syntax", "语法错误"),
    ("('.+') was never closed", r"\1 没有闭合"),
    ("unmatched ('.+')", r"\1 没有对应的开括号"),
    ("closing parenthesis ('.+') does not match opening parenthesis ('.+')", r"\1 与开括号 \2 不匹配"),
    ("unterminated (?:triple-quoted )?string literal", "字符串没有结束"),
    ("unexpected indent|unindent does not match.*", "缩进有误"),
    ("too many nested parentheses", "括号嵌套过深"),
    ("':' expected after dictionary key", "字典的键之后应有 ':'"),
    ("expression expected after dictionary key and ':'", "字典的键和 ':' 之后应有值"),
    ("invalid (?:non-printable )?character (.+)", r"有无效的字符 \1"),
    ("leading zeros in decimal integer literals.*", "整数不能以 0 开头，是不是少了引号？"),
    ("invalid decimal literal", "数字无效，是不是少了引号？"),
    # Polars
    ("parquet: File out of specification: .*", "Parquet 文件不完整或已损坏"),
    (r"[A-Z]\w+ at character (\d+).*", r"第 \1 个字符处有语法错误"),
    # gzip, zlib, bz2, lzma
    ("Compressed (?:file|data) ended before the end-of-stream marker was reached", "在结束标记之前就结束了"),
    ("Error -?[0-9]+ while decompressing data: .*", "数据无效"),
    ("CRC check failed.*", "校验和不符"),
    ("Incorrect length of data produced", "解压后的长度不符"),
    ("Unknown compression method", "未知的压缩方法"),
    ("Invalid data stream|Corrupt input data", "数据已损坏"),
    ("Input format not supported by decoder", "不支持的格式"),
    # tomllib
    (r"Cannot declare (.+) twice", r"重复声明了 \1"),
    (r"Cannot (?:mutate immutable|redefine) namespace (.+)", r"重复定义了 \1"),
    ("Cannot overwrite a value", "重复给同一个键赋值"),
    ("Duplicate inline table key (.+)", r"内联表中的键 \1 重复"),
    ("Expected '=' after a key in a key/value pair", "键之后应有 '='"),
    ("Expected '(]+)' at the end of an? .* declaration", r"表的声明末尾应有 '\1'"),
    ("Expected newline or end of document after a statement", "语句之后应换行"),
    ("Expected ('.+')", r"应为 \1"),
    ("(?:Found invalid|Illegal) character (.+)", r"有无效的字符 \1"),
    ("Invalid date or datetime", "日期或时间无效"),
    ("Invalid hex value", "十六进制值无效"),
    ("Invalid initial character for a key part", "键名的首字符无效"),
    ("Invalid statement", "语句无效"),
    ("Invalid value", "值无效"),
    ("Unclosed array", "数组没有结束"),
    ("Unclosed inline table", "内联表没有结束"),
    (r"Unescaped '\\' in a string", r"字符串中的 '\\\\' 没有转义"),
    ("Unterminated string", "字符串没有结束"),
    ("Escaped character is not a Unicode scalar value", "转义的字符不是有效的 Unicode 字符"),
)
_AT = re.compile(r"^(.*) \(at (?:line (\d+), column (\d+)|end of document)\)$", re.DOTALL)


def objection(message: str) -> Text:
    """What a parser says, with its place where it names one; words that are not known stay as they are.

    >>> objection("Invalid value (at line 3, column 5)").of("zh")
    '值无效（第 3 行第 5 列）'
    """
    found = _AT.match(message)
    what = found[1] if found else message
    chinese = next((m.expand(zh) for pattern, zh in _SAID if (m := re.fullmatch(pattern, what))), what)
    if found:
        chinese += f"（第 {found[2]} 行第 {found[3]} 列）" if found[2] else "（文件末尾）"
    return Text(message, chinese)
