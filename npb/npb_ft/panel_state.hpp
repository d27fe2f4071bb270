// What the host's variants by panels of lines keep between launches: fields, tables, and buffers, a pair for whoever
// works at the same time.
#pragma once

#include "host_state.hpp"
#include "transform.hpp"

namespace sextant::npb_ft {
namespace {

// Which passes store past the caches. In place a line is in a cache when it is written, as it has just been read, unless a
// panel's own strides have displaced it; from one field to another it would be read only to be overwritten.
inline constexpr int stream_none = 0, stream_all = 1, stream_to_others = 2;

struct Panels {
  int columns = 32, streaming = stream_to_others;
};

struct PanelTables {
  Plan plans[3];
  double* plan_memory[3];
  double* decay[3];
  HostMemory<double> tables, buffers;
  std::int64_t buffer_doubles = 0;  // of one pair
};

struct PanelState : PanelTables {
  HostFields fields;
};

inline std::int64_t panel_columns(const Problem& problem, const Panels& panels) {
  return std::min<std::int64_t>(panels.columns, problem.extents.x);
}

inline std::int64_t buffer_doubles(const Problem& problem, const Panels& panels) {
  const std::int64_t columns = panel_columns(problem, panels);
  const std::int64_t lines =
      std::max({problem.extents.x, problem.extents.y * columns, problem.extents.z * columns});
  constexpr std::int64_t apart = 8;  // a line of 64 bytes, so that no two threads share one
  return std::max<std::int64_t>(columns, 8) + 4 * lines + apart;
}

inline std::int64_t table_doubles(const Extents& e) {
  return plan_doubles(e.x) + plan_doubles(e.y) + plan_doubles(e.z) + axis_entries(e);
}

// Bytes of a state with `buffers` pairs of buffers.
inline std::int64_t panel_bytes(const Problem& problem, const Panels& panels, std::int64_t buffers) {
  return state_bytes(problem) +
         8 * (table_doubles(problem.extents) + buffers * buffer_doubles(problem, panels));
}

inline void release_panels(void* state) { delete static_cast<PanelState*>(state); }

// Tables, and `buffers` pairs of buffers; false where there is no memory for them.
inline bool make_tables(const Problem& problem, const Panels& panels, std::int64_t buffers,
                        PanelTables* made) {
  const Extents& e = problem.extents;
  const std::int64_t lengths[] = {e.x, e.y, e.z};
  made->buffer_doubles = buffer_doubles(problem, panels);
  made->tables = allocate_host<double>(table_doubles(e));
  made->buffers = allocate_host<double>(buffers * made->buffer_doubles);
  if (!made->tables || !made->buffers) return false;
  double* next = made->tables.get();
  for (int axis = 0; axis < 3; ++axis) {
    made->plans[axis] = plan_for(lengths[axis]);
    made->plan_memory[axis] = next;
    made->decay[axis] = next + plan_doubles(lengths[axis]);
    next += plan_doubles(lengths[axis]) + lengths[axis];
  }
  return true;
}

// A state with `buffers` pairs of buffers; null, or why there is none.
inline const char* make_panels(const Call& call, const Panels& panels, std::int64_t buffers, void** state) {
  auto made = std::make_unique<PanelState>();
  if (const char* why_not = make_fields(call, &made->fields)) return why_not;
  if (!make_tables(call.problem, panels, buffers, made.get())) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

// The two buffers with number `index`, for lines of `points` elements in all.
struct Buffers {
  Split pair[2];
  double* columns;
  Buffers(const PanelTables& state, std::int64_t index, std::int64_t most_columns, std::int64_t points)
      : columns(state.buffers.get() + index * state.buffer_doubles) {
    double* first = columns + std::max<std::int64_t>(most_columns, 8);
    pair[0] = {first, first + points};
    pair[1] = {first + 2 * points, first + 3 * points};
  }
};

}  // namespace
}  // namespace sextant::npb_ft
