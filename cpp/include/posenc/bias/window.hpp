// Biases between the patches of a window, shared by Swin and Swin V2.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

inline constexpr Field kWindowHeightField{.name = "windowHeight",
                                          .doc = "Rows of the window.",
                                          .min = 1,
                                          .max = 4096,
                                          .unit = "patches",
                                          .required = true,
                                          .example = 4};
inline constexpr Field kWindowWidthField{.name = "windowWidth",
                                         .doc = "Columns of the window.",
                                         .min = 1,
                                         .max = 4096,
                                         .unit = "patches",
                                         .required = true,
                                         .example = 5};

/// height × width patches, numbered row by row, optionally after a class token.
struct Window {
  int height = 1, width = 1;
  bool class_token = false;

  int position_count() const { return height * width + class_token; }
  int displacements() const { return (2 * height - 1) * (2 * width - 1); }
  /// Number of table rows: displacements, then token to patch, patch to token, token to token.
  int rows() const { return displacements() + (class_token ? 3 : 0); }
  int row_of(double query, double key) const {
    const int q = int(query) - class_token, k = int(key) - class_token;
    if (q < 0 || k < 0) return displacements() + (k < 0 ? 1 + (q < 0) : 0);
    const int down = q / width - k / width, right = q % width - k % width;
    return (down + height - 1) * (2 * width - 1) + right + width - 1;
  }
};

/// A bias for each head and displacement inside a window.
class WindowBias : public Bias {
 public:
  WindowBias(const Window& window, int head_count) : window_(window) { heads = head_count; }

  Error begin(const Positions& queries, const Positions& keys, double, BiasScratch&) const override {
    if (!queries.count || !keys.count) return {};
    if (Error error = check(queries)) return error;
    return check(keys);
  }
  bool has_profile() const override { return false; }
  int bucket(double query, double key) const override { return window_.row_of(query, key); }

 protected:
  /// Implements row(). weights_of(row of the table) returns the weights of all heads.
  template <class WeightsOf>
  void look_up(int head, double query, double first_key, std::size_t count, float* out,
               const WeightsOf& weights_of) const {
    const int token = window_.class_token, width = window_.width;
    int column = (int(first_key) - token + width) % width, index = bucket(query, first_key);
    for (std::size_t j = 0; j < count; ++j) {
      out[j] = weights_of(index)[head];
      // To the token and from it there is no displacement to go on from.
      const bool by_token = token && (query == 0 || first_key + double(j) == 0);
      const bool wraps = ++column == width;
      if (wraps) column = 0;
      index = by_token && j + 1 < count ? bucket(query, first_key + double(j + 1)) : index - (wraps ? width : 1);
    }
  }

  const Window window_;

 private:
  Error check(const Positions& positions) const {
    const std::size_t count = positions.values.empty() ? std::size_t(positions.count) : positions.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double position = positions[i];
      if (position < 0 || position >= window_.position_count() || position != std::floor(position))
        return error_at(Code::out_of_range, "positions",
                        "must be cells of the window, whole numbers from 0 to %, got %", window_.position_count() - 1,
                        position);
    }
    return {};
  }
};

}  // namespace posenc
