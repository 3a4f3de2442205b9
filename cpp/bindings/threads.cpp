// The thread pool of the build with threads. Each thread is a worker of JavaScript (web/src/wasm/thread.ts), in an
// instance of its own over the same memory: it sleeps until a call has work for several, and takes part in it.
#if defined(__wasm_atomics__)
#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "core/parallel.hpp"
#include "frame.hpp"
#include "posenc/core/memory.hpp"

extern "C" void __wasm_init_tls(void* memory);
extern "C" void _emscripten_stack_restore(void* top);

namespace {

thread_local bool is_helper = false;

}  // namespace

// The caller alone makes memory larger: engines tell other threads of it, which takes until they ask. What calls need
// beside it is there before (run_job).
extern "C" int emscripten_resize_heap(std::size_t bytes) {
  constexpr std::size_t kPage = 65536;
  const std::size_t present = __builtin_wasm_memory_size(0) * kPage;
  if (bytes <= present) return true;
  return !is_helper && __builtin_wasm_memory_grow(0, (bytes - present + kPage - 1) / kPage) != std::size_t(-1);
}

// Emscripten's allocator knows only threads that it has started itself: one at a time, then (--wrap in wasm.cmake).
namespace {

class AllocatorLock {
 public:
  AllocatorLock() {
    while (taken.exchange(true))
      while (taken) {
      }
  }
  ~AllocatorLock() { taken = false; }

 private:
  static inline std::atomic<bool> taken = false;
};

}  // namespace

extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_aligned_alloc(std::size_t align, std::size_t bytes);
void __real_free(void* memory);

void* __wrap_malloc(std::size_t bytes) {
  const AllocatorLock lock;
  return __real_malloc(bytes);
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  const AllocatorLock lock;
  return __real_calloc(count, bytes);
}
void* __wrap_aligned_alloc(std::size_t align, std::size_t bytes) {
  const AllocatorLock lock;
  return __real_aligned_alloc(align, bytes);
}
void __wrap_free(void* memory) {
  const AllocatorLock lock;
  __real_free(memory);
}
}

namespace posenc::bindings {

namespace {

struct Job {
  int threads;
  WorkPart part;
  const void* work;
};

/// Null between calls, and once the caller has found nothing left to do.
std::atomic<const Job*> present_job = nullptr;
/// How many jobs there were, and how many helpers look at the present one.
std::atomic<int> job_count = 0, helpers_inside = 0;
std::atomic<bool> helper_failed = false;
bool caller_may_sleep = false;

int* address_in(std::atomic<int>& number) { return reinterpret_cast<int*>(&number); }

// Who comes late finds no job, and nobody waits for those who did not come.
void run_job(int threads, WorkPart part, const void* work) {
  constexpr double kBytesPerThread = 41943040;
  if (const double bytes = kBytesPerThread * (threads - 1); can_ask(bytes))
    emscripten_resize_heap(std::size_t(address_of(sbrk(0)) + bytes));
  constexpr int kSpins = 10000;
  constexpr std::int64_t kNanoseconds = 1000000;
  const Job job{threads, part, work};
  present_job = &job;
  ++job_count;
  __builtin_wasm_memory_atomic_notify(address_in(job_count), unsigned(-1));
  part(work, 0);
  present_job = nullptr;
  for (int spins = 0, inside; (inside = helpers_inside) > 0; ++spins) {
    if (helper_failed) __builtin_trap();
    if (caller_may_sleep && spins > kSpins)
      __builtin_wasm_memory_atomic_wait32(address_in(helpers_inside), inside, kNanoseconds);
  }
}

// What a worker does from its start to its end.
void help(int thread, void* thread_memory) {
  __wasm_init_tls(thread_memory);
  is_helper = true;
  for (int last_count = 0;;) {
    __builtin_wasm_memory_atomic_wait32(address_in(job_count), last_count, -1);
    last_count = job_count;
    ++helpers_inside;
    if (const Job* job = present_job; job && thread < job->threads) job->part(job->work, thread);
    if (--helpers_inside == 0) __builtin_wasm_memory_atomic_notify(address_in(helpers_inside), 1);
  }
}

// A worker that trapped has left memory in the middle of something.
void fail() { helper_failed = true; }

template <class Function>
double index_of(Function* function) {
  return double(reinterpret_cast<std::uintptr_t>(function));
}

// Memory of a thread that is about to start. The frame gets where its stack ends and its own variables lie, and what
// the worker calls: to set the stack, to help, to say that it failed. The memory stays: threads end with the instance.
bool prepare_thread() {
  constexpr std::size_t kStack = 262144;
  const std::size_t align = std::max<std::size_t>(64, __builtin_wasm_tls_align());
  const std::size_t own = (__builtin_wasm_tls_size() + align - 1) / align * align;
  char* memory = static_cast<char*>(can_ask(double(own + kStack)) ? std::aligned_alloc(align, own + kStack) : nullptr);
  frame_area[0] = address_of(memory + own + kStack);
  frame_area[1] = address_of(memory);
  frame_area[2] = index_of(&_emscripten_stack_restore);
  frame_area[3] = index_of(&help);
  frame_area[4] = index_of(&fail);
  return memory;
}

void start_thread_pool(double threads, bool may_sleep) {
  caller_may_sleep = may_sleep;
  set_thread_pool(int(threads), &run_job);
}

}  // namespace

EMSCRIPTEN_BINDINGS(threads) {
  emscripten::function("prepareThread", &prepare_thread);
  emscripten::function("startThreadPool", &start_thread_pool);
}

}  // namespace posenc::bindings
#endif
