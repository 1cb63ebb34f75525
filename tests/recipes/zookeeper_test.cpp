#include "recipes/zookeeper.h"

#include "catch.h"

using namespace lockstep;

namespace {

/// The number, or 42 if the name has none (42 itself is not used below).
int32_t number_in(const std::string& name) {
  int32_t number = 0;
  return zk::sequence_of(name, number) ? number : 42;
}

}  // namespace

TEST_CASE("a sequence number is read as the signed integer that the server wrote") {
  CHECK(number_in("lock-0000000000") == 0);
  CHECK(number_in("lock-0000000041") == 41);
  CHECK(number_in("_c_89da6056-e7d2-6c44-809a-691e77588686-lock-0000000007") == 7);
  CHECK(number_in("lock-2147483647") == 2147483647);
  // Past the end, as %010d prints it: the sign counts in the width.
  CHECK(number_in("lock--2147483648") == -2147483647 - 1);
  CHECK(number_in("lock--000000001") == -1);
  CHECK(number_in("x-2147483648") == -2147483647 - 1);  // cannot be anything else
  CHECK(number_in("abc__lock__0000000012") == 12);      // kazoo
  CHECK(number_in("x-72057594037927936-0000000003") == 3);
}

TEST_CASE("what has no sequence number is said to have none") {
  CHECK(number_in("") == 42);
  CHECK(number_in("lock-") == 42);
  CHECK(number_in("leader") == 42);
  CHECK(number_in("lock-123") == 42);
  CHECK(number_in("lock-9999999999") == 42);  // beyond 32 bits
}

TEST_CASE("suffixes are those of printf") {
  CHECK(zk::sequence_suffix(0) == "0000000000");
  CHECK(zk::sequence_suffix(2147483647) == "2147483647");
  CHECK(zk::sequence_suffix(-1) == "-000000001");
  CHECK(zk::sequence_suffix(-2147483647 - 1) == "-2147483648");
}

TEST_CASE("paths come apart into parent and name") {
  CHECK(zk::parent_of("/locks/a/b") == "/locks/a");
  CHECK(zk::parent_of("/locks") == "/");
  CHECK(zk::name_in("/locks/a/b") == "b");
}
