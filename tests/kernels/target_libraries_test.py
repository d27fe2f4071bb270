#!/usr/bin/env python3
"""Tests that a program built by Clang asks LLVM's runtime for GPUs: target_libraries_test.py PROGRAM

LLVM's omp_get_num_devices (in libomp) calls the function of the same name in the next library. That library must be libomptarget.
GCC's libgomp, which host libraries load, does not know the GPUs of LLVM's runtime.
"""
import re
import subprocess
import sys

loaded = re.findall(r"^\s+(\S+)", subprocess.run(["ldd", sys.argv[1]], check=True, capture_output=True, text=True).stdout, re.M)
order = [name.split(".so")[0] for name in loaded if re.match(r"lib(omp|omptarget|gomp)\.so", name)]
if order[:2] != ["libomp", "libomptarget"]:
    sys.exit(f"{sys.argv[1]} loads {', '.join(order)}: libomp and libomptarget must come first")
