#include "kind_resources.hpp"

#include <pinion/groth16.h>

#include <filesystem>

namespace pinion::filecoin {

KindResources::KindResources(const ProofKind& kind, const FoundKey& key, const std::string& params_dir)
    : shape_id_(kind.shape_id()),
      shape_digest_(kind.facts->shape_digest),
      keys_id_("keys of " + kind.id() + " in " + params_dir),
      keys_file_((std::filesystem::path(params_dir) / kind.files.params()).string()),
      keys_digest_(key.params_digest),
      shape_{sizeof shape_,         0, shape_id_.c_str(), PINION_SHAPE_R1CS, kind.facts->shape_bytes(),
             shape_digest_.c_str(), ""},
      keys_{
          sizeof keys_,      0, keys_id_.c_str(), PINION_KEYS_GROTH16, kind.facts->params_bytes(), keys_digest_.c_str(),
          keys_file_.c_str()} {}

}  // namespace pinion::filecoin
