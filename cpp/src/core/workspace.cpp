#include "posenc/core/workspace.hpp"

#include <algorithm>

#include "posenc/core/memory.hpp"
#include "posenc/core/parameter.hpp"
#include "posenc/core/sinusoids_cache.hpp"

namespace posenc {

namespace {

// Maximum caches of a workspace. A model has few encodings; the least recently used cache is removed.
constexpr int kMostCaches = 64;

// Encodings may outlive the thread's workspace.
thread_local Workspace* own_workspace = nullptr;

struct Own {
  Own() { own_workspace = &workspace; }
  ~Own() { own_workspace = nullptr; }
  Workspace workspace;
};

}  // namespace

Workspace& Workspace::of_thread() noexcept {
  static thread_local Own own;
  return own.workspace;
}

Cache* Workspace::find(const Learned& encoding) {
  Cache** link = &first_;
  Cache* found = *link;
  for (int count = 1; found && found->encoding_ != encoding.id; ++count) {
    if (count == kMostCaches) {
      *link = nullptr;
      delete std::exchange(found, nullptr);
    } else {
      link = &found->next_;
      found = *link;
    }
  }
  if (found) {
    *link = found->next_;
  } else {
    found = encoding.make_cache().release();
    if (!found) return nullptr;
    found->encoding_ = encoding.id;
  }
  found->next_ = first_;
  return first_ = found;
}

Workspace& Workspace::of_helper(int thread) {
  if (thread == 0) return *this;
  if (!next_helper_) next_helper_ = std::make_unique<Workspace>();
  return next_helper_->of_helper(thread - 1);
}

void Workspace::forget(const Learned& encoding) {
  if (next_helper_) next_helper_->forget(encoding);
  for (Cache** link = &first_; *link; link = &(*link)->next_)
    if ((*link)->encoding_ == encoding.id) {
      Cache* gone = *link;
      *link = gone->next_;
      delete gone;
      return;
    }
}

Workspace::~Workspace() {
  while (first_) delete std::exchange(first_, first_->next_);
}

void Workspace::forget_in_thread(const Learned& encoding) {
  if (own_workspace) own_workspace->forget(encoding);
}

Error no_memory_for_rows() { return error_at(Code::out_of_memory, "encoding", "out of memory for rows"); }

std::unique_ptr<Cache> make_sinusoids_cache(std::span<const SinusoidSet> sets) {
  // Upper bound in bytes per frequency of an empty cache and one row.
  constexpr double kBytesPerSinusoid = 128;
  std::size_t longest = 0;
  for (const SinusoidSet& set : sets) longest = std::max(longest, set.frequencies.size());
  if (!can_have(kBytesPerSinusoid * double(longest * sets.size()))) return nullptr;
  auto cache = std::make_unique<SinusoidsCache>();
  for (std::size_t i = 0; i < sets.size(); ++i)
    cache->sinusoids[i] = std::make_unique<Sinusoids>(sets[i].frequencies, sets[i].precision);
  cache->row.resize(2 * longest);
  return cache;
}

}  // namespace posenc
