// Each input goes to the core as it is built here, and to its scalar twin.
#include <cstddef>
#include <cstdint>

#include "twin.hpp"

namespace posenc::fuzz {
void run_calls(const std::uint8_t* data, std::size_t size);
}
namespace posenc_scalar::fuzz {
void run_calls(const std::uint8_t* data, std::size_t size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  posenc::fuzz::run_calls(data, size);
  posenc_scalar::fuzz::run_calls(data, size);
  twin::end();
  return 0;
}
