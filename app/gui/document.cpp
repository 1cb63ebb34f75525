#include "gui/document.h"

#include <algorithm>
#include <set>

#include "course/opening.h"

namespace lockstep::gui {

using scenario::Result;

Document::Document(std::string file, std::unique_ptr<Tape> tape)
    : file_(std::move(file)), scenario_(tape->scenario()), tape_(std::move(tape)) {}

Result<std::unique_ptr<Document>> Document::open(const std::string& path) {
  Result<course::Opened> opened = course::open_file(path);
  if (!opened) return opened.problems();
  course::Opened& what = opened.value();
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

std::vector<std::string> Document::joined() const {
  const auto& clients = scenario().clients;
  std::vector<std::string> ids;
  if (snapshot().clients.size() == clients.size()) return ids;
  std::set<std::string_view> known;
  for (const scenario::ClientSpec& client : clients) known.insert(client.id);
  for (const auto& [id, row] : snapshot().clients) {
    if (known.count(id) == 0) ids.push_back(id);
  }
  return ids;
}

int32_t Document::number_of(const std::string& client) const {
  const auto& clients = scenario().clients;
  for (size_t i = 0; i < clients.size(); ++i) {
    if (clients[i].id == client) return static_cast<int32_t>(i);
  }
  const std::vector<std::string> others = joined();
  const auto found = std::find(others.begin(), others.end(), client);
  if (found == others.end()) return -1;
  return static_cast<int32_t>(clients.size()) + static_cast<int32_t>(found - others.begin());
}

}  // namespace lockstep::gui
