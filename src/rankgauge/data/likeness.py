"""How like what users had before items are: the mean cosine to each history, by vectors or by who had what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge._typing import Array

if TYPE_CHECKING:
    from rankgauge.data.catalogue import Catalogue

__all__ = ["likeness"]

_AT_ONCE = 20_000_000  # numbers of profiles that are held at once


def likeness(c: Catalogue, by: str, user_ids: Sequence[str], owner: Array, items: Array) -> Array:
    """The mean cosine of each item to what its user had before; the users of items ascend, and had something.

    With rows of length 1, the mean cosine is the product with the mean row of the history.
    """
    from scipy.sparse import csr_array  # type: ignore[import-untyped,unused-ignore]

    rows = _by_vectors(c) if by == "vectors" else _by_users(c)
    lists = np.unique(owner)
    lengths, had = c.history_of([user_ids[i] for i in lists.tolist()])
    starts = np.concatenate(([0], np.cumsum(lengths)))
    work = np.concatenate(([0], np.cumsum(np.diff(rows.indptr)[had])))[starts]  # numbers before each list
    cuts = np.unique(np.searchsorted(work, np.arange(_AT_ONCE, work[-1] + _AT_ONCE, _AT_ONCE), side="right").clip(1))
    out = np.zeros(len(items))
    edges = np.unique(np.concatenate(([0], cuts.clip(max=len(lists)), [len(lists)])))
    for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        mine = slice(*np.searchsorted(owner, [lists[a], lists[b - 1] + 1]))
        inside = slice(starts[a], starts[b])
        weight = np.repeat(1 / lengths[a:b], lengths[a:b])
        profiles = csr_array((weight, had[inside], starts[a : b + 1] - starts[a]), (b - a, rows.shape[0])) @ rows
        at = np.searchsorted(lists[a:b], owner[mine])
        out[mine] = np.asarray(profiles[at].multiply(rows[items[mine]]).sum(axis=1)).ravel()
    return out


def _by_vectors(c: Catalogue) -> Any:
    """A row of length 1 for each item that has a number; of zeros where nothing is known of it."""
    from scipy.sparse import csr_array, diags_array, vstack

    known = csr_array(c.vectors, dtype=np.float64)
    length = np.sqrt(np.asarray(known.multiply(known).sum(axis=1)).ravel())
    known = diags_array(np.divide(1.0, length, out=np.zeros(len(length)), where=length > 0)) @ known
    more = csr_array((c.n_numbers - c.n_items, known.shape[1]))
    return vstack([known, more], format="csr")


def _by_users(c: Catalogue) -> Any:
    """A row for each item that has a number, with a place for each user of train: their cosine is co-occurrence."""
    from scipy.sparse import csr_array

    starts, had = c.histories
    by_user = csr_array((1 / np.sqrt(c.users[had]), had, starts), (len(starts) - 1, c.n_numbers))
    return by_user.T.tocsr()
