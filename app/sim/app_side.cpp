// The app side of a process: the recipe takes inputs and runs its lines, one step at a time.
#include <algorithm>

#include "sim/effects.h"

namespace lockstep::sim {
namespace {

using trace::EventData;
using trace::EventKind;

std::string what_of(const recipes::Input& input) {
  return std::visit(
      overloaded{
          [](const recipes::Start&) -> std::string { return "start"; },
          [](const recipes::ReplyArrived& arrived) -> std::string {
            return "reply " + std::string(zk::name_of(arrived.reply.error));
          },
          [](const recipes::WatchFired& fired) -> std::string { return std::string(zk::name_of(fired.type)); },
          [](const recipes::SessionChanged& change) -> std::string {
            return std::string(zk::name_of(change.state));
          },
          [](const recipes::DeadlinePassed& passed) -> std::string {
            return passed.id == recipes::DeadlineId::kAcquireTimeout ? "acquire timeout" : "work done";
          },
          [](const recipes::NextLine&) -> std::string { return "next line"; },
          [](const recipes::Command& command) -> std::string {
            return command.kind == recipes::CommandKind::kRelease ? "release" : "cancel";
          },
          [](const recipes::ResourceReplied& reply) -> std::string {
            return reply.accepted ? "accepted" : "refused";
          },
      },
      input);
}

EventKind kind_of(recipes::NoticeKind kind) {
  switch (kind) {
    case recipes::NoticeKind::kAcquired: return EventKind::kAcquired;
    case recipes::NoticeKind::kSuspended: return EventKind::kSuspended;
    case recipes::NoticeKind::kConfirmed: return EventKind::kConfirmed;
    case recipes::NoticeKind::kLost: return EventKind::kLost;
    case recipes::NoticeKind::kReleased: return EventKind::kReleased;
    case recipes::NoticeKind::kTimedOut: return EventKind::kTimedOut;
    case recipes::NoticeKind::kCancelled: return EventKind::kCancelled;
    case recipes::NoticeKind::kFailed: return EventKind::kFailed;
  }
  return EventKind::kFailed;
}

/// What belongs to the step itself, before its event is told: deadlines, and a new session.
void prepare(World& world, uint32_t client, const recipes::Outputs& outputs, Effects& fx) {
  for (const recipes::Output& output : outputs) {
    if (const auto* deadline = std::get_if<recipes::SetDeadline>(&output)) {
      world.processes[client].deadlines.push_back({deadline->id, deadline->at, fx.next()});
    } else if (std::holds_alternative<recipes::OpenSession>(output)) {
      open_session(world, client, fx.next(), fx);
    }
  }
}

void send_to_resource(World& world, uint32_t client, const recipes::SendToResource& send, int64_t cause,
                      Effects& fx) {
  Process& process = world.processes[client];
  Packet packet{.kind = PacketKind::kToResource, .incarnation = process.incarnation};
  packet.to_resource = send;
  if (!send.read_only) ++process.writes_sent;
  fx.touch_client(client);
  fx.send(link_to_resource(world, client), std::move(packet), cause);
}

void announce(World& world, uint32_t client, const recipes::Notice& notice, int64_t cause, Effects& fx) {
  fx.emit({LaneKind::kClient, client}, kind_of(notice.kind), cause, [&](EventData& data) {
    data.token = notice.token;
    data.path = recipes::node(world.processes[client].recipe);
    if (notice.error != zk::Error::kOk) data.error = zk::name_of(notice.error);
  });
}

/// What follows from the step, after its event was told: messages and notices.
void act(World& world, uint32_t client, const recipes::Outputs& outputs, int64_t cause, Effects& fx) {
  for (const recipes::Output& output : outputs) {
    std::visit(overloaded{
                   [&](const recipes::SendRequest& send) { submit(world, client, send.request, cause, fx); },
                   [&](const recipes::SendToResource& send) {
                     send_to_resource(world, client, send, cause, fx);
                   },
                   [&](const recipes::Notice& notice) { announce(world, client, notice, cause, fx); },
                   [](const recipes::SetDeadline&) {},
                   [](const recipes::OpenSession&) {},
               },
               output);
  }
}

}  // namespace

void schedule_steps(World& world, uint32_t client) {
  Process& process = world.processes[client];
  const auto plan = [&](bool able, TimeUs& next) {
    if (!able) {
      next = kNever;
    } else if (next == kNever) {
      next = world.now_us + drawn(world.scenario->step, world.scenario->seed, client, process.steps++);
    }
  };
  plan(!process.library.socket.empty(), process.next.io_us);
  plan(!process.inputs.empty(), process.next.input_us);
  plan(recipes::ready(process.recipe), process.next.line_us);
}

void tell(World& world, uint32_t client, recipes::Input input, int64_t cause, Effects& fx) {
  world.processes[client].inputs.push_back({std::move(input), cause});
  schedule_steps(world, client);
  fx.touch_client(client);
}

void start_process(World& world, uint32_t client, int64_t cause, Effects& fx) {
  Process& process = world.processes[client];
  const scenario::ClientSpec& spec = world.scenario->clients[client];
  process.state = trace::Process::kRunning;
  process.since_us = world.now_us;
  ++process.incarnation;
  process.recipe = scenario::recipe_of(*world.scenario, spec, process.incarnation);
  process.next = {kNever, kNever, kNever};
  open_session(world, client, cause, fx);
  recipes::Outputs outputs;
  recipes::handle(process.recipe, recipes::Start{}, world.now_us, outputs);
  prepare(world, client, outputs, fx);
  process.library.timer_cause = process.state_cause = process.line_cause = fx.next();
  const int64_t started =
      fx.emit({LaneKind::kClient, client}, EventKind::kStarted, cause, [](EventData&) {});
  act(world, client, outputs, started, fx);
  schedule_steps(world, client);
}

void run_input(World& world, uint32_t client, Effects& fx) {
  Process& process = world.processes[client];
  const QueuedInput queued = process.inputs.pop();
  process.next.input_us = kNever;
  recipes::Outputs outputs;
  recipes::handle(process.recipe, queued.input, world.now_us, outputs);
  prepare(world, client, outputs, fx);
  fx.touch_client(client);
  const int64_t taken =
      fx.emit({LaneKind::kClient, client}, EventKind::kInput, queued.cause, [&](EventData& data) {
        data.what = what_of(queued.input);
        if (const auto* fired = std::get_if<recipes::WatchFired>(&queued.input)) data.path = fired->path;
        if (const auto* arrived = std::get_if<recipes::ReplyArrived>(&queued.input))
          data.zxid = zk::newest_change(arrived->reply.stat);
      });
  process.line_cause = taken;
  act(world, client, outputs, taken, fx);
  schedule_steps(world, client);
  fx.touch_client(client);
}

void run_line(World& world, uint32_t client, Effects& fx) {
  Process& process = world.processes[client];
  const int line = recipes::line(process.recipe);
  recipes::Outputs outputs;
  recipes::handle(process.recipe, recipes::NextLine{}, world.now_us, outputs);
  process.next.line_us = kNever;
  prepare(world, client, outputs, fx);
  fx.touch_client(client);
  const int64_t ran =
      fx.emit({LaneKind::kClient, client}, EventKind::kLine, process.line_cause, [&](EventData& data) {
        data.line = line;
        data.what = recipes::line_id(process.recipe, line);
      });
  process.line_cause = ran;
  act(world, client, outputs, ran, fx);
  schedule_steps(world, client);
  fx.touch_client(client);
}

void run_deadline(World& world, uint32_t client, Effects& fx) {
  Process& process = world.processes[client];
  const auto earliest =
      std::min_element(process.deadlines.begin(), process.deadlines.end(),
                       [](const Deadline& a, const Deadline& b) { return a.at_us < b.at_us; });
  const Deadline deadline = *earliest;
  process.deadlines.erase(earliest);
  recipes::Outputs outputs;
  const recipes::Input input = recipes::DeadlinePassed{deadline.id};
  recipes::handle(process.recipe, input, world.now_us, outputs);
  prepare(world, client, outputs, fx);
  fx.touch_client(client);
  const int64_t passed = fx.emit({LaneKind::kClient, client}, EventKind::kDeadline, deadline.cause,
                                 [&](EventData& data) { data.what = what_of(input); });
  process.line_cause = passed;
  act(world, client, outputs, passed, fx);
  schedule_steps(world, client);
  fx.touch_client(client);
}

}  // namespace lockstep::sim
