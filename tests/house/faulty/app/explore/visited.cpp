#include <future>                       // breach: thread
auto later = std::async(f);             // breach: thread
