// The types of arguments, for embind. Replaces embind's own bind.cpp, which registers thirty types (integers, wide
// strings, memory views). This makes the download 1 % smaller and the loader 40 % smaller.
#include <emscripten/bind.h>

using namespace emscripten::internal;

EMSCRIPTEN_BINDINGS(types) {
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
#if !defined(POSENC_PROSE)
  _embind_register_std_string(TypeID<std::string>::get(), "std::string");
#endif
}

extern "C" {

// Only called for types that are not registered.
const char* __getTypeName(const std::type_info*) { return ""; }
// Only called for threads of Emscripten, which this library does not start.
void _embind_register_bindings(InitFunc*) {}
void _embind_initialize_bindings() {}
}
