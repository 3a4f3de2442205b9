// Snapshots of a cache as bytes: a header of numbers, then positions and rows.
#include <cstring>

#include "attention/cache_state.hpp"

namespace posenc {

namespace {

constexpr double kFormat = 20264;

// Indices of the numbers in the header.
enum HeaderIndex : std::size_t {
  kMade,
  kBatch,
  kHeads,
  kDim,
  kValueDim,
  kType,
  kWindow,
  kSinks,
  kLength,
  kRotatedCount,
  kRestorable,
  kDropped,
  kConsecutive,
  kFirstPosition,
  kAxes,
  kFrame,
  kLastFrame = kFrame + kMaxAxes - 1,
  kPasses,
  kHeld,
  kPairs,
  kPairing,
  kPrecision,
  kAttentionFactor,
  kHeldAxes,
  kOneForAll,
  kMappedPairs,
  kSlices,
  kStart,
  kScale,
  kHeaderSize
};
using Header = std::array<double, kHeaderSize>;

int sinks_held(const Header& header) { return int(std::min(header[kSinks], header[kLength])); }

double count_of_doubles(const Header& header) {
  const double positions = header[kConsecutive] ? 0 : header[kAxes] * header[kBatch] * header[kLength];
  const double held = header[kHeld] ? 3 * header[kPairs] + header[kMappedPairs] + 3 * header[kSlices] : 0;
  return double(kHeaderSize) + positions + held;
}

// Visits the doubles after the header, which describe the rotation of the keys, to write or read them in order.
template <class Each>
void each_held(RotationSnapshot& held, const Each& each) {
  for (Real& frequency : held.held_frequencies)
    for (double* part : {&frequency.hi, &frequency.lo, &frequency.least}) each(*part);
  for (double& axis : held.axis_of_pair) each(axis);
  for (Slice& slice : held.slices)
    for (int* part : {&slice.start, &slice.first_pair, &slice.pairs}) {
      double number = *part;
      each(number);
      *part = is_whole(number, 0, 65536) ? int(number) : -1;
    }
}

bool is_sound(const RotationSnapshot& held) {
  for (const Real& frequency : held.held_frequencies)
    if (!(std::abs(frequency.hi) + std::abs(frequency.lo) + std::abs(frequency.least) <= 1e39)) return false;
  for (const double axis : held.axis_of_pair)
    if (!is_whole(axis, 0, held.axes - 1)) return false;
  for (const Slice& slice : held.slices)
    if (slice.start < 0 || slice.first_pair < 0 || slice.pairs < 0 || slice.pairs > held.dim ||
        slice.start + 2 * slice.pairs > held.dim || slice.first_pair + slice.pairs > held.pairs)
      return false;
  return true;
}

Error damaged() {
  return error_at(Code::invalid_argument, "snapshot",
                  "damaged, or created by a different posenc version; recreate it with snapshot()");
}

// Checksum of all bytes. Each step is a bijection of the sum and of the word: any change within a word is detected.
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t sum = kOdd ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(sum)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    sum = std::rotl(sum ^ word, 29) * kOdd;
    sum ^= sum >> 32;
  }
  return sum;
}

Error check_header(const Header& header, const CacheSpec& spec) {
  const std::tuple<std::string_view, HeaderIndex, int> same[]{
      {"batch", kBatch, spec.batch},   {"heads", kHeads, spec.heads},
      {"dim", kDim, spec.dim},         {"valueDim", kValueDim, spec.value_dim},
      {"type", kType, int(spec.type)}, {"window", kWindow, spec.window},
      {"sinks", kSinks, spec.sinks}};
  for (const auto& [name, index, wanted] : same)
    if (header[index] != wanted)
      return error_at(Code::invalid_argument, "snapshot", "% must match the cache (%), got %", name, wanted,
                      header[index]);
  const double length = header[kLength];
  const double most = double(spec.sinks) + spec.window, restorable = header[kRestorable], dropped = header[kDropped];
  if (spec.window == 0 && length > spec.capacity)
    return error_at(Code::invalid_argument, "snapshot",
                    "must have at most % tokens (capacity), got %; create the cache with a larger capacity",
                    spec.capacity, length);
  bool sound = is_whole(length, 0, 2147483647) && is_whole(header[kRotatedCount], 0, length) &&
               is_whole(restorable, 0, spec.window ? length : 0) && (restorable == 0 || length - restorable >= most) &&
               is_whole(dropped, 0, spec.window ? kMostFrame : 0) &&
               (dropped == 0 || length >= std::max(1.0, most - 1)) && is_whole(header[kConsecutive], 0, 1) &&
               is_whole(header[kAxes], 1, kMaxAxes) && std::abs(header[kFirstPosition]) <= kMaxPosition &&
               is_whole(header[kPasses], 0, 2147483647) && is_whole(header[kHeld], 0, 1) &&
               !(spec.sinks && header[kConsecutive] == 0);
  for (std::size_t frame = kFrame; frame <= kLastFrame; ++frame) sound &= std::abs(header[frame]) <= kMostFrame;
  if (sound && header[kHeld])
    sound = is_whole(header[kPairs], 0, spec.dim / 2) && is_whole(header[kPairing], 0, 2) &&
            is_whole(header[kPrecision], 0, 2) && std::abs(header[kAttentionFactor]) >= 1e-37 &&
            std::abs(header[kAttentionFactor]) <= 1e37 && is_whole(header[kHeldAxes], 1, kMaxAxes) &&
            (header[kMappedPairs] == 0 || header[kMappedPairs] == header[kPairs]) &&
            (header[kHeldAxes] == 1 || header[kMappedPairs] == header[kPairs]) && is_whole(header[kOneForAll], 0, 1) &&
            is_whole(header[kSlices], 0, kMaxAxes) &&
            (header[kHeldAxes] == 1 || header[kAxes] == header[kHeldAxes] || header[kAxes] == 1 ||
             header[kConsecutive] == 1) &&
            std::isfinite(header[kStart] + header[kScale]);
  return sound ? Error{} : damaged();
}

}  // namespace

double KeyValueCache::State::describe(std::span<double> header) const {
  Header own{};
  const RotationSnapshot* held = rotated_by.get();
  own = {kFormat,
         double(spec.batch),
         double(spec.heads),
         double(spec.dim),
         double(spec.value_dim),
         double(spec.type),
         double(spec.window),
         double(spec.sinks),
         double(length),
         double(rotated_count),
         double(restorable),
         dropped,
         double(consecutive),
         first_position,
         double(axes)};
  std::ranges::copy(frame, own.begin() + kFrame);
  own[kPasses] = passes;
  own[kHeld] = held != nullptr;
  if (held) {
    const double of_held[]{double(held->pairs),
                           double(held->pairing),
                           double(held->precision),
                           held->attention_factor,
                           double(held->axes),
                           double(held->one_for_all),
                           double(held->axis_of_pair.size()),
                           double(held->slices.size()),
                           held->coordinates.start,
                           held->coordinates.scale};
    std::copy(std::begin(of_held), std::end(of_held), own.begin() + kPairs);
  }
  std::copy_n(own.begin(), std::min(header.size(), own.size()), header.begin());
  const int staged = spec.type == ElementType::float32 ? 0 : length - rotated_count;
  const int sinks = sinks_held(own);
  return count_of_doubles(own) * sizeof(double) + keys.packed_bytes(length - staged) + values.packed_bytes(length) +
         double(staged) * spec.batch * spec.heads * spec.dim * sizeof(float) + sink_keys.packed_bytes(sinks) +
         sink_values.packed_bytes(sinks) + sizeof(std::uint64_t);
}

double KeyValueCache::snapshot_bytes() const { return state_->describe({}); }

Error KeyValueCache::snapshot(std::span<std::uint8_t> out) const noexcept {
  State& state = *state_;
  Header header;
  const double bytes = state.describe(header);
  if (double(out.size()) != bytes)
    return error_at(Code::shape_mismatch, "out", "must hold % bytes, got %", bytes, double(out.size()));
  std::uint8_t* to = out.data();
  const auto write = [&](double number) {
    std::memcpy(to, &number, sizeof(number));
    to += sizeof(number);
  };
  for (const double number : header) write(number);
  if (state.rotated_by) each_held(*state.rotated_by, [&](const double& number) { write(number); });
  for (int r = 0; !state.consecutive && r < state.axes * state.spec.batch; ++r)
    for (int i = 0; i < state.length; ++i) write(*state.position_at(0, r, state.start + i));
  const int staged = state.spec.type == ElementType::float32 ? 0 : state.length - state.rotated_count;
  to = state.keys.pack(state.start, state.length - staged, to);
  to = state.values.pack(state.start, state.length, to);
  if (staged) to = state.given_keys.pack(0, staged, to);
  to = state.sink_keys.pack(0, sinks_held(header), to);
  to = state.sink_values.pack(0, sinks_held(header), to);
  const std::uint64_t sum = checksum(out.first(std::size_t(to - out.data())));
  std::memcpy(to, &sum, sizeof(sum));
  return {};
}

// Reserves memory for `rows` rows and `staged` unrotated keys; the present content is lost.
Error KeyValueCache::State::reserve(int rows, int staged) {
  const bool resizes = rows != keys.capacity(), stages = staged > given_keys.capacity();
  CacheRows new_keys(spec.batch, spec.heads, resizes ? rows : 0, spec.dim, spec.type),
      new_values(spec.batch, spec.heads, resizes ? rows : 0, spec.value_dim, spec.type),
      new_given(spec.batch, spec.heads, stages ? staged : 0, spec.dim, ElementType::float32);
  if (!new_keys || !new_values || !new_given) return cache_out_of_memory("snapshot");
  if (resizes) keys = std::move(new_keys);
  if (resizes) values = std::move(new_values);
  if (stages) given_keys = std::move(new_given);
  return {};
}

Error KeyValueCache::restore(std::span<const std::uint8_t> from, double expected_length) noexcept {
  State& state = *state_;
  Header header;
  constexpr std::size_t kSum = sizeof(std::uint64_t);
  if (from.size() < sizeof(header) + kSum) return damaged();
  std::memcpy(header.data(), from.data(), sizeof(header));
  std::uint64_t sum = 0;
  std::memcpy(&sum, from.data() + from.size() - kSum, kSum);
  if (header[kMade] != kFormat || sum != checksum(from.first(from.size() - kSum))) return damaged();
  if (!std::isnan(expected_length) && expected_length != header[kLength] - header[kRestorable]) return damaged();
  // A valid checksum does not prove that the numbers are valid.
  if (Error error = check_header(header, state.spec)) return error;
  const CacheSpec& spec = state.spec;
  const int length = int(header[kLength]), rotated_count = int(header[kRotatedCount]);
  const int staged = spec.type == ElementType::float32 ? 0 : length - rotated_count, sinks = sinks_held(header);
  const double bytes = count_of_doubles(header) * sizeof(double) + state.keys.packed_bytes(length - staged) +
                       state.values.packed_bytes(length) +
                       double(staged) * spec.batch * spec.heads * spec.dim * sizeof(float) +
                       state.sink_keys.packed_bytes(sinks) + state.sink_values.packed_bytes(sinks) + kSum;
  if (double(from.size()) != bytes) return damaged();
  const std::uint8_t* at = from.data() + sizeof(header);
  const auto read = [&](double& number) {
    std::memcpy(&number, at, sizeof(number));
    at += sizeof(number);
  };
  std::unique_ptr<RotationSnapshot> held;
  if (header[kHeld]) {
    held = std::make_unique<RotationSnapshot>();
    held->dim = spec.dim;
    held->pairs = int(header[kPairs]);
    held->pairing = Pairing(int(header[kPairing]));
    held->precision = Precision(int(header[kPrecision]));
    held->attention_factor = header[kAttentionFactor];
    held->axes = int(header[kHeldAxes]);
    held->one_for_all = header[kOneForAll] != 0;
    held->coordinates.start = header[kStart];
    held->coordinates.scale = header[kScale];
    held->held_frequencies.resize(std::size_t(held->pairs));
    held->axis_of_pair.resize(std::size_t(header[kMappedPairs]));
    held->slices.resize(std::size_t(header[kSlices]));
    each_held(*held, read);
    if (!is_sound(*held)) return damaged();
  }
  const int axes = int(header[kAxes]), lists = axes * spec.batch, rows = std::max(spec.capacity, length);
  Array<double> explicit_positions = nullptr;
  if (!header[kConsecutive]) {
    explicit_positions = Array<double>({double(lists), double(rows)});
    if (!explicit_positions) return cache_out_of_memory("snapshot");
    for (int r = 0; r < lists; ++r)
      for (int i = 0; i < length; ++i) {
        double& position = explicit_positions.data()[std::ptrdiff_t(r) * rows + i];
        read(position);
        if (!(std::abs(position) <= kMaxPosition)) return damaged();
      }
  }
  if (Error error = state.reserve(rows, staged)) return error;
  state.start = 0;
  state.length = length;
  state.rotated_count = rotated_count;
  state.restorable = int(header[kRestorable]);
  state.dropped = header[kDropped];
  state.consecutive = header[kConsecutive] != 0;
  state.first_position = header[kFirstPosition];
  std::copy_n(header.begin() + kFrame, kMaxAxes, state.frame.begin());
  state.passes = int(header[kPasses]);
  state.axes = axes;
  state.explicit_positions = std::move(explicit_positions);
  state.rotated_by = std::move(held);
  state.regime = std::numeric_limits<double>::quiet_NaN();
  at = state.keys.unpack(0, length - staged, at);
  at = state.values.unpack(0, length, at);
  if (staged) at = state.given_keys.unpack(0, staged, at);
  at = state.sink_keys.unpack(0, sinks, at);
  state.sink_values.unpack(0, sinks, at);
  return {};
}

}  // namespace posenc
