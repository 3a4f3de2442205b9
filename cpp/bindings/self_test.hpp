// Known answers: does this build compute correctly on this engine?
#pragma once

namespace posenc::bindings {

/// Encodings must match to the last bit, attention closely. Engines have shipped SIMD that validates and computes
/// wrongly.
bool self_test();

}  // namespace posenc::bindings
