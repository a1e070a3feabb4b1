# make play          build, start the server, and open its page in the browser
# make test          build, and run every test; those of the core also interpreted
# make check         types, lint, format, spelling
# make docs          build the documentation site in build/site; warnings are errors
# make terminal      build, and play in the terminal
# make shots         build, and take pictures of the tables in the browser
# make bench         measure against OpenSpiel and RLCard, side by side
# make instructions  count the processor's instructions for each decision
# make load          measure the server against a bare one and boardgame.io, side by side
# make mutants       change the engine and games in small ways, to see whether the tests notice it
# make chaos         kill the server two hundred times, and let disk, databases and clocks fail, while games are played
# make attack        flood the server for ten minutes while games are played at 300 tables

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/tools.stamp
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal
CLIENT := src/fuda/static/index.html
COMPILED := $(VENV)/compiled.stamp
BUILT := $(VENV)/built.stamp
SOURCES := $(shell find src docs/rules building -type f -not -path '*/__pycache__/*' -not -path 'src/fuda/static*') \
	pyproject.toml hatch_build.py README.md

CORE_TESTS := tests/contract tests/golden tests/old_records tests/engine tests/games tests/rules tests/bots tests/lab \
	tests/test_build.py::test_the_installed_core_is_compiled_and_the_source_tree_is_not

.PHONY: play terminal build test test-web test-compiled test-interpreted check check-web check-python docs shots bench \
	instructions load mutants chaos attack requirements clean always

play: $(BUILT)
	@$(BIN)/fuda serve --open

terminal: $(BUILT)
	@$(BIN)/fuda play

build: $(BUILT)

test: test-web test-compiled test-interpreted

test-web: $(TOOLS)
	$(BIN)/python -m building.web test

# The attack needs the machine for itself.
test-compiled: $(BUILT)
	$(PYTEST) --ignore tests/server/test_attack.py
	$(BIN)/python -m pytest tests/server/test_attack.py

# Only what depends on the compiled core can differ there. It needs no build: CI runs it while the core is compiled.
test-interpreted: $(TOOLS)
	PYTHONPATH=src $(PYTEST) $(CORE_TESTS)

shots: $(BUILT)
	$(BIN)/python -m tests.web.shots

check: check-web check-python

check-web: $(TOOLS)
	$(BIN)/python -m building.web check

check-python: $(TOOLS)
	$(BIN)/mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell --skip '*/fuda/static*,*/de/*,*/ja/*,*.de.yml,*.ja.yml' \
		README.md CHANGELOG.md CONTRIBUTING.md Dockerfile docs src tests bench building deploy
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml

docs: $(TOOLS)
	PYTHONPATH=src $(BIN)/python -m building.docs

bench: $(BUILT)
	$(BIN)/python -m bench.compare

instructions: $(BUILT)
	$(BIN)/python -m bench.instructions

load: $(BUILT)
	$(BIN)/python -m bench.load

# For example: make mutants MODULE=engine/deals.py SAMPLE=200
mutants: $(TOOLS)
	$(BIN)/python -m tests.mutants $(MODULE) $(if $(SAMPLE),--sample $(SAMPLE))

chaos: $(BUILT)
	FUDA_KILLS=200 $(PYTEST) -rP tests/server/test_chaos.py tests/server/test_faults.py tests/server/test_clock.py

attack: $(BUILT)
	FUDA_ATTACK=$(or $(SECONDS),600) $(BIN)/python -m pytest -rP tests/server/test_attack.py

$(TOOLS): requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	@touch $@

# It checks itself whether the client has to be built.
$(CLIENT): $(TOOLS) always
	@$(BIN)/python -m building.web build

$(COMPILED): $(TOOLS) $(SOURCES) | $(CLIENT)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	@$(BIN)/fuda --version
	@touch $@

# The core is not compiled again when only the browser client has changed.
$(BUILT): $(COMPILED) $(CLIENT)
	@$(BIN)/python -m building.web install
	@touch $@

requirements: $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --upgrade --output-file requirements.txt requirements.in
	cd bench && ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --upgrade --output-file requirements.txt requirements.in

clean:
	rm -rf $(VENV) .venv-* build dist src/fuda/static web/node_modules
