"""What counts tokens: tokenizers, transformers and tiktoken, made here, so that nothing has to be downloaded.

The encodings that tiktoken has by name (cl100k_base) come from the network and are not tried.
"""

from __future__ import annotations

import pytest

import rankgauge as rg
from rankgauge.collection.tokenizers import tokenizer_named
from rankgauge.data.budgets import counter_of

TEXTS = {"d1": "red shoes for running", "d2": "warm boots", "d3": "a hat made of red wool \N{SNOWFLAKE} 字"}
GOLD, RUN = {"q": {"d1": 1, "d2": 1}}, {"q": ["d1", "d3", "d2"]}


def by_words():
    """A tokenizer of the package tokenizers: words, with a token before and one behind."""
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {w: i for i, w in enumerate(["[UNK]", "[CLS]", "[SEP]", *sorted(" ".join(TEXTS.values()).split())])}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made


def test_tokenizers_itself_and_its_file(tmp_path):
    made = by_words()
    made.save(str(tmp_path / "tokenizer.json"))

    assert len(made.encode(TEXTS["d1"]).ids) == 6  # with its special tokens
    for each in (made, tokenizer_named(str(tmp_path / "tokenizer.json"))):
        assert [counter_of(each)(text) for text in TEXTS.values()] == [4, 2, 8]
        ev = rg.evaluate(GOLD, RUN, ["R(budget=4t)", "R(budget=13t)", "R(budget=14t)"], documents=TEXTS, tokenizer=each)
        assert [ev[m] for m in ev.labels] == [0.5, 0.5, 1.0]


def test_transformers():
    transformers = pytest.importorskip("transformers")
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=by_words(), unk_token="[UNK]")

    assert [counter_of(made)(text) for text in TEXTS.values()] == [4, 2, 8]
    ev = rg.evaluate(GOLD, RUN, ["R(budget=13t)", "R(budget=14t)"], documents=TEXTS, tokenizer=made)
    assert [ev[m] for m in ev.labels] == [0.5, 1.0]


def test_tiktoken():
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([i]): i for i in range(256)} | {b"re": 256, b"red": 257, b" b": 258}
    made = tiktoken.Encoding("toy", pat_str=r"\S+|\s+", mergeable_ranks=ranks, special_tokens={"<|end|>": 300})

    count = counter_of(made)

    assert count("red") == 1
    assert count("reds") == 2
    assert count("字") == 3  # bytes
    assert count("<|end|>") == 7  # words of a text are no special tokens
    ev = rg.evaluate(GOLD, RUN, ["R(budget=1000t)"], documents=TEXTS, tokenizer=made)
    assert any("toy" in str(note) for note in ev.remarks)
