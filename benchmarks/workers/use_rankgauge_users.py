"""rankgauge on pandas or Polars frames of integer ids: `use_rankgauge_users.py FILE pandas|polars MEASURE…`.

Measures of shown items also get what users had before, and the catalogue.
"""

import importlib
import sys

import numpy as np
from protocol import SHOWN_MEASURES, serve

import rankgauge as rg

path, library, *measures = sys.argv[1:]
arrays = np.load(path)
frames = importlib.import_module(library)
taken = frames.DataFrame(
    {"user_id": arrays["user"], "item_id": arrays["item"], "grade": np.ones(len(arrays["user"]), dtype=np.int64)}
)
shown = frames.DataFrame({"user_id": arrays["shown_user"], "item_id": arrays["shown_item"], "rank": arrays["rank"]})
more = {}
if set(measures) & {*SHOWN_MEASURES, "Personalisation@10"}:
    past = frames.DataFrame({"user_id": arrays["past_user"], "item_id": arrays["past_item"]})
    more = {"train": past, "items": np.arange(arrays["shown_item"].max() + 1), "no_relevant": "zero"}


def call() -> dict[str, float]:
    evaluation = rg.evaluate(taken, shown, measures, **more)
    return {name: evaluation[name] for name in measures}


serve(call, measures)
