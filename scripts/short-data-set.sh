# Sourced by make-data-set --short, in the folder of the results. It measures in about ten minutes the cases
# that matter for a choice among options (serial, OpenMP, OpenACC, CUDA, libraries). Variants are left out if
# they are never the best of their option in data/set, or best by less than 15 %. C++ parallel algorithms and
# OpenMP offloading are left out because they are no option. Problems that take one core many seconds are left
# out, too.
# but MODEL NAMES [BEGINS]: prints an expression for all variants of MODEL except NAMES. With BEGINS, only for
# names that begin so.
but() { printf '%s' "(?!$1[.]($2)\$)$1[.]${3:-}.*"; }
options=$(but openmp 'atomic|buckets|columns|diagonals|flat|fork_each|fused|inscan|loops|one_.*|plain|recursive|seq.*|skewed|split_row|sweeps')
options+=,$(but openacc 'async.*|batches|coloured|data_region|deviceptr|diagonals|doubling|gang_(rows|seq.*|.*_v.*)' '[a-h]')
options+=,$(but openacc 'independent|kernels.*|libm|merge|plain|region_each|restrict|stages|sweeps?' '[i-z]')
options+=,$(but cuda 'atomics|base|batches|bitonic|block_tree|bulk_(roles|t.*)|cluster_row|coloured|constant|dependent.*|diagonals|doubling' '[a-d]')
options+=,$(but cuda 'radix|refill|s.*stack|scalar|skewed|split(_row)?|stages|states|stream|study|sweeps?|team|thread_row|tile_d.*|two_k.*|warp_row|z.*' '[r-z]')
# For nbody and nqueens. They have no CUDA variant with another first letter, and no library variant.
few=$options
options+=,$(but cuda 'enumerate|estrin|graph|hints|in_place|interleaved|ldg|naive_writes|online|pinned_overlap|queue' '[e-q]'),library[.].*
serial=$(but serial 'branchless|interleaved|iterative|online')
but_native=$(but serial 'branchless|interleaved|iterative|online|native')

quick=(--samples 3:12 --max-noise 5 --timeout 4s --visits 1 --no-ceilings)
part() { record "$1" "$sextant" "${quick[@]}" "${@:2}"; }

# Patterns with a serial variant that is faster than the baseline everywhere (better), all others (others),
# and slow patterns (long). The function `grown` measures patterns that take one core more than a second from
# about 100 000 elements on.
better='blackscholes,compact,conv2d,dfa_.*,fft1d,gemm_batched,histogram_skewed,horner,inclusive_scan,needleman_wunsch,sha256,softmax'
better+=',sort_.*,tridiagonal'
others='gather_.*,histogram_uniform,histogram_wide,pointer_chase,scatter_.*,segmented_.*,spmv_.*,transpose'
long='bfs_.*,viterbi,floyd_warshall,cholesky,mandelbrot,mesh_.*,map_chain'
patterns() {
  part patterns.sextant -k "$better" -v "$but_native,$options" "$@"
  part patterns.sextant -k "$others" -v "$serial,$options" "$@"
}
long_patterns() { part patterns.sextant -k "$long" -v "$serial,$options" "$@"; }
grown() { part patterns.sextant -k nbody,nqueens -v "$serial,$few" "$@"; }
kernels() { part kernels.sextant --suite kernels -v "$serial,$options" "$@"; }

# between LEFT_OUT SIZES: measures all kernels except LEFT_OUT at these sizes, in float. Kernels without float
# run in int.
between() {
  part between.sextant -k "(?!all_|npb_|$1).*" -v "$serial,$options" --type float -n "$2"
  part between.sextant -k "(?!$1)($whole)" -v "$serial,$options" --type int -n "$2"
}
whole='bfs_.*|dfa_.*|histogram_.*|mandelbrot|needleman_wunsch|nqueens|pointer_chase|sha256|sort_pairs|viterbi'
if [ -n "$sizes" ]; then
  size_of() {
    local found=
    for n in ${sizes//,/ }; do if [ "$n" -gt "$1" ] && [ "$n" -le "$2" ]; then found+=,$n; fi; done
    echo "${found#,}"
  }
  small=$(size_of 0 65536) middle=$(size_of 65536 2097152) large=$(size_of 2097152 1000000000000)
  [ -z "$small" ] || between '$' "$small"  # the empty pattern leaves out no kernel
  [ -z "$middle" ] || between 'nbody|nqueens' "$middle"
  [ -z "$large" ] || between "nbody|nqueens|${long//,/|}" "$large"
  exit 0
fi

# Measures kernels on part of this host's cores. Each set of cores gets its own ceilings (measured limits).
kernels_on_parts() {
  local count
  for count in 8 2 4 1; do
    [ "$count" -lt "$(nproc)" ] || continue
    on_cores "$count"
    record "kernels-$count-cores.sextant" "./on-$count-cores" --suite kernels \
      -v '(serial|openmp)[.].*' -d cpu --type float \
      --samples 3:6 --max-noise 5 --timeout 2s --visits 1 --no-transfers -n 65536,1489939
  done
  rm -f on-*-cores
}

patterns -n 65536,524288 --type float,int
long_patterns -n 65536,524288 --type float,int
grown -n 8192,65536 --type float,int
kernels -n 65536,524288 --type float
kernels_on_parts
patterns -n 8192,4194304 --type float,int
long_patterns -n 8192,1489939 --type float,int
kernels -n 8192,4194304 --type float
patterns -n 23281,186243,1489939 --type float,int
patterns -n 65536,524288 --type double
kernels -n 23281,186243,1489939 --type float
kernels -n 65536,524288 --type double
grown -n 2909,23281 --type float,int
long_patterns -n 23281,186243 --type float,int
patterns -n 11919497 --type float,int
kernels -n 8192,4194304,11919497 --type double
# The remaining ones of the twelve sizes.
patterns -n 90,360,1041,2909 --type float,int
long_patterns -n 90,360,1041,2909 --type float,int
kernels -n 90,360,1041,2909,11919497 --type float
