// What calls remember and where they scribble, apart from the encodings themselves.
#pragma once

#include <cstdint>
#include <memory>

namespace posenc {

class Learned;

/// What a workspace has of one encoding; each kind says what its own is made of.
class Cache {
 public:
  virtual ~Cache() = default;

 private:
  friend class Workspace;
  std::uint64_t encoding_ = 0;
  Cache* next_ = nullptr;
};

/// The caches of encodings, from one call to the next: rows of waves, multipliers of positions, lines of biases.
/// A workspace is in one call at a time; threads that share an encoding have one each. Calls that are given none take
/// that of their thread.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// The encoding's cache, made where there is none yet; null: there is no memory for it. Good until as many other
  /// encodings have asked for theirs as a workspace holds (64).
  template <class Kind>
  Kind* of(const Learned& encoding) {
    return static_cast<Kind*>(find(encoding));
  }
  Cache* find(const Learned& encoding);
  /// Of an encoding that is gone, or about to go.
  void forget(const Learned& encoding);
  /// That of a thread which helps with the calls of this one, from 1 on; made when it is first asked for.
  Workspace& of_helper(int thread);

  /// That of calls which are given none; an encoding that goes takes its cache with it in its own thread.
  static Workspace& of_thread() noexcept;
  static void forget_in_thread(const Learned& encoding);

 private:
  /// The one that was asked for last comes first; the workspace owns them all.
  Cache* first_ = nullptr;
  std::unique_ptr<Workspace> next_helper_;
};

}  // namespace posenc
