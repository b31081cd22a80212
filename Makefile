# Thin: every target is a line or two that also works by hand. `make demo` and `make check` need nothing installed.
PRESET ?= release
BUILD := build/$(PRESET)
JOBS ?= $(shell nproc)
CTEST := ctest --test-dir $(BUILD) --output-on-failure -j$(JOBS)

.PHONY: demo product build check check-slow tidy gpu-bundle bench asan tsan fuzz format bootstrap configure clean

demo: bootstrap  ## prove and verify the 2 KiB sectors that ship with the plugins
	@scripts/quietly "building pinion, some minutes the first time" build/demo.log $(MAKE) product
	@$(BUILD)/bin/pinion demo

product: configure  ## the program and its plugins, nothing else
	cmake --build $(BUILD) -j$(JOBS) --target product

build: configure  ## everything, tests too; the program and its plugins are build/release/bin/pinion, build/release/lib/pinion/plugins/
	cmake --build $(BUILD) -j$(JOBS)

check: build  ## formats, lints and every test but the slow ones
	$(CTEST) -LE slow

check-slow: build  ## the slow tests: 32 GiB circuits, full-size inputs (hours, up to 24 GiB of memory)
	$(CTEST) -L slow

tidy: build  ## clang-tidy over the sources that changed since it last passed
	$(CTEST) -R lint-tidy

gpu-bundle: build  ## .gpu/: program, plugins, GPU tests and benches for a machine with a driver and no network (tests/gpu/run)
	scripts/gpu-bundle $(BUILD)

bench: configure  ## figures of this machine, in one table; REFERENCE=program races the reference prover, KEYS=dir keeps the test keys, OUT=file has JSON
	cmake --build $(BUILD) -j$(JOBS) --target benches
	bench/run --build $(BUILD) $(if $(REFERENCE),--reference $(REFERENCE)) $(if $(KEYS),--keys $(KEYS)) $(if $(OUT),--out $(OUT))

asan tsan:  ## the tests under AddressSanitizer + UndefinedBehaviorSanitizer, or ThreadSanitizer
	$(MAKE) check PRESET=$@

fuzz: bootstrap  ## ten minutes of fuzzing for each reader (clang, libFuzzer); FUZZ_SECONDS=60 for less
	scripts/fuzz $(or $(FUZZ_SECONDS),600)

format:  ## rewrites every source file in the project's style
	git ls-files '*.cpp' '*.hpp' '*.h' '*.c' '*.cu' '*.cuh' | xargs clang-format-14 -i

bootstrap:
	@scripts/bootstrap

configure: bootstrap
	@[ -f $(BUILD)/build.ninja ] || cmake --preset $(PRESET)

clean:
	rm -rf build
