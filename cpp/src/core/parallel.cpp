#include "core/parallel.hpp"

#if POSENC_THREADS
namespace posenc {

namespace {

int crew_size = 1;
Crew present_crew = nullptr;

}  // namespace

void set_crew(int threads, Crew crew) {
  crew_size = threads;
  present_crew = crew;
}

int crew_threads() { return crew_size; }

void run_crew(int threads, WorkPart part, const void* work) { present_crew(threads, part, work); }

}  // namespace posenc
#endif
