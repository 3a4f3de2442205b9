// Large memory is asked for in a way that can fail.
#pragma once

namespace posenc {

/// May the allocator be asked for so many bytes at all? Emscripten's emmalloc adds sizes to addresses without looking
/// whether the sum goes round at 4 GB, and would then write outside the memory.
bool can_ask(double bytes);

/// Is there memory for so many bytes now? Without exceptions a container that gets none ends the program.
bool can_have(double bytes);

}  // namespace posenc
