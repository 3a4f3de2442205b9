// Small allocations succeed as long as there is a reserve. Part of the WebAssembly builds, and of the native tests,
// which make every allocation fail once.
#include <cstdlib>
#include <new>

#include "posenc/core/reserve.hpp"

void* operator new(std::size_t bytes) { return posenc::get_small(bytes); }
void* operator new[](std::size_t bytes) { return posenc::get_small(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
