// The one main() that all test binaries share: Catch2 is slow to compile, so it is compiled once.
#if __has_include(<catch2/catch_session.hpp>)  // v3
#include <catch2/catch_session.hpp>
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#else  // v2
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
