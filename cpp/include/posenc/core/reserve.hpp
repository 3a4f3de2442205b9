// A memory reserve for small allocations. Large allocations are requested in a way that can fail (memory.hpp).
// Containers of a few values and the texts of errors are not; without exceptions, a container whose allocation fails
// ends the program.
#pragma once

#include <cstddef>

namespace posenc {

/// Makes sure that the reserve exists: a mebibyte for a call, a page for the text of its error. Called before a call
/// changes anything.
bool keep_reserve();
/// Releases part of the reserve to the allocator for small allocations. Returns false if nothing is left.
bool give_reserve();

/// The implementation of operator new for programs that end on the first failed allocation: in WebAssembly and in the
/// tests.
void* get_small(std::size_t bytes);

}  // namespace posenc
