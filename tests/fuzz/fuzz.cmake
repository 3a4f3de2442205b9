# The fuzzers: clang's libFuzzer with AddressSanitizer and UBSan (preset "fuzz"); tests/fuzz/run.mjs builds and runs them.
set(POSENC_FUZZ_SUPPORT
    tests/fuzz/input.cpp tests/fuzz/specs.cpp tests/fuzz/arguments.cpp tests/cpp/samples.cpp cpp/bindings/operations.cpp)
file(GLOB POSENC_CALL_SOURCES CONFIGURE_DEPENDS tests/fuzz/calls*.cpp tests/fuzz/oracle*.cpp)
list(FILTER POSENC_CALL_SOURCES EXCLUDE REGEX "calls_main")

add_library(posenc_fuzz_support OBJECT ${POSENC_FUZZ_SUPPORT} tests/fuzz/twin.cpp)
target_link_libraries(posenc_fuzz_support PUBLIC posenc::posenc)
target_compile_options(posenc_fuzz_support PUBLIC -Wall -Wextra -ffp-contract=off)

# The scalar twin: everything once more in another namespace, with xsimd emulated as in the scalar WebAssembly. It is
# there to be compared with, so that it is neither sanitized nor counted as coverage.
add_library(posenc_fuzz_scalar STATIC ${POSENC_SOURCES} ${POSENC_FUZZ_SUPPORT} ${POSENC_CALL_SOURCES})
posenc_settings(posenc_fuzz_scalar)
target_compile_options(posenc_fuzz_scalar PRIVATE -fno-sanitize=all -fno-sanitize-coverage=inline-8bit-counters,pc-table,indirect-calls,stack-depth
                       -Dposenc=posenc_scalar -DPOSENC_FUZZ_SCALAR=1 -DXSIMD_WITH_EMULATED=1 -DXSIMD_DEFAULT_ARCH=xsimd::emulated<128>)

add_executable(posenc_fuzz_spec tests/fuzz/spec.cpp)
add_executable(posenc_fuzz_calls tests/fuzz/calls_main.cpp ${POSENC_CALL_SOURCES})
target_link_libraries(posenc_fuzz_calls PRIVATE posenc_fuzz_scalar)
foreach(fuzzer posenc_fuzz_spec posenc_fuzz_calls)
  target_link_libraries(${fuzzer} PRIVATE posenc_fuzz_support)
  target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
endforeach()
