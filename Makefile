# One command sets up and does the job: `make demo`, `make test`. The others: see `make help`.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: help setup demo demo-plan test golden e2e check gates bench fuzz crash soak format clients clean pythons dist

help: ## say what each target does
	@sed -n 's/^\([a-z0-9]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

setup: $(STAMP) ## a virtual environment with Jackline (editable) and all that develops it

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Jackline needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": make PYTHON=python3.12 …")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python scripts/install-dev
	@touch $@

demo: setup ## play recorded payloads of every supported client through the installed entry line
	@$(BIN)/python -m demo

demo-plan: setup ## an agent led from its prompt to the end of a plan by what refusals say
	@$(BIN)/python -m demo.plan

test: setup ## all tests but those that drive real clients
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n auto --dist loadgroup -m "not e2e and not slow"

golden: setup ## write the golden runs anew: what every case of tests/golden comes to
	@cd tests && ../$(BIN)/python -m golden --write

e2e: setup clients ## the real Claude Code, Codex, Gemini CLI, Qwen Code and opencode, offline, against a scripted model
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m e2e tests/e2e tests/install

clients: setup ## install the pinned real clients into .tools/
	@$(BIN)/python scripts/clients

check: setup ## format, lint, types, import contract, module list, docs
	@$(BIN)/python scripts/check

gates: setup ## instruction gates of the hot path (needs valgrind)
	@$(BIN)/python scripts/gates

dist: setup ## sdist and wheel into dist/, each tried in an environment of its own, and by uvx
	@rm -rf dist
	@$(BIN)/python scripts/dist dist

pythons: setup ## golden runs, hot path and main gates on every other supported Python that is here
	@$(BIN)/python scripts/pythons

crash: setup ## kill -9 at random, a thousand times
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m "slow and not soak" tests

fuzz: setup ## bounded fuzzing of parsers and of the shell library
	@$(BIN)/python scripts/fuzz $(if $(SEED),--seed $(SEED))

bench: setup ## the tables of docs/performance.md
	@$(BIN)/python -m bench

soak: setup ## the long forms: ten times the kills, an hour of fuzzing
	@JACKLINE_KILLS=10000 $(BIN)/python -m pytest -m slow tests -s
	@$(BIN)/python scripts/fuzz --seconds 3600

format: setup ## write the code as ruff likes it
	@$(BIN)/ruff check --fix -q . ; $(BIN)/ruff format -q .

clean: ## remove what was installed and built
	rm -rf $(VENV) $(VENV)-* .tools build dist bench/out
