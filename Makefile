# make play    build, and sit down at a table in the terminal
# make test    build, and run every test, compiled and interpreted
# make check   types, lint, format, spelling
# make bench   measure against OpenSpiel and RLCard, side by side
# make load    measure the server against a bare one and boardgame.io, side by side
# make chaos   kill the server two hundred times while games are played

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/tools.stamp
BUILT := $(VENV)/built.stamp
SOURCES := $(shell find src docs/rules -type f -not -path '*/__pycache__/*') pyproject.toml hatch_build.py README.md

.PHONY: play test test-compiled test-interpreted check bench load chaos requirements clean

play: $(BUILT)
	@$(BIN)/fuda play

test: test-compiled test-interpreted

test-compiled: $(BUILT)
	$(BIN)/python -m pytest -n 2

test-interpreted: $(BUILT)
	PYTHONPATH=src $(BIN)/python -m pytest -n 2

check: $(BUILT)
	$(BIN)/mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md docs src tests bench

bench: $(BUILT)
	$(BIN)/python bench/compare.py

load: $(BUILT)
	$(BIN)/python bench/load.py

chaos: $(BUILT)
	FUDA_KILLS=200 $(BIN)/python -m pytest -n 2 -rP tests/server/test_chaos.py

$(TOOLS): requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	@touch $@

$(BUILT): $(TOOLS) $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	@$(BIN)/fuda --version
	@touch $@

requirements: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --upgrade --output-file requirements.txt requirements.in
	cd bench && ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --upgrade --output-file requirements.txt requirements.in

clean:
	rm -rf $(VENV) .venv-* build dist
