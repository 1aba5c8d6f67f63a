# Everything a fresh clone needs: make play, make test, make run, make install.  `make lock` renews the locked versions.

# The distribution's Python if it is new enough: it is built with optimisation.  One that a version manager compiled
# often is not, and takes a sixth more processor time (docs/performance.md).
DISTRIBUTION_PYTHON := /usr/bin/python3
PYTHON ?= $(shell $(DISTRIBUTION_PYTHON) -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $(DISTRIBUTION_PYTHON) || echo python3)
VENV := .venv
BIN := $(VENV)/bin
ENVIRONMENT := $(VENV)/.made-for-tests
RUNTIME := $(VENV)/.made

# Each worker and each bot would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play run install test tests test-quick check soak bench audit audit-release release-check lock clean

play: $(RUNTIME) ## play in the browser, without Discord
	$(BIN)/python -m bot play $(ARGUMENTS)

run: $(RUNTIME) ## join Discord; set DISCORD_TOKEN or DISCORD_TOKEN_FILE
	$(BIN)/python -m bot run

# A unit that may not write to the clone would compile all modules again at each start.
install: $(RUNTIME) ## make or renew the virtual environment, without a start
	$(BIN)/python -m compileall -q bot render rules

# Two workers a core: tests of the whole bot wait for most of their time.  The fast tests do not.
WORKERS = $(shell $(PYTHON) -c 'import os; print(2 * os.cpu_count())')
PYTEST = $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder

test: $(ENVIRONMENT) ## every check and every test but the long ones
	@$(MAKE) --no-print-directory -j2 check tests

# In a fresh clone one process compiles all tests first; else each worker would compile them all.
tests: $(ENVIRONMENT) ## every test; make tests ARGUMENTS="tests/rules -k drift"
	@test -d tests/__pycache__ || $(BIN)/python -m pytest --collect-only -qq $(ARGUMENTS) >/dev/null || true
	$(PYTEST) -n $(WORKERS) $(ARGUMENTS)

test-quick: $(ENVIRONMENT) ## the fast tests: rules, pictures, words, store and chat without processes
	$(BIN)/ruff check .
	$(PYTEST) -n logical -m "not slow" tests/rules tests/render tests/bot/store tests/bot/chat $(ARGUMENTS)

check: $(ENVIRONMENT) ## lint, types, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: $(ENVIRONMENT) ## every test with its long counts, for hours; make soak ARGUMENTS="--only T7 --scale 0.1"
	$(BIN)/python -m tests.soak $(ARGUMENTS)

bench: $(ENVIRONMENT) ## benchmarks: make bench ARGUMENTS=engine
	$(BIN)/python -m tests.bench $(ARGUMENTS)

# The versions are those of the lock, checked by their hashes.
$(RUNTIME): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name it with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
		{ echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

$(ENVIRONMENT): $(RUNTIME) requirements-test.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	touch $@

AUDIT := .venv-audit

audit audit-release: requirements.lock requirements-test.lock ## known vulnerabilities in the locked versions
	@test -x $(AUDIT)/bin/pip-audit || { $(PYTHON) -m venv $(AUDIT) && \
		$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.10,<3'; } || true
	@$(PYTHON) tests/audit.py $(if $(filter audit-release,$@),--release) $(AUDIT)/bin/pip-audit $^

release-check: test audit-release ## what a release needs: every test, and no package that was not audited

LOCKING := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --quiet \
	--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command "make lock"

lock: ## renew the locked versions (needs uv)
	$(LOCKING) --upgrade --output-file requirements.lock
	$(LOCKING) --extra test --constraint requirements.lock --upgrade --output-file requirements-test.lock

clean:
	rm -rf $(VENV) $(AUDIT)
