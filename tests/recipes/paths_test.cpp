// Expected values: PathUtils of ZooKeeper 3.8, and isValidPath of its C client.
#include "recipes/paths.h"

#include "catch.h"

using namespace lockstep::zk;

TEST_CASE("what a server takes for a path") {
  for (const char* valid : {"/", "/a", "/a/b", "/a b", "/.a", "/a..", "/...", "/锁/库存", "/ÿ", "/\xef\xbf\xaf"}) {
    CAPTURE(valid);
    CHECK(is_valid_path(valid));
  }
  for (const char* invalid :
       {"", "a", "/a/", "//", "/a//b", "/.", "/..", "/a/./b", "/a/../b", "/a/..", "/\x01", "/a\x1f", "/a\x7f",
        "/\xc2\x80", "/\xc2\x9f", "/\xee\x80\x80", "/\xef\xa3\xbf", "/\xef\xbf\xb0", "/\xf0\x9f\x94\x92"}) {
    CAPTURE(invalid);
    CHECK_FALSE(is_valid_path(invalid));
  }
}

TEST_CASE("what the C library lets pass that a server refuses, and the other way round") {
  for (const char* passed : {"/a\x1f", "/a\x7f", "/\xc2\x80", "/\xf0\x9f\x94\x92"}) {
    CAPTURE(passed);
    CHECK(is_valid_for_c(passed, false));
  }
  for (const char* refused : {"", "a", "/a/", "/a//b", "/.", "/..", "/a/./b", "/a/..", "/\x01", "/a\x1e"}) {
    CAPTURE(refused);
    CHECK_FALSE(is_valid_for_c(refused, false));
  }
  // A number is still to come.
  for (const char* sequential : {"/a/", "/a/.", "/a/.."}) {
    CAPTURE(sequential);
    CHECK(is_valid_for_c(sequential, true));
  }
  for (const char* refused : {"/a//", "//", "/./", "/a/../b"}) {
    CAPTURE(refused);
    CHECK_FALSE(is_valid_for_c(refused, true));
  }
}
