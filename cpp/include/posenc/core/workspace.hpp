// Cached results and scratch buffers of calls, separate from the encodings.
#pragma once

#include <cstdint>
#include <memory>

namespace posenc {

class Learned;

/// Cached data of one encoding in a workspace. Each kind of encoding defines its own.
class Cache {
 public:
  virtual ~Cache() = default;

 private:
  friend class Workspace;
  std::uint64_t encoding_ = 0;
  Cache* next_ = nullptr;
};

/// The caches of encodings, kept between calls: rows of sinusoids, multipliers of positions, lines of biases.
/// Only one call at a time may use a workspace; threads that share an encoding need one each. Calls without a workspace
/// use that of their thread.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Returns the encoding's cache and creates it if needed. Null if there is not enough memory. The pointer is valid
  /// until as many other encodings have requested their caches as a workspace holds (64).
  template <class Kind>
  Kind* of(const Learned& encoding) {
    return static_cast<Kind*>(find(encoding));
  }
  Cache* find(const Learned& encoding);
  /// Removes the cache of an encoding that is destroyed, or about to be.
  void forget(const Learned& encoding);
  /// The workspace of a helper thread of this workspace's calls, numbered from 1. Created on first use.
  Workspace& of_helper(int thread);

  /// The workspace of calls that are given none. A destroyed encoding removes its cache only from the workspace of its
  /// own thread.
  static Workspace& of_thread() noexcept;
  static void forget_in_thread(const Learned& encoding);

 private:
  /// Most recently used cache first. The workspace owns all caches.
  Cache* first_ = nullptr;
  std::unique_ptr<Workspace> next_helper_;
};

}  // namespace posenc
