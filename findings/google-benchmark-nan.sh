#!/usr/bin/env bash
# A counter that is 0 in all repetitions makes Google Benchmark's whole JSON file invalid.
# Repetitions add a row with the coefficient of variation, which is 0 / 0 for that counter. The file then has the word
# NaN without quotes, which is not JSON. SQLite and nlohmann's library refuse the file, and jq prints null.
# Why it matters: counters of allocations, misses or retries are 0 when all is well. A run of hours then ends in a file
# that some readers refuse as a whole. A short test with one repetition does not show it.
# Instead: replace the word NaN by null before the file is read. Test the readers with a file of several repetitions.
# Versions: libbenchmark1debian and libbenchmark-dev 1.7.1-1, sqlite3 3.40.1-2+deb12u2, nlohmann-json3-dev 3.11.2-2,
# jq 1.6-2.1+deb12u3.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libbenchmark1debian=1.7.1-1 libbenchmark-dev=1.7.1-1 nlohmann-json3-dev=3.11.2-2 jq=1.6-2.1+deb12u3
          libjq1=1.6-2.1+deb12u3 libonig5=6.9.8-1 sqlite3=3.40.1-2+deb12u2 libsqlite3-0=3.40.1-2+deb12u2
          libreadline8=8.2-1.3)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
triple=$(gcc -print-multiarch)
lib=$folder/root/usr/lib/$triple
export LD_LIBRARY_PATH=$lib:$folder/root/lib/$triple
unset "${!BENCHMARK_@}"

cat > counts.cpp << 'END'
#include <benchmark/benchmark.h>
static void counts(benchmark::State& state) {
  int sum = 0;
  for (auto _ : state) benchmark::DoNotOptimize(++sum);
  state.counters["retries"] = 0;
}
BENCHMARK(counts)->Iterations(10);
BENCHMARK_MAIN();
END
cat > parse.cpp << 'END'
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
int main(int, char** words) {
  std::ifstream file(words[1]);
  std::cout << (nlohmann::json::accept(file) ? "accepted" : "refused") << '\n';
}
END
g++ -O1 -I"$folder/root/usr/include" counts.cpp -o counts -L"$lib" -lbenchmark -pthread
g++ -O0 -std=c++17 -I"$folder/root/usr/include" parse.cpp -o parse
values() {  # of the counter, each with its number of rows
  awk '/"retries"/ { print $2 }' "$1" | LC_ALL=C sort | uniq -c |
    awk '{ printf("%s%s of %s", NR > 1 ? ", " : "", $1, $2) }'
}
readers() {  # of a file
  echo "  it has:           $(values "$1")"
  echo "  jq 1.6 prints:    $(root/usr/bin/jq -r '[.benchmarks[].retries | tostring] | unique | join(", ")' "$1")"
  echo "  nlohmann 3.11.2:  $(./parse "$1")"
  echo "  SQLite 3.40.1:    $(root/usr/bin/sqlite3 -init /dev/null :memory: \
    "SELECT iif(json_valid(CAST(readfile('$1') AS TEXT)), 'accepted', 'refused')")"
}
./counts --benchmark_out=one.json > log 2>&1
./counts --benchmark_repetitions=3 --benchmark_out=three.json > log 2>&1
sed 's/: NaN/: null/' three.json > replaced.json
{
  echo "the file of one repetition" && readers one.json
  echo "the file of three repetitions" && readers three.json
  echo "the same with null instead of NaN" && readers replaced.json
} | tee found
diff found - << 'END' || changed "the file or its readers are others"
the file of one repetition
  it has:           1 of 0.0000000000000000e+00
  jq 1.6 prints:    0
  nlohmann 3.11.2:  accepted
  SQLite 3.40.1:    accepted
the file of three repetitions
  it has:           6 of 0.0000000000000000e+00, 1 of NaN
  jq 1.6 prints:    0, null
  nlohmann 3.11.2:  refused
  SQLite 3.40.1:    refused
the same with null instead of NaN
  it has:           6 of 0.0000000000000000e+00, 1 of null
  jq 1.6 prints:    0, null
  nlohmann 3.11.2:  accepted
  SQLite 3.40.1:    accepted
END
echo "as stated: a counter of 0 makes the file of three repetitions invalid"
