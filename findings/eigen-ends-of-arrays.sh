#!/usr/bin/env bash
# Eigen's square root of infinity is not a number, and exp(-infinity) is not 0, except in the last elements of an array.
# Whole vectors are computed by Eigen's own approximations, and the elements after them by the C library. Of 19 equal
# floats, 16 have one result and the last 3 the other. EIGEN_FAST_MATH is 1 unless it is set. Its manual says that this
# "might affect the accuracy" of sin, cos and sqrt. exp and log differ with EIGEN_FAST_MATH=0, too: exp has a least
# result above 0, and log takes subnormal numbers for the smallest normal one.
# Why it matters: results depend on the array's length, on how its loop is divided among threads and on -march. A mask
# of -infinity before exp leaves entries above 0. Tests with short arrays pass, since these have no whole vector.
# Instead: EIGEN_FAST_MATH=0 for sqrt, and select() for elements that exp should make 0.
# Versions: libeigen3-dev 3.4.0-4, g++ 12.2.0 (checked below), compiled for any x86-64. With AVX2 it is the same.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
[ "$(uname -m)" = x86_64 ] || missing "the vectors here are those of x86-64"
g++ --version | head -n 1 | grep -qF ' 12.2.0' || missing "g++ is not version 12.2.0"
apt-get -qq download libeigen3-dev=3.4.0-4 > log 2>&1 || missing "Debian 12's libeigen3-dev 3.4.0 is not to be had"
dpkg -x libeigen3-dev*.deb root

cat > ends.cpp << 'END'
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
template <typename T, typename Function>
static void show(const char* name, T value, const Function& function) {
  const Eigen::Array<T, Eigen::Dynamic, 1> x = Eigen::Array<T, Eigen::Dynamic, 1>::Constant(19, value), y = function(x);
  std::printf("  %-20s %12.6g %12.6g\n", name, std::fabs(double(y[0])), std::fabs(double(y[18])));
}
int main() {
  show("sqrt(inff)", INFINITY, [](const auto& x) { return x.sqrt().eval(); });
  show("sqrt(1e-40f)", 1e-40f, [](const auto& x) { return x.sqrt().eval(); });
  show("exp(-inff)", -INFINITY, [](const auto& x) { return x.exp().eval(); });
  show("exp(-inf)", double(-INFINITY), [](const auto& x) { return x.exp().eval(); });
  show("-log(1e-40f)", 1e-40f, [](const auto& x) { return x.log().eval(); });
}
END
g++ -O2 -march=x86-64 -I"$folder/root/usr/include/eigen3" ends.cpp -o ends
g++ -O2 -march=x86-64 -I"$folder/root/usr/include/eigen3" -DEIGEN_FAST_MATH=0 ends.cpp -o ends-0
{
  echo "Eigen 3.4.0, first and last of 19 equal elements"
  ./ends
  echo "Eigen 3.4.0, EIGEN_FAST_MATH=0"
  ./ends-0
} | tee found
diff found - << 'END' || changed "other elements differ"
Eigen 3.4.0, first and last of 19 equal elements
  sqrt(inff)                    nan          inf
  sqrt(1e-40f)                    0  9.99997e-21
  exp(-inff)            2.93827e-39            0
  exp(-inf)            5.55553e-309            0
  -log(1e-40f)              87.3365      92.1034
Eigen 3.4.0, EIGEN_FAST_MATH=0
  sqrt(inff)                    inf          inf
  sqrt(1e-40f)          9.99997e-21  9.99997e-21
  exp(-inff)            2.93827e-39            0
  exp(-inf)            5.55553e-309            0
  -log(1e-40f)              87.3365      92.1034
END
echo "as stated: equal elements have other results at the end of the array"
