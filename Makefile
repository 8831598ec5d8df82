# Bankshot. `make help` lists the targets.
#
# Sources are found, not listed: src/*/*.c is the program, tests/*/test_*.c the tests; each test file NAME defines
# `Suite *suite_NAME(void)` and is found by its name. tests/fuzz/fuzz_NAME.c are libFuzzer targets with their seeds in
# tests/fuzz/corpus/NAME, tests/bench/bench_*.c programs that `make bench` runs.

CC       ?= cc
BUILD    ?= build
PREFIX   ?= /usr/local
DESTDIR  ?=
SECONDS  ?= 60
VERSION  := 0.1
LESSON   ?=
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)

PKGS      := sqlite3 ncursesw libconfig jansson libseccomp md4c libutf8proc
TEST_PKGS := check

# Warnings stop the build only with WERROR=1, as .ci/run has it: a newer compiler's new warning must not stop a student.
WERROR     ?=
WARN       := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
CFLAGS     ?= -O2 -g
CPPFLAGS   += -Isrc -D_GNU_SOURCE -DBANKSHOT_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
ALL_CFLAGS := -std=c17 $(WARN) -fno-math-errno -ffp-contract=off -pthread $(CFLAGS)
LDLIBS     += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -liberty -lm -ldl -pthread
TEST_LIBS  := $(shell pkg-config --libs $(TEST_PKGS) 2>/dev/null)

ENGINE_DIRS := base ptx sim hazard model record device toolchain lesson grade course
ENGINE_SRC  := $(foreach d,$(ENGINE_DIRS),$(wildcard src/$(d)/*.c))
APP_SRC     := $(wildcard src/ui/*.c) $(filter-out src/cli/main.c,$(wildcard src/cli/*.c))
MAIN_SRC    := $(wildcard src/cli/main.c)
TEST_SRC    := $(wildcard tests/*/test_*.c)
SUPPORT_SRC := $(wildcard tests/support/*.c)
FUZZ_SRC    := $(wildcard tests/fuzz/fuzz_*.c)
BENCH_SRC   := $(wildcard tests/bench/bench_*.c)
FORMAT_SRC  := $(wildcard src/*/*.[ch] tests/*.c tests/*/*.[ch])
obj = $(patsubst %.c,$(BUILD)/%.o,$(1))
.SECONDARY:                             # keep objects that only a chain of rules asks for

# A make inside a make that builds with every core, unless the caller chose -j.
PARALLEL = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: all
all: $(BUILD)/bankshot                  ## build build/bankshot

.PHONY: help
help:                                   ## this list
	@sed -n 's/^\([a-z][a-z_.-]*\):[^#]*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
	    while IFS='|' read -r name text; do printf '  make %-22s %s\n' "$$name" "$$text"; done
	@echo
	@echo '  Settings: CC=clang  BUILD=folder  CFLAGS=…  JOBS=2  LESSON=padding  SUITE=banks  ONLY=early-exit  SECONDS=60  PREFIX=/usr  DESTDIR=…  WERROR=1'

# ---- what is needed

.PHONY: deps
deps:                                   ## install what is missing (Debian, Ubuntu), else name it
	@.ci/deps '$(PKGS) $(TEST_PKGS)'

# Beside those: what `make bundle` packs with, and what .ci/run checks with.
BUNDLE_TOOLS := patchelf infocmp objdump strip
CI_TOOLS     := aspell clang jsonschema python3 unzip xmllint zip
.PHONY: ci-deps
ci-deps:                                ## install what .ci/run needs as well: a spell checker, clang, zip, schemas, Slurm
	@.ci/deps --tools '$(BUNDLE_TOOLS) $(CI_TOOLS)' '$(PKGS) $(TEST_PKGS)'
	@.ci/deps --tools sbatch '$(PKGS)' || { echo 'Slurm cannot be installed here, so its test is skipped.'; \
	    apt-get -q -y purge slurm-wlm slurmd slurmctld slurm-client munge >/dev/null 2>&1 || true; }

# Fails early and in words when a library is missing; passes once and for all otherwise.
$(BUILD)/packages.ok: Makefile
	@.ci/deps --check '$(PKGS)'
	@mkdir -p $(@D) && touch $@

# ---- the program

$(BUILD)/libbankshot.a: $(call obj,$(ENGINE_SRC))
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/bankshot: $(call obj,$(MAIN_SRC) $(APP_SRC)) $(BUILD)/libbankshot.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c Makefile | $(BUILD)/packages.ok
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# The machine and those who watch its every access are worth -O3, and so are data by the million. Its loops over lanes are
# built for two instruction sets; src/sim/lanes_plain.c chooses when it starts. What an access tells is a struct of 144
# bytes: gcc would clear it by `rep stos`, which takes longer to begin than nine stores take.
HOT_OBJ := $(call obj,$(foreach d,sim hazard record,$(wildcard src/$(d)/*.c)) src/grade/fills.c src/grade/inner.c)
$(HOT_OBJ): ALL_CFLAGS += $(if $(findstring -O2,$(CFLAGS)),-O3)
ifeq ($(shell uname -m),x86_64)
CLEARS    := -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign
BY_STORES := $(shell $(CC) $(CLEARS) -E -x c /dev/null >/dev/null 2>&1 && echo $(CLEARS))
$(HOT_OBJ): ALL_CFLAGS += $(BY_STORES)
$(BUILD)/src/sim/lanes_avx2.o: ALL_CFLAGS += -mavx2 -mfma
endif

.PHONY: run
run: deps                               ## install, build, open the lab
	@$(PARALLEL) -s $(BUILD)/bankshot
	@$(BUILD)/bankshot

# carries the device headers as they are
$(BUILD)/src/toolchain/headers.o: $(wildcard src/toolchain/include/* src/toolchain/include/*/* src/toolchain/include/*/*/*) src/toolchain/headers.def
$(BUILD)/src/course/export.o: $(wildcard src/course/templates/*) src/course/templates.def

# ---- tests: one runner, every suite

$(BUILD)/tests/suites.def: $(TEST_SRC) Makefile
	@mkdir -p $(@D)
	@printf '%s\n' $(sort $(basename $(notdir $(TEST_SRC)))) | sed 's/^test_\(.*\)/SUITE(\1)/' > $@

$(BUILD)/tests/runner.o: tests/runner.c $(BUILD)/tests/suites.def
	$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -I$(BUILD)/tests -MMD -MP -c -o $@ $<

# Fuzz targets under names of their own, for the suite that gives them their seeds.
$(BUILD)/tests/targets.def: $(FUZZ_SRC) Makefile
	@mkdir -p $(@D)
	@printf '%s\n' $(basename $(notdir $(FUZZ_SRC))) | sed 's/^fuzz_\(.*\)/TARGET(\1)/' > $@

$(BUILD)/tests/fuzz/test_seeds.o: CPPFLAGS += -I$(BUILD)/tests
$(BUILD)/tests/fuzz/test_seeds.o: $(BUILD)/tests/targets.def
SEEDS_OBJ := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/seeds/%.o,$(FUZZ_SRC))
$(BUILD)/tests/seeds/%.o: tests/fuzz/fuzz_%.c Makefile | $(BUILD)/packages.ok
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -DLLVMFuzzerTestOneInput=fuzz_$* -MMD -MP -c -o $@ $<

# A stand-in for the CUDA driver, so that the GPU device is tested where there is none.
$(BUILD)/tests/libfakecuda.so: tests/device/fake_cuda.c
	@mkdir -p $(@D)
	$(CC) -std=c17 $(WARN) -O1 -fPIC -shared -o $@ $<
# Where tests leave their logs.
$(BUILD)/tests/%.o: CPPFLAGS += -DTEST_BUILD='"$(BUILD)"'
FAKE_CUDA_OBJ := $(addprefix $(BUILD)/tests/,device/test_cuda.o grade/test_speed.o cli/test_calibrate.o cli/test_trace.o)
$(FAKE_CUDA_OBJ): CPPFLAGS += -DFAKE_CUDA_LIBRARY='"$(abspath $(BUILD))/tests/libfakecuda.so"'

$(BUILD)/bankshot-tests: $(BUILD)/tests/libfakecuda.so $(BUILD)/tests/runner.o $(call obj,$(TEST_SRC) $(SUPPORT_SRC) $(APP_SRC)) $(SEEDS_OBJ) $(BUILD)/libbankshot.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter-out %.so,$^) $(TEST_LIBS) $(LDLIBS)

.PHONY: test
test: deps                              ## install, build, run every test
	@$(PARALLEL) -s $(BUILD)/bankshot $(BUILD)/bankshot-tests
	@BANKSHOT=$(BUILD)/bankshot $(BUILD)/bankshot-tests

.PHONY: unit
unit: $(BUILD)/bankshot-tests $(BUILD)/bankshot   ## run one suite: SUITE=banks
	CK_RUN_SUITE=$(SUITE) BANKSHOT=$(BUILD)/bankshot $(BUILD)/bankshot-tests

.PHONY: check
check: $(BUILD)/bankshot                ## grade the exercises, or one: LESSON=padding
	@$(BUILD)/bankshot check $(LESSON)

.PHONY: lint
lint: $(BUILD)/bankshot                 ## prove every lesson with each compiler there is
	@.ci/lint $(BUILD)/bankshot $(LESSON)

# Instrumented code makes compilers guess wrongly about truncation, initialisation and loops; the plain build checks.
QUIET    := -Wno-unknown-warning-option -Wno-pass-failed -Wno-format-truncation -Wno-maybe-uninitialized -Wno-stringop-overflow
SANITIZE := $(QUIET) -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined -DGRADE_JOB_SECONDS=100
.PHONY: sanitize
sanitize:                               ## the whole suite under ASan and UBSan
	@$(PARALLEL) -s BUILD=$(BUILD)/sanitize CFLAGS='$(SANITIZE)' $(BUILD)/sanitize/bankshot $(BUILD)/sanitize/bankshot-tests
	@LSAN_OPTIONS=suppressions=tests/sanitize.supp:print_suppressions=0 CK_TIMEOUT_MULTIPLIER=4 \
	    BANKSHOT=$(BUILD)/sanitize/bankshot $(BUILD)/sanitize/bankshot-tests

.PHONY: coverage
coverage:                               ## line coverage of the engine: ptx, sim, hazard, model, record
	@$(PARALLEL) -s BUILD=$(BUILD)/coverage CFLAGS='$(QUIET) -O0 -g --coverage' $(BUILD)/coverage/bankshot $(BUILD)/coverage/bankshot-tests
	@find $(BUILD)/coverage -name '*.gcda' -delete
	@CK_TIMEOUT_MULTIPLIER=2 BANKSHOT=$(BUILD)/coverage/bankshot $(BUILD)/coverage/bankshot-tests | tail -1
	@.ci/coverage $(BUILD)/coverage $(addprefix src/,ptx sim hazard model record)

# ---- fuzzing and speed

FUZZING := $(QUIET) -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
.PHONY: fuzz
fuzz:                                   ## fuzz every target for SECONDS=60 each
	@$(PARALLEL) -s BUILD=$(BUILD)/fuzz CC=clang CFLAGS='$(FUZZING)' fuzz-programs
	@.ci/fuzz-seeds $(BUILD)/fuzz/seeds/ptx tests/kernels/*/*.ptx tests/ptx/data/*.ptx
	@.ci/fuzz $(BUILD)/fuzz/bin $(SECONDS)

.PHONY: fuzz-programs
fuzz-programs: $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/bin/%,$(FUZZ_SRC))

$(BUILD)/bin/%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/libbankshot.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/bench/%: $(BUILD)/tests/bench/%.o $(call obj,$(APP_SRC) $(SUPPORT_SRC)) $(BUILD)/libbankshot.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) $(LDLIBS)

BENCH := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(BENCH_SRC))
.PHONY: bench
bench: $(BUILD)/bankshot $(BENCH)       ## measure speed and memory; fails where a bound is not kept
	@failed=0; for program in $(filter $(BUILD)/bench/%,$^); do \
	    BANKSHOT=$(BUILD)/bankshot $$program || failed=1; done; exit $$failed

# Programs made of tests/NAME/*.c: diff and textures (random kernels, here and on a GPU), timing (the model against measured times),
# corpus (hostile and honest hand-ins against the verdicts they must get).
define tool
$(BUILD)/$(1): $(call obj,$(wildcard tests/$(1)/*.c) $(2)) $(BUILD)/libbankshot.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $$@ $$^ $(LDLIBS)
endef
$(eval $(call tool,textures,tests/support/random_texture.c))
$(eval $(call tool,diff,tests/support/generate.c tests/support/random_run.c))
$(eval $(call tool,corpus,tests/support/corpus.c))
$(eval $(call tool,timing,tests/support/ladder.c tests/support/ladder_launch.c))

# Stands between the lab and the C library: tests/faults/hooks.c.
$(BUILD)/libfaults.so: tests/faults/hooks.c tests/faults/plan.h
	@mkdir -p $(@D)
	$(CC) -std=gnu17 $(filter-out -Wshadow -Wconversion -Wmissing-prototypes,$(WARN)) -O1 -fno-builtin -fPIC -shared -o $@ $<

$(BUILD)/faults: $(call obj,tests/faults/faults.c) $(BUILD)/libbankshot.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

FAULTS    := BANKSHOT=$(BUILD)/bankshot BANKSHOT_FAULT_HOOKS=$(BUILD)/libfaults.so nice $(BUILD)/faults
LEAKS_LIB := $(realpath $(shell gcc -print-file-name=liblsan.so 2>/dev/null))
.PHONY: faults
faults: $(BUILD)/bankshot $(BUILD)/faults $(BUILD)/libfaults.so   ## fail each allocation and system call, kill while writing: ONLY=check-right
	@$(FAULTS) --jobs $(JOBS) $(if $(ONLY),--only '$(ONLY)') $(if $(LEAKS_LIB),--leaks '$(LEAKS_LIB)')
	@[ -n '$(ONLY)' ] || $(FAULTS) --kills 1200
	@[ -n '$(ONLY)' ] || nice tests/faults/conditions $(BUILD)/bankshot
	@[ -n '$(ONLY)' ] || nice tests/faults/leftovers $(BUILD)/bankshot 1000
	@[ -n '$(ONLY)' ] || nice tests/course/interrupted $(BUILD)/bankshot 60 20

.PHONY: programs
programs: $(BENCH) $(BUILD)/faults $(BUILD)/libfaults.so $(addprefix $(BUILD)/,diff textures timing corpus) ## build what no test builds

COUNT ?= 200
.PHONY: diff
diff: $(BUILD)/diff                     ## random kernels under three schedules: COUNT=200; GPU=1 adds the GPU
	@$(BUILD)/diff --count $(COUNT) $(if $(GPU),--gpu)

.PHONY: corpus
corpus: $(BUILD)/corpus $(BUILD)/bankshot ## grade every hostile and honest hand-in; tells wrong verdicts: ONLY=early-exit SEED=7
	@XDG_CACHE_HOME=$(abspath $(BUILD))/corpus-cache BANKSHOT=$(BUILD)/bankshot nice $(BUILD)/corpus \
	    --jobs $(JOBS) $(if $(ONLY),--only '$(ONLY)') $(if $(COMPILER),--compiler $(COMPILER)) $(if $(SEED),--seed $(SEED)) $(if $(PART),--part $(PART))

.PHONY: timing
timing: $(BUILD)/timing                 ## the timing model beside measured times; fails when a bound is missed
	@$(BUILD)/timing

# ---- documents and tools

$(BUILD)/tools/%: $(BUILD)/tests/tools/%.o $(call obj,$(addprefix tests/support/,documents.c ladder.c ladder_launch.c requests.c sass.c)) $(BUILD)/libbankshot.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: docs
docs: $(BUILD)/bankshot $(BUILD)/tools/accuracy $(BUILD)/tools/documents $(BUILD)/timing   ## write the generated documents again
	@.ci/docs $(BUILD)/bankshot docs

.PHONY: screens
screens: $(BUILD)/bankshot              ## play a lesson and write its screens into docs and README.md again
	@.ci/screens $(BUILD)/bankshot docs README.md

.PHONY: screens-check
screens-check: $(BUILD)/bankshot        ## fail when the screens in docs and README.md are not the lab's of today
	@.ci/screens-check $(BUILD)/bankshot $(BUILD)/screens

.PHONY: docs-check
docs-check: $(BUILD)/bankshot $(BUILD)/tools/accuracy $(BUILD)/tools/documents $(BUILD)/timing   ## fail when a generated document is stale
	@rm -rf $(BUILD)/docs && mkdir -p $(BUILD)/docs
	@.ci/docs $(BUILD)/bankshot $(BUILD)/docs
	@for page in $(BUILD)/docs/*; do cmp -s $$page docs/$${page##*/} || \
	    { echo "docs/$${page##*/} is stale: run make docs" >&2; exit 1; }; done

.PHONY: format
format:                                 ## clang-format every source
	@clang-format -i $(FORMAT_SRC)

compile_commands.json: Makefile $(ENGINE_SRC) $(APP_SRC) $(TEST_SRC)   ## compile database for clangd
	@.ci/compile-commands '$(subst ','\'',$(CC) $(ALL_CFLAGS) $(CPPFLAGS))' $(ENGINE_SRC) $(APP_SRC) $(MAIN_SRC) $(TEST_SRC) > $@

# ---- carrying it elsewhere

.PHONY: install
install: $(BUILD)/bankshot              ## copy it under PREFIX (and DESTDIR)
	@.ci/install $(BUILD)/bankshot '$(DESTDIR)' '$(PREFIX)'

.PHONY: bundle
bundle:                                 ## a folder and tarball that run without installing: dist/
	@.ci/deps --tools '$(BUNDLE_TOOLS)' '$(PKGS)'
	@$(PARALLEL) -s $(BUILD)/bankshot
	@.ci/bundle $(BUILD)/bankshot $(VERSION)

.PHONY: gpu-kit
gpu-kit: bundle $(BUILD)/diff $(BUILD)/corpus ## dist/gpu: what tests/gpu/run needs on a machine with a GPU
	@.ci/gpu-kit $(BUILD)

.PHONY: clean
clean:                                  ## remove all that was built
	rm -rf $(BUILD) dist compile_commands.json

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
