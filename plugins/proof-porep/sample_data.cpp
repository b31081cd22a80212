#include <pinion/porep/sample_data.hpp>

extern "C" {
extern const std::uint8_t pinion_porep_sample_begin[];
extern const std::uint8_t pinion_porep_sample_end[];
}

namespace pinion::filecoin {

ByteView sample_c1() {
  return {pinion_porep_sample_begin, pinion_porep_sample_end};
}

}  // namespace pinion::filecoin
