# make demo   compile and run a tile kernel, compare it with the reference
# make test   all tests (lit + FileCheck, then pytest)
# make lint   formatting, style and types
#
# Everything goes into $(VENV). A second call does only what has changed.

PYTHON ?= python3
VENV ?= .venv
CMAKE_ARGS ?=

bin := $(VENV)/bin
sources := $(shell find CMakeLists.txt dialect lib python pyproject.toml -type f -not -name '*.pyc' -not -path '*/__pycache__/*')
requires := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))

# A path of the caller's would come before what is installed here.
unexport PYTHONPATH

.PHONY: demo test lint format clean

demo: $(VENV)/.installed
	$(bin)/pto run examples/tcolprod.pto --arg rand:16x16xf32 --arg zeros:1x16xf32 --check

test: $(VENV)/.installed $(VENV)/.test-tools
	$(bin)/lit -v test
	$(bin)/pytest -n 2

lint: $(VENV)/.installed $(VENV)/.test-tools $(VENV)/.lint-tools
	$(bin)/ruff check python test bench tools
	$(bin)/ruff format --check python test bench tools
	$(bin)/pyright --pythonpath $(bin)/python
	$(bin)/clang-format --dry-run --Werror $$(git ls-files '*.cpp' '*.h')
	$(bin)/gersemi --no-warn-about-unknown-commands --check $$(git ls-files '*CMakeLists.txt')

format: $(VENV)/.lint-tools
	$(bin)/ruff check --fix python test bench tools
	$(bin)/ruff format python test bench tools
	$(bin)/clang-format -i $$(git ls-files '*.cpp' '*.h')
	$(bin)/gersemi --no-warn-about-unknown-commands -i $$(git ls-files '*CMakeLists.txt')

# The build uses the environment itself rather than an isolated one, so that it is incremental and
# the MLIR wheels are unpacked once.
$(VENV)/.build-tools: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(bin)/python -m pip install -q $$($(bin)/python -c '$(requires)["build-system"]["requires"], sep="\n")')
	touch $@

$(VENV)/.installed: $(VENV)/.build-tools $(sources)
	CMAKE_ARGS="$(CMAKE_ARGS)" $(bin)/python -m pip install -q --no-build-isolation .
	touch $@

$(VENV)/.test-tools: $(VENV)/.build-tools
	$(bin)/python -m pip install -q $$($(bin)/python -c '$(requires)["project"]["optional-dependencies"]["test"], sep="\n")')
	touch $@

$(VENV)/.lint-tools: $(VENV)/.build-tools
	$(bin)/python -m pip install -q $$($(bin)/python -c '$(requires)["project"]["optional-dependencies"]["lint"], sep="\n")')
	touch $@

clean:
	rm -rf $(VENV) build
