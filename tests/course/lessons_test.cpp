// The lessons themselves: every claim holds, every variant breaks what it says, in both languages.
#include <filesystem>
#include <sstream>

#include "catch.h"
#include "course/check.h"
#include "course/evidence.h"
#include "course/reading.h"
#include "course/report_table.h"
#include "play/run.h"
#include "scenario/reading.h"

using namespace lockstep;
using namespace lockstep::course;

namespace {

std::vector<std::string> files() {
  const auto found = lesson_files(scenario::data_folder() + "/lessons");
  REQUIRE(found.ok());
  return found.value();
}

/// U+4E00 to U+9FFF, or Chinese punctuation and full-width forms.
bool has_chinese(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xe3 && byte <= 0xef) return true;
  }
  return false;
}

void check_languages(const Text& text) {
  INFO(text.en);
  CHECK_FALSE(has_chinese(text.en));
  CHECK(text.zh.find("  ") == std::string::npos);
}

}  // namespace

TEST_CASE("every lesson passes") {
  const CourseReport report = check_all(files());
  std::ostringstream table;
  write_report(report, trace::Language::kEn, table);
  for (const scenario::Problem& problem : report.unreadable) UNSCOPED_INFO(describe(problem));
  INFO(table.str());
  CHECK(report.passed());
}

TEST_CASE("lessons are named by their ids, and their texts are in the right language") {
  for (const std::string& file : files()) {
    INFO(file);
    const auto lesson = load_lesson(file);
    REQUIRE(lesson.ok());
    const Lesson& one = lesson.value();
    CHECK(std::filesystem::path(file).filename().string().rfind(one.id + "-", 0) == 0);
    CHECK(has_chinese(one.summary.zh));
    check_languages(one.title);
    check_languages(one.summary);
    for (const Text& text : one.objectives) check_languages(text);
    for (const Claim& claim : one.claims) check_languages(claim.text);
    for (const Variant& variant : one.variants) check_languages(variant.title);
    for (const Beat& beat : one.beats) {
      CHECK(has_chinese(beat.text.zh));
      check_languages(beat.text);
      if (!beat.predict) continue;
      check_languages(beat.predict->ask);
      check_languages(beat.predict->why);
      for (const Option& option : beat.predict->options) check_languages(option.text);
    }
  }
}

TEST_CASE("a text speaks of watches and arrows once they are set") {
  constexpr int32_t kWait = 6;  // the line at which a waiter's watch is set
  int spoken = 0;
  for (const std::string& file : files()) {
    const auto lesson = std::make_shared<const Lesson>(load_lesson(file).value());
    const trace::Trace trace = play::play_to_end(lesson->scenario);
    Evidence evidence(lesson, {});
    evidence.read(trace, true);
    for (size_t i = 0; i < lesson->beats.size(); ++i) {
      const std::string& text = lesson->beats[i].text.en;
      const bool speaks = text.find(" watches ") != std::string::npos ||
                          text.find("arrows") != std::string::npos;
      if (!speaks || !evidence.beat_at(i)) continue;
      INFO(file << " " << text);
      ++spoken;
      const trace::Snapshot snapshot = trace.snapshot(*evidence.beat_at(i));
      for (const auto& [id, client] : snapshot.clients) {
        if (client.belief == trace::Belief::kWaiting) CHECK(client.line == kWait);
      }
    }
  }
  CHECK(spoken >= 2);
}
