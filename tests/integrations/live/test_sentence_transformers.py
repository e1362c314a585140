"""sentence-transformers: a model that needs no download, with its corpus."""

from __future__ import annotations

import pytest

pytest.importorskip("sentence_transformers")

from live_questions import TEXTS
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

import rankgauge as rg


def model() -> SentenceTransformer:
    words = sorted({w for text in TEXTS.values() for w in text.split()})
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, **{w: i + 1 for i, w in enumerate(words)}}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=16)])


def test_a_model_with_its_corpus_finds_each_text_by_its_own_words():
    exact = {text: [d] for d, text in TEXTS.items()}
    run = rg.collect(exact, (model(), TEXTS), k=2)

    assert rg.evaluate(exact, run, "RR")["RR"] == 1.0
    assert run.collected.results == (2, 2, 2)
