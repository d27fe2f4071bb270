// The constants of the model of `sextant advise`. `sextant train` fits them, and the model's file has a line
// for each of them.
#pragma once

#include <span>

namespace sextant::predict {

// Fitting starts at the values here. Predictions use those of the model's file.
struct Constants {
  // Fraction of the measured bandwidth that plain code on a CPU reaches.
  double code_memory = 0.9;
  // Fraction of the FLOP rate of CPU code with one operation per load or store, and the largest fraction.
  double code_arithmetic = 0.12;
  double most_arithmetic = 0.7;
  // The same fractions on a GPU.
  double gpu_memory = 0.75;
  double gpu_arithmetic = 0.4;
  // Fraction of the FLOP rate that a CPU library reaches.
  double library_arithmetic = 0.4;
  // FLOP that a division, root, exponential or logarithm counts for. GPUs have special function units for
  // them.
  double special_on_cpu = 12;
  double special_on_gpu = 4;
  // Time of an integer operation relative to a FLOP in typical CPU code.
  double integer_on_cpu = 0.35;
  // Integer throughput rises with the number of operations per memory access, up to this factor.
  double most_integers = 2;
  // Speedup of arithmetic if consecutive items share operands, which then stay in registers. It applies if
  // an element is accessed more than `reuse_in_common` times on average.
  double in_common = 2.5;
  double reuse_in_common = 8;
  // Speedup of threaded matrix code by cache blocking: reuse / `reuse_in_blocks`, clamped to [1,
  // `most_in_blocks`].
  double reuse_in_blocks = 150;
  double most_in_blocks = 3;
  // Slowdown of arithmetic and first-level cache accesses if all cores are busy.
  double all_at_once = 1.3;
  // Additional slowdown if all items take different branches, because such items are not vectorized. For a
  // fraction of the items, it is multiplied by that fraction.
  double diverging = 16;
  // Time for which running threads wait for each other at a barrier, as a fraction of a launch.
  double wait_in_openmp = 0.5;
  double wait_in_openacc = 0.33;
  double wait_in_cuda = 0.05;
  // Waits per step of algorithms in which the data decide which items take part, such as a graph search.
  double agreeing_in_openmp = 2.5;
  double agreeing_on_gpu = 5;
  // Seconds to start a serial call, and to start one row of a grid.
  double call_start = 1e-8;
  double row_start = 6e-9;
  // Seconds until a dependent operation can use a result.
  double cpu_latency = 2e-9;
  double gpu_latency = 50e-9;
  // Seconds per term of a sequential sum.
  double term_in_order = 0.5e-9;
  // Contention for a shared sum grows with the number of cores up to this number.
  double many_cores = 16;
  // Seconds to fetch a cache line from another core's cache when several fetches overlap.
  double line_hop = 13e-9;
  // Fraction of a plain loop's loads and stores that access the cache. The others use a register.
  double loaded_again = 0.5;
  // Seconds per strided access of one core, which is not vectorized: `written_apart` for strided writes,
  // `read_apart` if only the reads are strided. Items with at least `few_loads` loads are vectorized across
  // items and have no such cost. Transforms (FFT steps) always use `read_apart`.
  double written_apart = 0.15e-9;
  double read_apart = 0.1e-9;
  double few_loads = 8;
  // Assumed range of an item's scattered writes, in strides from its own element.
  double window = 2;
  // Fraction of the sum of several cores' caches that is usable, because they hold duplicate lines.
  double near_of_many = 0.5;
  // Factor on the size of arrays that cores share. In the ceiling benchmark each core uses its own section,
  // so its caches hold more.
  double shared_footprint = 2.5;
  // Number of items per CPU thread from which an additional thread pays off.
  double grain = 40;
  // Single-core time in seconds from which an additional thread pays off, even for few items.
  double worth_a_thread = 1e-6;
  // Number of operations per GPU thread when CUDA and library code splits the sum of one item over several
  // threads.
  double split_sums = 10;
  // CPU libraries are vectorized by hand but use few threads. `library_call`: seconds of a call that starts
  // no threads. `library_threads`: fraction of all threads that effectively work.
  double library_call = 4e-8;
  double library_threads = 0.1;
  // `transform`: factor on the predicted arithmetic time of a library's FFT step. `transforms_shared_above`:
  // single-core seconds from which a library uses all threads for it.
  double transform = 2.5;
  double transforms_shared_above = 4.5e-5;
  // A library splits a chain of dependent steps among its threads if one core takes longer than
  // `shared_above` seconds. Each step then costs up to `wait_in_library` OpenMP launches of waiting.
  double shared_above = 1e-4;
  double wait_in_library = 6;
  // Time of a GPU library call relative to a kernel written for the problem. Libraries are more general.
  double gpu_library_call = 1.4;
  // Time of the work of OpenACC code relative to CUDA code.
  double openacc_work = 1;
  // Cost of one wait, as a multiple of an ordinary wait: in a CPU sort; to merge per-thread tables; of loops
  // over 1-D arrays, each of which starts its own threads; of the rows of a grid, in one parallel region.
  double waits_of_sort = 0.25;
  double waits_of_tables = 0.7;
  double waits_of_loop = 2;
  double waits_of_grid = 0.8;
  // Seconds on a GPU per doubling of an item's dependency depth (its longest chain of dependent operations).
  double doubled_depth = 0.4e-6;
  // cudaMalloc serves arrays below a block from memory that it already holds. `cut_out` and `new_block` are
  // factors on the measured cost of smaller and larger arrays. `new_block` exceeds 1 because the ceiling
  // benchmark gets the same block again and again.
  double cut_out = 0.06;
  double new_block = 1.3;
  // Additional seconds of a launch that follows copies to the device.
  double first_launch = 8e-6;
  // With fewer strided steps through the arrays than this, a stride counts as random access.
  double fewest_steps = 64;
  // Number of diagonals of a grid that one tile covers.
  double tile = 32;
  // An item with fewer loads than this does not count as a sum.
  double least_sum = 8;
  // With at most this number of accesses per element, items share no data.
  double few_reads = 3;
  // With more loads per FLOP than this, some loads are array indices.
  double indexed = 1.1;
  // Largest number of operations per item and tree level in a recurrence.
  double most_of_a_level = 2;
  // Items with more operations than this have a reduction tree of their own.
  double own_tree = 3;
  // Time per element of a scan, relative to a term of a sum; `look_up_step` with dependent load addresses.
  double scan_step = 0.45;
  double look_up_step = 1;
  // An item that adds to a table (as in a histogram) costs as much as one term of a sum up to this number of
  // loads. With more loads, the cost is proportional to them.
  double table_loads = 2;
  // Neighbouring sums are vectorized together if the terms of each sum are at most this number of cache
  // lines apart.
  double lines_apart = 2;
  // Slowdown of a sum that several cores share: plain, with indexed loads, and into per-thread tables.
  double shared_terms = 1.5;
  double shared_gathers = 2.5;
  double shared_tables = 4.5;
  // Cost of a write to a position that depends on its value, as in a sort, relative to a term of a sum.
  double scattered_step = 4;
  // Cost of each further store of an item in a sort, relative to its scattered write.
  double goes_with_it = 0.5;

  // Of user kernels, whose traits are not known: measured over modelled time of a call, and the standard
  // deviation of its log. `counted`: the description counts operations. Otherwise it does not.
  double counted_serial = 3.7, counted_serial_deviation = 0.6;
  double counted_threads = 1.7, counted_threads_deviation = 0.9;
  double counted_gpu = 2.2, counted_gpu_deviation = 0.85;
  double uncounted_serial = 57, uncounted_serial_deviation = 2.2;
  double uncounted_threads = 5.3, uncounted_threads_deviation = 1.8;
  double uncounted_gpu = 2.3, uncounted_gpu_deviation = 0.85;
  // The same deviation of starting threads or a GPU, relative to that of their work.
  double start_error_of_threads = 0.5, start_error_of_gpu = 0.5;
  // Operations on a GPU that explain its work, compared with those that explain the time of serial code.
  // Waits and branches make serial code slower.
  double explained_on_gpu = 0.3;
  // The constants below are standard deviations of the logs of times. First: of threads and of a GPU, derived
  // from the time of serial code.
  double explained_threads_deviation = 0.5, explained_gpu_deviation = 0.7;
  // Of allocation and copies: by the model, and derived from those of other sizes.
  double copies_deviation = 0.3, fitted_copies_deviation = 0.12;
  double between_sessions = 0.04;  // of the same case in two sessions
  // Elements that an item accesses at most for a GPU's time to be known if items do not keep it busy.
  double most_of_an_item = 64;
  // Per factor of e between the asked size and the nearest measured one.
  double per_distance_on_cpu = 0.07, per_distance_on_gpu = 0.1;
};

// How a constant is fitted.
enum class ConstantKind : unsigned char { factor, share, of_user_kernels };

// One constant. A constant moves from its start only for a gain on several families of kernels. A share is at
// most 1. Constants of user kernels are fitted to kernels without traits.
struct ConstantLine {
  const char* name;
  double Constants::*value;
  ConstantKind kind;
};

std::span<const ConstantLine> constant_lines();

}  // namespace sextant::predict
