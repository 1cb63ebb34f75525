#include "commands.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <unistd.h>

#include "course/check.h"
#include "course/opening.h"
#include "course/reading.h"
#include "course/report_table.h"
#include "export/draw.h"
#include "export/pango_measure.h"
#include "export/picture.h"
#include "play/run.h"
#include "scenario/reading.h"
#include "trace/json.h"

#if LOCKSTEP_WITH_LIVE
#include "live/live.h"
#endif

namespace lockstep {
namespace {

using scenario::Problem;
using scenario::Result;

/// Where machine output goes: a file that is complete or not there, or stdout.
class Sink {
 public:
  explicit Sink(std::string path) : path_(std::move(path)), part_(path_ + ".part") {}

  template <class Write>
  [[nodiscard]] std::vector<Problem> write(Write&& write) {
    if (path_.empty()) {
      write(std::cout);
      std::cout.flush();
      return std::cout ? std::vector<Problem>{} : complaint("stdout", "cannot be written to; was it closed?");
    }
    {
      std::ofstream file(part_, std::ios::binary);
      if (!file) return complaint(path_, "cannot be written; does its folder exist, and may you write there?");
      write(file);
      file.flush();
      if (!file) return complaint(path_, "could not be written to its end; is the disk full?");
    }
    if (std::rename(part_.c_str(), path_.c_str()) == 0) return {};
    std::remove(part_.c_str());
    return complaint(path_, "cannot be replaced; is it a folder?");
  }

 private:
  static std::vector<Problem> complaint(const std::string& file, const std::string& message) {
    Problem problem;
    problem.file = file;
    problem.message = message;
    problem.kind = scenario::ProblemKind::kEnvironment;
    return {problem};
  }

  std::string path_;
  std::string part_;
};

Problem bad_argument(const std::string& argument, const std::string& message) {
  Problem problem;
  problem.file = argument;
  problem.message = message;
  return problem;
}

#if LOCKSTEP_WITH_LIVE
Result<trace::Trace> play_for_real(const scenario::Scenario& scenario, const LiveTarget& target) {
  live::LiveOptions options;
  options.servers = target.servers;
  options.connect = target.connect;
  if (isatty(STDERR_FILENO) != 0) {
    options.on_event = [](const trace::Trace& trace, int64_t index) {
      std::cerr << "\r" << trace::time_text(trace.time_at(index)) << "  " << index + 1 << " events " << std::flush;
    };
  }
  Result<trace::Trace> played = live::play_live(scenario, options);
  if (options.on_event) std::cerr << "\n";
  return played;
}
#else
Result<trace::Trace> play_for_real(const scenario::Scenario&, const LiveTarget&) {
  Problem problem;
  problem.file = "--backend live";
  problem.message =
      "this program was built without real ZooKeeper; install libzookeeper-mt-dev, libsqlite3-dev and "
      "libasio-dev, and build again with app/run";
  problem.kind = scenario::ProblemKind::kEnvironment;
  return problem;
}
#endif

/// The trace that a command is about: played now, or read from the file.
Result<trace::Trace> trace_of(course::Opened& opened, const PlayCommand& command) {
  if (opened.recorded) {
    if (!command.variant.empty() || command.seed || command.backend == Backend::kLive) {
      return bad_argument(opened.file, "is a trace, which has happened already: it takes no --variant, --seed or "
                                       "--backend; play its scenario instead");
    }
    return std::move(*opened.recorded);
  }
  Result<scenario::Scenario> scenario = course::scenario_of(opened, command.variant);
  if (!scenario) return scenario.problems();
  if (command.seed) scenario.value().seed = *command.seed;
  if (command.backend == Backend::kLive) return play_for_real(scenario.value(), command.live);
  std::string reason;
  trace::Trace trace = play::play_to_end(scenario.value(), &reason);
  std::cerr << reason << ": " << trace.size() << " events\n";
  return trace;
}

bool parse_seconds(const std::string& text, TimeUs& time) {
  if (text.size() < 2 || text.back() != 's') return false;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() - 1 || !(seconds >= 0) || seconds > 1e9) return false;
  time = static_cast<TimeUs>(seconds * static_cast<double>(kSecond));
  return true;
}

/// The event that --at names.
Result<int64_t> event_at(const trace::Trace& trace, const std::string& at) {
  const int64_t last = trace.size() - 1;
  if (at.empty() || at == "end") return last;
  TimeUs time = 0;
  if (parse_seconds(at, time)) return trace.index_at(time);
  char* end = nullptr;
  const int64_t index = std::strtoll(at.c_str(), &end, 10);
  if (*end != '\0' || index < trace::kNoEvent || index > last) {
    return bad_argument("--at " + at, "expected an event from -1 (the start) to " + std::to_string(last) +
                                          ", \"end\", or a time like 8.5s");
  }
  return index;
}

}  // namespace

int complain(const std::vector<Problem>& problems) {
  int code = kExitInput;
  for (const Problem& problem : problems) {
    std::cerr << "lockstep: " << scenario::describe(problem) << "\n";
    if (problem.kind == scenario::ProblemKind::kEnvironment) code = kExitEnvironment;
  }
  return code;
}

int play_command(const PlayCommand& command) {
  Result<course::Opened> opened = course::open_file(command.file);
  if (!opened) return complain(opened.problems());
  const Result<trace::Trace> trace = trace_of(opened.value(), command);
  if (!trace) return complain(trace.problems());
  Sink sink(command.out);
  const std::vector<Problem> problems = sink.write([&](std::ostream& out) {
    switch (command.format) {
      case Output::kText: trace::write_text(trace.value(), command.language, out); return;
      case Output::kJson: trace::write_json_lines(trace.value(), out); return;
    }
  });
  return problems.empty() ? kExitDone : complain(problems);
}

int check_command(const CheckCommand& command) {
  std::vector<std::string> files = command.files;
  if (files.empty()) {
    Result<std::vector<std::string>> all = course::lesson_files(scenario::data_folder() + "/lessons");
    if (!all) return complain(all.problems());
    files = std::move(all.value());
  }
  const course::CourseReport report = course::check_all(files);
  course::write_report(report, command.language, std::cout);
  if (!report.unreadable.empty()) return complain(report.unreadable);
  return report.passed() ? kExitDone : kExitFailed;
}

int draw_command(const DrawCommand& command) {
  const Result<picture::Format> format = picture::format_of(command.out);
  if (!format) return complain(format.problems());
  Result<course::Opened> opened = course::open_file(command.file);
  if (!opened) return complain(opened.problems());
  picture::PictureOptions options;
  if (opened.value().lesson) options.title = opened.value().lesson->id + "  " + opened.value().lesson->title.in(command.language == trace::Language::kZh);
  const Result<trace::Trace> trace = trace_of(opened.value(), {.file = command.file, .variant = command.variant});
  if (!trace) return complain(trace.problems());
  const Result<int64_t> index = event_at(trace.value(), command.at);
  if (!index) return complain(index.problems());
  options.size = command.size;
  options.font_px = command.font_px;
  options.language = command.language;
  options.chosen = command.chosen;
  const picture::PangoMeasure measure;
  const scene::Scene scene = picture::picture_of(trace.value(), index.value(), measure, options);
  const std::optional<Problem> problem = picture::draw(scene, scene::palette_of(command.theme), command.out);
  return problem ? complain({*problem}) : kExitDone;
}

}  // namespace lockstep
