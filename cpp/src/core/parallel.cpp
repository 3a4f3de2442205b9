#include "core/parallel.hpp"

#if POSENC_THREADS
namespace posenc {

namespace {

int thread_count = 1;
ThreadPool present_pool = nullptr;

}  // namespace

void set_thread_pool(int threads, ThreadPool pool) {
  thread_count = threads;
  present_pool = pool;
}

int pool_threads() { return thread_count; }

void run_on_pool(int threads, WorkPart part, const void* work) { present_pool(threads, part, work); }

}  // namespace posenc
#endif
