# Sourced by make-data-set --short, in the folder of the results: what a choice among the options asks for, in some ten minutes.
# Left out are variants that were the best of their option nowhere in data/set, C++'s algorithms and OpenMP's offloading, which are
# no option, and problems that one core takes many seconds for.
but() { printf '%s' "(?!$1[.]($2)\$)$1[.].*"; }  # MODEL NAMES: all variants of it but these
options=$(but openmp 'atomic|fork_each|queues|columns|enumerate|diagonals|split_row|plain|dynamic|inscan|sequences')
options+=,$(but openacc 'async|coloured|data_.*|diagonals|doubling|independent|kernels.*|libm|plain|restrict|sweeps?|thread')
options+=,$(but cuda 'base|block.*e|cluster_row|coloured|diagonals|doubling|ldg|p.*overlap|plain|queue|radix|refill|s.*stack|split_row|stages|states|sweeps?|team|thread_row|tile_d.*|z_.*|zero.*')
options+=',library[.].*'
serial=$(but serial 'branchless|online')
but_native=$(but serial 'branchless|online|native')

quick=(--samples 3:12 --max-noise 5 --timeout 4s --no-repeats --no-ceilings)
part() { record "$1" "$sextant" "${quick[@]}" "${@:2}"; }

# Patterns of which serial code has a form that is faster everywhere, and the others; then those that take long; then those that
# one core takes more than a second for from some 100 000 elements on.
better='blackscholes,compact,conv2d,dfa_.*,fft1d,gemm_batched,histogram_skewed,horner,inclusive_scan,needleman_wunsch,sha256,softmax'
better+=',sort_.*,tridiagonal'
others='gather_.*,histogram_uniform,histogram_wide,pointer_chase,scatter_.*,segmented_.*,spmv_.*,transpose'
long='bfs_.*,viterbi,floyd_warshall,cholesky,mandelbrot,mesh_.*,map_chain'
patterns() {
  part patterns.sextant -k "$better" -v "$but_native,$options" "$@"
  part patterns.sextant -k "$others" -v "$serial,$options" "$@"
}
long_patterns() { part patterns.sextant -k "$long" -v "$serial,$options" "$@"; }
grown() { part patterns.sextant -k nbody,nqueens -v "$serial,${options%,library*}" "$@"; }  # no library has them
kernels() { part kernels.sextant --suite kernels -v "$serial,$options" "$@"; }

# Parts of this host, each with ceilings of its own.
kernels_on_parts() {
  local count
  for count in 8 2 4 1; do
    on_cores "$count"
    record "kernels-$count-cores.sextant" "./on-$count-cores" --suite kernels -v '(serial|openmp)[.].*' -d cpu --type float \
      --samples 3:6 --max-noise 5 --timeout 2s --no-repeats --no-transfers -n 65536,1489939
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
