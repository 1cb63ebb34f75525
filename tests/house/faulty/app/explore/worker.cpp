#include <thread>
std::thread the_one_place_for_threads;
