// The command `dither`.
#include "cli/program.h"

int main(int argc, char** argv) { return dither::cli::run_program({argv + 1, argv + argc}); }
