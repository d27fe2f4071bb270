#define SEXTANT_TEST_GPU
#include "heat3d_test.cpp"
