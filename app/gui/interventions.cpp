#include "gui/interventions.h"

#include <algorithm>

namespace lockstep::gui {
namespace {

using trace::Snapshot;

bool is_possible(const OfferInput& input, const std::string& name) {
  return std::find(input.possible.begin(), input.possible.end(), name) != input.possible.end();
}

/// One thing to do, and its reverse where it has one.
struct Pair {
  const char* verb = "";
  const char* reverse = nullptr;
  Word what = Word::kPause;
  Word what_reverse = Word::kPause;
  const char* key = "";
};

Offer offer(const OfferInput& input, const Pair& pair, const std::string& target) {
  const std::string forward = std::string(pair.verb) + " " + target;
  if (pair.reverse != nullptr) {
    const std::string back = std::string(pair.reverse) + " " + target;
    if (!is_possible(input, forward) && is_possible(input, back)) {
      return {.name = back,
              .id = pair.reverse,
              .what = pair.what_reverse,
              .key = pair.key,
              .possible = true};
    }
  }
  return {.name = forward,
          .id = pair.verb,
          .what = pair.what,
          .key = pair.key,
          .possible = is_possible(input, forward)};
}

constexpr Pair kOfClient[] = {
    {"pause", "resume", Word::kPause, Word::kResume, "P"},
    {"hang", "free", Word::kHang, Word::kFree, "H"},
    {"crash", "restart", Word::kCrash, Word::kRestartClient, "K"},
    {"expire", nullptr, Word::kExpire, Word::kExpire, "X"},
    {"release", nullptr, Word::kRelease, Word::kRelease, "R"},
    {"cancel", nullptr, Word::kCancel, Word::kCancel, "D"},
};
constexpr Pair kCut = {"cut", "heal", Word::kCut, Word::kHeal, "C"};
constexpr Pair kHold = {"hold", "let go", Word::kHold, Word::kLetGo, "B"};
constexpr Pair kDeliver = {"deliver", nullptr, Word::kDeliver, Word::kDeliver, "V"};

std::string resource_link(const OfferInput& input, const std::string& client) {
  return client + ">" + input.scenario.resource.id;
}

std::string server_of(const OfferInput& input, const std::string& client) {
  const trace::ClientRow* row = trace::find(input.snapshot.clients, client);
  if (row != nullptr && !row->server.empty()) return row->server;
  const trace::SessionRow* session =
      row == nullptr ? nullptr : trace::find(input.snapshot.sessions, row->session);
  if (session != nullptr && !session->server.empty()) return session->server;
  return input.scenario.servers.empty() ? std::string() : input.scenario.servers.front().id;
}

std::vector<Offer> for_link(const OfferInput& input, const std::string& link) {
  return {offer(input, {kDeliver.verb, nullptr, kDeliver.what, kDeliver.what, ""}, link),
          offer(input, {kHold.verb, kHold.reverse, kHold.what, kHold.what_reverse, ""}, link),
          offer(input, {kCut.verb, kCut.reverse, Word::kCutLink, Word::kHealLink, ""}, link)};
}

/// Of a pair of servers, the link's name as interventions know it: in the scenario's order.
std::string between(const OfferInput& input, const std::string& a, const std::string& b) {
  for (const scenario::ServerSpec& server : input.scenario.servers) {
    if (server.id == a) return a + "-" + b;
    if (server.id == b) return b + "-" + a;
  }
  return a + "-" + b;
}

std::vector<Offer> for_server(const OfferInput& input, const std::string& server) {
  std::vector<Offer> offers = {
      offer(input, {"pause", "resume", Word::kPauseServer, Word::kResumeServer, ""}, server),
      offer(input, {"crash", "restart", Word::kCrashServer, Word::kRestartServer, ""}, server)};
  if (input.scenario.servers.size() < 2) return offers;
  offers.push_back(offer(input, {"partition", nullptr, Word::kPartition, Word::kPartition, ""}, server));
  for (const scenario::ServerSpec& other : input.scenario.servers) {
    if (other.id == server) continue;
    Offer one = offer(input, {"cut", "heal", Word::kCutPeer, Word::kHealPeer, ""}, between(input, server, other.id));
    one.about = other.id;
    one.id += " " + other.id;
    offers.push_back(std::move(one));
  }
  offers.push_back(offer(input, {"heal", nullptr, Word::kHealAll, Word::kHealAll, ""},
                         std::string(scenario::kAllLinks)));
  offers.back().id = "heal all";
  return offers;
}

std::vector<Offer> for_session(const OfferInput& input, const std::string& client) {
  return {offer(input, kOfClient[3], client), offer(input, kOfClient[4], client)};
}

std::vector<Offer> for_resource(const OfferInput& input, const std::string& resource) {
  const auto rule = [&](const char* name, Word what) {
    const std::string whole = "rule " + resource + " " + name;
    return Offer{.name = whole,
                 .id = std::string("rule ") + name,
                 .what = what,
                 .possible = is_possible(input, whole)};
  };
  return {rule("none", Word::kRuleNone), rule("greater", Word::kRuleGreater),
          rule("greater_or_equal", Word::kRuleGreaterOrEqual)};
}

/// "client/A/chip" is about "A" too: what stands between the first and the second slash. Paths hold
/// slashes themselves and are taken whole.
std::string part(std::string_view region, bool whole) {
  const size_t slash = region.find('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view rest = region.substr(slash + 1);
  return std::string(whole ? rest : rest.substr(0, rest.find('/')));
}

std::string kind_of(std::string_view region) {
  return std::string(region.substr(0, region.find('/')));
}

}  // namespace

std::string text_of(const Offer& offer, trace::Language language) {
  return offer.about.empty() ? std::string(word(offer.what, language)) : say(offer.what, language, {offer.about});
}

std::vector<Offer> offers_for_client(const OfferInput& input, const std::string& client) {
  std::vector<Offer> offers;
  for (const Pair& pair : kOfClient) offers.push_back(offer(input, pair, client));
  offers.insert(offers.begin() + 4, offer(input, kCut, client + "-" + server_of(input, client)));
  const std::string link = resource_link(input, client);
  offers.push_back(offer(input, kHold, link));
  offers.push_back(offer(input, kDeliver, link));
  return offers;
}

std::vector<Offer> offers_for_region(const OfferInput& input, std::string_view region) {
  const std::string kind = kind_of(region);
  if (kind == "client") return offers_for_client(input, part(region, false));
  if (kind == "server") return for_server(input, part(region, false));
  if (kind == "link") return for_link(input, part(region, true));
  if (kind == "message") {
    const trace::MessageRow* message = trace::find(input.snapshot.messages, part(region, false));
    return message == nullptr ? std::vector<Offer>() : for_link(input, message->link);
  }
  if (kind == "session" || kind == "znode") {
    const std::string client = client_of_region(input.snapshot, region);
    return client.empty() ? std::vector<Offer>() : for_session(input, client);
  }
  if (kind == "resource") return for_resource(input, part(region, false));
  return {};
}

std::string client_of_region(const Snapshot& snapshot, std::string_view region) {
  const std::string kind = kind_of(region);
  if (kind == "client" || kind == "lane") {
    const std::string id = part(region, false);
    return trace::find(snapshot.clients, id) != nullptr ? id : std::string();
  }
  std::string session = kind == "session" ? part(region, false) : std::string();
  if (kind == "znode") {
    const trace::ZnodeRow* node = trace::find(snapshot.znodes, part(region, true));
    if (node != nullptr) session = node->owner;
  }
  const trace::SessionRow* row = trace::find(snapshot.sessions, session);
  return row == nullptr ? std::string() : row->client;
}

std::string other_rule(const OfferInput& input) {
  const trace::ResourceRow* resource =
      trace::find(input.snapshot.resources, input.scenario.resource.id);
  const bool checks = resource != nullptr && resource->rule != trace::RegisterRule::kNone;
  return checks ? "none" : "greater_or_equal";
}

}  // namespace lockstep::gui
