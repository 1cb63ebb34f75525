#include "trace/pack.h"

#include <limits>

#include "catch.h"

using namespace lockstep::trace;

namespace {

Unpacker reader(const Packer& packer) {
  return Unpacker({.begin = packer.data(), .end = packer.data() + packer.size()});
}

}  // namespace

TEST_CASE("numbers of any size are read as they were written, small ones in one byte") {
  Packer packer;
  const int64_t numbers[] = {0,
                             -1,
                             1,
                             63,
                             -64,
                             64,
                             300,
                             std::numeric_limits<int64_t>::max(),
                             std::numeric_limits<int64_t>::min()};
  for (const int64_t number : numbers) packer.put_signed(number);
  packer.put_number(std::numeric_limits<uint64_t>::max());
  Unpacker unpacker = reader(packer);
  for (const int64_t number : numbers) REQUIRE(unpacker.signed_number() == number);
  REQUIRE(unpacker.number() == std::numeric_limits<uint64_t>::max());
  REQUIRE(unpacker.done());

  Packer small;
  small.put_signed(-64);
  REQUIRE(small.size() == 1);
}

TEST_CASE("a string that a record has had already costs a reference, however many there are") {
  Packer packer;
  const std::string path = "/locks/sku-1/_c_guid-lock-0000000001";
  packer.put_string(path);
  const size_t once = packer.size();
  packer.put_string(path);
  REQUIRE(packer.size() <= once + 3);
  // More different strings than are remembered.
  for (int i = 0; i < 40; ++i) packer.put_string(path + std::to_string(i));
  packer.put_string("");
  packer.put_string("abc");
  packer.put_string(path);
  packer.put_string(path + "39");

  Unpacker unpacker = reader(packer);
  REQUIRE(unpacker.string() == path);
  REQUIRE(unpacker.string() == path);
  for (int i = 0; i < 40; ++i) REQUIRE(unpacker.string() == path + std::to_string(i));
  REQUIRE(unpacker.string().empty());
  REQUIRE(unpacker.string() == "abc");
  REQUIRE(unpacker.string() == path);
  REQUIRE(unpacker.string() == path + "39");
  REQUIRE(unpacker.done());
}

TEST_CASE("a record refers to nothing before it") {
  Packer packer;
  packer.put_string("/locks/sku-1");
  packer.clear();
  packer.put_string("/locks/sku-1");
  REQUIRE(reader(packer).string() == "/locks/sku-1");
  packer.forget_strings();
  const size_t before = packer.size();
  packer.put_string("/locks/sku-1");
  REQUIRE(packer.size() == 2 * before);
}
