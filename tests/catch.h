// Catch2, whichever version is installed. Tests include this and nothing else of Catch2.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)  // v3
#include <catch2/catch_all.hpp>
#else  // v2
#include <catch2/catch.hpp>
#endif
