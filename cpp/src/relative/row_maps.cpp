#include "posenc/relative/row_maps.hpp"

#include <algorithm>

namespace posenc {

namespace {

constexpr std::size_t kMapsTogether = 16;

Error no_memory_for_maps() { return {Code::out_of_memory, "", "encoding: out of memory for transforms"}; }

// Maps of positions, cached between calls: all layers share positions.
struct RowMapsCache final : Cache {
  std::unique_ptr<RowMaps> maps;
  std::uint64_t made_of = 0;
  /// Slots for `heads` · `run` maps; the coordinates and head of each slot.
  Buffer rows = nullptr;
  Array<Real> slot_coordinates = nullptr;
  std::size_t heads = 0, run = 0;
};

class RowMapsCall final : public RelativeCall {
 public:
  RowMapsCall(const RowMapsRelative& encoding, const RelativeRequest& request, RowMapsCache& cache)
      : encoding_(encoding),
        cache_(cache),
        maps_(*cache.maps),
        scored_(request.scored),
        queries_(side_of(request.queries, request.query_count, request.query_heads, request.batch)),
        keys_(side_of(request.keys, request.key_count, request.key_heads, request.batch)) {
    // Queries and keys share one grid, even if queries are only its last cells.
    for (int axis = 0; encoding.uses_extent() && axis < encoding.axes; ++axis)
      extent_[std::size_t(axis)] = std::max(request.queries.extent_of(axis), request.keys.extent_of(axis));
    ready_ = reserve_slots(std::max(request.key_count, request.query_count));
    if (ready_ && request.wanted == RelativeRequest::Wanted::gradients)
      ready_ = maps_.begin_learning(double(queries_.position_count()) + double(keys_.position_count()));
  }
  explicit operator bool() const { return ready_; }

  void expand(const RelativeRows& rows) override { transform(rows, false); }
  void transpose(const RelativeRows& rows) override { transform(rows, true); }

  void expand_backward(const RelativeSlope& of) override {
    const Side& side = of.is_key ? keys_ : queries_;
    const int head = side.own_head(of.head, maps_.heads);
    const std::size_t index = side.index(of.batch, of.head, of.index);
    RowMaps::Coordinates coordinates;
    const float* map = map_at(side, index, head, coordinates);
    const RowMaps::Coordinates origin =
        scored_ ? coordinates_at(queries_, queries_.index(of.batch, 0, 0)) : RowMaps::Coordinates{};
    const int which = int(index) + (of.is_key ? int(queries_.position_count()) : 0);
    maps_.learn({head, coordinates, origin, which, map, of.given, of.made, of.slopes});
    maps_.transform_transposed(head, {&map, 1}, of.slopes, 0);
  }
  void finish_backward() override { maps_.finish_learning(*training); }

 private:
  /// Queries, or keys.
  struct Side {
    Positions positions;
    std::size_t count, heads;
    /// Number of heads with their own positions, per batch element.
    std::size_t position_heads = 1;
    bool per_row = false;

    std::size_t index(int batch, int head, int t) const {
      const std::size_t row = per_row ? std::size_t(batch) : 0;
      const std::size_t own = position_heads > 1 ? std::size_t(head) * position_heads / heads : 0;
      return (row * position_heads + own) * count + std::size_t(t);
    }
    std::size_t position_count() const { return positions.values.empty() ? count : positions.values.size(); }
    int own_head(int head, int of) const { return of > 1 ? int(std::int64_t(head) * of / std::int64_t(heads)) : 0; }
  };

  Side side_of(const Positions& given, int count, int heads, int batch) const {
    Side side{given, std::size_t(count), std::size_t(std::max(1, heads))};
    const std::size_t rows = given.values.size() / std::max<std::size_t>(1, side.count);
    side.per_row = rows > 1;
    if (side.per_row) side.position_heads = std::max<std::size_t>(1, rows / std::size_t(std::max(1, batch)));
    return side;
  }

  bool reserve_slots(int count) {
    constexpr std::size_t kMostFloats = 2097152;
    const std::size_t width = std::size_t(maps_.floats), values_per_slot = std::size_t(encoding_.axes) + 1;
    std::size_t run = kMapsTogether, heads = 1;
    while (run < std::size_t(count) && 2 * run * width <= kMostFloats) run *= 2;
    while (heads < std::size_t(maps_.heads) && 2 * heads * run * width <= kMostFloats) heads *= 2;
    while (!cache_.slot_coordinates || run > cache_.run || heads > cache_.heads) {
      Buffer rows({double(run), double(heads), double(width)});
      Array<Real> slot_coordinates({double(run), double(heads), double(values_per_slot)});
      if (rows && slot_coordinates) {
        cache_.rows = std::move(rows);
        cache_.slot_coordinates = std::move(slot_coordinates);
        cache_.run = run;
        cache_.heads = heads;
        std::fill_n(cache_.slot_coordinates.data(), run * heads * values_per_slot, Real(kInfinity));
      } else if (cache_.slot_coordinates || (run == kMapsTogether && heads == 1)) {
        return bool(cache_.slot_coordinates);
      } else {
        run = kMapsTogether;
        heads = 1;
      }
    }
    return true;
  }

  RowMaps::Coordinates coordinates_at(const Side& side, std::size_t index) const {
    RowMaps::Coordinates coordinates{};
    const Positions& all = side.positions;
    // Tokens before the first cell of a grid have no coordinates.
    if (all.values.empty() && all.axes > 1 && all.offset + double(index) < 0) return coordinates;
    for (int axis = 0; axis < encoding_.axes; ++axis)
      coordinates[std::size_t(axis)] = coordinate(all, index, encoding_.axis_of(axis));
    return coordinates;
  }

  Real coordinate(const Positions& all, std::size_t index, int axis) const {
    return encoding_.coordinate(all.at(index, axis), axis, extent_[std::size_t(axis)]);
  }

  // Consecutive positions have different slots; other positions may overwrite each other's.
  const float* map_at(const Side& side, std::size_t index, int head, RowMaps::Coordinates& coordinates) {
    coordinates = coordinates_at(side, index);
    const std::int64_t at = std::int64_t(std::floor(side.positions.offset)) + std::int64_t(index);
    const std::size_t slot =
        (std::size_t(head) & (cache_.heads - 1)) * cache_.run + (std::size_t(at) & (cache_.run - 1));
    float* map = cache_.rows.data() + slot * std::size_t(maps_.floats);
    const int axes = encoding_.axes;
    Real* known = cache_.slot_coordinates.data() + slot * std::size_t(axes + 1);
    if (std::equal(known, known + axes, coordinates.begin()) && known[axes].hi == head) return map;
    maps_.make(head, coordinates, map);
    std::copy_n(coordinates.begin(), axes, known);
    known[axes] = Real{double(head), 0};
    return map;
  }

  void transform(const RelativeRows& rows, bool transposed) {
    const Side& side = rows.is_key ? keys_ : queries_;
    const int head = side.own_head(rows.head, maps_.heads);
    std::array<const float*, kMapsTogether> maps;
    RowMaps::Coordinates coordinates;
    for (std::size_t i = 0; i < rows.positions.size(); ++i)
      maps[i] = map_at(side, side.index(rows.batch, rows.head, rows.first + int(i)), head, coordinates);
    const RowMaps::List list{maps.data(), rows.positions.size()};
    if (transposed) return maps_.transform_transposed(head, list, rows.rows, rows.stride);
    maps_.transform(head, list, rows.rows, rows.stride);
  }

  const RowMapsRelative& encoding_;
  RowMapsCache& cache_;
  RowMaps& maps_;
  bool scored_;
  Side queries_, keys_;
  std::array<double, kMaxAxes> extent_{};
  bool ready_ = false;
};

}  // namespace

RowMapsRelative::RowMapsRelative(int width, int own_heads, int axis_count) : Relative(width) {
  heads = own_heads;
  keys_have_heads = true;
  axes = axis_count;
  maps_rows = true;
}

Relative::Begun RowMapsRelative::begin(const RelativeRequest& request) const {
  auto* cache = request.workspace.of<RowMapsCache>(*this);
  if (!cache) return no_memory_for_maps();
  const std::uint64_t now = fingerprint();
  if (!cache->maps || cache->made_of != now) {
    // Memory to build maps, without large matrices, which kinds check themselves.
    double count = 0;
    for (const Parameter& parameter : parameters) count += double(parameter.values.size());
    if (!can_have(count * 4 * sizeof(Real))) return no_memory_for_maps();
    cache->maps = make_maps();
    if (!cache->maps) return no_memory_for_maps();
    cache->made_of = now;
    if (cache->slot_coordinates)
      std::fill_n(cache->slot_coordinates.data(), cache->run * cache->heads * std::size_t(axes + 1), Real(kInfinity));
  }
  auto call = std::make_unique<RowMapsCall>(*this, request, *cache);
  if (!*call) return no_memory_for_maps();
  return std::unique_ptr<RelativeCall>(std::move(call));
}

std::unique_ptr<Cache> RowMapsRelative::make_cache() const { return std::make_unique<RowMapsCache>(); }

std::vector<double> RowMapsRelative::frequencies() const {
  const auto maps = make_maps();
  return maps ? maps->frequencies() : std::vector<double>{};
}

}  // namespace posenc
