// The whole interface between JavaScript and the core: a table of coarse operations (calls.cpp). Each operation reads
// its arguments from the frame. posenc_call() returns whether it succeeded, lastError() returns the error.
#include <emscripten/bind.h>
#include <emscripten/emmalloc.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <cstdlib>

#include "posenc/core/memory.hpp"
#include "posenc/core/reserve.hpp"
#include "schema.hpp"
#include "self_test.hpp"

// The default of libc++ prints the failed assertion and links all of printf. Such failures cannot happen here.
void std::__libcpp_verbose_abort(char const*, ...) { __builtin_trap(); }

namespace posenc::bindings {

namespace {

Error last_error;

bool done(Error error) {
  last_error = std::move(error);
  return !last_error;
}

// Returns the address of the text of the last error, and writes its length to the frame.
double last_error_text() {
  static std::string text;
  text = join({code_name(last_error.code()), "\x1f", last_error.field(), "\x1f", last_error.message()});
  frame_area[0] = double(text.size());
  return address_of(text.data());
}

double frame_address() { return address_of(frame_area.data()); }

Error out_of_memory(double bytes) {
  return {Code::out_of_memory, "",
          join({"out of memory: cannot get ", format_number(bytes), " bytes of WebAssembly memory"})};
}

double allocate(double bytes) {
  void* memory = keep_reserve() && can_ask(bytes) ? get_aligned(std::size_t(bytes)) : nullptr;
  done(memory ? Error{} : out_of_memory(bytes));
  return address_of(memory);
}

// Returns free memory at the end of the heap; otherwise can_ask() in memory.cpp would reject later large allocations.
// The sbrk of Emscripten 3.1.69 cannot shrink the heap, and the allocator ignores this: the end is moved here instead.
void release(double address) {
  std::free(pointer<void>(address));
  const void* top = sbrk(0);
  const std::size_t before = emmalloc_dynamic_heap_size();
  if (emmalloc_trim(0) && sbrk(0) == top) *emscripten_get_sbrk_ptr() -= before - emmalloc_dynamic_heap_size();
}

// Not an operation: it must also work without free memory.
void destroy_encoding(double address) { delete pointer<Held>(address); }

// Not an operation, either. Caches are large: their memory is returned if it is at the end of the heap.
void destroy_cache(double address) {
  delete pointer<KeyValueCache>(address);
  release(0);
}

// In the order of `Variant` in web/src/wasm/core.ts.
double variant() {
#if defined(__wasm_relaxed_simd__)
  return 2;
#elif defined(__wasm_simd128__)
  return 1;
#else
  return 0;
#endif
}

double schema() { return schema_digest(); }

#if !defined(POSENC_PROSE)
std::string describe_all() { return join({"{\"encodings\":", describe(), ",\"calls\":", describe_calls(), "}"}); }
#endif

}  // namespace

// Not an embind function: calls through embind take longer than rotating the heads of one token.
extern "C" EMSCRIPTEN_KEEPALIVE bool posenc_call(int operation) {
  Frame frame;
  return done(keep_reserve() ? run_operation(operation, frame) : out_of_memory(0));
}

EMSCRIPTEN_BINDINGS(posenc) {
  emscripten::function("variant", &variant);
  emscripten::function("rotatesRightly", &rotates_rightly);
  emscripten::function("attendsRightly", &attends_rightly);
  emscripten::function("lastError", &last_error_text);
#if !defined(POSENC_PROSE)
  emscripten::function("describe", &describe_all);
#endif
  emscripten::function("frameAddress", &frame_address);
  emscripten::function("allocate", &allocate);
  emscripten::function("release", &release);
  emscripten::function("destroyEncoding", &destroy_encoding);
  emscripten::function("destroyCache", &destroy_cache);
  emscripten::function("schema", &schema);
}

}  // namespace posenc::bindings
