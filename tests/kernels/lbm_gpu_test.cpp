// The tests of lbm_test.cpp for the variants that need a GPU.
#define SEXTANT_TEST_GPU
#include "lbm_test.cpp"
