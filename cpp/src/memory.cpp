#include "posenc/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#ifdef __wasm__
#include <unistd.h>
#endif

namespace posenc {

namespace {

#ifdef __wasm__
constexpr double kAddresses = 4294967296.0;
double top() { return double(reinterpret_cast<std::uintptr_t>(sbrk(0))); }
#else
constexpr double kAddresses = 9007199254740992.0;
double top() { return 0; }
#endif

}  // namespace

bool can_ask(double bytes) { return bytes >= 0 && bytes + top() + 65536 < kAddresses; }

bool can_have(double bytes) {
  if (!can_ask(bytes)) return false;
  // Volatile, or the compiler leaves out the pair and takes it that it worked.
  void* volatile memory = std::malloc(std::size_t(bytes));
  std::free(memory);
  return memory != nullptr;
}

Buffer::Buffer(double floats) {
  if (can_ask((floats + 1) * sizeof(float)))
    data_ = static_cast<float*>(std::calloc(std::size_t(floats) + 1, sizeof(float)));
}

Buffer::~Buffer() { std::free(data_); }

}  // namespace posenc
