#include "gui/window.h"

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>
// After glad.
#include <GLFW/glfw3.h>

#include <algorithm>

namespace lockstep::gui {
namespace {

using scenario::Problem;
using scenario::ProblemKind;

Input& input_of(GLFWwindow* window) {
  return *static_cast<Input*>(glfwGetWindowUserPointer(window));
}

KeyPress press_of(int key, int mods) {
  return {.key = key,
          .ctrl = (mods & GLFW_MOD_CONTROL) != 0,
          .shift = (mods & GLFW_MOD_SHIFT) != 0,
          .alt = (mods & GLFW_MOD_ALT) != 0};
}

void on_key(GLFWwindow* window, int key, int, int action, int mods) {
  if (key == GLFW_KEY_UNKNOWN) return;
  if (key == GLFW_KEY_KP_ENTER) key = GLFW_KEY_ENTER;
  // Of a modifier itself GLFW reports the state before; ImGui only needs it with other keys.
  input_of(window).key(press_of(key, mods), action != GLFW_RELEASE);
}

void on_character(GLFWwindow* window, unsigned int character) {
  // Letters and digits come as keys; as characters only the marks that layouts have elsewhere.
  if (character == '?') input_of(window).character(character);
}

void on_button(GLFWwindow* window, int button, int action, int) {
  if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
  double x = 0;
  double y = 0;
  glfwGetCursorPos(window, &x, &y);
  input_of(window).mouse_at({static_cast<float>(x), static_cast<float>(y)});
  input_of(window).mouse_button(static_cast<MouseButton>(button), action == GLFW_PRESS);
}

void listen_to_desktop(GLFWwindow* window) {
  glfwSetKeyCallback(window, on_key);
  glfwSetCharCallback(window, on_character);
  glfwSetMouseButtonCallback(window, on_button);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    input_of(w).mouse_at({static_cast<float>(x), static_cast<float>(y)});
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (entered == GLFW_FALSE) input_of(w).mouse_left();
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    input_of(w).wheel({static_cast<float>(x), static_cast<float>(y)});
  });
}

std::string last_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? std::string() : " (" + std::string(text) + ")";
}

Problem no_display() {
  return {
      .message = "no display to open a window on" + last_error() +
                 ". Start it in a desktop session, or with `xvfb-run lockstep ...` (package xvfb); "
                 "`lockstep play` and `lockstep draw` need no display",
      .kind = ProblemKind::kEnvironment};
}

Problem no_opengl() {
  return {.message = "no OpenGL 3.3 on this display" + last_error() +
                     ". Install its driver (libgl1-mesa-dri has one that needs no graphics card); "
                     "`lockstep play` and `lockstep draw` need none",
          .kind = ProblemKind::kEnvironment};
}

}  // namespace

Window::Window(GLFWwindow* window) : window_(window) { glfwSetWindowUserPointer(window, &input_); }

scenario::Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  glfwSetErrorCallback(nullptr);  // asked for by glfwGetError
  if (glfwInit() == GLFW_FALSE) return no_display();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "lockstep");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "lockstep");
  GLFWwindow* handle =
      glfwCreateWindow(static_cast<int>(options.size.w), static_cast<int>(options.size.h),
                       options.title.c_str(), nullptr, nullptr);
  if (handle == nullptr) {
    const Problem problem = no_opengl();
    glfwTerminate();
    return problem;
  }
  glfwMakeContextCurrent(handle);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    glfwDestroyWindow(handle);
    glfwTerminate();
    return no_opengl();
  }
  // A script's frames must not wait for a screen.
  glfwSwapInterval(options.scripted ? 0 : 1);
  std::unique_ptr<Window> window(new Window(handle));
  if (!options.scripted) listen_to_desktop(handle);
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // nothing moves by itself
  ImGui_ImplOpenGL3_Init("#version 330 core");
  return window;
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const { return glfwWindowShouldClose(window_) != GLFW_FALSE; }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
double Window::now() const { return glfwGetTime(); }

void Window::resize(scene::Size size) {
  glfwSetWindowSize(window_, static_cast<int>(size.w), static_cast<int>(size.h));
}

scene::Size Window::size() const {
  int w = 0;
  int h = 0;
  glfwGetWindowSize(window_, &w, &h);
  return {static_cast<float>(w), static_cast<float>(h)};
}

scene::Point Window::place() const {
  int x = 0;
  int y = 0;
  glfwGetWindowPos(window_, &x, &y);
  return {static_cast<float>(x), static_cast<float>(y)};
}

void Window::hear_desktop() { listen_to_desktop(window_); }

float Window::scale() const {
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  int w = 0;
  int h = 0;
  glfwGetFramebufferSize(window_, &w, &h);
  // Where the framebuffer is finer than the window's coordinates, Dear ImGui scales by itself.
  return static_cast<float>(w) > size().w + 1 ? 1 : std::max(1.0f, y);
}

void Window::listen(double seconds) {
  if (seconds == 0) return glfwPollEvents();
  if (seconds < 0) return glfwWaitEvents();
  glfwWaitEventsTimeout(seconds);
}

void Window::begin_frame(const Fonts& fonts, bool fonts_changed, double seconds) {
  ImGuiIO& io = ImGui::GetIO();
  if (fonts_changed) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    io.FontDefault = fonts.at({scene::Font::kSans, 0}).font;
  }
  const scene::Size at = size();
  int w = 0;
  int h = 0;
  glfwGetFramebufferSize(window_, &w, &h);
  io.DisplaySize = ImVec2(at.w, at.h);
  if (at.w > 0 && at.h > 0) {
    io.DisplayFramebufferScale = ImVec2(static_cast<float>(w) / at.w, static_cast<float>(h) / at.h);
  }
  io.DeltaTime = static_cast<float>(std::max(seconds, 1e-4));
  input_.next_frame(io);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void Window::end_frame() { ImGui::Render(); }

void Window::paint(scene::Rgb background) {
  int w = 0;
  int h = 0;
  glfwGetFramebufferSize(window_, &w, &h);
  glViewport(0, 0, w, h);
  glClearColor(static_cast<float>(background.r) / 255, static_cast<float>(background.g) / 255,
               static_cast<float>(background.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::swap() { glfwSwapBuffers(window_); }

Window::Pixels Window::pixels() const {
  Pixels pixels;
  glfwGetFramebufferSize(window_, &pixels.width, &pixels.height);
  const auto row = static_cast<size_t>(pixels.width) * 3;
  const auto rows = static_cast<size_t>(pixels.height);
  std::vector<uint8_t> upside_down(row * rows);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, pixels.width, pixels.height, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
  pixels.rgb.resize(row * rows);
  for (size_t y = 0; y < rows; ++y) {
    std::copy_n(upside_down.begin() + static_cast<ptrdiff_t>((rows - 1 - y) * row), row,
                pixels.rgb.begin() + static_cast<ptrdiff_t>(y * row));
  }
  return pixels;
}

}  // namespace lockstep::gui
