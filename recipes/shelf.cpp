#include "recipes/shelf.h"

namespace lockstep::recipes {

int line_named(const Recipe& recipe, std::string_view id) {
  for (const ListingLine& line : listing(recipe)) {
    if (line.id == id) return line.number;
  }
  return 0;
}

}  // namespace lockstep::recipes
