#include "rank/program.hpp"

int main(int count, char** arguments) { return sextant::rank_program(count, arguments); }
