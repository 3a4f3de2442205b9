#include "posenc/core/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#ifdef __wasm__
#include <unistd.h>
#endif

#include "posenc/core/reserve.hpp"

namespace posenc {

namespace {

#ifdef __wasm__
constexpr double kAddresses = 4294967296.0;
// Bytes between the end of memory and the last address (wasm.cmake): addresses plus sizes up to this never overflow.
constexpr double kAbove = 268435456.0;
double top() { return double(reinterpret_cast<std::uintptr_t>(sbrk(0))); }
#else
constexpr double kAddresses = 9007199254740992.0;
constexpr double kAbove = 0;
double top() { return 0; }
#endif

// Small allocations are not checked: this many bytes are reserved for them.
constexpr std::size_t kReserve = 1048576;

// Zeros. Native systems hand out pages that are zero already.
void* get_zeroed(std::size_t bytes) {
#ifdef __wasm__
  void* memory = get_aligned(bytes);
  return memory ? std::memset(memory, 0, bytes) : nullptr;
#else
  return std::calloc(bytes + 1, 1);
#endif
}

}  // namespace

// WebAssembly's malloc aligns to 8 bytes: a fourth of all vectors would cross a line of the cache.
void* get_aligned(std::size_t bytes) {
#ifdef __wasm__
  constexpr std::size_t kLine = 64;
  return std::aligned_alloc(kLine, (bytes & ~(kLine - 1)) + kLine);
#else
  return std::malloc(bytes + 1);
#endif
}

bool can_ask(double bytes) {
  const double most = bytes + 65536;
  return bytes >= 0 && (most <= kAbove || most + top() < kAddresses);
}

bool can_have(double bytes) {
  if (!can_ask(bytes)) return false;
  // Volatile, or the compiler removes both calls and assumes success.
  void* volatile memory = get_aligned(std::size_t(bytes));
  std::free(memory);
  return memory != nullptr;
}

namespace {

// Reserved blocks. After the first is released, the second remains for the message of the rejected call.
struct Kept {
  std::size_t bytes;
  void* memory = nullptr;
};
Kept reserves[]{{kReserve}, {4096}};

}  // namespace

bool keep_reserve() {
  bool all = true;
  for (Kept& kept : reserves) {
    if (!kept.memory && can_ask(double(kept.bytes))) kept.memory = std::malloc(kept.bytes);
    all = all && kept.memory;
  }
  return all;
}

bool give_reserve() {
  for (Kept& kept : reserves) {
    // Several threads may call this at once.
    void* memory = __atomic_exchange_n(&kept.memory, nullptr, __ATOMIC_SEQ_CST);
    if (!memory) continue;
    std::free(memory);
    return true;
  }
  return false;
}

void* get_small(std::size_t bytes) {
  constexpr std::size_t kSmallest = 256;
  do
    if (can_ask(double(bytes)))
      if (void* memory = bytes < kSmallest ? std::malloc(bytes + 1) : get_aligned(bytes)) return memory;
  while (give_reserve());
  __builtin_trap();
}

double product(std::initializer_list<double> sizes) {
  double out = 1;
  for (const double size : sizes) out *= size;
  return out;
}

Memory::Memory(std::initializer_list<double> sizes, std::size_t bytes) {
  const double size = product(sizes) * double(bytes);
  if (can_ask(size)) data_ = get_zeroed(std::size_t(size));
}

Memory::~Memory() { std::free(data_); }

}  // namespace posenc
