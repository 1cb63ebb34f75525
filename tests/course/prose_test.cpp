// Markup taken apart.
#include "course/prose.h"

#include "catch.h"

using namespace lockstep::course;

TEST_CASE("paragraphs and styles") {
  const auto paragraphs = paragraphs_of("A holds the **lock** and `write()`s.\n\n*Second*");
  REQUIRE(paragraphs.size() == 2);
  CHECK(paragraphs[0].spans ==
        std::vector<Span>{
            {"A holds the "}, {"lock", true}, {" and "}, {"write()", false, false, true}, {"s."}});
  CHECK(paragraphs[1].spans == std::vector<Span>{{"Second", false, true}});
}

TEST_CASE("lists, tight and nested, and code blocks") {
  const auto paragraphs = paragraphs_of("Text\n\n- one\n- two\n  1. deep\n\n```\na  b\nc\n```\n");
  REQUIRE(paragraphs.size() == 5);
  CHECK(paragraphs[1] == Paragraph{{{"one"}}, 1, "\u2022", false});
  CHECK(paragraphs[2].spans[0].text == "two");
  CHECK(paragraphs[3] == Paragraph{{{"deep"}}, 2, "1.", false});
  CHECK(paragraphs[4] == Paragraph{{{"a  b\nc", false, false, true}}, 0, "", true});
}

TEST_CASE("a line break within a paragraph is a space, and between Chinese characters nothing") {
  CHECK(paragraphs_of("one\ntwo")[0].spans[0].text == "one two");
  CHECK(paragraphs_of("会话\n过期")[0].spans[0].text == "会话过期");
}

TEST_CASE("what a panel cannot show is named") {
  CHECK_FALSE(markup_problem("**拒绝**。A 的*节点*，`write(a < b)`，lock-0000000041_x"));
  for (const char* text :
       {"# H", "> quote", "---", "[a](b)", "![a](b)", "a&nbsp;b", "**拒绝。**这", "a `b"}) {
    INFO(text);
    CHECK(markup_problem(text));
  }
  CHECK_FALSE(markup_problem("a <b> c"));  // Not HTML: shown as it stands.
}
