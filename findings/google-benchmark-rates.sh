#!/usr/bin/env bash
# Google Benchmark divides bytes by processor time, so a call that waits for a GPU or for other threads looks many times
# faster than it is. SetBytesProcessed and every rate counter use the processor time of the main thread.
# Here 1 MB in 10 ms of waiting is 0.1 GB/s, but the report shows many times that. The time in the same row is right.
# Why it matters: such rates are compared with a ceiling, and exceed it.
# Instead: UseRealTime(), or UseManualTime() with the device's time. The row's name then ends in /real_time.
# Versions: libbenchmark1debian and libbenchmark-dev 1.7.1-1.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libbenchmark1debian=1.7.1-1 libbenchmark-dev=1.7.1-1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)

cat > waits.cpp << 'END'
#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>
static void waits(benchmark::State& state) {  // as a host does while a kernel runs
  for (auto _ : state) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  state.SetBytesProcessed(state.iterations() * 1000000);
}
BENCHMARK(waits)->Iterations(10);
BENCHMARK(waits)->Iterations(10)->UseRealTime();
BENCHMARK_MAIN();
END
g++ -O1 -I"$folder/root/usr/include" waits.cpp -o waits -L"$lib" -lbenchmark -pthread -Wl,-rpath,"$lib"
./waits --benchmark_format=json 2> log > rows.json
echo "Google Benchmark 1.7.1, 1 MB a call, calls of 10 ms that wait:"
awk -F': |,' '
  /"name"/ { name = $2 }
  /"real_time"/ { time = $2 }
  /"bytes_per_second"/ {
    printf "%s: %.1f ms a call, %.2f GB/s reported, %.2f GB/s by that time\n", name, time / 1e6, $2 / 1e9, 1e6 / time
  }
' rows.json
awk -F': |,' '
  /"real_time"/ { time = $2 }
  /"bytes_per_second"/ { ratio[++rows] = $2 * time / 1e15 }
  END { exit !(rows == 2 && ratio[1] > 3 && ratio[2] > 0.99 && ratio[2] < 1.01) }
' rows.json || changed "the plain rate is no longer several times too high, or the one by real time is not right"
echo "as stated: the plain rate is of processor time"
