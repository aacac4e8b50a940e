# `make play` and `make test` are all that most people need; both prepare .venv first.

VENV    := .venv
PY      := $(VENV)/bin/python
BUILD   := build
# The first Python on the path that is new enough. Override with `make PYTHON=/path/to/python3`.
PYTHON  ?= $(shell for p in python3 python python3.14 python3.13 python3.12 python3.11; do \
             $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
CODE    := $(wildcard engine advice services clients tests benchmarks)
PROTOS  := $(wildcard protos/daifugo/v1/*.proto)
STORED  := $(wildcard protos/daifugo/store/v1/*.proto)
ENGINE  := $(shell find engine -name '*.py' -o -name '*.toml' 2>/dev/null)
HOT     := services/compiled.txt $(shell cat services/compiled.txt 2>/dev/null)
IMAGE   := protos/daifugo.v1.binpb
TS      := clients/typescript
PIP     := $(PY) -m pip --disable-pip-version-check --quiet
PYTEST  := $(PY) -m pytest -n auto
ARGS    ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev stubs compile play demo test long exhaust bench lint format pictures buf-breaking buf-image rulebook lock clean typescript

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

play: setup ## play in this terminal against three bots (more with ARGS="--help")
	@trap : INT; $(VENV)/bin/daifugo play $(ARGS) || test $$? -eq 130  # Ctrl-C is a way to end it

demo: setup ## four bots play one set over gRPC; prints the result table
	@trap : INT; $(VENV)/bin/daifugo play --demo $(ARGS) || test $$? -eq 130

# The tests of what is compiled run twice: compiled (where a C compiler is there), then with everything from the sources.
test: setup-dev try-typescript ## run every test
	@if [ -d $(BUILD)/compiled/engine ] && [ -d $(BUILD)/compiled/services ]; then echo "tests of engine and services, compiled:"; \
	  DAIFUGO_ENGINE=compiled $(PYTEST) -q tests/engine tests/transcripts tests/services -m "not long and not sources" -o pythonpath="build/compiled protos ." $(ARGS) || exit 1; \
	  echo "all tests, interpreted:"; \
	else echo "not compiled here: all tests run interpreted only"; fi
	@DAIFUGO_ENGINE=interpreted $(PYTEST) tests -m "not long" $(ARGS)

long: setup-dev try-typescript ## run every test, also those without a time budget
	@$(PYTEST) tests --timeout 0 $(ARGS)

# Goes on where it was stopped (build/exhaust). Rules are watched in the sources; the rest is compiled if it can be.
exhaust: setup-dev ## random games on random tables until every rule, value and pair has acted, then a million more
	@trap : INT; $(PY) -m tests.exhaust reach $(ARGS); test $$? -ne 130
	@trap : INT; PYTHONPATH=$(BUILD)/compiled:protos:. $(PY) -P -m tests.exhaust many $(ARGS)
	@$(PY) -m tests.exhaust reach --games 0

# -P keeps the sources in this folder from coming before the compiled engine.
bench: setup ## measure: the service beside a bare gRPC server, random games beside OpenSpiel
	@PYTHONPATH=$(BUILD)/compiled:protos:. GRPC_VERBOSITY=ERROR $(PY) -P -m benchmarks $(ARGS)

lint: setup-dev ## ruff, mypy --strict, buf lint and the breaking check
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy setup.py $(CODE)
	$(VENV)/bin/buf lint
	@$(MAKE) --no-print-directory buf-breaking

format: setup-dev ## let ruff and buf rewrite what they can
	$(VENV)/bin/ruff check --fix-only .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/buf format -w

pictures: setup-dev ## take the pictures of the full screen anew, for its tests and for docs/
	@DAIFUGO_PICTURES=take $(PY) -m pytest -q tests/clients/screen/test_pictures.py

buf-breaking: setup-dev ## compare the protos with the committed image
	$(VENV)/bin/buf breaking --against $(IMAGE)

# Before the first tag a commit may replace the image and says why; after it, never.
buf-image: setup-dev ## replace the committed image of the protos
	$(VENV)/bin/buf build -o $(IMAGE)

rulebook: setup-dev ## write docs/rules anew, from the catalogue and the rulings
	$(PY) -m tests.rulebook

setup: $(VENV)/.ready ## prepare .venv: locked dependencies, stubs, the compiled engine
setup-dev: setup $(VENV)/.dev
stubs: $(VENV)/.stubs ## generate the Python stubs from protos/
compile: $(BUILD)/.compiled ## compile engine and services with mypyc into build/compiled, if a C compiler is there

typescript: $(TS)/.ready ## prepare the client in TypeScript: its packages, the compiler, stubs from protos/

.PHONY: try-typescript
try-typescript:
	@$(MAKE) --no-print-directory typescript || echo "the client in TypeScript could not be prepared; its tests will say so" >&2

# Node comes with the development packages. What Google's error details look like comes with the Python ones.
$(TS)/.ready: $(TS)/package.json $(TS)/package-lock.json $(PROTOS) $(VENV)/.dev
	@command -v $(VENV)/bin/npm >/dev/null || { echo "there is no Node for this machine among the Python packages" >&2; exit 1; }
	@cd $(TS) && PATH="$(abspath $(VENV))/bin:$$PATH" npm ci --silent
	@rm -rf $(TS)/gen && mkdir $(TS)/gen
	@PATH="$(abspath $(VENV))/bin:$$PATH" $(PY) -m grpc_tools.protoc -I protos \
	  -I "$$($(PY) -c 'import google.rpc, pathlib; print(pathlib.Path(list(google.rpc.__path__)[0]).parents[1])')" \
	  --plugin=protoc-gen-es=$(TS)/node_modules/.bin/protoc-gen-es \
	  --es_out=$(TS)/gen --es_opt=target=js+dts,import_extension=js $(PROTOS) google/rpc/error_details.proto
	@touch $@

# A .pth entry comes before an editable install's finder, so `daifugo` gets the compiled engine when there is one;
# `python -m ...` and pytest in this folder get the sources.
$(VENV)/.ready: $(VENV)/.locked $(VENV)/.stubs $(BUILD)/.compiled pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(PY) -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "_daifugo_compiled.pth").write_text(str(pathlib.Path("$(BUILD)/compiled").resolve()) + "\n")'
	@touch $@

$(VENV)/.locked: requirements.lock
	@test -n "$(PYTHON)" || { echo "Daifugo needs Python 3.11 or newer, and none was found; install one or name it with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@command -v "$(PYTHON)" >/dev/null || { echo "there is no Python at $(PYTHON)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Daifugo needs Python 3.11 or newer; $(PYTHON) is older." >&2; exit 1; }
	@echo "preparing $(VENV): packages ..."
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make a virtual environment; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PIP) install --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.locked
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

$(VENV)/.stubs: $(PROTOS) $(STORED) setup.py $(VENV)/.locked
	@$(PY) setup.py -q stubs
	@touch $@

# Both at a time.
$(BUILD)/.compiled: $(ENGINE) $(HOT) setup.py $(VENV)/.locked $(VENV)/.stubs
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory -j2 $(BUILD)/.compiled-engine $(BUILD)/.compiled-services
	@touch $@

$(BUILD)/.compiled-engine: $(ENGINE) setup.py $(VENV)/.locked
	@$(PY) setup.py -q compile --part engine
	@touch $@

$(BUILD)/.compiled-services: $(HOT) setup.py $(VENV)/.locked $(VENV)/.stubs
	@$(PY) setup.py -q compile --part services
	@touch $@

# Locks are universal: one file for Python 3.11 to 3.14 on Linux and macOS, with hashes and without addresses.
# Needs uv (pip install uv); pass ARGS=--upgrade to move to the newest releases.
UVC := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
       --no-emit-find-links --no-annotate --custom-compile-command "make lock"
lock: ## write requirements.lock, requirements-dev.lock and the benchmarks' open_spiel.lock anew
	$(UVC) pyproject.toml --extra build --extra screen -o requirements.lock $(ARGS)
	$(UVC) pyproject.toml --extra build --extra screen --extra dev -c requirements.lock -o requirements-dev.lock $(ARGS)
	$(UVC) benchmarks/open_spiel.in -o benchmarks/open_spiel.lock $(ARGS)

clean: ## remove .venv and everything built
	rm -rf $(TS)/.ready $(TS)/gen $(TS)/node_modules
	rm -rf $(VENV) $(BUILD) dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find protos -name "*_pb2*.py" -o -name "*_pb2*.pyi" | xargs rm -f
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
