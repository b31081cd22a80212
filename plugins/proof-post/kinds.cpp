#include <array>
#include <pinion/post/kinds.hpp>

namespace pinion::filecoin {
namespace {

// inputs, aux, rows, {terms of A, B, C}, coefficients, patterns, pattern coefficients; bits, aux in A, variables in B
constexpr std::array<CircuitFacts, 5> winning{{
    {{133, 91674, 90883, {621985, 92070, 113652}, 961, 357, 5853},
     660,
     69300,
     66793,
     "a520734e96858f7bc703ee618cdc6bdf509fc9bb663079e5723079cc576ce857"},
    {{133, 233442, 230803, {1585585, 234366, 289476}, 973, 357, 5865},
     1980,
     176748,
     169489,
     "fe3d1c159eac8fb2af0063c014d719abe5f12e668ae7749727dbace894bbbf0f"},
    {{133, 304326, 300763, {2067385, 305514, 377388}, 979, 357, 5871},
     2640,
     230472,
     220837,
     "38bfb2f1edd013cb55a4342c07bf9345959c58c9afdc339bf157b6d85b2334db"},
    {{133, 375210, 370723, {2549185, 376662, 465300}, 985, 357, 5877},
     3300,
     284196,
     272185,
     "bc6e2737a966c1fd1f61f7cb83d382517d0679fe21fd156ff7702e1db4cab482"},
    {{133, 396000, 391447, {2689501, 397518, 491040}, 986, 357, 5878},
     3366,
     299838,
     287695,
     "82d11142783cd5ef4ab87f6db1861ea80687f93891edfcf0f9b8c9aa3457366e"},
}};

constexpr std::array<CircuitFacts, 5> window{{
    {{23, 22128, 21889, {150285, 22230, 27456}, 961, 357, 5853},
     200,
     16770,
     16029,
     "c072404b8fab1cef1dc0591665be137055e02322fbadc82af23dbe025e486b6c"},
    {{23, 65088, 64289, {442285, 65350, 80736}, 973, 357, 5865},
     600,
     49330,
     47149,
     "34e454e922127d8f24899455e0198d317fa920d2b161b74ae92e494d2b535946"},
    {{23, 86568, 85489, {588285, 86910, 107376}, 979, 357, 5871},
     800,
     65610,
     62709,
     "dcf5a6566eded8667a3c45cf7e92b1d980172b80bd632a23ef5aedadfa5c4b78"},
    {{25840, 126902376, 125305057, {862416559, 127398015, 157401792}, 985, 357, 5877},
     1174500,
     96179805,
     91925767,
     "a29ae1d33a873e0819e0df1319afc3313e5be5fbf69e60c513496c98e2b02b9d"},
    {{25301, 131500200, 129913201, {893324601, 132008500, 163088400}, 986, 357, 5878},
     1173000,
     99624500,
     95413201,
     "c3957452e9f3756ab2d3121ecd155a6e2d3db4def5d0199b3ba21b85dc5cf92d"},
}};

constexpr std::uint32_t wire_kind_window = 3;
constexpr std::uint32_t wire_kind_winning = 4;
// A parsed sector is about as large as its bytes; a short partition's copies are made when it is written.
constexpr std::uint32_t parse_percent = 250;

}  // namespace

const CircuitFacts& winning_facts(SectorSize size) {
  return winning[index_of(size)];
}
const CircuitFacts& window_facts(SectorSize size) {
  return window[index_of(size)];
}

std::vector<ProofKind> post_kinds(const std::shared_ptr<const circuit::PoseidonSet>& hashes) {
  std::vector<ProofKind> out;
  for (const SectorSize size : sector_sizes) {
    const std::string sectors = std::string(" of ").append(sector_name(size)).append(" sectors");
    const auto record = [hashes](const PostSetup& setup) {
      return [hashes, setup](Executor& executor) { return record_post(setup, *hashes, executor); };
    };
    const bool wired = size == SectorSize::k32GiB;  // the only size that service has names for
    out.push_back({.size = size,
                   .family = "winning",
                   .title = "WinningPoSt" + sectors,
                   .files = parameter_files(ParameterFamily::Winning, size),
                   .facts = &winning_facts(size),
                   .record = record(PostSetup::winning(size)),
                   .equal_parts = PostSetup::winning_openings,
                   .priority = PINION_PRIORITY_CRITICAL,
                   .parse_percent = parse_percent,
                   .wire_kind = wire_kind_winning,
                   .wire_label = "winning_post",
                   .wire_circuit = wired ? "winning-32g" : ""});
    out.push_back({.size = size,
                   .family = "window",
                   .title = "WindowPoSt" + sectors,
                   .files = parameter_files(ParameterFamily::Window, size),
                   .facts = &window_facts(size),
                   .record = record(PostSetup::window(size, PostRule::by_sector)),  // the rule is no matter of rows
                   .equal_parts = PostSetup::window(size, PostRule::by_sector).sectors,
                   .priority = PINION_PRIORITY_HIGH,
                   .parse_percent = parse_percent,
                   .wire_kind = wire_kind_window,
                   .wire_label = "window_post",
                   .wire_circuit = wired ? "wpost-32g" : ""});
  }
  return out;
}

}  // namespace pinion::filecoin
