# `make matchup` runs the main job, `make test` all checks. Each sets up what it needs in .venv.

VENV := .venv
BIN := $(VENV)/bin
DUELS ?= 100000

# python3 if it is new enough, else a newer one that is installed beside it.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

.PHONY: help matchup test lint format docs clean

help:
	@echo 'make matchup   play Rome against Sparta $(DUELS) times (DUELS=… for another number)'
	@echo 'make test      lint, types and the whole test suite'
	@echo 'make lint      lint and types alone'
	@echo 'make format    format the sources'
	@echo 'make docs      play the result that README.md shows, and draw it'
	@echo 'make clean     delete the environment and what tools have left'

matchup: $(VENV)/.installed
	$(BIN)/duel-sim matchup Rome Sparta -n $(DUELS)

test: lint
	$(BIN)/python -m pytest

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.installed-dev
	$(BIN)/python -m docs.refresh

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Editable, so that only a change of pyproject.toml asks for a new installation.
$(VENV)/.installed: pyproject.toml
	@test -n '$(PYTHON)' || { echo 'duel-sim needs Python 3.11 or newer as python3 (or PYTHON=…)' >&2; exit 1; }
	@echo 'setting up $(VENV) with $(PYTHON) …'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
