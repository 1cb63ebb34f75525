#include "gui/tape.h"

namespace lockstep::gui {
namespace {

class RunTape final : public Tape {
 public:
  explicit RunTape(play::Run run) : run_(std::move(run)) {}

  const scenario::Scenario& scenario() const override { return run_.scenario(); }
  const trace::Trace& trace() const override { return run_.trace(); }
  const trace::Snapshot& snapshot() const override { return run_.snapshot(); }
  int64_t position() const override { return run_.position(); }

  bool grow() override {
    const int64_t before = trace().size();
    while (trace().size() == before && run_.simulate_step()) continue;
    return trace().size() > before;
  }
  std::optional<TimeUs> next_time() override { return run_.next_time(); }
  bool ended() const override { return run_.ended(); }
  trace::Ending ending() const override { return run_.ending(); }

  void seek(int64_t index) override { run_.seek(index); }
  void seek_time(TimeUs time_us) override { run_.seek_time(time_us); }
  bool jump(bool forward) override { return forward ? run_.jump_forward() : run_.jump_back(); }

  const std::vector<std::string>& possible() override {
    // Asking for a moment in the past restores a world: once for each position is enough.
    const Asked now = {run_.branch(), run_.position(), run_.trace().size()};
    if (!(asked_ == now)) possible_ = run_.possible();
    asked_ = now;
    return possible_;
  }
  std::optional<scenario::Problem> intervene(const std::string& name, TimeUs at_us) override {
    return run_.intervene(name, at_us);
  }
  std::optional<int64_t> own_after() const override { return run_.own_after(); }
  bool can_undo() const override { return run_.can_undo(); }
  bool undo() override { return run_.undo(); }

  const std::vector<play::Branch>& branches() const override { return run_.branches(); }
  int32_t branch() const override { return run_.branch(); }
  void switch_to(int32_t branch) override { run_.switch_to(branch); }
  play::Run* run() override { return &run_; }

 private:
  struct Asked {
    int32_t branch = -1;
    int64_t position = trace::kNoEvent;
    int64_t events = 0;

    bool operator==(const Asked&) const = default;
  };

  play::Run run_;
  Asked asked_;
  std::vector<std::string> possible_;
};

}  // namespace

std::unique_ptr<Tape> tape_of(play::Run run) { return std::make_unique<RunTape>(std::move(run)); }

}  // namespace lockstep::gui
