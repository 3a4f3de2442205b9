# The fuzzers: clang's libFuzzer with AddressSanitizer and UBSan (preset "fuzz"); tests/fuzz/run.mjs builds and runs them.
set(POSENC_FUZZ_SUPPORT
    tests/fuzz/input.cpp tests/fuzz/specs.cpp tests/cpp/samples.cpp cpp/bindings/spec_text.cpp)
file(GLOB POSENC_CALL_SOURCES CONFIGURE_DEPENDS tests/fuzz/arguments.cpp tests/fuzz/calls*.cpp)
file(GLOB POSENC_ORACLE_SOURCES CONFIGURE_DEPENDS tests/fuzz/oracle*.cpp)
list(FILTER POSENC_CALL_SOURCES EXCLUDE REGEX "calls_main")
# What is there to be compared with is neither sanitized nor counted as coverage.
set(POSENC_PLAIN -fno-sanitize=all -fno-sanitize-coverage=inline-8bit-counters,pc-table,indirect-calls,stack-depth)

add_library(posenc_fuzz_support OBJECT ${POSENC_FUZZ_SUPPORT})
target_link_libraries(posenc_fuzz_support PUBLIC posenc::posenc)
target_compile_options(posenc_fuzz_support PUBLIC -Wall -Wextra -ffp-contract=off)

add_library(posenc_fuzz_oracle STATIC ${POSENC_ORACLE_SOURCES} tests/fuzz/twin.cpp)
target_link_libraries(posenc_fuzz_oracle PRIVATE posenc::posenc)
target_compile_options(posenc_fuzz_oracle PRIVATE -Wall -Wextra -ffp-contract=off ${POSENC_PLAIN})

# The scalar twin: everything once more in another namespace, with xsimd emulated as in the scalar WebAssembly.
add_library(posenc_fuzz_scalar STATIC ${POSENC_SOURCES} ${POSENC_FUZZ_SUPPORT} ${POSENC_CALL_SOURCES} ${POSENC_ORACLE_SOURCES})
posenc_settings(posenc_fuzz_scalar)
target_compile_options(posenc_fuzz_scalar PRIVATE ${POSENC_PLAIN} -g0 -Dposenc=posenc_scalar -DPOSENC_FUZZ_SCALAR=1
                       -DXSIMD_WITH_EMULATED=1 -DXSIMD_DEFAULT_ARCH=xsimd::emulated<128>)

add_executable(posenc_fuzz_spec tests/fuzz/spec.cpp)
# Of what is inline in headers the linker takes the first: that must be the sanitized one.
add_executable(posenc_fuzz_calls tests/fuzz/calls_main.cpp ${POSENC_CALL_SOURCES} $<TARGET_OBJECTS:posenc>)
target_link_libraries(posenc_fuzz_calls PRIVATE posenc_fuzz_oracle posenc_fuzz_scalar)
foreach(fuzzer posenc_fuzz_spec posenc_fuzz_calls)
  target_link_libraries(${fuzzer} PRIVATE posenc_fuzz_support)
  target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
endforeach()

set_target_properties(posenc_fuzz_support posenc_fuzz_oracle posenc_fuzz_scalar posenc_fuzz_calls
                      PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
