// Rotate queries in place, after 1000 cached tokens.
#include <cstdio>
#include <vector>

#include "posenc/posenc.hpp"

int main() {
  posenc::Rope spec;
  spec.common.dim = 64;
  spec.common.base = 500000;
  auto rope = posenc::make(spec);
  if (!rope) return std::printf("%s\n", rope.error().message().c_str()), 1;

  std::vector<float> queries(1 * 8 * 4 * 64, 1.0f);  // [batch, heads, positions, dim]
  const auto error = (*rope)->apply(posenc::heads(queries.data(), 1, 8, 4, 64), posenc::HeadLayout::bhtd,
                                    posenc::Positions::run(1000, 4), 0, posenc::Direction::forward);
  if (error) return std::printf("%s\n", error.message().c_str()), 1;
  std::printf("the first pair at position 1000: %.6f %.6f\n", queries[0], queries[32]);

  // Errors are values that name the wrong field.
  posenc::RopeYarn yarn;
  yarn.factor = 0.5;
  const auto wrong = posenc::make(yarn);
  std::printf("%s\n", wrong.error().message().c_str());
  return 0;
}
