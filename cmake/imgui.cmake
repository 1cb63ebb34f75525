# lockstep_imgui: Debian's Dear ImGui. It is a static library, so that what it needs itself (stb)
# has to be linked too, and its package does not name freetype, which it also needs.

pkg_check_modules(imgui REQUIRED imgui)
add_library(lockstep_imgui INTERFACE)
target_include_directories(lockstep_imgui SYSTEM INTERFACE ${imgui_STATIC_INCLUDE_DIRS})
target_link_libraries(lockstep_imgui INTERFACE ${imgui_STATIC_LDFLAGS} Freetype::Freetype)
