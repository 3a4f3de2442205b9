// The whole surface between JavaScript and the core: a table of coarse calls. Each reads its arguments from the frame
// and answers whether it worked; lastError() tells what was wrong.
#include <emscripten/bind.h>

#include <cstdlib>

#include "frame.hpp"
#include "operations.hpp"
#include "posenc/memory.hpp"
#include "self_test.hpp"

// libc++ would print what went wrong inside it, embind the name of a type that it does not know: both would link all of
// printf for what cannot happen here. The linker sends sprintf to these (wasm.cmake).
void std::__libcpp_verbose_abort(char const*, ...) { __builtin_trap(); }
extern "C" int __wrap_siprintf(char* text, const char*, ...) { return *text = 0; }
extern "C" int __wrap___small_sprintf(char* text, const char*, ...) { return *text = 0; }

namespace posenc::bindings {

namespace {

Error last_error;

bool done(Error error) {
  last_error = std::move(error);
  return !last_error;
}

std::string last_error_text() {
  return std::string(code_name(last_error.code)) + "\x1f" + last_error.field + "\x1f" + last_error.message;
}

double frame_address() { return double(reinterpret_cast<std::uintptr_t>(frame_area.data())); }

double allocate(double bytes) {
  // malloc(0) may be null.
  void* memory = can_ask(bytes) ? std::aligned_alloc(64, (std::size_t(bytes) & ~std::size_t(63)) + 64) : nullptr;
  done(memory ? Error{}
              : Error{Code::out_of_memory, "",
                      join({"out of memory: cannot get ", bytes, " bytes of WebAssembly memory"})});
  return double(reinterpret_cast<std::uintptr_t>(memory));
}

void release(double address) { std::free(pointer<void>(address)); }

double create_encoding(const std::string& text) {
  Frame frame;
  auto made = create_from_text(text, frame.span<double>());
  if (!made) return done(made.error()), 0;
  return double(reinterpret_cast<std::uintptr_t>(new Encoding(std::move(*made))));
}

void destroy_encoding(double address) { delete pointer<Encoding>(address); }

// A call of the frame as an embind function.
template <Error (*operation)(Frame&)>
bool call() {
  Frame frame;
  return done(operation(frame));
}

std::string variant() {
#if defined(__wasm_relaxed_simd__)
  return "relaxed";
#elif defined(__wasm_simd128__)
  return "simd";
#else
  return "scalar";
#endif
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc) {
  emscripten::function("variant", &variant);
  emscripten::function("selfTest", &self_test);
  emscripten::function("lastError", &last_error_text);
#if !defined(POSENC_PROSE)
  emscripten::function("describe", &describe);
#endif
  emscripten::function("frameAddress", &frame_address);
  emscripten::function("allocate", &allocate);
  emscripten::function("release", &release);
  emscripten::function("createEncoding", &create_encoding);
  emscripten::function("destroyEncoding", &destroy_encoding);
  emscripten::function("parameterFacts", &call<parameter_facts>);
  emscripten::function("tableFacts", &call<table_facts>);
  emscripten::function("tableFrequencies", &call<table_frequencies>);
  emscripten::function("tableCheck", &call<table_check>);
  emscripten::function("tableRows", &call<table_rows>);
  emscripten::function("tableAdd", &call<table_add>);
  emscripten::function("tableConcat", &call<table_concat>);
  emscripten::function("tableShift", &call<table_shift>);
  emscripten::function("tableResize", &call<table_resize>);
  emscripten::function("rotaryFacts", &call<rotary_facts>);
  emscripten::function("rotaryFrequencies", &call<rotary_frequencies>);
  emscripten::function("rotaryTables", &call<rotary_tables>);
  emscripten::function("rotaryAngles", &call<rotary_angles>);
  emscripten::function("rotaryCheck", &call<rotary_check>);
  emscripten::function("rotaryApply", &call<rotary_apply>);
  emscripten::function("rotaryRerotate", &call<rotary_rerotate>);
  emscripten::function("biasRows", &call<bias_rows>);
  emscripten::function("attention", &call<attend>);
  emscripten::function("attentionRows", &call<attend_rows>);
  emscripten::function("relativeBuckets", &call<relative_buckets>);
  emscripten::function("relativeExpand", &call<relative_expand>);
  emscripten::function("relativeShift", &call<shift_scores>);
  emscripten::function("queryTemperature", &call<query_temperature_of>);
  emscripten::function("similarity", &call<similarity_of>);
  emscripten::function("distanceProfile", &call<distance_profile_of>);
  emscripten::function("scoreTerms", &call<score_terms_of>);
}

}  // namespace posenc::bindings
