// The types that calls pass, for embind. Takes the place of embind's own bind.cpp, which registers thirty of them
// (integers, wide strings, memory views): the download is a hundredth smaller, the loader by two fifths.
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

// Of a type that was not registered.
const char* __getTypeName(const std::type_info*) { return ""; }
// Both for threads that start later: there are none.
void _embind_register_bindings(InitFunc*) {}
void _embind_initialize_bindings() {}
}
