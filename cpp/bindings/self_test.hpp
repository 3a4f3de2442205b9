// Known answers: does this build compute correctly on this engine?
#pragma once

namespace posenc::bindings {

/// Whether rotations match to the last bit. Engines have shipped SIMD that validates and computes wrongly.
bool rotates_rightly();
/// Whether attention matches closely.
bool attends_rightly();

}  // namespace posenc::bindings
