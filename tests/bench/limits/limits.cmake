# The machine's limits and kernels for one case each, for the bench alone.
foreach(variant simd relaxed)
  set(target bench_limits_${variant})
  set(flags -O3 -msimd128 -mbulk-memory $<$<STREQUAL:${variant},relaxed>:-mrelaxed-simd>)
  add_executable(${target} ${CMAKE_CURRENT_LIST_DIR}/limits.cpp ${CMAKE_CURRENT_LIST_DIR}/tuned.cpp)
  target_compile_options(${target} PRIVATE ${flags})
  target_link_options(${target} PRIVATE ${flags} -sSTANDALONE_WASM --no-entry -sIMPORTED_MEMORY
                      -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=128KB -sSTACK_SIZE=1KB)
  set_target_properties(${target} PROPERTIES SUFFIX .wasm)
endforeach()
