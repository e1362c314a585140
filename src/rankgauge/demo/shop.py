"""A small product search to practise on: queries, products, judgements and three systems, from one seed.

The shop is invented but behaves like a real one. A product has a category, a brand and a few attributes;
a query asks for some of them; how well they overlap is the true relevance, and each system sees that
through its own glasses:

- ``bm25`` matches words. Word segmentation costs it Chinese queries, and it cannot see that "running shoes
  for flat feet" asks for arch support. Equal matches get equal scores, so it has many ties.
- ``dense`` matches meaning. It is better almost everywhere, but one model number looks to it like the next.
- ``hybrid`` combines both, re-ranks, and searches a newer catalogue, so that it shows products which nobody
  has judged yet. It failed on four queries, which are missing from its run.

Judged are the top results of ``bm25`` and ``dense``, plus some that the assessors found on their own.

Nothing but ``random()`` and basic IEEE 754 arithmetic is used, so a seed gives the same bytes on every
platform and Python version: no `math.log` or `gauss` (they depend on the C library), no `sum` of floats
(compensated since Python 3.12), no `choice` or `shuffle` (their algorithm may change).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rankgauge.demo.saving import save_files
from rankgauge.demo.vocabulary import ADULTS, BRANDS, CATEGORIES, NOT_SOLD, Words

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

T = TypeVar("T")
Draw = Callable[[], float]

N_PRODUCTS = 2000
N_NEW = 80  # the last ones, listed after the judgements were made: only `hybrid` knows them
N_RESULTS = 50
N_FAILED = 4  # queries that are missing from `hybrid`

# How many queries of each kind; two of five are Chinese. NOT_SOLD adds the rest.
PLAN = {
    ("head", "category"): 18,
    ("head", "brand"): 10,
    ("head", "attribute"): 10,
    ("head", "problem"): 2,
    ("torso", "category"): 18,
    ("torso", "brand"): 16,
    ("torso", "attribute"): 28,
    ("torso", "problem"): 18,
    ("tail", "category"): 8,
    ("tail", "brand"): 20,
    ("tail", "attribute"): 27,
    ("tail", "problem"): 22,
}
JUDGED = {"head": (22, 30), "torso": (14, 22), "tail": (8, 14)}  # fewest and most per query
TASTE = {"head": 0.9, "torso": 0.6, "tail": 0.4}  # how much of the relevance no attribute explains
LOST = {"en": 0.4, "zh": 0.6}  # chance that a query word meets no title: synonyms, segmentation
BLUR = {"brand": 0.43, "category": 0.6, "attribute": 0.45, "problem": 0.54}  # noise of `dense`


@dataclass(frozen=True, slots=True)
class Shop:
    """Queries, products, judgements (0 irrelevant, 1 complement, 2 substitute, 3 exact) and three runs."""

    queries: dict[str, dict[str, str]]
    products: dict[str, str]
    qrels: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]


class _Product(NamedTuple):
    doc_id: str
    category: str
    language: str
    traits: int  # one bit for each brand, audience, feature and finish
    brand: Words
    model: str  # "" when the title has none
    audience: Words | None
    features: list[Words]
    finish: Words
    wordiness: float  # how much the length of the title lowers its BM25
    is_bilingual: bool  # has keywords in both languages


class _Query(NamedTuple):
    text: str
    language: str
    segment: str
    intent: str
    category: str
    wants: int  # the traits asked for
    unsaid: int  # those of them that the text does not name
    target: str  # the one product that is meant by a model number, or ""
    is_sold: bool = True


def shop(seed: int = 7) -> Shop:
    """Generate the shop: 200 queries, 2,000 products, 8 to 30 judgements a query, up to 50 results a list.

    >>> data = shop(seed=7)
    >>> len(data.queries), len(data.products), list(data.runs)
    (200, 2000, ['bm25', 'dense', 'hybrid'])
    """
    from random import Random

    draw = Random(seed).random
    products = _stock(draw)
    queries = {f"q{n:03}": query for n, query in enumerate(_ask(draw, products[:-N_NEW]), start=1)}
    shelves: dict[str, list[_Product]] = {key: [] for key in CATEGORIES}
    for product in products:
        shelves[product.category].append(product)
    newest = products[-N_NEW].doc_id

    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {"bm25": {}, "dense": {}, "hybrid": {}}
    for query_id, query in queries.items():
        candidates = _candidates(draw, query, shelves, products)
        truth, results = _search(draw, query, candidates, newest)
        qrels[query_id] = _judge(draw, query, truth, results, newest)
        for system, scores in results.items():
            runs[system][query_id] = scores
    answered = [q for q, grades in qrels.items() if any(grades.values()) and queries[q].segment != "head"]
    for query_id in _some(draw, answered, N_FAILED):
        del runs["hybrid"][query_id]

    return Shop(
        queries={
            query_id: {"text": q.text, "language": q.language, "segment": q.segment, "intent": q.intent}
            for query_id, q in queries.items()
        },
        products={product.doc_id: _title(product) for product in products},
        qrels=qrels,
        runs=runs,
    )


def save(data: Shop, folder: str | PathLike[str]) -> list[Path]:
    """Write the shop as files, TREC for judgements and runs, JSON lines for the texts; the paths come back.

    The files are UTF-8 with ``\\n`` everywhere, and the same shop always gives the same bytes.
    """
    files = {"qrels.txt": _qrels_lines(data.qrels)}
    for system, run in data.runs.items():
        files[f"{system}.run"] = _run_lines(run, system)
    files["queries.jsonl"] = _json_lines({"query_id": q, **about} for q, about in data.queries.items())
    files["products.jsonl"] = _json_lines({"doc_id": d, "title": title} for d, title in data.products.items())
    return save_files(folder, files)


def _qrels_lines(qrels: dict[str, dict[str, int]]) -> Iterable[str]:
    for query_id, grades in qrels.items():
        for doc_id, grade in grades.items():
            yield f"{query_id} 0 {doc_id} {grade}"


def _run_lines(run: dict[str, dict[str, float]], tag: str) -> Iterable[str]:
    for query_id, scores in run.items():
        for rank, (doc_id, score) in enumerate(scores.items(), start=1):
            yield f"{query_id} Q0 {doc_id} {rank} {score} {tag}"


def _json_lines(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    import json

    return (json.dumps(row, ensure_ascii=False) for row in rows)


# Products


def _stock(draw: Draw) -> list[_Product]:
    """Fill the shelves, category by category in turn; about a third have a model number."""
    bits = _bits()
    keys = list(CATEGORIES)
    stock = []
    for n in range(N_PRODUCTS):
        key = keys[n % len(keys)]
        category = CATEGORIES[key]
        language = "zh" if draw() < 0.4 else "en"
        brand = _pick(draw, BRANDS[category.department])
        model = f"{brand[0][0]}{brand[0][-1].upper()}-{100 + n * 37 % 2003}" if draw() < 0.33 else ""
        audience = _pick(draw, category.audiences) if category.audiences and draw() < 0.8 else None
        features = _some(draw, category.features, 1 + int(draw() * 2.4))
        finish = _pick(draw, category.finishes)
        words = [brand, *features, finish] if audience is None else [brand, audience, *features, finish]
        traits = 0
        for word in words:
            traits |= bits[word]
        wordiness = 0.8 + 0.05 * (len(words) + (model != ""))
        is_bilingual = draw() < 0.35
        stock.append(
            _Product(
                f"SKU-{n + 1:05}",
                key,
                language,
                traits,
                brand,
                model,
                audience,
                features,
                finish,
                wordiness,
                is_bilingual,
            )
        )
    return stock


@cache
def _bits() -> dict[Words, int]:
    words: dict[Words, int] = {}
    for category in CATEGORIES.values():
        brands = BRANDS[category.department]
        for word in (*brands, *category.audiences, *category.features, *category.finishes):
            words.setdefault(word, 1 << len(words))
    return words


def _title(product: _Product) -> str:
    """Such as "Northpeak Women's Waterproof Hiking Boots, Grey" or "山野女款防水登山靴 灰色"."""
    side = 1 if product.language == "zh" else 0
    audience = [product.audience] if product.audience else []
    described = [word[side] for word in (*audience, *product.features, CATEGORIES[product.category].noun)]
    brand, model, finish = product.brand[side], product.model, product.finish[side]
    if side == 0:
        return " ".join([brand, model, *described] if model else [brand, *described]) + f", {finish}"
    maker = f"{brand} {model} " if model else brand
    return f"{maker}{''.join(described)} {finish}"


# Queries


def _ask(draw: Draw, products: list[_Product]) -> list[_Query]:
    """Think up the queries of the plan, each with a product in mind, and mix them."""
    queries: dict[str, _Query] = {}
    kinds = [kind for kind, count in PLAN.items() for _ in range(count)]
    for n, (segment, intent) in enumerate(kinds):
        language = "zh" if n % 5 in (1, 3) else "en"
        while True:
            product = _pick(draw, products)
            if (segment, intent) == ("tail", "brand") and not product.model:
                continue
            query = _phrase(draw, product, language, segment, intent)
            if query.text not in queries:
                queries[query.text] = query
                break
    for text, language, intent, shelf in NOT_SOLD:
        queries[text] = _Query(text, language, "tail", intent, shelf, 0, 0, "", is_sold=False)
    return _some(draw, list(queries.values()), len(queries))


def _phrase(draw: Draw, product: _Product, language: str, segment: str, intent: str) -> _Query:
    """Put a shopper's words to some of the traits of a product: few in the head, many in the tail."""
    bits = _bits()
    category = CATEGORIES[product.category]
    front, back = _traits_asked(draw, product, segment, intent)
    subject, unsaid, target = category.noun, 0, ""
    if intent == "problem":
        english, chinese, solution = _pick(draw, category.problems)
        subject, unsaid = (english, chinese), bits[category.features[solution]]
    elif intent == "brand" and segment == "tail":
        subject, target = (f" {product.model}", f" {product.model}"), product.doc_id
    wants = unsaid
    for word in (*front, *back):
        wants |= bits[word]

    if language == "zh":
        words = ["".join(word[1] for word in (*front, subject)), *(word[1].rstrip("款") for word in back)]
    else:
        words = [word[0].strip() for word in (*front, subject)]
        words += [word[0].removesuffix("'s").rstrip("'") for word in back]
    text = " ".join(words)
    text = text.lower() if language == "en" or target else text
    return _Query(text, language, segment, intent, product.category, wants, unsaid, target)


def _traits_asked(draw: Draw, product: _Product, segment: str, intent: str) -> tuple[Sequence[Words], Sequence[Words]]:
    """The traits that are said before and after the noun."""
    feature = product.features[0]
    details = [product.audience, product.finish] if product.audience else [product.finish]
    detail = details[:1]
    grown_up = [word for word in details if word in ADULTS]
    if intent == "attribute" and segment == "torso" and product.audience and draw() < 0.5:
        return detail, [feature]
    asked: dict[tuple[str, str], tuple[Sequence[Words], Sequence[Words]]] = {
        ("category", "torso"): ((), detail),
        ("category", "tail"): ((), details),
        ("brand", "head"): ([product.brand], ()),
        ("brand", "torso"): ([product.brand, feature], ()),
        ("brand", "tail"): ([product.brand], ()),
        ("attribute", "head"): ([feature], ()),
        ("attribute", "torso"): ([feature], detail),
        ("attribute", "tail"): (product.features, details),
        ("problem", "tail"): ((), grown_up),
    }
    return asked.get((intent, segment), ((), ()))


# Systems


def _candidates(
    draw: Draw, query: _Query, shelves: dict[str, list[_Product]], products: list[_Product]
) -> dict[str, tuple[_Product, float]]:
    """The products that any system would consider, each with its nearness: 1 for the same category."""
    category = CATEGORIES[query.category]
    strangers = [_pick(draw, products) for _ in range(32)]
    found = {product.doc_id: (product, 0.0) for product in strangers}
    found |= {product.doc_id: (product, 0.38) for product in _some(draw, shelves[category.complement], 14)}
    found |= {product.doc_id: (product, 0.5) for product in _some(draw, shelves[category.sibling], 34)}
    found |= {product.doc_id: (product, 1.0) for product in shelves[query.category]}
    return found


def _search(
    draw: Draw, query: _Query, candidates: dict[str, tuple[_Product, float]], newest: str
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """The true relevance of every candidate, and what each system makes of it."""
    wants, target = query.wants, query.target
    n_wants = wants.bit_count()
    heard = _without(draw, wants & ~query.unsaid, LOST[query.language])
    is_chinese = query.language == "zh"
    noun = 0.0 if target else 5.0
    if query.intent == "problem":
        noun = 1.2 if is_chinese else 2.5  # a problem names the product in passing, if at all
    taste = TASTE[query.segment]
    blur = BLUR[query.intent] * (0.6 + 0.8 * draw())  # some queries are harder than others
    truth: dict[str, float] = {}
    bm25: dict[str, float] = {}
    dense: dict[str, float] = {}
    hybrid: dict[str, float] = {}
    for doc_id, (product, nearness) in candidates.items():
        overlap = (product.traits & wants).bit_count() / n_wants if n_wants else 1.0
        seen = nearness * (0.2 + 0.8 * overlap)
        whim = draw()
        true = seen * (1.0 - taste * whim * whim)
        if target:
            seen *= 0.85
            true = 1.0 if doc_id == target else 0.8 * true * (whim < 0.08)
        elif not query.is_sold:
            seen, true = seen * 0.5, 0.0
        truth[doc_id] = true

        is_foreign = product.language != query.language
        hits = (product.traits & heard).bit_count()
        words = noun * nearness + 3.2 * hits
        if is_foreign:
            words *= 0.5 if product.is_bilingual else 0.0
        if is_chinese and draw() < 0.25:
            words += 2.4  # the same character in another word
        if doc_id == target:
            words += 9.0
        # how often the words occur in the description: a count, hence the ties
        lexical = round(words * (1.0 + 0.25 * int(draw() * 8)) / product.wordiness, 2)

        vague = seen + 0.35 * (true - seen) - (0.1 if is_foreign else 0.0)
        semantic = vague + blur * (draw() + draw() + draw() - 1.5) * 2.0
        if doc_id < newest:
            if lexical > 0.0:
                bm25[doc_id] = lexical
            dense[doc_id] = round(0.42 + 0.3 * semantic, 6)
        score = 0.014 * lexical + 0.6 * semantic + 0.16 * true
        score += 0.2 * (draw() + draw() - 1.0)
        if score > 0.15:  # the re-ranker drops what it does not believe in
            hybrid[doc_id] = round(score, 6)
    return truth, {"bm25": _top(bm25), "dense": _top(dense), "hybrid": _top(hybrid)}


def _without(draw: Draw, traits: int, lost: float) -> int:
    """Drop each trait with the given chance."""
    kept = 0
    while traits:
        lowest = traits & -traits
        traits ^= lowest
        if draw() >= lost:
            kept |= lowest
    return kept


def _top(scores: dict[str, float]) -> dict[str, float]:
    """The best results in order; equal scores in catalogue order, as an index returns them."""
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[:N_RESULTS])


# Judgements


def _judge(
    draw: Draw, query: _Query, truth: dict[str, float], results: dict[str, dict[str, float]], newest: str
) -> dict[str, int]:
    """Judge the top of `bm25` and `dense` in turn, then what assessors find by looking themselves."""
    fewest, most = JUDGED[query.segment]
    budget = fewest + int(draw() * (most - fewest + 1))
    pool: dict[str, None] = {}
    for pair in zip_longest(results["bm25"], results["dense"]):
        pool.update(dict.fromkeys(doc_id for doc_id in pair if doc_id))
        if len(pool) >= 0.65 * budget:
            break
    known = [doc_id for doc_id in truth if doc_id < newest and doc_id not in pool]
    good = [doc_id for doc_id in known if _grade(truth[doc_id]) > 0]
    extra = [query.target, *_some(draw, good, budget // 3), *_some(draw, known, budget)]
    for doc_id in extra:
        if doc_id and len(pool) < budget:
            pool[doc_id] = None
    return {doc_id: _grade(truth[doc_id]) for doc_id in sorted(pool)}


def _grade(relevance: float) -> int:
    """0 irrelevant, 1 complement, 2 substitute, 3 exact."""
    return (relevance >= 0.34) + (relevance >= 0.62) + (relevance >= 0.85)


# Choices that need nothing but random()


def _pick(draw: Draw, items: Sequence[T]) -> T:
    return items[int(draw() * len(items))]


def _some(draw: Draw, items: Sequence[T], count: int) -> list[T]:
    """At most `count` different items in random order."""
    left = list(items)
    count = min(count, len(left))
    for i in range(count):
        j = i + int(draw() * (len(left) - i))
        left[i], left[j] = left[j], left[i]
    return left[:count]
