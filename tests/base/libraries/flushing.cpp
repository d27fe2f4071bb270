// A library linked with -ffast-math. GCC's and Clang's start-up code then makes the loading thread flush
// denormal numbers to zero.
extern "C" float halved(float value) { return value / 2; }
