#pragma once

#include "posenc/encodings.hpp"

namespace posenc::bindings {

/// A spec as text: fields separated by \x1e, each `name \x1f type \x1f text`; numbers are in a separate list.
/// Types: n number, b boolean, t text, l list (text = its length), 0 null, x anything else (text = its name).
Result<Encoding> create_from_text(std::string_view text, std::span<const double> numbers,
                                  Initialization initialization = {});

}  // namespace posenc::bindings
