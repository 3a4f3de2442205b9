// Memory that is kept back for small things. Large memory is asked for in a way that can fail (memory.hpp); containers
// of a few numbers and the words of errors are not, and without exceptions a container that gets none ends the program.
#pragma once

#include <cstddef>

namespace posenc {

/// Is memory kept back (a mebibyte for a call, a page for the words of its refusal)? Asked before a call changes
/// anything.
bool keep_reserve();
/// Gives a part of it to the allocator, which then has it for small things; false: all has been given.
bool give_reserve();

/// What operator new is where a program ends on the first memory that it does not get: in WebAssembly, and in the
/// tests.
void* get_small(std::size_t bytes);

}  // namespace posenc
