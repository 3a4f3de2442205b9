// Arguments of a call: the caller writes numbers one after another into a fixed area, the call reads them in that
// order.
#pragma once

#include <memory>

#include "posenc/attention.hpp"
#include "posenc/encodings.hpp"

namespace posenc::bindings {

inline constexpr std::size_t kFrameSize = 256;
inline std::array<double, kFrameSize> frame_area;

template <class T>
T* pointer(double address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

class Frame {
 public:
  double number() { return frame_area[at_++]; }
  bool flag() { return number() != 0; }
  template <class Enum>
  Enum choice() {
    return Enum(int(number()));
  }
  template <class Family>
  Family& encoding() {
    return *as<Family>(*pointer<Learned>(number()));
  }
  Shape shape() {
    Shape shape;
    shape.rank = int(number());
    for (int i = 0; i < shape.rank; ++i) shape.dims[std::size_t(i)] = number();
    return shape;
  }
  /// A View, or another with the same members.
  template <class Any = View>
  Any view() {
    Any view;
    view.data = pointer<std::remove_pointer_t<decltype(view.data)>>(number());
    view.length = number();
    view.shape = shape();
    return view;
  }
  Visibility visibility() {
    const auto mask = view<MaskView>(), attention_mask = view<MaskView>();
    return {mask, attention_mask, view<SegmentsView>()};
  }
  template <class T>
  std::span<const T> span() {
    const T* data = pointer<const T>(number());
    return {data, std::size_t(number())};
  }
  Positions positions() {
    Positions positions;
    positions.values = span<double>();
    positions.offset = number();
    positions.count = int(number());
    positions.axes = int(number());
    positions.stride = std::size_t(number());
    for (int axis = 0; axis < positions.axes; ++axis) positions.extent[std::size_t(axis)] = number();
    return positions;
  }

 private:
  std::size_t at_ = 0;
};

}  // namespace posenc::bindings
