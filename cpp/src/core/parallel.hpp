// Runs parts of a call on several threads, if there are any. The core uses threads only through this file.
#pragma once

#include <algorithm>
#include <atomic>

// WebAssembly has threads only in the build with atomics.
#if defined(__wasm__) && !defined(__wasm_atomics__)
#define POSENC_THREADS 0
#else
#define POSENC_THREADS 1
#endif

namespace posenc {

/// Hands out the indices 0 … count - 1, each to one thread.
class Claims {
 public:
  explicit Claims(int count) : count_(count) {}
  /// The next index; negative if none is left.
  int next() {
    const int claimed = next_.fetch_add(1, std::memory_order_relaxed);
    return claimed < count_ ? claimed : -1;
  }

 private:
  std::atomic<int> next_ = 0;
  int count_;
};

/// Runs part(work, thread) on the caller, which is thread 0, and on idle threads of the pool. Returns when all of them
/// have finished.
using WorkPart = void (*)(const void* work, int thread);
using ThreadPool = void (*)(int threads, WorkPart part, const void* work);

#if POSENC_THREADS
/// Sets the number of threads for later calls; 1 means only the caller.
void set_thread_pool(int threads, ThreadPool pool);
/// Number of threads, including the caller.
int pool_threads();
void run_on_pool(int threads, WorkPart part, const void* work);
#else
constexpr int pool_threads() { return 1; }
#endif

/// Runs part(claims, thread) on up to `threads` threads, at least on the caller, thread 0. Each does the pieces of work
/// that it claims, of `count`. Any thread may claim any piece, so pieces must not depend on each other.
template <class Each>
void parallel_for(int count, [[maybe_unused]] int threads, const Each& part) {
  Claims claims(count);
#if POSENC_THREADS
  if (threads = std::min(threads, count); threads > 1) {
    const auto work = [&](int thread) { part(claims, thread); };
    return run_on_pool(
        threads, [](const void* of, int thread) { (*static_cast<decltype(&work)>(of))(thread); }, &work);
  }
#endif
  part(claims, 0);
}

}  // namespace posenc
