# Everything works from a fresh clone with Python 3.11+ and make: each target installs what it needs into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests start processes, and each would compile the package anew where nothing compiled may be kept.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto

.PHONY: help demo test test-ci test-all test-integrations check format fuzz bench bench-spark bench-grades screenshots clean

help:  ## what there is to make
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.installed  ## evaluate three systems on bundled data
	@$(BIN)/rankgauge demo

test: $(VENV)/.installed-dev  ## the test suite in about four minutes on two cores; says what it leaves to test-ci and test-all
	$(PYTEST) -m "not slow and not spark and not long"

test-ci: $(VENV)/.installed-dev  ## what takes longer: slow tests, Spark, and the part of long ones that .ci/run has time for
	$(PYTEST) -m "(slow or spark) and not long or long(ci=True)"

test-all: $(VENV)/.installed-dev  ## all tests, with long simulations and searches
	$(PYTEST)

# name of the test : what it needs; pyserini also Java 21 (JAVA_HOME), and is skipped without
INTEGRATIONS := langchain:langchain-core,langchain-text-splitters llamaindex:llama-index-core haystack:haystack-ai \
  pyterrier:python-terrier elasticsearch:elasticsearch[async],opensearch-py[async] \
  sentence_transformers:sentence-transformers tokenizers:tokenizers,transformers,tiktoken pyserini:pyserini

test-integrations:  ## each adapter with the real package, in an environment of its own; ONLY=langchain runs one
	@set -e; for each in $(INTEGRATIONS); do name=$${each%%:*}; env=.integrations/$$name; \
	  case " $(or $(ONLY),$$name) " in *" $$name "*) ;; *) continue;; esac; \
	  test -x $$env/bin/python || $(PYTHON) -m venv $$env; \
	  $$env/bin/python -m pip install --quiet --disable-pip-version-check -e . pytest $$(echo $${each#*:} | tr , ' '); \
	  $$env/bin/python -m pytest -q -p no:cacheprovider -o filterwarnings=default --noconftest \
	    tests/integrations/live/test_$$name.py; done

check: $(VENV)/.installed-dev  ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-dev  ## put the code in its format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

fuzz: $(VENV)/.installed-dev  ## mutated input for every command and function: 100,000 cases, or CASES=n; CASE=n runs one again
	cd tests/hostile && ../../$(BIN)/python -m fuzzer $(if $(CASE),--case $(CASE),--cases $(or $(CASES),100000) --first $(or $(FIRST),0))

bench: $(VENV)/.installed  ## us and the peers in one run; writes benchmarks/RESULTS.md; ONLY=a,b.1M-tied runs a part
	$(BIN)/python benchmarks/run.py $(if $(ONLY),--only $(ONLY))

bench-spark: $(VENV)/.installed-spark  ## rankings on Spark beside MLlib; writes benchmarks/RESULTS-SPARK.md; needs Java
	$(BIN)/python benchmarks/spark.py

bench-grades: $(VENV)/.installed  ## grades from clicks against the truth of simulated logs; writes benchmarks/RESULTS-GRADES.md
	$(BIN)/python benchmarks/grades.py

screenshots: $(VENV)/.installed-dev  ## the pictures of the documentation, from the demo; needs Chromium
	$(BIN)/python tools/screenshots.py

clean:  ## remove environments, caches and generated data
	rm -rf $(VENV) .integrations .mypy_cache .ruff_cache .pytest_cache .hypothesis benchmarks/.data benchmarks/.peers

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "rankgauge needs Python 3.11 or newer; pass one with: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-spark: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[spark]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/.installed
