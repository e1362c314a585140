"""sentence-transformers: models that need no download, with their corpus."""

from __future__ import annotations

import pytest

pytest.importorskip("sentence_transformers")

import numpy as np
from live_questions import TEXTS
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import Pooling, StaticEmbedding, Transformer
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

import rankgauge as rg

EXACT = {text: [d] for d, text in TEXTS.items()}


def tokenizer() -> Tokenizer:
    words = sorted({w for text in TEXTS.values() for w in text.split()})
    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", *words])}
    made = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    return made


def static(**options) -> SentenceTransformer:
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer(), embedding_dim=16)], device="cpu", **options)


@pytest.fixture
def bert(tmp_path) -> SentenceTransformer:
    """A transformer with random weights, on disk as downloads are."""
    PreTrainedTokenizerFast(tokenizer_object=tokenizer(), pad_token="[PAD]", unk_token="[UNK]").save_pretrained(
        tmp_path
    )
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=tokenizer().get_vocab_size(), max_position_embeddings=32, **sizes)).save_pretrained(
        tmp_path
    )
    transformer = Transformer(str(tmp_path))
    return SentenceTransformer(modules=[transformer, Pooling(16)], device="cpu")


def test_a_model_with_its_corpus_finds_each_text_by_its_own_words(bert):
    for model in (static(), bert):
        run = rg.collect(EXACT, (model, TEXTS), k=2, concurrency=2)

        assert rg.evaluate(EXACT, run, "RR")["RR"] == 1.0
        assert run.collected.results == (2, 2, 2)
        assert run.collected.odd == {}


@pytest.mark.parametrize("name", ["cosine", "dot", "euclidean", "manhattan"])
def test_ranked_as_the_model_says(name):
    model = static(similarity_fn_name=name)
    query = "red boots"
    vectors, asked = model.encode(list(TEXTS.values())), model.encode(query)
    naive = {
        "cosine": [float(v @ asked / np.linalg.norm(v) / np.linalg.norm(asked)) for v in vectors],
        "dot": [float(v @ asked) for v in vectors],
        "euclidean": [-float(np.linalg.norm(v - asked)) for v in vectors],
        "manhattan": [-float(np.abs(v - asked).sum()) for v in vectors],
    }[name]
    expected = dict(sorted(zip(TEXTS, naive, strict=True), key=lambda x: -x[1]))
    found = rg.collect([query], (model, TEXTS)).to_dict()[query]

    assert list(found) == list(expected)
    assert found == pytest.approx(expected, rel=1e-4)


def test_prompts_of_queries_and_documents_are_those_of_the_model():
    said = []

    class Prompted(SentenceTransformer):
        def encode_query(self, sentences, **options):
            said.append(("query", sentences))
            return self.encode(sentences, **options)

        def encode_document(self, sentences, **options):
            said.append(("document", sentences))
            return self.encode(sentences, **options)

    model = Prompted(modules=[StaticEmbedding(tokenizer(), embedding_dim=16)], device="cpu")
    corpus = {"d1": {"title": "shoes", "text": "red"}, "d2": {"text": "boots"}}
    rg.collect(["red shoes"], (model, corpus))

    assert said == [("document", ["shoes red", "boots"]), ("query", ["red shoes"])]
