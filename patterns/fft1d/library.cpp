// needs: fftw
// Calls FFTW with OpenMP threads, in single and double precision. Planning is not timed.
#include <fftw3.h>
#include <omp.h>

#include "loop.hpp"

namespace sextant {
namespace {

struct Plans {
  fftwf_plan single = nullptr;
  fftw_plan twice = nullptr;
};

// Small problems use one thread, like the program npb_ft.
int threads_for(const Problem& problem) {
  return problem.extents.x < (std::int64_t{1} << 16) ? 1 : omp_get_max_threads();
}

const char* prepare(const Call& call, void** state) {
#if defined(SEXTANT_FFTW_THREADS)
  fftw_init_threads();
  fftwf_init_threads();
  fftw_plan_with_nthreads(threads_for(call.problem));
  fftwf_plan_with_nthreads(threads_for(call.problem));
#endif
  const int length = static_cast<int>(fft1d::length_of(call.problem)),
            batches = static_cast<int>(fft1d::batches_of(call.problem));
  auto* plans = new Plans;
  if (call.problem.type == ElementType::float64)
    plans->twice =
        fftw_plan_many_dft(1, &length, batches, call.array<fftw_complex>(0), nullptr, 1, length,
                           call.array<fftw_complex>(1), nullptr, 1, length, FFTW_FORWARD, FFTW_ESTIMATE);
  else
    plans->single =
        fftwf_plan_many_dft(1, &length, batches, call.array<fftwf_complex>(0), nullptr, 1, length,
                            call.array<fftwf_complex>(1), nullptr, 1, length, FFTW_FORWARD, FFTW_ESTIMATE);
  *state = plans;
  return plans->single || plans->twice ? nullptr : "FFTW could not create a plan for these transforms";
}

}  // namespace

std::vector<Variant> fft1d_library() {
  return {
      {.name = "fftw",
       .description = "FFTW, one plan (FFTW_ESTIMATE) for all transforms, threads over transforms",
       .launch =
           {.float32 = [](const Call& call) { fftwf_execute(static_cast<const Plans*>(call.state)->single); },
            .float64 = [](const Call& call) { fftw_execute(static_cast<const Plans*>(call.state)->twice); }},
       .constraint = [](const Problem& problem, const int*) -> const char* {
         return problem.extents.x / 2 > INT32_MAX ? "more elements than FFTW can count in an int" : nullptr;
       },
       .prepare = prepare,
       .release =
           [](void* state) {
             auto* plans = static_cast<Plans*>(state);
             if (plans->single) fftwf_destroy_plan(plans->single);
             if (plans->twice) fftw_destroy_plan(plans->twice);
             delete plans;
           },
       .thread_library = ThreadLibrary::fftw}};
}

}  // namespace sextant
