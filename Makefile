# neuromc - offline energy estimator. `make help` lists the targets.

VERSION   := 0.1.0
PREFIX    ?= /usr/local
DESTDIR   ?=
B         ?= build
V         ?=
Q         := $(if $(V),,@)
SAY        = $(if $(V),@:,@echo)

CC        ?= cc
PKGS      := yaml-0.1 libcjson libprotobuf-c
CFLAGS    ?= -O2 -g
WARN      := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
             -Wpointer-arith -Wcast-qual -Wundef -Wvla -Wwrite-strings
WERROR    ?=
# Debian's own interpreter sees Debian's python3-onnx and python3-torch.
PYTHON    ?= $(firstword $(wildcard /usr/bin/python3) python3)
datadir   := $(PREFIX)/share/neuromc

# Reports must not depend on the machine: no fused multiply-add.
ALL_CFLAGS := -std=c11 -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L $(WARN) $(WERROR:1=-Werror) \
              -ffp-contract=off -fvisibility=hidden -fPIC -pthread $(CFLAGS)
ALL_CPPFLAGS := -Iinclude -Isrc -I$(B)/gen $(shell pkg-config --cflags $(PKGS)) \
              -DNMC_VERSION='"$(VERSION)"' -DNMC_DATADIR='"$(datadir)"' \
              -DNMC_SOURCE_DIR='"$(CURDIR)"' $(CPPFLAGS)
LIBS      := $(shell pkg-config --libs $(PKGS)) -lm -pthread

ROOMS     := base graph frontends model mapping report sweep counters
LIB_SRC   := $(sort $(foreach d,$(ROOMS),$(wildcard src/$(d)/*.c src/$(d)/*/*.c)))
CLI_SRC   := $(sort $(wildcard src/cli/*.c))
TEST_SRC  := $(sort $(wildcard tests/unit/test_*.c))
TEST_HELP := $(sort $(filter-out $(TEST_SRC),$(wildcard tests/unit/*.c)))

GEN_OBJ   := $(B)/gen/onnx.pb-c.o $(B)/gen/report_html.o $(B)/gen/sweep_html.o
HTML      := $(wildcard src/report/html/* src/sweep/html/*)
LIB_OBJ   := $(LIB_SRC:%.c=$(B)/obj/%.o) $(GEN_OBJ)
CLI_OBJ   := $(CLI_SRC:%.c=$(B)/obj/%.o)
TESTS     := $(TEST_SRC:tests/unit/%.c=$(B)/tests/%)
SONAME    := libneuromc.so.0

.PHONY: all lib ort check check-oom fuzz fuzz-coverage unit san lint format bench pictures models install uninstall clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/neuromc lib $(B)/share/neuromc.1 ## build the command and the libraries
lib: $(B)/libneuromc.a $(B)/$(SONAME) $(B)/neuromc.pc

$(B)/gen/onnx.pb-c.c $(B)/gen/onnx.pb-c.h &: proto/onnx.proto
	@mkdir -p $(B)/gen
	$(SAY) '  GEN  $@'
	$(Q)protoc-c --proto_path=proto --c_out=$(B)/gen proto/onnx.proto

# The pages of a report and of a sweep, as C.
$(B)/gen/report_html.c: PAGE := nmc_html_page
$(B)/gen/sweep_html.c: PAGE := nmc_sweep_page
$(B)/gen/%_html.c: src/%/html/page.html $(HTML)
	@mkdir -p $(B)/gen
	$(SAY) '  GEN  $@'
	$(Q)awk -v page=$(PAGE) -f src/report/html/embed.awk $< > $@

# Generated code is not held to our warnings.
$(GEN_OBJ): $(B)/gen/%.o: $(B)/gen/%.c
	$(SAY) '  CC   $@'
	$(Q)$(CC) -std=c11 -fPIC -fvisibility=hidden $(CFLAGS) -I$(B)/gen -Isrc $(shell pkg-config --cflags libprotobuf-c) -c -o $@ $<

$(filter $(B)/obj/src/frontends/%,$(LIB_OBJ)): | $(B)/gen/onnx.pb-c.h
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(SAY) '  CC   $<'
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/libneuromc.a: $(LIB_OBJ)
	@rm -f $@
	$(SAY) '  AR   $@'
	$(Q)$(AR) rcs $@ $^

$(B)/$(SONAME): $(LIB_OBJ)
	$(SAY) '  LD   $@'
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
	$(Q)ln -sf $(SONAME) $(B)/libneuromc.so

$(B)/neuromc: $(CLI_OBJ) $(B)/libneuromc.a
	$(SAY) '  LD   $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Manual page and completions come from the command's own option table.
$(B)/share/neuromc.1: $(B)/neuromc
	@mkdir -p $(B)/share
	$(Q)$(B)/neuromc man > $(B)/share/neuromc.1
	$(Q)$(B)/neuromc completion bash > $(B)/share/neuromc.bash
	$(Q)$(B)/neuromc completion zsh > $(B)/share/_neuromc
	$(Q)$(B)/neuromc completion fish > $(B)/share/neuromc.fish

# Where things will be installed is compiled in: another PREFIX makes anew what knows it.
$(B)/prefix: FORCE
	@mkdir -p $(B)
	@echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' > $@
.PHONY: FORCE
FORCE:
$(B)/obj/src/model/preset_find.o: $(B)/prefix

$(B)/neuromc.pc: Makefile $(B)/prefix
	@mkdir -p $(B)
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
	  'Name: neuromc' 'Description: offline analytical energy estimator for neural networks' \
	  'Version: $(VERSION)' 'Requires.private: $(PKGS)' 'Libs: -L$${libdir} -lneuromc' \
	  'Libs.private: -lm' 'Cflags: -I$${includedir}' > $@

$(B)/obj/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(SAY) '  CC   $<'
	$(Q)$(CC) $(ALL_CPPFLAGS) -Itests/unit -Itests -DNMC_TEST_DATA='"$(CURDIR)/tests/data"' -DNMC_TEST_FAKES='"$(abspath $(B))/fakes"' $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/%: $(B)/obj/tests/unit/%.o $(TEST_HELP:%.c=$(B)/obj/%.o) $(B)/libneuromc.a
	@mkdir -p $(@D)
	$(SAY) '  LD   $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LIBS)

# Libraries of other machines, answering as a test says.
FAKES     := libnvidia-ml.so.1 libIOReport.dylib CoreFoundation IOKit libproc.dylib libSystem.dylib
$(B)/fakes/libfake.so: tests/fakes/fake.c tests/fakes/fake.h
	@mkdir -p $(@D)
	$(SAY) '  LD   $@'
	$(Q)$(CC) -Itests $(ALL_CFLAGS) -shared -o $@ $< && for f in $(FAKES); do ln -sf libfake.so $(@D)/$$f; done

# Libraries that stand in for those of other vendors: tests/fake/NAME.c is fake/libNAME.so.
STANDINS  := $(patsubst tests/fake/%.c,$(B)/fake/lib%.so,$(wildcard tests/fake/*.c))

$(B)/fake/lib%.so: tests/fake/%.c
	@mkdir -p $(@D)
	$(SAY) '  LD   $@'
	$(Q)$(CC) $(ALL_CFLAGS) -fvisibility=default -shared $(LDFLAGS) -o $@ $<

FUZZ      := $(filter-out estimate,$(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
FUZZ_FLAGS := -Itests/fuzz -Itests/unit

$(B)/obj/tests/fuzz/%.o: tests/fuzz/%.c
	@mkdir -p $(@D)
	$(SAY) '  CC   $<'
	$(Q)$(CC) $(ALL_CPPFLAGS) $(FUZZ_FLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# A target over kept inputs, without a fuzzer; and with libFuzzer, for `make fuzz`.
$(B)/fuzz/replay_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/obj/tests/fuzz/fuzz_estimate.o $(B)/obj/tests/fuzz/replay.o $(B)/libneuromc.a
	@mkdir -p $(@D)
	$(SAY) '  LD   $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/fuzz/fuzz_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/obj/tests/fuzz/fuzz_estimate.o $(B)/libneuromc.a
	@mkdir -p $(@D)
	$(SAY) '  LD   $@'
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

fuzz: ## fuzz each target (TARGET=name for one) for SECONDS=60, with clang and libFuzzer
	tests/fuzz/run "$(or $(SECONDS),60)" $(or $(TARGET),$(FUZZ))

fuzz-coverage: ## lines that the inputs of the fuzz targets reach
	$(PYTHON) tests/fuzz/coverage

check-oom: all unit ## every allocation and every write made to fail once
	$(PYTHON) tests/run --build $(B) -k test_failures

unit: $(TESTS) $(B)/fakes/libfake.so $(STANDINS) $(FUZZ:%=$(B)/fuzz/replay_%)

check: all unit ## run every test; the last line counts them
	$(PYTHON) tests/run --build $(B) $(TESTFLAGS)

san: ## the same tests under AddressSanitizer and UBSan
	$(MAKE) check B=$(B)/san CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all' \
	  TESTFLAGS='--san $(TESTFLAGS)'

lint: ## layers, format, cppcheck, clang-tidy (FILES='a.c b.c': the slow ones of these alone)
	tests/lint $(B) $(FILES)

format: ## rewrite sources with clang-format
	clang-format -i $$(git ls-files '*.c' '*.h')

bench: all ## figures of docs/benchmarks.md, measured here and now
	$(PYTHON) tests/bench --build $(B)

pictures: all ## make the pictures of docs/gallery.md anew, with Chromium
	$(PYTHON) docs/pictures/make $(B)

models: ## make models/*.onnx anew
	$(PYTHON) models/make.py models

ort: ## get ONNX Runtime for `neuromc run`, from npm, into build/ort/
	tools/get_ort build/ort

install: all ## install under $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(datadir)/memory_presets
	install -m755 $(B)/neuromc $(DESTDIR)$(PREFIX)/bin/neuromc
	install -m644 include/neuromc.h $(DESTDIR)$(PREFIX)/include/neuromc.h
	install -m644 $(B)/libneuromc.a $(DESTDIR)$(PREFIX)/lib/libneuromc.a
	install -m755 $(B)/$(SONAME) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libneuromc.so
	install -m644 $(B)/neuromc.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/neuromc.pc
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m644 $(B)/share/neuromc.1 $(DESTDIR)$(PREFIX)/share/man/man1/neuromc.1
	install -m644 $(B)/share/neuromc.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/neuromc
	install -m644 $(B)/share/_neuromc $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_neuromc
	install -m644 $(B)/share/neuromc.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/neuromc.fish
	install -m644 configs/memory_presets/*.yaml $(DESTDIR)$(datadir)/memory_presets
	install -d $(DESTDIR)$(datadir)/laws
	install -m644 configs/laws/*.yaml $(DESTDIR)$(datadir)/laws

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/neuromc $(DESTDIR)$(PREFIX)/include/neuromc.h \
	  $(DESTDIR)$(PREFIX)/lib/libneuromc.a $(DESTDIR)$(PREFIX)/lib/$(SONAME) $(DESTDIR)$(PREFIX)/lib/libneuromc.so \
	  $(DESTDIR)$(PREFIX)/lib/pkgconfig/neuromc.pc $(DESTDIR)$(PREFIX)/share/man/man1/neuromc.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/neuromc $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_neuromc \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/neuromc.fish
	rm -rf $(DESTDIR)$(datadir)

clean: ## remove build/
	rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

-include $(wildcard $(B)/obj/tests/fuzz/*.d) $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_SRC:%.c=$(B)/obj/%.d) $(TEST_HELP:%.c=$(B)/obj/%.d)
