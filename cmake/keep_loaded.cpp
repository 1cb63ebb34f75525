// Linked into the program only where a sanitizer looks for leaks: OpenGL's drivers keep things until the process
// ends, which are only no leaks as long as the drivers themselves are loaded.
extern "C" int dlclose(void*) { return 0; }
