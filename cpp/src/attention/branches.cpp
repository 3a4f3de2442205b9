#include "attention/branches.hpp"

#include "posenc/math/real.hpp"

namespace posenc {

int Branches::of(double query, double key) const {
  if (has_chunks()) return int(std::clamp(std::floor(query / length_) - std::floor(key / length_), 0.0, 2.0));
  const double distance = query - key;
  return (is_rerope() ? std::abs(distance) : distance) >= remap_.window;
}

unsigned Branches::among(const Span& queries, const Span& keys) const {
  const int nearest = of(queries.least, keys.largest), farthest = of(queries.largest, keys.least);
  // Keys on both sides of the queries: keys in between belong to the near branch.
  if (is_rerope() && nearest == 1 && (queries.least < keys.largest) != (queries.largest < keys.least)) return 3;
  unsigned branches = 0;
  for (int b = std::min(nearest, farthest); b <= std::max(nearest, farthest); ++b) branches |= 1u << b;
  return branches;
}

double Branches::remapped_query(int branch, double position) const {
  if (!*this) return position;
  const double within = has_chunks() ? position - length_ * std::floor(position / length_) : position;
  if (branch == 0) return within;
  if (has_chunks()) return std::min(branch == 1 ? within + length_ : 2 * length_ - 1, remap_.chunk);
  if (is_rerope()) return remap_.leak * position + remap_.window * (1 - remap_.leak);
  return std::floor(position / remap_.group) + remap_.window - remap_.window / remap_.group;
}

double Branches::remapped_key(int set, double position) const {
  if (has_chunks() || set == 0) return remapped_query(0, position);
  return is_rerope() ? remap_.leak * position : std::floor(position / remap_.group);
}

namespace {

Error remap_error(std::string_view what, double got) {
  return error_at(Code::invalid_argument, "remap", "%, got %", what, got);
}

}  // namespace

Error Remap::check() const {
  if (rule == Rule::self_extend && !is_whole(group, 1)) return remap_error("group must be a whole number ≥ 1", group);
  if ((rule == Rule::self_extend || rule == Rule::rerope) && !is_whole(window, 1))
    return remap_error("window must be a whole number ≥ 1", window);
  if (rule == Rule::rerope && !(leak >= 0 && leak <= 1)) return remap_error("leak must be from 0 to 1", leak);
  if (rule != Rule::dual_chunk) return {};
  if (!is_whole(local, 0)) return remap_error("local must be a whole number ≥ 0", local);
  if (!is_whole(chunk, local + 1)) return remap_error("chunk must be a whole number > local", chunk);
  if (trained != 0 && !is_whole(trained, 1)) return remap_error("trained must be a whole number ≥ 1", trained);
  return {};
}

Error check_remap(const AttentionOptions& options) {
  if (options.remap.rule == Remap::Rule::none) return {};
  if (Error error = options.remap.check()) return error;
  const auto refuse = [](std::string_view why) { return error_at(Code::unsupported, "remap", "%", why); };
  const Rotation* rotation = options.rotation;
  if (!rotation) return refuse("requires a rotary encoding");
  if (!rotation->decay.rates.empty()) return refuse("cannot be used with position-dependent magnitudes (xpos)");
  if (rotation->one_for_all && options.key_positions.axes == 1 && options.query_positions.axes == 1) return {};
  return refuse("requires positions of one axis");
}

double remap_factor(const Remap& remap, double sequence_length) {
  if (remap.rule != Remap::Rule::dual_chunk || remap.trained == 0) return 1;
  return std::max(1.0, 1 + quick_log(sequence_length / remap.trained) / 10);
}

}  // namespace posenc
