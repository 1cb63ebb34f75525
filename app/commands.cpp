#include "commands.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <system_error>

#include "course/check.h"
#include "course/opening.h"
#include "course/reading.h"
#include "course/report_table.h"
#include "export/draw.h"
#include "export/pango_measure.h"
#include "export/picture.h"
#include "interruption.h"
#include "play/comparison.h"
#include "play/run.h"
#include "scenario/output.h"
#include "scenario/reading.h"
#include "scenario/schema.h"
#include "trace/json.h"

#if LOCKSTEP_WITH_LIVE
#include "live/live.h"
#endif

namespace lockstep {
namespace {

using scenario::Problem;
using scenario::Result;

/// Stands for standard input or output where a file is named.
constexpr const char* kStandard = "-";

Problem bad_argument(const std::string& argument, const std::string& message) {
  Problem problem;
  problem.file = argument;
  problem.message = message;
  return problem;
}

#if LOCKSTEP_WITH_LIVE
/// A signal that was kept until nothing was left ends us now, as it would have at once.
[[noreturn]] void end_by(int number) {
  std::signal(number, SIG_DFL);
  std::raise(number);
  std::exit(128 + number);  // Only if it does not end us after all.
}

Result<trace::Trace> play_for_real(const scenario::Scenario& scenario, const scenario::Place& place, const LiveTarget& target) {
  live::LiveOptions options;
  options.place = place;
  options.servers = target.servers;
  options.connect = target.connect;
  if (isatty(STDERR_FILENO) != 0) {
    options.on_event = [](const trace::Trace& trace, int64_t index) {
      std::cerr << "\r" << trace::time_text(trace.time_at(index)) << "  " << index + 1 << " events "
                << std::flush;
    };
  }
  Result<trace::Trace> played = live::play_live(scenario, options);
  if (options.on_event) std::cerr << "\n";
  if (!played && played.problems().front().message == live::kInterrupted)
    end_by(std::stoi(played.problems().front().file));
  return played;
}
#else
Result<trace::Trace> play_for_real(const scenario::Scenario&, const scenario::Place&, const LiveTarget&) {
  Problem problem;
  problem.file = "--backend live";
  problem.message =
      "this program was built without real ZooKeeper; install libzookeeper-mt-dev, libsqlite3-dev "
      "and "
      "libasio-dev, and build again with app/run";
  problem.kind = scenario::ProblemKind::kEnvironment;
  return problem;
}
#endif

/// Puts machine output into the file `path`; none or "-": onto stdout.
std::vector<Problem> put_out(const std::string& path,
                             const std::function<void(std::ostream&)>& write) {
  if (!path.empty() && path != kStandard) {
    const RemovedOnInterruption half_written(scenario::part_of(path));
    const std::optional<Problem> problem = scenario::write_file(path, write);
    return problem ? std::vector<Problem>{*problem} : std::vector<Problem>{};
  }
  errno = 0;
  write(std::cout);
  std::cout.flush();
  if (std::cout || errno == EPIPE) return {};  // Whoever reads may have seen enough, as `head` has.
  Problem problem{"standard output", "", "cannot be written to",
                  scenario::ProblemKind::kEnvironment};
  if (errno != 0) problem.message += ": " + std::generic_category().message(errno);
  return {problem};
}

/// Options that mean something only together with others.
std::optional<Problem> misfit(const PlayCommand& command) {
  const bool live = command.backend == Backend::kLive;
  if (!command.live.connect.empty() && command.live.servers) {
    return bad_argument("--connect",
                        "names servers that run, and --servers starts some; leave one of them out");
  }
  if (!live && !command.live.connect.empty())
    return bad_argument("--connect", "is about real servers; add --backend live");
  if (!live && command.live.servers)
    return bad_argument("--servers", "is about real servers; add --backend live");
  if (!command.live.connect.empty() && command.tick_ms)
    return bad_argument("--tick", "is set where servers are started, and those of --connect run; leave one of them out");
  return std::nullopt;
}

/// How the run ended, where it is of interest: on a terminal, and whenever something was left undone.
void tell_end(const trace::Ending& ending, int64_t events, trace::Language language) {
  if (ending.kind == trace::EndKind::kDone && isatty(STDERR_FILENO) == 0) return;
  const bool chinese = language == trace::Language::kZh;
  std::cerr << "lockstep: " << trace::words_of(ending, language) << (chinese ? "（" : " (")
            << events << (chinese ? " 个事件）\n" : " events)\n");
}

/// What is there of a trace that breaks off is played all the same.
void tell_missing(const course::Opened& opened) {
  if (opened.missing_events == 0) return;
  std::cerr << "lockstep: " << opened.file << ": has been cut off: of its "
            << opened.recorded->size() + opened.missing_events << " events the last "
            << opened.missing_events << " are missing; what is there is played\n";
}

/// The trace that a command is about: played now, or read from the file.
Result<trace::Trace> trace_of(course::Opened& opened, const PlayCommand& command) {
  if (opened.recorded) {
    if (!command.variant.empty() || command.seed || command.tick_ms || command.backend == Backend::kLive) {
      return bad_argument(
          opened.file,
          "is a trace, which has happened already: it takes no --variant, --seed, --tick or "
          "--backend; play its scenario instead");
    }
    tell_missing(opened);
    return std::move(*opened.recorded);
  }
  Result<scenario::Scenario> scenario = course::scenario_of(opened, command.variant);
  if (!scenario) return scenario.problems();
  if (command.seed) scenario.value().seed = *command.seed;
  if (command.tick_ms) scenario.value() = scenario::at_tick(std::move(scenario.value()), *command.tick_ms * kMillisecond);
  if (command.backend == Backend::kLive) {
    return play_for_real(scenario.value(), {opened.file, opened.lesson ? "/scenario" : ""}, command.live);
  }
  trace::Ending ending;
  trace::Trace trace = play::play_to_end(scenario.value(), &ending);
  tell_end(ending, trace.size(), command.language);
  return trace;
}

/// A recording of a live run: one that the file holds, or one that is made now.
Result<trace::Trace> recording_of(course::Opened& opened, const PlayCommand& live) {
  if (!opened.recorded) return trace_of(opened, live);
  if (opened.recorded->header().source != trace::Source::kLive) {
    return bad_argument(opened.file,
                        "is a trace, but not of a live run; expected one that play --backend live has written, a "
                        "lesson or a scenario");
  }
  if (!live.variant.empty() || live.tick_ms || live.live.servers || !live.live.connect.empty()) {
    return bad_argument(opened.file, "has been played already: it takes no --variant, --tick, --servers or --connect");
  }
  tell_missing(opened);
  return std::move(*opened.recorded);
}

/// What was compared; where the worlds part, the recording's event beside what the simulator could have done.
void write_comparison(const play::Comparison& comparison, const trace::Trace& recorded, trace::Language language,
                      std::ostream& out) {
  const bool chinese = language == trace::Language::kZh;
  const std::string matched = std::to_string(comparison.matched);
  const std::string all = std::to_string(comparison.observations);
  if (comparison.agrees) {
    out << (chinese ? "一致：真实运行中观察到的 " + all + " 件事，模拟器按同样的次序都能做到\n"
                    : "They agree: the simulator produces all " + all + " observations of the real run, in their order\n");
    return;
  }
  const trace::Event event = recorded.event(comparison.event);
  out << (chinese ? "不一致：前 " + matched + " / " + all + " 件一致，接下来真实运行是\n"
                  : "They part after " + matched + " of " + all + " observations. The real run goes on with\n");
  out << "  " << event.index + 1 << "  " << trace::time_text(event.time_us) << "  " << event.lane << "  "
      << trace::sentence(event, language) << "\n";
  out << (chinese ? "模拟器此时能做的是\n" : "The simulator could do one of\n");
  for (const std::string& choice : comparison.enabled) out << "  " << choice << "\n";
  if (comparison.gave_up) {
    out << (chinese ? "还有未试过的次序，所以结论不完整\n"
                    : "Not every order was tried, so this verdict is partial\n");
  }
}

bool parse_seconds(const std::string& text, TimeUs& time) {
  if (text.size() < 2 || text.back() != 's') return false;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() - 1 || !(seconds >= 0) || seconds > 1e9) return false;
  time = static_cast<TimeUs>(seconds * static_cast<double>(kSecond));
  return true;
}

/// The event that --at names: by its step, as the window counts them from 1; 0 is the start.
Result<int64_t> event_at(const trace::Trace& trace, const std::string& at) {
  const int64_t last = trace.size() - 1;
  if (at.empty() || at == "end") return last;
  TimeUs time = 0;
  if (parse_seconds(at, time)) {
    const TimeUs end = last < 0 ? 0 : trace.time_at(last);
    if (time <= end) return trace.index_at(time);
    return bad_argument("--at " + at, "lies behind the last event, which is at " +
                                          trace::time_text(end) +
                                          "; expected an earlier time, or \"end\"");
  }
  char* end = nullptr;
  const int64_t step = std::strtoll(at.c_str(), &end, 10);
  if (*end != '\0' || step < 0 || step > trace.size()) {
    return bad_argument("--at " + at, "expected a step from 0 (the start) to " +
                                          std::to_string(trace.size()) +
                                          ", \"end\", or a time like 8.5s");
  }
  return step - 1;
}

/// Clients are known by the scenario, or by what was added in the run.
std::optional<Problem> unknown_client(const trace::Trace& trace, const std::string& id) {
  if (id.empty()) return std::nullopt;
  std::vector<std::string> known;
  for (const scenario::ClientSpec& client : trace.header().scenario.clients)
    known.push_back(client.id);
  const trace::Snapshot end = trace.snapshot(trace.size() - 1);
  if (std::count(known.begin(), known.end(), id) > 0 || trace::find(end.clients, id) != nullptr)
    return std::nullopt;
  return bad_argument("--client " + id,
                      "there is no such client; expected " + scenario::some_of(known));
}

/// The given files, with the lessons of each folder among them; of none, those of the course.
Result<std::vector<std::string>> lessons_of(std::vector<std::string> given) {
  if (given.empty()) given.push_back(scenario::data_folder() + "/lessons");
  std::vector<std::string> files;
  for (const std::string& one : given) {
    std::error_code error;
    if (!std::filesystem::is_directory(one, error)) {
      files.push_back(one);
      continue;
    }
    const Result<std::vector<std::string>> within = course::lesson_files(one);
    if (!within) return within.problems();
    files.insert(files.end(), within.value().begin(), within.value().end());
  }
  return files;
}

}  // namespace

int complain(const std::vector<Problem>& problems) {
  constexpr size_t kTold =
      10;  // More would push the first ones, which mostly cause the others, out of sight.
  int code = kExitInput;
  for (size_t i = 0; i < problems.size(); ++i) {
    if (i < kTold) std::cerr << "lockstep: " << scenario::describe(problems[i]) << "\n";
    if (problems[i].kind == scenario::ProblemKind::kEnvironment) code = kExitEnvironment;
  }
  if (problems.size() > kTold)
    std::cerr << "lockstep: and " << problems.size() - kTold << " more\n";
  return code;
}

int play_command(const PlayCommand& command) {
  if (const auto problem = misfit(command)) return complain({*problem});
  if (!command.out.empty() && command.out != kStandard) {
    if (const auto problem = scenario::output_problem(command.out)) return complain({*problem});
  }
  Result<course::Opened> opened = course::open_file(command.file);
  if (!opened) return complain(opened.problems());
  const Result<trace::Trace> trace = trace_of(opened.value(), command);
  if (!trace) return complain(trace.problems());
  const std::vector<Problem> problems = put_out(command.out, [&](std::ostream& out) {
    switch (command.format) {
      case Output::kText: trace::write_text(trace.value(), command.language, out); return;
      case Output::kJson: trace::write_json_lines(trace.value(), out); return;
    }
  });
  return problems.empty() ? kExitDone : complain(problems);
}

int check_command(const CheckCommand& command) {
  const Result<std::vector<std::string>> files = lessons_of(command.files);
  if (!files) return complain(files.problems());
  const course::CourseReport report = course::check_all(files.value());
  if (!report.lessons.empty()) {
    const auto problems = put_out(
        {}, [&](std::ostream& out) { course::write_report(report, command.language, out); });
    if (!problems.empty()) return complain(problems);
  }
  if (!report.unreadable.empty()) return complain(report.unreadable);
  return report.passed() ? kExitDone : kExitFailed;
}

int compare_command(const CompareCommand& command) {
  const PlayCommand live = {.file = command.file,
                            .variant = command.variant,
                            .tick_ms = command.tick_ms,
                            .backend = Backend::kLive,
                            .live = command.live,
                            .language = command.language};
  if (const auto problem = misfit(live)) return complain({*problem});
  if (!command.out.empty()) {
    if (const auto problem = scenario::output_problem(command.out)) return complain({*problem});
  }
  Result<course::Opened> opened = course::open_file(command.file);
  if (!opened) return complain(opened.problems());
  const Result<trace::Trace> recorded = recording_of(opened.value(), live);
  if (!recorded) return complain(recorded.problems());
  if (!command.out.empty()) {
    const auto problems =
        put_out(command.out, [&](std::ostream& out) { trace::write_json_lines(recorded.value(), out); });
    if (!problems.empty()) return complain(problems);
  }
  const play::Comparison comparison = play::compare(recorded.value());
  const auto problems = put_out({}, [&](std::ostream& out) {
    write_comparison(comparison, recorded.value(), command.language, out);
  });
  if (!problems.empty()) return complain(problems);
  return comparison.agrees ? kExitDone : kExitFailed;
}

int draw_command(const DrawCommand& command) {
  const Result<picture::Format> format = picture::format_of(command.out);
  if (!format) return complain(format.problems());
  if (const auto wrong = scenario::output_problem(command.out)) return complain({*wrong});
  Result<course::Opened> opened = course::open_file(command.file);
  if (!opened) return complain(opened.problems());
  picture::PictureOptions options;
  if (opened.value().lesson)
    options.title = opened.value().lesson->id + "  " +
                    opened.value().lesson->title.in(command.language == trace::Language::kZh);
  const Result<trace::Trace> trace =
      trace_of(opened.value(),
               {.file = command.file, .variant = command.variant, .language = command.language});
  if (!trace) return complain(trace.problems());
  const Result<int64_t> index = event_at(trace.value(), command.at);
  if (!index) return complain(index.problems());
  if (const auto stranger = unknown_client(trace.value(), command.chosen))
    return complain({*stranger});
  options.size = command.size;
  options.font_px = command.font_px;
  options.language = command.language;
  options.chosen = command.chosen;
  const picture::PangoMeasure measure;
  const scene::Scene scene = picture::picture_of(trace.value(), index.value(), measure, options);
  const std::optional<Problem> problem =
      picture::draw(scene, scene::palette_of(command.theme), command.out);
  return problem ? complain({*problem}) : kExitDone;
}

}  // namespace lockstep
