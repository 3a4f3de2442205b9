// Swin's and BEiT's relative position bias of a window of patches.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

/// A learned number for each head and displacement (Δy, Δx) inside a window of h × w places, counted row by row:
/// row (Δy + h - 1)(2w - 1) + Δx + w - 1 of the table, Δ = query - key. With a class token (BEiT) place 0 is the token
/// and three more rows follow: token to place, place to token, token to token. Queries and keys are places of the
/// window: whole numbers from 0 on. Attention runs over windows as its batch. Source: Liu et al., "Swin Transformer",
/// 2021, arXiv:2103.14030, equation 4; Bao et al., "BEiT", 2022, arXiv:2106.08254.
struct Swin {
  using Family = Bias;
  static constexpr Method method{
      .kind = "swin",
      .title = "Swin and BEiT bias",
      .formula = R"(b_{h,i,j}=W_{\mathrm{index}(y_i-y_j,\;x_i-x_j),\,h})",
      .source = "Liu et al. 2021, arXiv:2103.14030, equation 4",
      .summary =
          "a learned number for each of {plural(heads, 'head')} and displacement in a window of "
          "{windowHeight} × {windowWidth} places{classToken ? ', and three for the class token' : ''}: "
          "{about((2 * windowHeight - 1) * (2 * windowWidth - 1))} displacements",
      .chinese = "Swin 与 BEiT 偏置",
  };

  int heads = 8;
  int window_height = 4, window_width = 4;
  bool class_token = false;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kHeight{.name = "windowHeight",
                                   .doc = "Rows of the window.",
                                   .min = 1,
                                   .max = 4096,
                                   .unit = "places",
                                   .required = true,
                                   .example = 4};
    field(window_height, kHeight);
    static constexpr Field kWidth{.name = "windowWidth",
                                  .doc = "Columns of the window.",
                                  .min = 1,
                                  .max = 4096,
                                  .unit = "places",
                                  .required = true,
                                  .example = 5};
    field(window_width, kWidth);
    static constexpr Field kClassToken{.name = "classToken", .doc = "A class token stands before the patches (BEiT)."};
    field(class_token, kClassToken);
    init.visit(field);
  }
  Error validate() const { return {}; }

  int places() const { return window_height * window_width + class_token; }
  int displacements() const { return (2 * window_height - 1) * (2 * window_width - 1); }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weights", "displacements, heads", "relative_position_bias_table of a checkpoint.",
                             {double(displacements()) + (class_token ? 3 : 0), double(heads)}));
  }
  std::unique_ptr<Bias> make() const;
};

class SwinBias final : public Bias {
 public:
  explicit SwinBias(const Swin& spec) : spec_(spec) { heads = spec.heads; }

  Error begin(const Positions& queries, const Positions& keys, double, BiasScratch&) const override {
    if (!queries.count || !keys.count) return {};
    if (Error error = check(queries)) return error;
    return check(keys);
  }
  bool has_profile() const override { return false; }

  int bucket(double query, double key) const override {
    const int width = spec_.window_width, token = spec_.class_token, rows = spec_.displacements();
    const int q = int(query) - token, k = int(key) - token;
    if (q < 0 || k < 0) return rows + (k < 0 ? 1 + (q < 0) : 0);
    const int down = q / width - k / width, right = q % width - k % width;
    return (down + spec_.window_height - 1) * (2 * width - 1) + right + width - 1;
  }
  void row(int head, double query, double first_key, std::size_t count, float* out, BiasScratch&) const override {
    const float* weights = parameters[0].values.data() + head;
    const int token = spec_.class_token, width = spec_.window_width;
    int column = (int(first_key) - token + width) % width, index = bucket(query, first_key);
    for (std::size_t j = 0; j < count; ++j) {
      out[j] = weights[std::size_t(index) * std::size_t(heads)];
      // To the token and from it there is no displacement to go on from.
      const bool by_token = token && (query == 0 || first_key + double(j) == 0);
      const bool wraps = ++column == width;
      if (wraps) column = 0;
      index = by_token && j + 1 < count ? bucket(query, first_key + double(j + 1)) : index - (wraps ? width : 1);
    }
  }

 private:
  Error check(const Positions& positions) const {
    const std::size_t count = positions.values.empty() ? std::size_t(positions.count) : positions.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double place = positions[i];
      if (place < 0 || place >= spec_.places() || place != std::floor(place))
        return error_at(Code::out_of_range, "positions",
                        "must be places of the window, whole numbers from 0 to %, got %", spec_.places() - 1, place);
    }
    return {};
  }

  Swin spec_;
};

inline std::unique_ptr<Bias> Swin::make() const { return std::make_unique<SwinBias>(*this); }

}  // namespace posenc
