#The three WebAssembly builds : one source, flags that differ.
file(GLOB POSENC_BINDINGS CONFIGURE_DEPENDS cpp/bindings/*.cpp)

set(POSENC_LINK_OPTIONS
    -Oz # what remains after compilation: the download
    -Wl,--wrap=siprintf -Wl,--wrap=__small_sprintf # no printf: see bindings.cpp
    --bind
    -fno-exceptions -fno-rtti # chooses the system libraries without either
    -sMODULARIZE -sEXPORT_ES6 # a factory that bundlers can import
    -sENVIRONMENT=web # no require() in the glue; our loader passes the bytes, so that workers and Node run the same file
    -sTEXTDECODER=2 # always there
    -sUSE_ES6_IMPORT_META=0 # no second URL for bundlers to trip over: the loader knows where the wasm is
    -sDYNAMIC_EXECUTION=0 # no eval or new Function: works under strict CSP
    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB # tensors may be large
    -sABORTING_MALLOC=0 # out of memory is an error value, not a crash
    -sINITIAL_MEMORY=2MB -sSTACK_SIZE=256KB
    -sMALLOC=emmalloc # smallest allocator; calls are few and large
    -sFILESYSTEM=0
    -sINCOMING_MODULE_JS_API=instantiateWasm
    -sEXPORTED_RUNTIME_METHODS=HEAPF64,HEAPF32,HEAPU8 # views that the glue renews after growth
    -sBINARYEN_EXTRA_PASSES=--converge # smaller
    -sEXPORT_NAME=createPosenc)

# Kernels are made for speed, all else for a small download.
set(POSENC_KERNELS cpp/src/waves.cpp cpp/src/kernels.cpp cpp/src/attention_tiles.cpp cpp/src/bias_fire.cpp)
set_source_files_properties(${POSENC_KERNELS} PROPERTIES COMPILE_OPTIONS -O2)

# posenc_wasm(variant flags…) -> posenc.<variant>.mjs and .wasm
function(posenc_wasm variant)
  # Bulk copies are thrice as fast, saturating conversions smaller; every engine has both.
  set(flags -mbulk-memory -mnontrapping-fptoint ${ARGN})
  set(target posenc_${variant})
  add_executable(${target} ${POSENC_SOURCES} ${POSENC_BINDINGS})
  posenc_settings(${target})
  # Link-time optimisation makes the download a sixteenth smaller.
  target_compile_options(${target} PRIVATE -flto -Oz -fno-rtti -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0 ${flags})
  target_link_options(${target} PRIVATE -flto ${POSENC_LINK_OPTIONS} ${flags})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME posenc.${variant} SUFFIX .mjs)
endfunction()

posenc_wasm(scalar -DXSIMD_WITH_EMULATED=1 -DXSIMD_DEFAULT_ARCH=xsimd::emulated<128>)
posenc_wasm(simd -msimd128)
posenc_wasm(relaxed -msimd128 -mrelaxed-simd)

# The machine's limits, for the bench alone.
add_executable(bench_limits EXCLUDE_FROM_ALL tests/bench/limits.cpp)
target_compile_options(bench_limits PRIVATE -O3 -msimd128)
target_link_options(bench_limits PRIVATE -O3 -sSTANDALONE_WASM --no-entry -sIMPORTED_MEMORY
                    -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=128KB -sSTACK_SIZE=1KB)
set_target_properties(bench_limits PROPERTIES SUFFIX .wasm)
