// Arguments of a call: the caller writes numbers one after another into a fixed area, and the call reads them in that
// order. The encoding of each type is defined once, here: C++ uses it to read, and schema.hpp passes it to TypeScript.
#pragma once

#include <memory>

#include "posenc/core/training.hpp"
#include "posenc/encodings.hpp"

namespace posenc::bindings {

inline constexpr std::size_t kFrameSize = 256;
inline std::array<double, kFrameSize> frame_area;

template <class T>
T* pointer(double address) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}
inline double address_of(const void* memory) { return double(reinterpret_cast<std::uintptr_t>(memory)); }

/// The object of a handle: an encoding, its gradients after the first backward call, and the cached results of calls.
struct Held {
  Encoding encoding;
  Training training{};
  Workspace workspace{};
};

class Frame {
 public:
  double number() { return frame_area[at_++]; }
  /// Reads a handle and returns its object; null for 0.
  Held* held();
  /// The object of the call's first handle. Without a handle: an object without an encoding.
  Held& first() const { return *first_; }

 private:
  static Held nobody;

  std::size_t at_ = 0;
  Held* first_ = &nobody;
};

/// How a T is passed: `type`, its name in TypeScript, and read(). Composite types have fields() instead, which passes
/// each member and its name to a visitor.
template <class T>
struct Wire {
  static constexpr std::string_view type = "number";
  static T read(Frame& frame) { return T(frame.number()); }
};

template <class T>
concept Composite = requires(T& value) {
  Wire<T>::fields(value, [](std::string_view, auto&) {});
};

template <class T>
T read(Frame& frame) {
  if constexpr (Composite<T>) {
    T value;
    Wire<T>::fields(value, [&](std::string_view, auto& member) {
      member = read<std::remove_reference_t<decltype(member)>>(frame);
    });
    return value;
  } else {
    return Wire<T>::read(frame);
  }
}

template <>
struct Wire<bool> {
  static constexpr std::string_view type = "boolean";
  static bool read(Frame& frame) { return frame.number() != 0; }
};

/// Enums specialise Wire with `type` and `names`, in the order of their values.
template <class Enum>
struct WireEnum {
  static Enum read(Frame& frame) { return Enum(int(frame.number())); }
};

/// A handle, or 0.
template <>
struct Wire<Held*> {
  static constexpr std::string_view type = "Handle";
  static Held* read(Frame& frame) { return frame.held(); }
};

/// A pointer.
template <class T>
struct Wire<T*> {
  static constexpr std::string_view type = "Address";
  static T* read(Frame& frame) { return pointer<T>(frame.number()); }
};

template <>
struct Wire<Shape> {
  static constexpr std::string_view type = "readonly number[]";
  static Shape read(Frame& frame) {
    Shape shape;
    shape.rank = int(frame.number());
    for (int i = 0; i < shape.rank; ++i) shape.dims[std::size_t(i)] = frame.number();
    return shape;
  }
};

/// A View, or another type with the same members.
template <class Any>
struct WireView {
  static constexpr std::string_view type = "Region";
  static Any read(Frame& frame) {
    Any view;
    view.data = pointer<std::remove_pointer_t<decltype(view.data)>>(frame.number());
    view.length = frame.number();
    view.shape = bindings::read<Shape>(frame);
    return view;
  }
};
template <>
struct Wire<View> : WireView<View> {};
template <>
struct Wire<MaskView> : WireView<MaskView> {};
template <>
struct Wire<SegmentsView> : WireView<SegmentsView> {};

template <class T>
struct Wire<std::span<T>> {
  static constexpr std::string_view type = "List";
  static std::span<T> read(Frame& frame) {
    T* data = pointer<T>(frame.number());
    return {data, std::size_t(frame.number())};
  }
};

template <>
struct Wire<std::string_view> {
  static constexpr std::string_view type = "List";
  static std::string_view read(Frame& frame) {
    const auto text = bindings::read<std::span<const char>>(frame);
    return {text.data(), text.size()};
  }
};

template <>
struct Wire<Positions> {
  static constexpr std::string_view type = "PositionRegion";
  static Positions read(Frame& frame) {
    Positions positions;
    positions.values = bindings::read<std::span<const double>>(frame);
    positions.offset = frame.number();
    positions.count = int(frame.number());
    positions.axes = int(frame.number());
    positions.stride = std::size_t(frame.number());
    for (int axis = 0; axis < positions.axes; ++axis) positions.extent[std::size_t(axis)] = frame.number();
    return positions;
  }
};

}  // namespace posenc::bindings
