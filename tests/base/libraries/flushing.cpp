// A library that is linked with -ffast-math: GCC's and Clang's start-up code for it makes the thread that
// loads it flush small numbers.
extern "C" float halved(float value) { return value / 2; }
