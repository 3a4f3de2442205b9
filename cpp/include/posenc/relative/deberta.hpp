// DeBERTa's disentangled attention: content against positions, and positions against content.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Queries are multiplied with one vector of the distance, keys with another.
/// logits = q_i · k_j + q_i · Kr_δ + k_j · Qr_δ, δ = clamp(bucket(i - j) + span, 0, 2 span - 1), span = buckets or else
/// maxDistance.
/// bucket(r) = r if |r| ≤ mid = ⌊buckets/2⌋ (and without buckets), otherwise sign(r) (⌈ln(|r|/mid) /
/// ln((maxDistance-1)/mid) · (mid-1)⌉ + mid). With clampDistance, |r| is first clamped to maxDistance - 1, as in
/// Microsoft's code; Hugging Face's code does not, and has one more bucket on the left.
/// Attention divides by √(dim · number of terms).
/// positionKeys = rel_embeddings[: 2 span] through pos_key_proj (or key_proj with share_att_key), split into heads;
/// positionQueries likewise through pos_query_proj (query_proj).
/// Source: He et al. 2020, arXiv:2006.03654, eq. 4; buckets: DeBERTa v2, `make_log_bucket_position`.
struct Deberta {
  using Family = Relative;
  static constexpr Method method{
      .kind = "deberta",
      .title = "DeBERTa's disentangled positions",
      .formula = R"(A_{ij}=q_i\cdot k_j+q_i\cdot K^r_{\delta(i,j)}+k_j\cdot Q^r_{\delta(i,j)})",
      .source = "He et al. 2020, arXiv:2006.03654, eq. 4",
      .name = "DeBERTa",
      .calls = {"bucketOf"},
  };

  int dim = 64;
  int heads = 1;
  int max_distance = 512;
  int buckets = 0;
  bool content_to_position = true;
  bool position_to_content = true;
  bool clamp_distance = false;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    static constexpr Field kHeads = kHeadsField.with(&Field::example, 12);
    field(heads, kHeads);
    static constexpr Field kMaxDistance{.name = "maxDistance",
                                        .doc = "Distances are clamped to this value (max_relative_positions).",
                                        .min = 1,
                                        .max = 65536,
                                        .unit = "positions"};
    field(max_distance, kMaxDistance);
    static constexpr Field kBuckets{
        .name = "buckets",
        .doc = "Buckets per side, logarithmic for far distances (position_buckets; v2, v3: 256); 0: none.",
        .min = 0,
        .max = 65536,
        .unit = "buckets"};
    field(buckets, kBuckets);
    static constexpr Field kContentToPosition{
        .name = "contentToPosition",
        .doc = "Whether q · positionKeys is added (c2p); false: positionKeys is [heads, 0, dim]."};
    field(content_to_position, kContentToPosition);
    static constexpr Field kPositionToContent{
        .name = "positionToContent",
        .doc = "Whether k · positionQueries is added (p2c); false: positionQueries is [heads, 0, dim]."};
    field(position_to_content, kPositionToContent);
    static constexpr Field kClampDistance{
        .name = "clampDistance",
        .doc = "Clamp to maxDistance - 1 first (Microsoft); false: one more left bucket (Hugging Face)."};
    field(clamp_distance, kClampDistance);
    init.visit(field);
  }
  int span() const { return buckets ? buckets : max_distance; }
  Error validate() const {
    // The last bucket begins at maxDistance, so that the middle lies before it.
    if (buckets && (buckets < 4 || buckets % 2 || max_distance - 1 <= buckets / 2))
      return spec_error(method.kind, "buckets", "must be 0, or even, at least 4 and below 2 · (maxDistance - 1), got %",
                        buckets);
    return {};
  }

  /// The signed bucket of query - key.
  double bucket(double relative) const;
  std::vector<Parameter> parameters() const {
    const auto shape = [&](bool used) { return Shape{double(heads), used ? 2.0 * span() : 0.0, double(dim)}; };
    return list_of(init.fill("positionKeys", "heads, 2 · span, dim", "Position keys, multiplied with queries.",
                             shape(content_to_position)),
                   init.fill("positionQueries", "heads, 2 · span, dim", "Position queries, multiplied with keys.",
                             shape(position_to_content), 1));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
