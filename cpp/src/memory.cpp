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
// Memory ends so far below the last address (wasm.cmake): sums of addresses and sizes up to this never go round.
constexpr double kAbove = 268435456.0;
double top() { return double(reinterpret_cast<std::uintptr_t>(sbrk(0))); }
#else
constexpr double kAddresses = 9007199254740992.0;
constexpr double kAbove = 0;
double top() { return 0; }
#endif

// What is small takes memory without asking: so much is left to it.
constexpr std::size_t kReserve = 1048576;

}  // namespace

bool can_ask(double bytes) {
  const double most = bytes + 65536;
  return bytes >= 0 && (most <= kAbove || most + top() < kAddresses);
}

bool can_have(double bytes) {
  if (!can_ask(bytes)) return false;
  // Volatile, or the compiler leaves out the pair and takes it that it worked.
  void* volatile memory = std::malloc(std::size_t(bytes) + kReserve);
  std::free(memory);
  return memory != nullptr;
}

Buffer::Buffer(double floats) {
  if (can_ask((floats + 1) * sizeof(float)))
    data_ = static_cast<float*>(std::calloc(std::size_t(floats) + 1, sizeof(float)));
}

Buffer::~Buffer() { std::free(data_); }

}  // namespace posenc
