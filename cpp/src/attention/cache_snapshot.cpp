// Snapshots of a cache as bytes: a header of numbers, then positions and rows.
#include <cstring>

#include "attention/cache_state.hpp"

namespace posenc {

namespace {

constexpr double kFormat = 20263;

// Indices of the numbers in the header.
enum Place_ : std::size_t {
  kMade,
  kBatch,
  kHeads,
  kDim,
  kValueDim,
  kType,
  kWindow,
  kSinks,
  kLength,
  kTurned,
  kHidden,
  kDropped,
  kConsecutive,
  kFirstPosition,
  kAxes,
  kFrame,
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
  kNumbers
};
using Numbers = std::array<double, kNumbers>;

int sinks_held(const Numbers& numbers) { return int(std::min(numbers[kSinks], numbers[kLength])); }

double count_of_doubles(const Numbers& numbers) {
  const double places = numbers[kConsecutive] ? 0 : numbers[kAxes] * numbers[kBatch] * numbers[kLength];
  const double held = numbers[kHeld] ? 3 * numbers[kPairs] + numbers[kMappedPairs] + 3 * numbers[kSlices] : 0;
  return double(kNumbers) + places + held;
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

Error does_not_fit(std::string_view what, double has, double wanted) {
  return error_at(Code::invalid_argument, "snapshot", "is of a cache with % %, this one has %", what, has, wanted);
}

Error check_numbers_of(const Numbers& numbers, const CacheSpec& spec) {
  const std::tuple<std::string_view, Place_, int> same[]{
      {"batch", kBatch, spec.batch},   {"heads", kHeads, spec.heads},
      {"dim", kDim, spec.dim},         {"valueDim", kValueDim, spec.value_dim},
      {"type", kType, int(spec.type)}, {"window", kWindow, spec.window},
      {"sinks", kSinks, spec.sinks}};
  for (const auto& [name, place, wanted] : same)
    if (numbers[place] != wanted) return does_not_fit(name, numbers[place], wanted);
  const double length = numbers[kLength];
  const double most = double(spec.sinks) + spec.window, hidden = numbers[kHidden], dropped = numbers[kDropped];
  if (spec.window == 0 && length > spec.capacity) return does_not_fit("length", length, spec.capacity);
  bool sound = is_whole(length, 0, 2147483647) && is_whole(numbers[kTurned], 0, length) &&
               is_whole(hidden, 0, spec.window ? length : 0) && (hidden == 0 || length - hidden >= most) &&
               is_whole(dropped, 0, spec.window ? kMostFrame : 0) &&
               (dropped == 0 || length >= std::max(1.0, most - 1)) && is_whole(numbers[kConsecutive], 0, 1) &&
               is_whole(numbers[kAxes], 1, kMaxAxes) && std::abs(numbers[kFirstPosition]) <= kMaxPosition &&
               std::abs(numbers[kFrame]) <= kMostFrame && is_whole(numbers[kPasses], 0, 2147483647) &&
               is_whole(numbers[kHeld], 0, 1) && !(spec.sinks && numbers[kConsecutive] == 0);
  if (sound && numbers[kHeld])
    sound = is_whole(numbers[kPairs], 0, spec.dim / 2) && is_whole(numbers[kPairing], 0, 2) &&
            is_whole(numbers[kPrecision], 0, 2) && std::abs(numbers[kAttentionFactor]) >= 1e-37 &&
            std::abs(numbers[kAttentionFactor]) <= 1e37 && is_whole(numbers[kHeldAxes], 1, kMaxAxes) &&
            (numbers[kMappedPairs] == 0 || numbers[kMappedPairs] == numbers[kPairs]) &&
            (numbers[kHeldAxes] == 1 || numbers[kMappedPairs] == numbers[kPairs]) &&
            is_whole(numbers[kOneForAll], 0, 1) && is_whole(numbers[kSlices], 0, kMaxAxes) &&
            (numbers[kHeldAxes] == 1 || numbers[kAxes] == numbers[kHeldAxes] || numbers[kAxes] == 1 ||
             numbers[kConsecutive] == 1) &&
            std::isfinite(numbers[kStart] + numbers[kScale]);
  return sound ? Error{} : damaged();
}

}  // namespace

double KeyValueCache::State::describe(std::span<double> numbers) const {
  Numbers own{};
  const RotationSnapshot* held = turned_by.get();
  own = {kFormat,
         double(spec.batch),
         double(spec.heads),
         double(spec.dim),
         double(spec.value_dim),
         double(spec.type),
         double(spec.window),
         double(spec.sinks),
         double(length),
         double(turned),
         double(hidden),
         dropped,
         double(consecutive),
         first_position,
         double(axes),
         frame,
         double(passes),
         double(held != nullptr)};
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
  std::copy_n(own.begin(), std::min(numbers.size(), own.size()), numbers.begin());
  const int staged = spec.type == ElementType::float32 ? 0 : length - turned;
  const int sinks = sinks_held(own);
  return count_of_doubles(own) * sizeof(double) + keys.packed_bytes(length - staged) + values.packed_bytes(length) +
         double(staged) * spec.batch * spec.heads * spec.dim * sizeof(float) + sink_keys.packed_bytes(sinks) +
         sink_values.packed_bytes(sinks) + sizeof(std::uint64_t);
}

double KeyValueCache::snapshot_bytes() const { return state_->describe({}); }

Error KeyValueCache::snapshot(std::span<std::uint8_t> out) const noexcept {
  State& state = *state_;
  Numbers numbers;
  const double bytes = state.describe(numbers);
  if (double(out.size()) != bytes)
    return error_at(Code::shape_mismatch, "out", "must hold % bytes, got %", bytes, double(out.size()));
  std::uint8_t* to = out.data();
  const auto write = [&](double number) {
    std::memcpy(to, &number, sizeof(number));
    to += sizeof(number);
  };
  for (const double number : numbers) write(number);
  if (state.turned_by) each_held(*state.turned_by, [&](const double& number) { write(number); });
  for (int r = 0; !state.consecutive && r < state.axes * state.spec.batch; ++r)
    for (int i = 0; i < state.length; ++i) write(*state.place(0, r, state.start + i));
  const int staged = state.spec.type == ElementType::float32 ? 0 : state.length - state.turned;
  to = state.keys.pack(state.start, state.length - staged, to);
  to = state.values.pack(state.start, state.length, to);
  if (staged) to = state.given_keys.pack(0, staged, to);
  to = state.sink_keys.pack(0, sinks_held(numbers), to);
  to = state.sink_values.pack(0, sinks_held(numbers), to);
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

Error KeyValueCache::restore(std::span<const std::uint8_t> from, double told_length) noexcept {
  State& state = *state_;
  Numbers numbers;
  constexpr std::size_t kSum = sizeof(std::uint64_t);
  if (from.size() < sizeof(numbers) + kSum) return damaged();
  std::memcpy(numbers.data(), from.data(), sizeof(numbers));
  std::uint64_t sum = 0;
  std::memcpy(&sum, from.data() + from.size() - kSum, kSum);
  if (numbers[kMade] != kFormat || sum != checksum(from.first(from.size() - kSum))) return damaged();
  if (!std::isnan(told_length) && told_length != numbers[kLength] - numbers[kHidden]) return damaged();
  // A valid checksum does not prove that the numbers are valid.
  if (Error error = check_numbers_of(numbers, state.spec)) return error;
  const CacheSpec& spec = state.spec;
  const int length = int(numbers[kLength]), turned = int(numbers[kTurned]);
  const int staged = spec.type == ElementType::float32 ? 0 : length - turned, sinks = sinks_held(numbers);
  const double bytes = count_of_doubles(numbers) * sizeof(double) + state.keys.packed_bytes(length - staged) +
                       state.values.packed_bytes(length) +
                       double(staged) * spec.batch * spec.heads * spec.dim * sizeof(float) +
                       state.sink_keys.packed_bytes(sinks) + state.sink_values.packed_bytes(sinks) + kSum;
  if (double(from.size()) != bytes) return damaged();
  const std::uint8_t* at = from.data() + sizeof(numbers);
  const auto read = [&](double& number) {
    std::memcpy(&number, at, sizeof(number));
    at += sizeof(number);
  };
  std::unique_ptr<RotationSnapshot> held;
  if (numbers[kHeld]) {
    held = std::make_unique<RotationSnapshot>();
    held->dim = spec.dim;
    held->pairs = int(numbers[kPairs]);
    held->pairing = Pairing(int(numbers[kPairing]));
    held->precision = Precision(int(numbers[kPrecision]));
    held->attention_factor = numbers[kAttentionFactor];
    held->axes = int(numbers[kHeldAxes]);
    held->one_for_all = numbers[kOneForAll] != 0;
    held->coordinates.start = numbers[kStart];
    held->coordinates.scale = numbers[kScale];
    held->held_frequencies.resize(std::size_t(held->pairs));
    held->axis_of_pair.resize(std::size_t(numbers[kMappedPairs]));
    held->slices.resize(std::size_t(numbers[kSlices]));
    each_held(*held, read);
    if (!is_sound(*held)) return damaged();
  }
  const int axes = int(numbers[kAxes]), lists = axes * spec.batch, rows = std::max(spec.capacity, length);
  Array<double> places = nullptr;
  if (!numbers[kConsecutive]) {
    places = Array<double>({double(lists), double(rows)});
    if (!places) return cache_out_of_memory("snapshot");
    for (int r = 0; r < lists; ++r)
      for (int i = 0; i < length; ++i) {
        double& place = places.data()[std::ptrdiff_t(r) * rows + i];
        read(place);
        if (!(std::abs(place) <= kMaxPosition)) return damaged();
      }
  }
  if (Error error = state.reserve(rows, staged)) return error;
  state.start = 0;
  state.length = length;
  state.turned = turned;
  state.hidden = int(numbers[kHidden]);
  state.dropped = numbers[kDropped];
  state.consecutive = numbers[kConsecutive] != 0;
  state.first_position = numbers[kFirstPosition];
  state.frame = numbers[kFrame];
  state.passes = int(numbers[kPasses]);
  state.axes = axes;
  state.places = std::move(places);
  state.turned_by = std::move(held);
  state.regime = std::numeric_limits<double>::quiet_NaN();
  at = state.keys.unpack(0, length - staged, at);
  at = state.values.unpack(0, length, at);
  if (staged) at = state.given_keys.unpack(0, staged, at);
  at = state.sink_keys.unpack(0, sinks, at);
  state.sink_values.unpack(0, sinks, at);
  return {};
}

}  // namespace posenc
