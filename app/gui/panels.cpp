#include "gui/panel.h"

namespace lockstep::gui {

std::vector<std::unique_ptr<Panel>> all_panels() {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(top_bar());
  panels.push_back(course_panel());
  panels.push_back(stage_panel());
  panels.push_back(actions_panel());
  panels.push_back(transport_panel());
  panels.push_back(timeline_panel());
  panels.push_back(side_panel());
  panels.push_back(keys_panel());
  panels.push_back(notice_panel());
  return panels;
}

std::string Frame::key_of(CommandId id, std::string_view text) const {
  for (const BindingGroup& group : keys) {
    for (const Binding& binding : group.bindings) {
      if (binding.command.id == id && binding.command.text == text)
        return shown_name(binding.press);
    }
  }
  return {};
}

}  // namespace lockstep::gui
