#include "gui/document.h"

#include <nlohmann/json.hpp>

#include <sstream>

#include "course/reading.h"
#include "scenario/reading.h"
#include "trace/json.h"

namespace lockstep::gui {
namespace {

using scenario::Result;

/// A trace's first line is an object of its own, a scenario's file is one object.
bool is_trace(const std::string& bytes) {
  const size_t line = bytes.find('\n');
  const size_t mark = bytes.find("\"lockstep_trace\"");
  return mark != std::string::npos && mark < line;
}

struct Opened {
  scenario::Scenario scenario;
  std::shared_ptr<const course::Lesson> lesson;
  std::optional<trace::Trace> recorded;
};

Result<Opened> read(const std::string& path) {
  const Result<std::string> bytes = scenario::read_file(path);
  if (!bytes) return bytes.problems();
  if (is_trace(bytes.value())) {
    std::istringstream in(bytes.value());
    Result<trace::Trace> recorded = trace::read_json_lines(in, path);
    if (!recorded) return recorded.problems();
    Opened opened;
    opened.scenario = recorded.value().header().scenario;
    opened.recorded = std::move(recorded.value());
    return opened;
  }
  const Result<nlohmann::json> json = scenario::parse_json(bytes.value(), path);
  if (!json) return json.problems();
  if (course::is_lesson(json.value())) {
    Result<course::Lesson> lesson = course::lesson_from_json(json.value(), path);
    if (!lesson) return lesson.problems();
    Opened opened;
    opened.lesson = std::make_shared<const course::Lesson>(std::move(lesson.value()));
    opened.scenario = opened.lesson->scenario;
    return opened;
  }
  Result<scenario::Scenario> scenario = scenario::scenario_from_json(json.value(), path, "");
  if (!scenario) return scenario.problems();
  return Opened{.scenario = std::move(scenario.value())};
}

}  // namespace

Document::Document(std::string file, std::unique_ptr<Tape> tape)
    : file_(std::move(file)), scenario_(tape->scenario()), tape_(std::move(tape)) {}

Result<std::unique_ptr<Document>> Document::open(const std::string& path) {
  Result<Opened> opened = read(path);
  if (!opened) return opened.problems();
  Opened& what = opened.value();
  play::Run run = what.recorded ? play::Run(std::move(*what.recorded)) : play::Run(what.scenario);
  std::unique_ptr<Document> document(new Document(path, tape_of(std::move(run))));
  document->lesson_ = std::move(what.lesson);
  if (document->lesson_) document->session_.emplace(document->lesson_, std::nullopt);
  document->refresh();
  return document;
}

std::string Document::id() const { return lesson_ ? lesson_->id : std::string(); }

std::string Document::title(bool chinese) const {
  if (lesson_) return lesson_->title.in(chinese);
  return scenario_.name.empty() ? file_ : scenario_.name;
}

World Document::world() const {
  switch (trace().header().source) {
    case trace::Source::kSimulated:
      return tape_->branches().front().name == "recorded" ? World::kRecorded : World::kSimulated;
    case trace::Source::kExplored: return World::kExplored;
    case trace::Source::kLive:
    case trace::Source::kSampled: return live_ ? World::kLive : World::kRecorded;
  }
  return World::kSimulated;
}

void Document::refresh() {
  const Seen now = {tape_->branch(), tape_->position(), trace().size(), tape_->ended()};
  if (seen_ == now) return;
  if (now.branch != seen_.branch || now.events < index_.events()) index_.reset();
  index_.extend(trace());
  seen_ = now;
  event_.reset();
  if (now.position != trace::kNoEvent) event_ = trace().event(now.position);
  facts_ = trace::facts_of(snapshot(), trace().lock_path());
  if (session_ && tape_->run() != nullptr) {
    session_->follow(*tape_->run());
    session_->catch_up();
  }
  ++revision_;
}

std::optional<size_t> Document::variant() const {
  return session_ ? session_->variant() : std::nullopt;
}

void Document::play_variant(std::optional<size_t> variant) {
  if (!lesson_) return;
  session_.emplace(lesson_, variant);
  scenario_ = session_->scenario();
  play_simulated();
}

std::optional<scenario::Problem> Document::play_live() {
  Result<std::unique_ptr<Tape>> tape = live_tape(scenario_);
  if (!tape) return tape.problems().front();
  session_.reset();
  tape_ = std::move(tape.value());
  live_ = true;
  seen_ = {};
  refresh();
  return std::nullopt;
}

void Document::play_simulated() {
  if (lesson_ && !session_) session_.emplace(lesson_, std::nullopt);
  if (session_) scenario_ = session_->scenario();
  tape_ = tape_of(play::Run(scenario_));
  live_ = false;
  seen_ = {};
  refresh();
}

int32_t Document::number_of(const std::string& client) const {
  const auto& clients = scenario_.clients;
  for (size_t i = 0; i < clients.size(); ++i) {
    if (clients[i].id == client) return static_cast<int32_t>(i);
  }
  return -1;
}

}  // namespace lockstep::gui
