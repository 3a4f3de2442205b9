// The thread pool of the build with threads. Each thread is a worker of JavaScript (web/src/wasm/thread.ts) with a
// separate instance and the same memory. It sleeps until a call has work for several threads, and takes part in it.
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

// Only the calling thread grows memory: other threads learn of a larger memory late. run_job allocates the memory that
// the helpers need before they start.
extern "C" int emscripten_resize_heap(std::size_t bytes) {
  constexpr std::size_t kPage = 65536;
  const std::size_t present = __builtin_wasm_memory_size(0) * kPage;
  if (bytes <= present) return true;
  return !is_helper && __builtin_wasm_memory_grow(0, (bytes - present + kPage - 1) / kPage) != std::size_t(-1);
}

// Emscripten's allocator only knows threads that Emscripten started. This lock admits one thread at a time (--wrap in
// wasm.cmake).
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

/// Null between calls, and after the calling thread has finished its part.
std::atomic<const Job*> present_job = nullptr;
/// Number of jobs so far, and number of helpers that access the present job.
std::atomic<int> job_count = 0, helpers_inside = 0;
std::atomic<bool> helper_failed = false;
bool caller_may_sleep = false;

int* address_in(std::atomic<int>& number) { return reinterpret_cast<int*>(&number); }

// Late helpers find no job, and the calling thread does not wait for them.
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

// The main loop of a worker.
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

// After a trap in a worker, the state of memory is unknown.
void fail() { helper_failed = true; }

template <class Function>
double index_of(Function* function) {
  return double(reinterpret_cast<std::uintptr_t>(function));
}

// Allocates the memory of a new thread. Writes to the frame the end of its stack, the address of its thread-local
// variables and the functions that the worker calls: to set the stack, to help, to report a failure. The memory is
// never freed: threads end with the instance.
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
