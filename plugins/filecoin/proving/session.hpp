// One job of any Filecoin proof: from a statement to its plan, its partitions' jobs, and the verification of what came
// back.
#pragma once

#include <pinion/groth16.h>

#include <memory>
#include <pinion/plugin/interfaces.hpp>
#include <string>
#include <vector>

#include "kind_resources.hpp"
#include "kind_table.hpp"
#include "statement.hpp"
#include "verifying_keys.hpp"
#include "witness_buffers.hpp"

namespace pinion::filecoin {

class ProofSession final : public Session {
 public:
  // `kind` is one of `kinds`, which outlives the session. The plan states the parameter file's digest as `key` has it.
  // [worker]
  ProofSession(std::unique_ptr<const Statement> statement, const KindTable& kinds, const ProofKind& kind, FoundKey key,
               const std::string& params_dir);

  const pinion_kind* kind() const noexcept override { return c_kind_; }
  pinion_plan plan(std::string_view format) override;
  pinion_job synthesize(std::string_view format, std::uint32_t partition, std::span<const pinion_buffer> buffers,
                        std::span<const pinion_loaded> residents, Call& call) override;
  void retire(std::uint32_t partition) noexcept override;
  void verify_part(std::uint32_t partition, std::span<const std::uint8_t> part, Call& call) override;
  std::uint64_t assemble(std::span<const pinion_bytes> parts, std::span<std::uint8_t> out) override;
  void verify(std::span<const std::uint8_t> proof, Call& call) override;

 private:
  // What a partition's job points to, from synthesize to retire.
  struct Payload {
    pinion_groth16_witness witness{};
    pinion_groth16_evaluations evaluations{};
  };

  // Throws UNSUPPORTED when parts cannot be joined.
  void require_joinable() const;
  void require_partition(std::uint32_t partition) const;
  pinion_groth16_witness write_packed(std::uint32_t partition, const circuit::WitnessWriter::Buffers& buffers,
                                      Call& call) const;
  pinion_groth16_evaluations evaluate(const circuit::WitnessWriter::Buffers& packed,
                                      const pinion_groth16_witness& written, std::span<const pinion_buffer> buffers,
                                      std::span<const pinion_loaded> residents, Call& call) const;

  const std::unique_ptr<const Statement> statement_;
  const pinion_kind* const c_kind_;
  const CircuitFacts& facts_;
  const KindResources resources_;
  groth16::Verifier verifier_;
  std::array<std::vector<pinion_buffer_need>, 2> needs_;  // by JobFormat
  std::vector<Payload> payloads_;                         // by partition
};

}  // namespace pinion::filecoin
