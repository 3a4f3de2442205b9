// Parts of a call that are done at the same time, where there are threads for them: all that the core knows of threads.
#pragma once

#include <algorithm>
#include <atomic>

// WebAssembly has no threads, but in the build that is made for them.
#if defined(__wasm__) && !defined(__wasm_atomics__)
#define POSENC_THREADS 0
#else
#define POSENC_THREADS 1
#endif

namespace posenc {

/// Numbers from 0 to before `count`, each for one thread.
class Claims {
 public:
  explicit Claims(int count) : count_(count) {}
  /// The next one; negative: there is none.
  int next() {
    const int claimed = next_.fetch_add(1, std::memory_order_relaxed);
    return claimed < count_ ? claimed : -1;
  }

 private:
  std::atomic<int> next_ = 0;
  int count_;
};

/// part(work, thread) by the caller, who is thread 0, and by whoever of the others has time; comes back when all that
/// began have ended.
using WorkPart = void (*)(const void* work, int thread);
using ThreadPool = void (*)(int threads, WorkPart part, const void* work);

#if POSENC_THREADS
/// From now on calls are shared by so many threads; 1: by none.
void set_thread_pool(int threads, ThreadPool pool);
/// How many there are, the caller among them.
int pool_threads();
void run_on_pool(int threads, WorkPart part, const void* work);
#else
constexpr int pool_threads() { return 1; }
#endif

/// part(claims, thread) on up to `threads` threads, at least on the caller's, thread 0: each does what it claims of
/// `count` pieces of work. Which thread does what is open, hence pieces must not depend on each other.
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
