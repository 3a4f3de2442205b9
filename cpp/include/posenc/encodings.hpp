// The list of all methods, and the functions that use it: create() and describe().
#pragma once

#include <tuple>

#include "posenc/bias/alibi.hpp"
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/mask.hpp"
#include "posenc/bias/none.hpp"
#include "posenc/bias/sandwich.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/swin_v2.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/data_dependent_alibi.hpp"
#include "posenc/relative/deberta.hpp"
#include "posenc/relative/fope.hpp"
#include "posenc/relative/forget.hpp"
#include "posenc/relative/grape_additive.hpp"
#include "posenc/relative/grape_m.hpp"
#include "posenc/relative/grape_path.hpp"
#include "posenc/relative/inkling.hpp"
#include "posenc/relative/liere.hpp"
#include "posenc/relative/nezha.hpp"
#include "posenc/relative/path.hpp"
#include "posenc/relative/per_row_alibi.hpp"
#include "posenc/relative/pope.hpp"
#include "posenc/relative/rope_mixed.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/string.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "posenc/rotary/axial.hpp"
#include "posenc/rotary/dynamic.hpp"
#include "posenc/rotary/linear.hpp"
#include "posenc/rotary/llama3.hpp"
#include "posenc/rotary/longrope.hpp"
#include "posenc/rotary/mrope.hpp"
#include "posenc/rotary/ntk.hpp"
#include "posenc/rotary/ntk_by_parts.hpp"
#include "posenc/rotary/proportional.hpp"
#include "posenc/rotary/qwen.hpp"
#include "posenc/rotary/rope.hpp"
#include "posenc/rotary/xpos.hpp"
#include "posenc/rotary/yarn.hpp"
#include "posenc/table/binary.hpp"
#include "posenc/table/fourier.hpp"
#include "posenc/table/integer.hpp"
#include "posenc/table/learned.hpp"
#include "posenc/table/normalized.hpp"
#include "posenc/table/one_hot.hpp"
#include "posenc/table/periodic.hpp"
#include "posenc/table/sinusoidal.hpp"
#include "posenc/table/sinusoidal_grid.hpp"

namespace posenc {

// Lines by family.
// clang-format off
using Encodings = std::tuple<
    OneHot, Integer, Normalized, Binary, Periodic, Sinusoidal, Sinusoidal2d, Sinusoidal3d, Fourier, LearnedTable,
    Rope, RopeLinear, RopeNtk, RopeNtkByParts, RopeDynamic, RopeQwen, RopeYarn, RopeLongrope, RopeLlama3,
    RopeProportional, RopeMrope, RopeAxial, Xpos,
    Alibi, T5, Swin, SwinV2, Kerple, Sandwich, Fire, Mask, NoEncoding,
    Shaw, Nezha, TransformerXl, Deberta, Cope, Pope, Forget, DataDependentAlibi, PerRowAlibi, Path, GrapeAdditive, GrapePath, Inkling,
    RopeMixed, Fope, GrapeM, Liere, String>;
// clang-format on

/// One encoding, ready for use. as<Rotation>(*encoding) returns its family's object.
using Encoding = std::unique_ptr<Learned>;

/// The family object of a spec that is known to be valid; allocate() completes its parameters.
template <class Spec>
std::unique_ptr<typename Spec::Family> make_family(const Spec& spec) {
  std::unique_ptr<typename Spec::Family> made;
  if constexpr (requires { spec.make(); })
    made = spec.make();
  else if constexpr (std::is_same_v<typename Spec::Family, Rotation>)
    made = std::make_unique<RotationOf<Spec>>(spec);
  else
    made = std::make_unique<RowTable<Spec>>(spec);
  if constexpr (requires { spec.parameters(); }) made->adopt(spec.parameters());
  return made;
}

template <class Spec, class... All>
consteval std::size_t index_in(std::type_identity<std::tuple<All...>>) {
  static_assert((std::is_same_v<Spec, All> || ...), "the spec of one of posenc's encodings");
  std::size_t index = 0;
  (void)((std::is_same_v<Spec, All> || (++index, false)) || ...);
  return index;
}
/// make() for the spec at this index of the list.
Result<Encoding> make_at(std::size_t index, const void* spec) noexcept;

/// Creates the family object of a typed spec, or returns the error in the spec: `make(Rope{.common = {.dim = 64}})`. It
/// is compiled with the library, so that flags of the caller (-ffast-math) cannot change the results.
template <class Spec>
Result<std::unique_ptr<typename Spec::Family>> make(const Spec& spec) noexcept {
  auto made = make_at(index_in<Spec>(std::type_identity<Encodings>{}), &spec);
  if (!made) return made.error();
  return std::unique_ptr<typename Spec::Family>(static_cast<typename Spec::Family*>(made->release()));
}

/// Creates an encoding from a kind and outside values. Every error names the field.
Result<Encoding> create(std::string_view kind, const SpecInput& input, Initialization initialization = {}) noexcept;

/// All kinds as a JSON array: {kind, family, title, formula, source, shapes, fields, parameters, calls}.
std::string describe() noexcept;

}  // namespace posenc
