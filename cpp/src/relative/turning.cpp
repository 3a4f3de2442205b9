#include "posenc/relative/turning.hpp"

#include <algorithm>

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/powers.hpp"

namespace posenc {

namespace {

constexpr std::size_t kMapsTogether = 16;

Error no_memory_for_maps() { return {Code::out_of_memory, "", "encoding: out of memory for its maps"}; }

// Maps of places, from one call to the next: all layers stand at the same ones.
struct TurningCache final : Cache {
  std::unique_ptr<RowMaps> maps;
  std::uint64_t made_of = 0;
  /// A slot for each of `heads` · `run` maps, and whose they are: coordinates and head.
  Buffer rows = nullptr;
  Array<Real> places = nullptr;
  std::size_t heads = 0, run = 0;
};

class TurningCall final : public RelativeCall {
 public:
  TurningCall(const TurningRelative& encoding, const RelativeRequest& request, TurningCache& cache)
      : encoding_(encoding),
        cache_(cache),
        maps_(*cache.maps),
        queries_(side_of(request.queries, request.query_count, request.query_heads, request.batch)),
        keys_(side_of(request.keys, request.key_count, request.key_heads, request.batch)) {
    // One grid for both, though the queries may be its last places alone.
    for (int axis = 0; encoding.minds_extent() && axis < encoding.axes; ++axis)
      extent_[std::size_t(axis)] = std::max(request.queries.extent_of(axis), request.keys.extent_of(axis));
    ready_ = remember(std::max(request.key_count, request.query_count));
    if (ready_ && request.wanted == RelativeRequest::Wanted::gradients)
      ready_ = maps_.begin_learning(double(queries_.places()) + double(keys_.places()));
  }
  explicit operator bool() const { return ready_; }

  void expand(const RelativeRows& rows) override { turn(rows, false); }
  void transpose(const RelativeRows& rows) override { turn(rows, true); }

  void expand_backward(const RelativeSlope& of) override {
    const Side& side = of.is_key ? keys_ : queries_;
    const int head = side.own_head(of.head, maps_.heads);
    const std::size_t index = side.index(of.batch, of.head, of.index);
    RowMaps::Place place;
    const float* map = map_at(side, index, head, place);
    const int which = int(index) + (of.is_key ? int(queries_.places()) : 0);
    maps_.learn({head, place, which, map, of.given, of.made, of.slopes});
    maps_.turn_back(head, {&map, 1}, of.slopes, 0);
  }
  void finish_backward() override { maps_.finish_learning(*training); }

 private:
  /// Queries, or keys.
  struct Side {
    Positions positions;
    std::size_t count, heads;
    /// Heads that stand at places of their own, in each batch row.
    std::size_t position_heads = 1;
    bool per_row = false;

    std::size_t index(int batch, int head, int t) const {
      const std::size_t row = per_row ? std::size_t(batch) : 0;
      const std::size_t own = position_heads > 1 ? std::size_t(head) * position_heads / heads : 0;
      return (row * position_heads + own) * count + std::size_t(t);
    }
    std::size_t places() const { return positions.values.empty() ? count : positions.values.size(); }
    int own_head(int head, int of) const { return of > 1 ? int(std::int64_t(head) * of / std::int64_t(heads)) : 0; }
  };

  Side side_of(const Positions& given, int count, int heads, int batch) const {
    Side side{given, std::size_t(count), std::size_t(std::max(1, heads))};
    const std::size_t rows = given.values.size() / std::max<std::size_t>(1, side.count);
    side.per_row = rows > 1;
    if (side.per_row) side.position_heads = std::max<std::size_t>(1, rows / std::size_t(std::max(1, batch)));
    return side;
  }

  bool remember(int count) {
    constexpr std::size_t kMostFloats = 2097152;
    const std::size_t width = std::size_t(maps_.floats), numbers = std::size_t(encoding_.axes) + 1;
    std::size_t run = kMapsTogether, heads = 1;
    while (run < std::size_t(count) && 2 * run * width <= kMostFloats) run *= 2;
    while (heads < std::size_t(maps_.heads) && 2 * heads * run * width <= kMostFloats) heads *= 2;
    while (!cache_.places || run > cache_.run || heads > cache_.heads) {
      Buffer rows({double(run), double(heads), double(width)});
      Array<Real> places({double(run), double(heads), double(numbers)});
      if (rows && places) {
        cache_.rows = std::move(rows);
        cache_.places = std::move(places);
        cache_.run = run;
        cache_.heads = heads;
        std::fill_n(cache_.places.data(), run * heads * numbers, Real(kInfinity));
      } else if (cache_.places || (run == kMapsTogether && heads == 1)) {
        return bool(cache_.places);
      } else {
        run = kMapsTogether;
        heads = 1;
      }
    }
    return true;
  }

  RowMaps::Place place_at(const Side& side, std::size_t index) const {
    RowMaps::Place place{};
    const Positions& all = side.positions;
    // What stands before the first place of a grid belongs to none.
    if (all.values.empty() && all.axes > 1 && all.offset + double(index) < 0) return place;
    for (int axis = 0; axis < encoding_.axes; ++axis)
      place[std::size_t(axis)] = coordinate(all, index, encoding_.axis_of(axis));
    return place;
  }

  Real coordinate(const Positions& all, std::size_t index, int axis) const {
    return encoding_.coordinate(all.at(index, axis), axis, extent_[std::size_t(axis)]);
  }

  // Neighbours have slots of their own, one after another; others might take each other's.
  const float* map_at(const Side& side, std::size_t index, int head, RowMaps::Place& place) {
    place = place_at(side, index);
    const std::int64_t at = std::int64_t(std::floor(side.positions.offset)) + std::int64_t(index);
    const std::size_t slot =
        (std::size_t(head) & (cache_.heads - 1)) * cache_.run + (std::size_t(at) & (cache_.run - 1));
    float* map = cache_.rows.data() + slot * std::size_t(maps_.floats);
    const int axes = encoding_.axes;
    Real* known = cache_.places.data() + slot * std::size_t(axes + 1);
    if (std::equal(known, known + axes, place.begin()) && known[axes].hi == head) return map;
    maps_.make(head, place, map);
    std::copy_n(place.begin(), axes, known);
    known[axes] = Real{double(head), 0};
    return map;
  }

  void turn(const RelativeRows& rows, bool back) {
    const Side& side = rows.is_key ? keys_ : queries_;
    const int head = side.own_head(rows.head, maps_.heads);
    std::array<const float*, kMapsTogether> maps;
    RowMaps::Place place;
    for (std::size_t i = 0; i < rows.positions.size(); ++i)
      maps[i] = map_at(side, side.index(rows.batch, rows.head, rows.first + int(i)), head, place);
    const RowMaps::List list{maps.data(), rows.positions.size()};
    if (back) return maps_.turn_back(head, list, rows.rows, rows.stride);
    maps_.turn(head, list, rows.rows, rows.stride);
  }

  const TurningRelative& encoding_;
  TurningCache& cache_;
  RowMaps& maps_;
  Side queries_, keys_;
  std::array<double, kMaxAxes> extent_{};
  bool ready_ = false;
};

}  // namespace

TurningRelative::TurningRelative(int width, int own_heads, int axis_count) : Relative(width) {
  heads = own_heads;
  keys_have_heads = true;
  axes = axis_count;
  turns = true;
}

Relative::Begun TurningRelative::begin(const RelativeRequest& request) const {
  auto* cache = request.workspace.of<TurningCache>(*this);
  if (!cache) return no_memory_for_maps();
  const std::uint64_t now = fingerprint();
  if (!cache->maps || cache->made_of != now) {
    // What maps are made with, beside large matrices, which kinds ask for themselves.
    double numbers = 0;
    for (const Parameter& parameter : parameters) numbers += double(parameter.values.size());
    if (!can_have(numbers * 4 * sizeof(Real))) return no_memory_for_maps();
    cache->maps = make_maps();
    if (!cache->maps) return no_memory_for_maps();
    cache->made_of = now;
    if (cache->places)
      std::fill_n(cache->places.data(), cache->run * cache->heads * std::size_t(axes + 1), Real(kInfinity));
  }
  auto call = std::make_unique<TurningCall>(*this, request, *cache);
  if (!*call) return no_memory_for_maps();
  return std::unique_ptr<RelativeCall>(std::move(call));
}

std::unique_ptr<Cache> TurningRelative::make_cache() const { return std::make_unique<TurningCache>(); }

std::vector<double> TurningRelative::frequencies() const {
  const auto maps = make_maps();
  return maps ? maps->frequencies() : std::vector<double>{};
}

PairMaps::PairMaps(int own_heads, int axis_count, int pair_count, Pairing layout)
    : RowMaps(std::max(1, own_heads), 2 * pair_count),
      axes(axis_count),
      pairs(pair_count),
      pairing(layout),
      radians_(place_of(axis_count, 0)),
      turns_(radians_.size()),
      slopes_(radians_.size()),
      sum_(std::size_t(pair_count)),
      reversed_(kMapsTogether * std::size_t(floats)) {}

void PairMaps::set_frequency(std::size_t i, const Real& radians) {
  radians_[i] = radians;
  turns_[i] = radians * kTurnsPerRadian;
}

std::vector<double> PairMaps::frequencies() const {
  std::vector<double> out;
  for (const Real& radians : radians_) out.push_back(radians.hi);
  return out;
}

void PairMaps::make(int head, const Place& place, float* map) {
  for (int axis = 0; axis < axes; ++axis) {
    const Real* turns = turns_.data() + place_of(axis, head);
    const Real& at = place[std::size_t(axis)];
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] = axis == 0 ? at * turns[k] : sum_[k] + at * turns[k];
  }
  cis_of_turns(sum_, map, map + pairs);
}

void PairMaps::turn(int, List maps, float* rows, std::ptrdiff_t stride) {
  rotate(rows, {1, int(maps.size()), pairs, 0, stride}, pairing, false, maps.data());
}

void PairMaps::turn_back(int, List maps, float* rows, std::ptrdiff_t stride) {
  std::array<const float*, kMapsTogether> reversed;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    float* row = reversed_.data() + i * std::size_t(floats);
    reversed[i] = row;
    row = std::copy_n(maps[i], pairs, row);
    for (int k = 0; k < pairs; ++k) row[k] = -maps[i][pairs + k];
  }
  rotate(rows, {1, int(maps.size()), pairs, 0, stride}, pairing, true, reversed.data());
}

std::pair<int, int> PairMaps::features_of(int k) const {
  if (pairing == Pairing::interleaved) return {2 * k, 2 * k + 1};
  return {k, k + pairs};
}

bool PairMaps::begin_learning(double) {
  std::ranges::fill(slopes_, 0.0);
  return true;
}

// With g the gradient of a turned pair y, an angle's is y_a g_b - y_b g_a.
void PairMaps::learn(const Slope& of) {
  for (int k = 0; k < pairs; ++k) {
    const auto [a, b] = features_of(k);
    const double slope = double(of.made[a]) * double(of.slopes[b]) - double(of.made[b]) * double(of.slopes[a]);
    for (int axis = 0; axis < axes; ++axis)
      slopes_[place_of(axis, of.head) + std::size_t(k)] += of.place[std::size_t(axis)].hi * slope;
  }
}

namespace {

// Rows at right angles to each other, of random directions.
void make_frame(const float* random, int axes, double* frame) {
  for (int row = 0; row < axes; ++row) {
    double* own = frame + row * axes;
    for (int i = 0; i < axes; ++i) own[i] = double(random[row * axes + i]);
    for (int other = 0; other < row; ++other) {
      double along = 0;
      for (int i = 0; i < axes; ++i) along += own[i] * frame[other * axes + i];
      for (int i = 0; i < axes; ++i) own[i] -= along * frame[other * axes + i];
    }
    double square = 0;
    for (int i = 0; i < axes; ++i) square += own[i] * own[i];
    for (int i = 0; i < axes; ++i) own[i] = square > 0 ? own[i] / std::sqrt(square) : double(i == row);
  }
}

}  // namespace

Parameter mixed_frequencies(int heads, int axes, int pairs, double base, const RandomInit& init) {
  auto out = Parameter::filled("frequencies", "axes, heads, pairs", "Radians per position on each axis.",
                               {double(axes), double(heads), double(pairs)});
  if (out.shape.size() > kMaxParameterSize || !can_have(out.shape.size() * sizeof(float) * 2)) return out;
  out.begin();
  auto random = init.fill("", "", "", {double(heads), double(axes), double(axes)});
  random.begin();
  const int share = (pairs + axes - 1) / axes;
  const auto sizes = powers(1 / Number(base), share, 2 * share);
  std::array<double, kMaxAxes * kMaxAxes> frame;
  for (int head = 0; head < heads; ++head) {
    if (axes > 1)
      make_frame(random.values.data() + std::ptrdiff_t(head) * axes * axes, axes, frame.data());
    else
      frame[0] = 1;
    for (int k = 0; k < pairs; ++k)
      for (int axis = 0; axis < axes; ++axis)
        out.values[(std::size_t(axis) * std::size_t(heads) + std::size_t(head)) * std::size_t(pairs) + std::size_t(k)] =
            float(sizes[std::size_t(k % share)].value.hi * frame[std::size_t(k / share * axes + axis)]);
  }
  return out;
}

}  // namespace posenc
