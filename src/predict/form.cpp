#include "predict/form.hpp"

#include <limits>

namespace sextant::predict {
namespace {

constexpr double nothing_known = std::numeric_limits<double>::quiet_NaN();

double known(double trait) { return trait == Traits::not_known ? nothing_known : trait; }

double real(std::int64_t value) { return static_cast<double>(value); }

constexpr FormColumn columns[] = {
    {"element_size", "bytes",
     [](const Form& f) { return real(static_cast<std::int64_t>(element_size(f.type))); },
     "of the problem's type"},
    {"whole_numbers", "", [](const Form& f) { return f.type == ElementType::int32 ? 1.0 : 0.0; },
     "1: elements are int, 0: floating-point"},
    {"extent_x", "elements", [](const Form& f) { return real(f.extents.x); }, "the fastest axis"},
    {"extent_y", "elements", [](const Form& f) { return real(f.extents.y); }, "1 where the axis is missing"},
    {"extent_z", "elements", [](const Form& f) { return real(f.extents.z); }, "1 where the axis is missing"},
    {"items", "", [](const Form& f) { return real(f.work.items); }, "outputs, points, updates"},
    {"bytes_read", "bytes", [](const Form& f) { return real(f.work.bytes_read); },
     "each input once, in every pass that must read memory"},
    {"bytes_written", "bytes", [](const Form& f) { return real(f.work.bytes_written); },
     "each output once, in every pass that must write memory"},
    {"flops", "", [](const Form& f) { return real(f.work.flops); }, "floating-point operations"},
    {"special_flops", "", [](const Form& f) { return known(f.traits.special_flops) * real(f.work.items); },
     "of them divisions, roots, logarithms and similar"},
    {"integer_operations", "", [](const Form& f) { return real(f.work.integer_operations); },
     "on computed values, not on addresses"},
    {"intensity", "FLOP/byte", intensity, "flops / (bytes_read + bytes_written)"},
    {"arrays_in", "", [](const Form& f) { return real(f.arrays_in); }, "arrays that are read"},
    {"arrays_out", "", [](const Form& f) { return real(f.arrays_out); }, "arrays that are written"},
    {"bytes_in", "bytes", [](const Form& f) { return real(f.bytes_in); }, "of the arrays that are read"},
    {"bytes_out", "bytes", [](const Form& f) { return real(f.bytes_out); }, "of the arrays that are written"},
    {"working_set", "bytes", [](const Form& f) { return real(f.working_set); }, "of all arrays, each once"},
    {"loads", "elements", [](const Form& f) { return known(f.traits.loads); }, "per item, in the plain loop"},
    {"stores", "elements", [](const Form& f) { return known(f.traits.stores); },
     "per item, in the plain loop"},
    {"reuse", "", reuse, "loads and stores of all items / elements of the working set"},
    {"stride_read", "elements", [](const Form& f) { return known(f.traits.stride_read); },
     "of the innermost loop, of the array where it is largest"},
    {"stride_write", "elements", [](const Form& f) { return known(f.traits.stride_write); }, "likewise"},
    {"reduction", "", [](const Form& f) { return known(f.traits.reduction); },
     "1: items are combined into a few results"},
    {"launches", "", [](const Form& f) { return known(f.traits.launches); },
     "passes, each of which needs the complete previous pass"},
    {"depth", "", [](const Form& f) { return known(f.traits.depth); },
     "longest chain of dependent operations, in the best order"},
    {"divergence", "", [](const Form& f) { return known(f.traits.divergence); },
     "share of items that take another path at a data-dependent branch"},
};

}  // namespace

bool is_problem_of(const Kernel& kernel, const Problem& problem) {
  const Extents& e = problem.extents;
  if (e.x <= 0 || e.y <= 0 || e.z <= 0 || real(e.x) * real(e.y) * real(e.z) > 0x1p40) return false;
  const bool sized_by_n = kernel.extents && kernel.classes.empty() && !kernel.shaped;
  return !sized_by_n || problem.n <= 0 || kernel.extents(problem.n) == e;
}

Form form_of(const Kernel& kernel, const Problem& problem) {
  Form form;
  form.type = problem.type;
  form.n = problem.n;
  form.extents = problem.extents;
  form.work = kernel.work(problem);
  if (kernel.traits) form.traits = kernel.traits(problem);
  for (int i = 0; i < static_cast<int>(kernel.arrays.size()); ++i) {
    const Role role = kernel.arrays[static_cast<std::size_t>(i)].role;
    const std::int64_t bytes = kernel.bytes(problem, i);
    form.working_set += bytes;
    if (role != Role::out) ++form.arrays_in, form.bytes_in += bytes;
    if (role != Role::in) ++form.arrays_out, form.bytes_out += bytes;
  }
  return form;
}

bool has_traits(const Form& form) { return form.traits.loads >= 0 || form.traits.depth >= 0; }

bool counts_operations(const Form& form) { return form.work.flops > 0 || form.work.integer_operations > 0; }

double intensity(const Form& form) {
  if (form.work.flops == 0) return 0;
  const double bytes = real(form.work.bytes_read) + real(form.work.bytes_written);
  return bytes > 0 ? real(form.work.flops) / bytes : std::numeric_limits<double>::infinity();
}

double reuse(const Form& form) {
  const double elements = real(form.working_set) / static_cast<double>(element_size(form.type));
  return elements > 0
             ? (known(form.traits.loads) + known(form.traits.stores)) * real(form.work.items) / elements
             : nothing_known;
}

std::span<const FormColumn> form_columns() { return columns; }

}  // namespace sextant::predict
