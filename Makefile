# Bankshot. `make help` lists the targets.
#
# Sources are found, not listed: src/*/*.c is the program, tests/*/test_*.c the tests; each test file NAME defines
# `Suite *suite_NAME(void)` and is found by its name.

CC      ?= cc
BUILD   ?= build
PREFIX  ?= /usr/local
VERSION := 0.1
LESSON  ?=
PKGS    := libconfig jansson ncursesw libseccomp

WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Werror
CFLAGS  ?= -O2 -g
CPPFLAGS += -Isrc -D_GNU_SOURCE -DBANKSHOT_VERSION='"$(VERSION)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
ALL_CFLAGS := -std=c17 $(WARN) -fno-math-errno -ffp-contract=off -pthread $(CFLAGS)
LDLIBS  += $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lmd4c -lutf8proc -lm -ldl -pthread

ENGINE_DIRS := base ptx sim model device toolchain lesson grade
ENGINE_SRC  := $(foreach d,$(ENGINE_DIRS),$(wildcard src/$(d)/*.c))
APP_SRC     := $(wildcard src/ui/*.c) $(filter-out src/cli/main.c,$(wildcard src/cli/*.c))
MAIN_SRC    := $(wildcard src/cli/main.c)
TEST_SRC    := $(wildcard tests/*/test_*.c)
obj = $(patsubst %.c,$(BUILD)/%.o,$(1))

.PHONY: all
all: $(BUILD)/bankshot

$(BUILD)/libbankshot.a: $(call obj,$(ENGINE_SRC))
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/bankshot: $(call obj,$(MAIN_SRC) $(APP_SRC)) $(BUILD)/libbankshot.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# ---- tests: one runner, every suite
$(BUILD)/tests/suites.def: $(TEST_SRC) Makefile
	@mkdir -p $(@D)
	@printf '%s\n' $(sort $(basename $(notdir $(TEST_SRC)))) | sed 's/^test_\(.*\)/SUITE(\1)/' > $@

$(BUILD)/tests/runner.o: tests/runner.c $(BUILD)/tests/suites.def
	$(CC) $(ALL_CFLAGS) $(CPPFLAGS) -I$(BUILD)/tests -MMD -MP -c -o $@ $<

$(BUILD)/bankshot-tests: $(BUILD)/tests/runner.o $(call obj,$(TEST_SRC) $(wildcard tests/support/*.c) $(APP_SRC)) $(BUILD)/libbankshot.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcheck -lsubunit -lrt $(LDLIBS)

# make unit SUITE=banks runs one suite
.PHONY: unit
unit: $(BUILD)/bankshot-tests
	CK_RUN_SUITE=$(SUITE) $(BUILD)/bankshot-tests

.PHONY: test
test: $(BUILD)/bankshot $(BUILD)/bankshot-tests
	$(BUILD)/bankshot-tests

.PHONY: clean
clean:
	rm -rf $(BUILD) dist compile_commands.json

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
