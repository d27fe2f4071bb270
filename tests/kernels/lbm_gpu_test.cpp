// The same tests for the variants that need a GPU.
#define SEXTANT_TEST_GPU
#include "lbm_test.cpp"
