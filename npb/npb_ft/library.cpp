// needs: fftw
#include <fftw3.h>

#include "host_state.hpp"
#include "suite/tunables.hpp"

// Variant library.fftw: FFTW's in-place three-dimensional transform, with as many threads as OpenMP has. The
// other loops are plain OpenMP loops.
namespace sextant {
namespace {

using namespace npb_ft;

struct Planning {
  int planning = 0;  // FFTW's planning mode: 0: estimated, 1: measured
};

struct State {
  HostFields fields;
  HostMemory<double> decay;
  fftw_plan forward = nullptr, inverse = nullptr;  // plans for u and for w
};

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  fftw_destroy_plan(mine->forward);
  fftw_destroy_plan(mine->inverse);
  delete mine;
}

fftw_plan plan_for(const Extents& e, Complex* data, int sign, const Planning& how) {
  auto* values = reinterpret_cast<fftw_complex*>(data);
  return fftw_plan_dft_3d(static_cast<int>(e.z), static_cast<int>(e.y), static_cast<int>(e.x), values, values,
                          sign, how.planning ? FFTW_MEASURE : FFTW_ESTIMATE);
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = make_fields(call, &made->fields)) return why_not;
  const Extents& e = call.problem.extents;
  made->decay = allocate_host<double>(axis_entries(e));
  if (!made->decay) return "host memory ran out";
#if defined(SEXTANT_FFTW_THREADS)
  fftw_init_threads();
  fftw_plan_with_nthreads(e.count() < (std::int64_t{1} << 16) ? 1 : thread_count());
#endif
  made->forward = plan_for(e, made->fields.u, FFTW_BACKWARD, call.tuned<Planning>());
  made->inverse = plan_for(e, made->fields.w, FFTW_FORWARD, call.tuned<Planning>());
  const bool planned = made->forward && made->inverse;
  *state = made.release();
  if (planned) return nullptr;
  release(*state);
  *state = nullptr;
  return "FFTW has no plan for these extents";
}

// Measured plans pay off from NAS problem class A on. Larger classes need minutes of planning, so for them
// measured plans must be requested.
void adapt(const Problem& problem, Planning& how) {
  const std::int64_t points = problem.extents.count();
  how.planning = points >= (std::int64_t{1} << 22) && points <= (std::int64_t{1} << 23);
}

void evolve(const State& state, const Extents& e) {
  const double *of_x = state.decay.get(), *of_y = of_x + e.x, *of_z = of_y + e.y;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y) {
      const std::int64_t row = (z * e.y + y) * e.x;
      const Complex* u = state.fields.u + row;
      Complex* w = state.fields.w + row;
      const double factor = of_y[y] * of_z[z];
      for (std::int64_t x = 0; x < e.x; ++x) {
        const double all = of_x[x] * factor;
        w[x] = {u[x].re * all, u[x].im * all};
      }
    }
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Extents& e = call.problem.extents;
  double* of_x = state.decay.get();
  call.phase("setup");
  set_initial(e, state.fields.u);
  call.phase("fft");
  fftw_execute(state.forward);
  for (std::int64_t t = 1; t <= iterations(call.problem); ++t) {
    call.phase("evolve");
    set_decay(e, t, of_x, of_x + e.x, of_x + e.x + e.y);
    evolve(state, e);
    call.phase("fft");
    fftw_execute(state.inverse);
    call.phase("checksum");
    call.array<Complex>(checksums)[t - 1] = checksum(e, state.fields.w);
  }
  call.phase("");
}

}  // namespace

std::vector<Variant> npb_ft_library() {
  return {{.name = "fftw",
           .description = "FFTW's 3-D transform with as many threads as OpenMP; planning is not timed",
           .tunables = tunables<Planning>({{"planning", &Planning::planning, {0, 1}}}),
           .launch = {.float64 = launch},
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = release,
           .workspace = [](const Problem& problem, const int*) { return state_bytes(problem); },
           .thread_library = ThreadLibrary::fftw}};
}

}  // namespace sextant
