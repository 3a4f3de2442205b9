# The native library, its install rules, its tests and examples.
add_library(posenc ${POSENC_SOURCES})
add_library(posenc::posenc ALIAS posenc)
posenc_settings(posenc)
separate_arguments(architecture_flags UNIX_COMMAND "${POSENC_ARCHITECTURE}")
target_compile_options(posenc PRIVATE ${architecture_flags})
target_compile_features(posenc PUBLIC cxx_std_20)
set_target_properties(posenc PROPERTIES UNITY_BUILD ${POSENC_UNITY} UNITY_BUILD_BATCH_SIZE 10)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS posenc EXPORT posencTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY cpp/include/posenc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT posencTargets NAMESPACE posenc:: FILE posencConfig.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/posenc)
write_basic_package_version_file(posencConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/posencConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/posenc)

if(POSENC_TESTS)
  enable_testing()
  FetchContent_Declare(catch2 GIT_REPOSITORY https://github.com/catchorg/Catch2 GIT_TAG v3.7.1)
  FetchContent_MakeAvailable(catch2)
  # To compile sooner: few units, and neither optimised nor sanitized, since it is not what is tested.
  set_target_properties(Catch2 PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 25)
  target_compile_options(Catch2 PRIVATE -O0 -fno-sanitize=all)
  file(GLOB_RECURSE POSENC_TEST_SOURCES CONFIGURE_DEPENDS tests/cpp/*.cpp)
  # As with the sources: these have names of their own in common with others.
  set_source_files_properties(tests/cpp/table/table.cpp tests/cpp/rotary/xpos.cpp
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # With the operations of the web, and with its way to get small memory: tests let every allocation fail once.
  add_executable(posenc_tests ${POSENC_TEST_SOURCES} cpp/bindings/calls.cpp cpp/bindings/spec_text.cpp
                 cpp/bindings/small_memory.cpp)
  if(UNIX AND NOT APPLE)
    target_compile_definitions(posenc_tests PRIVATE POSENC_ALLOCATIONS_FAIL=1)
    target_link_options(posenc_tests PRIVATE LINKER:--wrap=malloc,--wrap=calloc)
  endif()
  target_include_directories(posenc_tests PRIVATE tests)
  target_link_libraries(posenc_tests PRIVATE posenc::posenc Catch2::Catch2WithMain)
  target_compile_options(posenc_tests PRIVATE -Wall -Wextra -ffp-contract=off)
  set_target_properties(posenc_tests PROPERTIES UNITY_BUILD ${POSENC_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  # Paths as every checkout has them, so that ccache knows the objects of another.
  target_compile_options(posenc_tests PRIVATE -ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=)
  add_test(NAME posenc_tests COMMAND posenc_tests WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})

  foreach(example quickstart training)
    add_executable(posenc_${example} examples/${example}.cpp)
    target_link_libraries(posenc_${example} PRIVATE posenc::posenc)
    add_test(NAME ${example} COMMAND posenc_${example})
  endforeach()
endif()

if(POSENC_FUZZERS)
  include(tests/fuzz/fuzz.cmake)
endif()
