# make run    set up and start the service      (settings: CODILLE_… in the environment)
# make test   set up and run all tests
# make game   run the tests of one game, on its own and in its recorded and random games, and check types  (GAME=lorum)
# make game-missing list what a new game still lacks, each with the file or the command that adds it; ADD=1 adds what can be made  (GAME=lorum)
# make game-done run all that a change to a game can break, in two minutes, each failure with the next command  (GAME=lorum)
# make long   run the random tests ten times as long, all benchmarks briefly, and 300 games at once  (TIMES=10, GAMES=300)
# make check  all that CI checks
# make picture take the README's picture of the replay page again  (needs Chromium)
# make pictures take pictures of every game in play, to be looked at  (needs Chromium; PICTURES=.pictures, PLAYED="don lorum:50")
# make lighthouse  let Lighthouse look at pages: no fault in accessibility and best practices  (needs Chromium and npm; LOOKS=5)
# make kits   make the packages for clients in Python, TypeScript and JavaScript, which the service serves at /kits/  (needs npm)
# make lab    list the other targets, which measure, attack and break  (tests/lab/README.md)
#
# - make golden-diff show the first event of recorded games that other code makes otherwise  (GAME=lorum, BASE=main)
# - make foreign let programs that others wrote play against a service, and clients that generators of others make  (needs npm)
# - make mutants make small changes to a game's rules, one at a time, and report which its tests miss  (GAME=lorum, COUNT=25, SEED=1)
# - make bench  measure everything on this machine, beside limits and peers  (QUICK=1, EVENTS=1e7, ROWS="append view")
# - make pairs  measure another checkout and this one in turn  (BEFORE=../before, PAIRS=7, ROWS="action view")
# - make instructions  count instructions of another checkout and this one, which other load does not change  (BEFORE=../before)
# - make tournament measure how strong the opponents are, in each game or in one; goes on where it was interrupted  (HOURS=2.9, GAME=lorum)
# - make attack send hostile requests to a service on this machine  (URL=http://127.0.0.1:8000, METRICS=…/metrics, MEASURE=0.1)
# - make fault     play games while processes, servers and links fail, and check that nothing is lost  (MINUTES=10, SEED=1, RUNS=1, APART=60, TABLES=12, MIX=even; BEFORE=../before)
# - make machines  run the shape of deploy/machines as root, and check that no lost host loses anything  (MINUTES=8, GAMES=12, SEED=1)
#
# Needs Python 3.11 or newer, git and make. Everything is installed under .venv and .venv-uv, versions and hashes
# pinned by deploy/uv.txt (the installer) and uv.lock (everything else).

.SHELLFLAGS := -euc

# Compiled code is kept wherever it can be: every process of the tests reads the same, and assertions take longest.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help lab run test game game-missing game-done golden-diff long picture pictures lighthouse foreign kits kit-python tools built chromium promtool unpacked typescript programs compiled check quick others types style layers document lint kit-typescript supply mutants bench pairs instructions tournament attack fault machines clean FORCE

PYTHON ?= python3
BIN := .venv/bin
SYNCED := .venv/.synced

# A file's tests run in one process, which starts their shared services once; unit tests, which are short, come last.
# Three more processes than processors use the time in which others wait for servers and browsers.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 3)')
PYTEST = $(BIN)/pytest -q -n $(WORKERS) --dist=loadfile --no-loadscope-reorder

UV_LEAST := 0.9
LINTERS := .lint/node_modules
CLIENT_TYPES := .lint/types/codille.d.ts
FOREIGN := .foreign/node_modules
FOREIGN_PYTHON := .venv/.foreign
KITS ?= .kits
SERVED := api-spec/kits
KIT_VERSION = $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' $(KIT_TYPESCRIPT)/package.json)
KIT_TYPESCRIPT := api-spec/clients/typescript
KIT_PYTHON := api-spec/clients/python
KIT_PYTHON_MADE := .kits/.python
OPERATIONS := api-spec/clients/operations.py

help:
	@sed -n 's/^# make *\(\S*\) */make \1\t/p' Makefile | expand -t 20

lab:
	@sed -n 's/^# - make *\(\S*\) */make \1\t/p' Makefile | expand -t 20

# The service replaces the shell, so it receives make's signals, and SIGTERM (15) if make is killed.
run: $(SYNCED)
	@exec $(BIN)/python -I -S deploy/embedded/launch.py $$PPID 15 - "$(CURDIR)/$(BIN)/codille" serve

# Within `check`, its jobs are shared.
test:
	@$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,--jobs) tools
	@$(PYTEST)

tools: $(SYNCED) chromium promtool unpacked typescript programs compiled kit-python

# Documents and schemas that are not committed. A service has them built at the first request for one.
built: $(SYNCED)
	@$(BIN)/codille openapi --built

# The page is tested in Chromium, which is installed if possible, without its windows where the system has it so, and
# alerts with Prometheus' own checker. That is unpacked here without its server, and so are proxies, a pooler, and a
# library that sets clocks. The kit for TypeScript is packed if npm can install its compiler. Tests that lack a program are skipped,
# and say so.
chromium:
	@if ! command -v chromium-headless-shell >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    install() { apt-get -qq -y --no-install-recommends install $$1; }; \
	    { install chromium-headless-shell || { apt-get -qq update && install chromium-headless-shell; } \
	        || command -v chromium || install chromium; } >/dev/null 2>&1 || true; \
	fi

promtool: chromium
	@if [ ! -x .tools/usr/bin/promtool ] && ! command -v promtool >/dev/null && command -v apt-get >/dev/null; then \
	    { mkdir -p .tools && cd .tools && apt-get -qq download prometheus && dpkg-deb -x prometheus_*.deb .; } \
	        >/dev/null 2>&1 || true; \
	fi

# Unpacked, no server of theirs is started. The libraries are those that a small system does not have.
UNPACKED := nginx haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1 libfaketime \
    pgbouncer libevent-2.1-7 libc-ares2

unpacked: promtool
	@if command -v apt-get >/dev/null; then \
	    { mkdir -p .tools && cd .tools; \
	      for name in $(UNPACKED); do \
	          [ ! -e usr/share/doc/$$name ] || continue; \
	          apt-get -qq download $$name || { [ "$$(id -u)" = 0 ] && apt-get -qq update && apt-get -qq download $$name; }; \
	          dpkg-deb -x $${name}_*.deb .; \
	      done; } >/dev/null 2>&1 || true; \
	fi

typescript:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(LINTERS) >/dev/null 2>&1 || true; fi

# Programs of others are added to the environment, and put below .foreign. If they cannot be had, nothing else fails.
programs: $(SYNCED)
	@$(MAKE) --no-print-directory --keep-going $(FOREIGN_PYTHON) $(FOREIGN) >/dev/null 2>&1 || true

$(FOREIGN_PYTHON): $(SYNCED)
	@$(FOR_UV); uv=.venv-uv/bin/uv; [ -x $$uv ] || uv=uv; \
	$$uv sync --locked --quiet --inexact --python $(BIN)/python --group foreign
	@touch $@

$(FOREIGN): tests/foreign/package.json tests/foreign/package-lock.json
	@mkdir -p .foreign && cp tests/foreign/package.json tests/foreign/package-lock.json .foreign/
	@npm ci --prefix .foreign --omit=dev --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# In a fresh clone, each process of the tests would compile all of their code for itself.
compiled: $(SYNCED)
	@[ -e tests/__pycache__ ] || $(BIN)/pytest -q --collect-only >/dev/null

# What is wrong with GAME is said in one line.
OF_GAMES := $(notdir $(patsubst %/__init__.py,%,$(wildcard domain/games/*/__init__.py)))
NAMED = $(if $(GAME),$(if $(wildcard domain/games/$(GAME) tests/games/$(GAME)),,$(error \
    $(GAME) is no game; there are $(OF_GAMES))),$(error name a game, as in: make $@ GAME=tetka))
TESTED = $(NAMED)$(if $(wildcard tests/games/$(GAME)/test_*.py),,$(error \
    $(GAME) has no tests: make game-missing GAME=$(GAME) says what it lacks))

# Each process collects all tests anew, which takes longer than a game's tests do.
game: WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
game: $(SYNCED)
	$(TESTED)@$(PYTEST) --game $(GAME) tests/games/$(GAME) tests/golden tests/property tests/unit/every_game
	@$(BIN)/mypy

game-missing: $(SYNCED)
	$(NAMED)@$(BIN)/python -m tests.support.missing $(GAME) $(if $(ADD),--add)

game-done: $(SYNCED)
	$(TESTED)@$(BIN)/python -m tests.support.done $(GAME)

golden-diff: $(SYNCED)
	@$(BIN)/python -m tests.lab.golden.diff $(GAME) $(BASE)

# So long may one test take here.
LONG_S := 14400
TIMES ?= 10
GAMES ?= 300
BOT_GAMES ?= 200
# The longest stand first.
RANDOM := tests/kits/python/test_thinking.py tests/e2e/test_play.py tests/contract/schemathesis_run \
    tests/property tests/e2e/test_strangers.py tests/e2e/test_page.py tests/e2e/test_run.py \
    tests/contract/generated_client tests/contract/test_paired_worlds.py \
    tests/lab tests/history/test_databases.py tests/integration/test_servers.py \
    tests/integration/bots/test_playing.py tests/integration/cli/test_commands.py \
    tests/kits/python/test_playing.py tests/kits/typescript/test_playing.py
# These run with a Cluster of three, too.
OF_REDIS := tests/integration/projections tests/integration/live tests/integration/bots tests/integration/audit \
    tests/contract/test_limits.py

long: $(SYNCED)
	@needs="generic $$($(BIN)/python -c 'from domain.registry import GAMES; print(*GAMES)')"; \
	$(MAKE) --no-print-directory lint NEEDS="$$needs" BY_SPECTRAL="$$needs"
	@CODILLE_TEST_TIMES=$(TIMES) $(PYTEST) -m '' --timeout $(LONG_S) $(RANDOM)
	@CODILLE_TEST_CLUSTER=1 $(PYTEST) $(OF_REDIS)
	@CODILLE_TEST_GAMES=$(GAMES) $(BIN)/pytest -q --timeout $(LONG_S) tests/e2e/test_live_run.py
	@CODILLE_TEST_BOT_GAMES=$(BOT_GAMES) $(BIN)/pytest -q --timeout $(LONG_S) tests/e2e/test_bots.py

# The quick checks take the time in which tools are fetched, and linters that in which tests wait for servers, or are few.
# Each check's output is kept together.
check:
	@failed=; \
	$(MAKE) --no-print-directory --jobs --output-sync=target --keep-going tools quick || failed=1; \
	$(MAKE) --no-print-directory --jobs=4 --keep-going test others || failed=1; \
	test -z "$$failed"

quick: types style layers document valid supply

others:
	@nice $(MAKE) --no-print-directory --output-sync=target lint

types: $(SYNCED) kit-python
	@$(BIN)/mypy
	@MYPYPATH=$(KIT_PYTHON)/src $(BIN)/mypy -p codille_client
	@MYPYPATH=$(KIT_PYTHON)/src $(BIN)/mypy $(KIT_PYTHON)/examples

style: $(SYNCED)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

layers: $(SYNCED)
	@$(BIN)/lint-imports --no-logo

# The committed files, by themselves.
document: $(SYNCED)
	@$(BIN)/codille openapi --check

valid: $(SYNCED)
	@$(BIN)/openapi-spec-validator api-spec/openapi.json

# Of the documents for one need, those that NEEDS names. Such a document has no part that the whole one lacks. Spectral
# judges each part alone and takes ten seconds a document, so it reads those of BY_SPECTRAL, which are all in `make long`.
NEEDS ?= generic khanhoo
BY_SPECTRAL ?=
BY_NEED = $(NEEDS:%=api-spec/built/openapi/%.json)

lint: $(SYNCED)
	@if command -v npm >/dev/null; then \
	    $(MAKE) --no-print-directory $(LINTERS); \
	    $(BIN)/codille openapi --built; \
	    $(LINTERS)/.bin/spectral lint --ruleset .spectral.yaml --fail-severity warn \
	        api-spec/openapi.json api-spec/asyncapi.json \
	        $(BY_SPECTRAL:%=api-spec/built/openapi/%.json) $(BY_SPECTRAL:%=api-spec/built/asyncapi/%.json); \
	    NODE_PATH=$(LINTERS) node deploy/lint/asyncapi.cjs api-spec/asyncapi.json; \
	    $(LINTERS)/.bin/redocly lint --config redocly.yaml api-spec/openapi.json $(BY_NEED); \
	    for need in $(NEEDS); do \
	        $(LINTERS)/.bin/openapi-typescript api-spec/built/openapi/$$need.json --default-non-nullable=false \
	            --output .lint/types/$$need.d.ts >/dev/null; \
	    done; \
	    $(MAKE) --no-print-directory $(CLIENT_TYPES); \
	    $(MAKE) --no-print-directory $(KIT_TYPESCRIPT)/src/generic.d.ts; \
	    $(LINTERS)/.bin/tsc --project $(KIT_TYPESCRIPT); \
	    $(LINTERS)/.bin/tsc --project deploy/lint/tsconfig.json; \
	else \
	    echo "SKIPPED: no linter read api-spec/openapi.json and api-spec/asyncapi.json, and TypeScript did not check the" \
	        "types that are made of them, because node is not installed"; \
	fi

# Optional members with a default may be left out of a request.
$(CLIENT_TYPES): $(LINTERS) api-spec/openapi.json
	@$(LINTERS)/.bin/openapi-typescript api-spec/openapi.json --default-non-nullable=false --output $@ >/dev/null

# Types of the interface for any game, which the kit imports from its own folder. Several jobs may make them at once.
$(KIT_TYPESCRIPT)/src/generic.d.ts: $(LINTERS) api-spec/built/openapi/generic.json
	@mkdir -p .kits; made=.kits/generic-$$$$.d.ts; \
	$(LINTERS)/.bin/openapi-typescript api-spec/built/openapi/generic.json --default-non-nullable=false \
	    --output $$made >/dev/null 2>&1; \
	mv $$made $@

api-spec/built/openapi/generic.json: $(SYNCED) FORCE
	@$(BIN)/codille openapi --built

# The package has its declarations beside the modules, which pages import as they are. `make lint` checks the types.
kit-typescript: $(KIT_TYPESCRIPT)/src/generic.d.ts
	@made=.kits/operations-$$$$.js; $(BIN)/python $(OPERATIONS) api-spec/built/openapi/generic.json typescript > $$made; \
	mv $$made $(KIT_TYPESCRIPT)/src/operations.js
	@rm -rf $(KITS)/typescript && mkdir -p $(KITS)/typescript
	@cp -r LICENSE api-spec/clients/CHANGELOG.md $(addprefix $(KIT_TYPESCRIPT)/,package.json README.md src examples) $(KITS)/typescript
	@$(LINTERS)/.bin/tsc --project $(KIT_TYPESCRIPT) --noCheck --noEmit false --declaration --emitDeclarationOnly \
	    --outDir $(KITS)/typescript/src
	@cd $(KITS)/typescript && npm pack --silent --pack-destination .. >/dev/null

# Versions and hashes are in the lock file. No package runs a script when it is installed.
$(LINTERS): deploy/lint/package.json deploy/lint/package-lock.json
	@mkdir -p .lint && cp deploy/lint/package.json deploy/lint/package-lock.json .lint/
	@npm ci --prefix .lint --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Packages for clients, and the one in JavaScript as one module, where the service serves them from. What they hold beside
# their sources is made of the interface's documents.
kits: kit-python kit-typescript
	@for module in index verify; do echo "export * from \"../$(KIT_TYPESCRIPT)/src/$$module.js\";"; done >.kits/whole.js
	@$(LINTERS)/.bin/rollup .kits/whole.js --format es --silent --file .kits/codille-client-$(KIT_VERSION).mjs
	@rm -rf $(SERVED) && mkdir -p $(SERVED)
	@cp .kits/codille_client-$(KIT_VERSION)-*.whl .kits/codille-client-$(KIT_VERSION).tgz \
	    .kits/codille-client-$(KIT_VERSION).mjs $(SERVED)
	@cp $(KIT_PYTHON)/tutorial.md $(SERVED)/tutorial-$(KIT_VERSION).md
	@echo "The kits for clients are made. A service of this checkout serves them at /kits/:"
	@ls $(SERVED)/*

kit-python: $(KIT_PYTHON_MADE)

$(KIT_PYTHON_MADE): $(SYNCED) $(filter-out %/models.py %/operations.py,$(wildcard $(KIT_PYTHON)/src/codille_client/*.py)) $(wildcard $(KIT_PYTHON)/*.* $(KIT_PYTHON)/examples/*) api-spec/clients/CHANGELOG.md $(OPERATIONS) api-spec/openapi.json
	@$(BIN)/codille openapi --built
	@$(BIN)/python $(KIT_PYTHON)/generate.py api-spec/built/openapi/generic.json
	@cd $(KIT_PYTHON) && "$(CURDIR)/$(BIN)/hatchling" build -t wheel -d "$(CURDIR)/.kits" >/dev/null 2>&1
	@touch $@

picture: $(SYNCED) chromium
	@$(BIN)/python -m tests.support.picture api-spec/replay.png

PICTURES ?= .pictures

pictures: $(SYNCED) chromium
	@$(BIN)/python -m tests.support.screenshots $(PICTURES) $(PLAYED)

# Generators are large, and so is Java's development kit. `make test` installs neither.
foreign: tools
	@if ! command -v javac >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get -qq -y --no-install-recommends install default-jdk-headless >/dev/null 2>&1 || true; \
	fi
	@$(FOR_UV); uv=.venv-uv/bin/uv; [ -x $$uv ] || uv=uv; \
	$$uv sync --locked --quiet --inexact --python $(BIN)/python --group foreign --group generators || true
	@[ -e $(FOREIGN)/.bin/openapi-ts ] || npm ci --prefix .foreign --ignore-scripts --no-audit --no-fund --silent
	@$(PYTEST) -m '' tests/foreign

LOOKS ?= 5
LIGHTHOUSE := .lighthouse/node_modules

lighthouse: $(SYNCED) chromium $(LIGHTHOUSE)
	@CODILLE_LIGHTHOUSE_TIMES=$(LOOKS) $(BIN)/python -m tests.support.lighthouse

# Not beside the linters, since it is large.
$(LIGHTHOUSE): deploy/lighthouse/package.json deploy/lighthouse/package-lock.json
	@mkdir -p .lighthouse && cp deploy/lighthouse/package.json deploy/lighthouse/package-lock.json .lighthouse/
	@npm ci --prefix .lighthouse --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# A bill of materials, with licences and known vulnerabilities.
supply: $(SYNCED)
	@$(BIN)/python .ci/supply.py .bill/codille.cdx.json

COUNT ?= 25
SEED ?= 1

# The game's tests run once for each change. OF names the only modules that are changed.
mutants: $(SYNCED)
	@$(BIN)/python -m tests.lab.mutants $(GAME) --count $(COUNT) --seed $(SEED) $(if $(OF),--of $(OF))

# Peers are installed alongside, below .bench; the table names those that cannot be installed.
bench: $(SYNCED)
	@$(BIN)/python -m tests.lab.benchmarks $(if $(QUICK),--quick) $(if $(EVENTS),--events $(EVENTS)) $(ROWS)

PAIRS ?= 7

# The other checkout must be set up; both are measured briefly, as often as PAIRS says.
pairs: $(SYNCED)
	@$(BIN)/python -m tests.lab.benchmarks.pairs $(BEFORE) --pairs $(PAIRS) $(ROWS)

# The other checkout must be set up. Needs Valgrind.
instructions: $(SYNCED)
	@$(BIN)/python -m tests.lab.benchmarks.instructions $(BEFORE) $(ROWS)

HOURS ?= 2.9
FIGURES := deploy/decisions/figures

# What the service serves is committed, as table and plot are.
tournament: $(SYNCED)
	@$(BIN)/python -m tests.lab.tournament $(GAME) --hours $(HOURS) --out .tournament \
	    $(if $(GAME),--beside domain/opponents/strength.json)
	@mkdir -p $(FIGURES)
	@cp .tournament/strength.json domain/opponents/
	@cp .tournament/strength.md .tournament/strength.svg $(FIGURES)/

# The service must run on this machine. METRICS is the address of its metrics, to see what an attack costs.
attack: $(SYNCED)
	@$(BIN)/python -m tests.lab.attack $(URL) $(if $(METRICS),--metrics $(METRICS)) $(if $(MEASURE),--measure $(MEASURE))

MINUTES ?= 10
SEED ?= 1
RUNS ?= 1
APART ?= 60
TABLES ?= 12
MIX ?= even

fault: $(SYNCED) unpacked kit-python
	@PYTHONPATH=$(KIT_PYTHON)/src $(BIN)/python -m tests.lab.chaos --minutes $(MINUTES) --seed $(SEED) --runs $(RUNS) \
	    --apart $(APART) --tables $(TABLES) --mix $(MIX) $(if $(FAULTS),--faults $(FAULTS)) $(if $(ARCHIVE),--archive $(ARCHIVE)) $(if $(BEFORE),--before $(BEFORE))

# Debian's packages for hosts, with what they need; beside those above, since the tests need none of them.
OF_HOSTS := patroni python3-cdiff python3-click python3-dateutil python3-pkg-resources python3-prettytable \
    python3-psutil python3-urllib3 python3-yaml python3-psycopg2 python3-six python3-wcwidth python3-etcd \
    python3-dnspython libpq5 etcd-server redis-server redis-sentinel redis-tools liblzf1 libjemalloc2 libatomic1 \
    haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1 \
    $(if $(wildcard /usr/lib/postgresql/15/bin/postgres),,postgresql-15 postgresql-client-15)
HOSTS := .tools/machines/.unpacked

# Hosts have all of it below /usr, where packages install it.
$(HOSTS): deploy/machines/patroni.txt
	@rm -rf .tools/machines && mkdir -p .tools/machines && cd .tools/machines; \
	if ! command -v apt-get >/dev/null; then echo "make machines needs Debian's packages" >&2; exit 1; fi; \
	fetch() { for name in $(OF_HOSTS); do apt-get -qq download $$name 2>/dev/null || return 1; done; }; \
	fetch || { apt-get -qq update && fetch; } || { echo "Debian's packages cannot be had" >&2; exit 1; }; \
	for package in *.deb; do dpkg-deb -x $$package .; done; \
	cp -a lib/. usr/lib/ && rm -rf lib *.deb; \
	$(PYTHON) -m pip install --quiet --no-cache-dir --disable-pip-version-check --root-user-action ignore --no-deps --require-hashes \
	    --target usr/local/lib/python3.11/dist-packages --requirement $(CURDIR)/deploy/machines/patroni.txt; \
	touch .unpacked

machines: $(SYNCED) $(HOSTS) kit-python
	@PYTHONPATH=$(KIT_PYTHON)/src $(BIN)/python -m tests.lab.machines --seed $(SEED) \
	    $(if $(filter command line environment,$(origin MINUTES)),--minutes $(MINUTES)) \
	    $(if $(filter command line environment,$(origin GAMES)),--games $(GAMES)) $(if $(FAULTS),--faults $(FAULTS))

# Without a writable home, uv keeps its cache here. It trusts the system's certificates, as pip does.
FOR_UV = if [ ! -w "$${HOME:-/nonexistent}" ]; then export UV_CACHE_DIR="$(CURDIR)/.venv-uv/cache"; fi; \
	if [ -e /etc/ssl/certs/ca-certificates.crt ]; then export UV_SYSTEM_CERTS="$${UV_SYSTEM_CERTS:-true}"; fi

# A uv on the path is used if it is new enough; otherwise the pinned one is installed. All code is compiled now; otherwise
# the first start would wait for it, and every start if Python may not write what it compiles. A new environment has the
# fastest build of Python that this machine has, unless PYTHON names one.
$(SYNCED): pyproject.toml uv.lock deploy/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name it: make PYTHON=...") if sys.version_info < (3, 11) else None'
	@$(FOR_UV); \
	install() { \
	    uv=uv; \
	    found="$$(uv --version 2>/dev/null | cut -d ' ' -f 2)"; \
	    if ! printf '%s\n' $(UV_LEAST) "$${found:-0}" | sort -VC; then \
	        uv=.venv-uv/bin/uv; \
	        "$$1" -m venv .venv-uv || { echo "Python cannot make environments here: install python3-venv, or uv" >&2; return 1; }; \
	        .venv-uv/bin/python -m pip install --quiet --no-cache-dir --disable-pip-version-check --require-hashes --requirement deploy/uv.txt || return 1; \
	    fi; \
	    "$$uv" sync --locked --quiet --compile-bytecode --python "$$1"; \
	}; \
	python="$(PYTHON)"; \
	if [ "$(origin PYTHON)" = file ]; then \
	    if [ -x $(BIN)/python ]; then python=$(BIN)/python; else python="$$($(PYTHON) .ci/interpreter.py $(PYTHON))"; fi; \
	fi; \
	install "$$python" || { \
	    [ "$$python" != "$(PYTHON)" ] && echo "$$python cannot be installed with: $(PYTHON) is taken" >&2 && rm -rf .venv .venv-uv && install "$(PYTHON)"; \
	}
	@$(BIN)/python -m compileall -q domain projections service deploy
	@touch $@

clean:
	rm -rf api-spec/built $(addprefix $(KIT_PYTHON)/src/codille_client/,models.py operations.py) $(KIT_PYTHON)/src/codille_client/sync \
	    $(KIT_TYPESCRIPT)/src/generic.d.ts .bench .bill .fault .foreign .kits .lighthouse .lint .tools .venv .venv-uv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .schemathesis
