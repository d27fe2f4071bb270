#!/usr/bin/env python3
"""Tests that Clang, with the flags of this build, keeps the barrier before threads read the state of their team.

    target_barriers_test.py COMPILER FLAG...

The first thread of a team stores this state in shared memory. LLVM 16 removes the barrier from a kernel if nothing else in its file
needs one. Warps that arrive early then read old contents of the shared memory, and may skip their iterations.
docs/reference/target.md has the details.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

REGION = """
void copy(long n, const double* b, double* c) {
#pragma omp target teams distribute parallel for map(to : b [0:n]) map(from : c [0:n])
  for (long i = 0; i < n; ++i) c[i] = b[i];
}
"""


def unguarded(code):
    """Returns the kernels that branch between the store of the team's state and a barrier and read it later, and the number of kernels."""
    names, kernels, state = [], 0, None
    for line in code.splitlines():
        entry = re.search(r"\.entry (\w+)", line)
        if entry:
            name, state, kernels = entry.group(1), "begun", kernels + 1
        elif state == "begun" and "st.shared" in line and "TeamState" in line:
            state = "stored"
        elif state == "stored" and "bar.sync" in line:
            state = None
        elif state == "stored" and re.search(r"\bbra\b", line):
            state = "early"
        elif state == "early" and "ld.shared" in line and "TeamState" in line:
            names.append(name)
            state = None
    return names, kernels


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "region.cpp"
        source.write_text(REGION)
        subprocess.run([*sys.argv[1:], "-save-temps", "-c", source.name, "-o", "region.o"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        codes = list(pathlib.Path(folder).glob("*nvptx*.s"))
        for code in codes:
            names, kernels = unguarded(code.read_text())
            if kernels == 0 or names:
                sys.exit(f"{code.name}: {kernels} kernels, without the barrier: {names}")
        if not codes:
            sys.exit("the compiler left no code for a GPU")


if __name__ == "__main__":
    main()
