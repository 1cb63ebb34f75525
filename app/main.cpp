// The command line.
#include <cstdio>

int main() { std::puts("lockstep " LOCKSTEP_VERSION); }
