# The fuzzers: clang's libFuzzer with AddressSanitizer and UBSan (preset "fuzz"); tests/fuzz/run.mjs builds and runs them.
add_library(posenc_fuzz_support OBJECT
  tests/fuzz/input.cpp tests/fuzz/specs.cpp tests/fuzz/arguments.cpp tests/cpp/samples.cpp cpp/bindings/operations.cpp)
target_link_libraries(posenc_fuzz_support PUBLIC posenc::posenc)
target_compile_options(posenc_fuzz_support PUBLIC -Wall -Wextra -ffp-contract=off)

file(GLOB POSENC_CALL_SOURCES CONFIGURE_DEPENDS tests/fuzz/calls*.cpp)
add_executable(posenc_fuzz_spec tests/fuzz/spec.cpp)
add_executable(posenc_fuzz_calls ${POSENC_CALL_SOURCES})
foreach(fuzzer posenc_fuzz_spec posenc_fuzz_calls)
  target_link_libraries(${fuzzer} PRIVATE posenc_fuzz_support)
  target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
endforeach()
