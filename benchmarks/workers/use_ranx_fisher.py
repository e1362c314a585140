"""ranx's Fisher randomisation test, compiled already: `use_ranx_fisher.py`."""

from protocol import per_query_values, serve
from ranx.statistical_tests import fisher_randomization_test

a, b = (values[:, 0].copy() for values in per_query_values(1))


def call() -> dict[str, float]:
    result = fisher_randomization_test(a, b, n_permutations=10_000, max_p=0.05, random_seed=1)
    return {"p": float(result["p-value"] if isinstance(result, dict) else result[0])}


serve(call, ["p"])
