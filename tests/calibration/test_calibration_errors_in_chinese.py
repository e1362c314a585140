"""What calibrators refuse is said in Chinese as well as in English."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgauge as rg
from chinese_errors import Files, says_in_both

Y, S = np.array([0, 1, 0, 1]), np.array([0.1, 0.8, 0.4, 0.3])


CASES: dict[str, tuple[Any, str, str]] = {
    "calibrator": (
        lambda at: rg.fit_calibrator("plat", Y, S),
        "unknown calibrator 'plat'. Did you mean platt? There are: platt, temperature, odds, isotonic, histogram.",
        "未知的校准方法 'plat'。是否想输入 platt？现有：platt、temperature、odds、isotonic、histogram。",
    ),
    "cal p": (
        lambda at: rg.fit_calibrator("platt", Y, [2.0, 0.1, 0.2, 0.3]),
        "`p` must be a probability between 0 and 1, got 2.0 in row 0 (the first is 0). Pass probabilities; for scores "
        "on the log-odds scale, 1 / (1 + exp(-score)).",
        "`p` 必须是 0 与 1 之间的概率，实际第 0 行为 2.0（从 0 数起）。请传入概率；对数几率形式的得分请换算为 1 / (1 + "
        "exp(-score))。",
    ),
    "cal one class": (
        lambda at: rg.fit_calibrator("platt", [1, 1], [0.2, 0.3]),
        "platt: labels must hold both classes, got only 1 in 2 rows: nothing tells the slope. Fit on a longer time "
        "slice.",
        "platt：标签必须同时有两个类别，实际 2 行中只有 1：无从得知斜率。请在更长的时间段上拟合。",
    ),
    "cal file": (
        lambda at: rg.load_calibrator(at.file("cal.json", "{}")),
        "calibrator 'cal.json': must be a file that `save` wrote; the `rankgauge` version is missing.",
        "校准方法 'cal.json'：必须是 `save` 写出的文件；缺少 `rankgauge` 版本。",
    ),
    "segments": (
        lambda at: rg.worst_segments({"label": Y, "score": S}),
        "worst_segments: 'predictions' must have columns to slice by, got none. Pass slices=['device', …] where the "
        "rows are read.",
        "worst_segments：'predictions' 必须有可用来切片的列，实际没有。请在读取数据时传入 slices=['device', …]。",
    ),
}


@pytest.mark.parametrize(("call", "english", "chinese"), CASES.values(), ids=list(CASES))
def test_an_error_is_there_in_both_languages(tmp_path: Path, call: Any, english: str, chinese: str):
    says_in_both(call, Files(tmp_path), english, chinese)
