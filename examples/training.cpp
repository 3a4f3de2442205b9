// Train learned positions from C++: only a step of the optimizer changes the parameters.
#include <cstdio>
#include <vector>

#include "posenc/posenc.hpp"

int main() {
  auto made = posenc::make(posenc::LearnedTable{.length = 8, .dim = 2, .init = {.std = 0}});
  if (!made) return std::printf("%s\n", made.error().message().c_str()), 1;
  const posenc::Table& table = **made;  // threads may share it; each needs its own workspace and training

  posenc::Workspace workspace;  // cached results of calls; by default one for each thread
  posenc::Training training;    // gradients, and the optimizer's moments
  std::vector<float> values{1, 1, 1, 1, -1, -1, -1, -1};
  const posenc::View view{values.data(), double(values.size()), {4, 2}};  // [positions, dim]
  const auto positions = posenc::Positions::run(0, 4);
  auto error = table.backward(view, positions, {}, training, workspace);
  if (!error) error = training.step(**made, {.kind = posenc::Optimizer::Kind::adam, .learning_rate = 0.1});
  if (!error) error = table.rows(positions, view, workspace);
  if (error) return std::printf("%s\n", error.message().c_str()), 1;
  std::printf("the rows of positions 1 and 2 after a step: %.3f %.3f\n", values[2], values[4]);
  return 0;
}
