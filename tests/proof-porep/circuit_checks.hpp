// Checks of the PoRep circuit against the reference's digests, shared by the quick and the full-size tests.
#pragma once

#include <pinion/filecoin/seal_proof.hpp>
#include <pinion/groth16/shape.hpp>
#include <string>
#include <thread>

namespace pinion::test {

// Two threads, or more where the machine has them.
class ThreadExecutor final : public Executor {
 public:
  unsigned width() const noexcept override { return width_; }
  void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override;

 private:
  unsigned width_ = std::max(2U, std::thread::hardware_concurrency());
};

// Records the circuit and compares rows, checkpoints, counts and densities with circuits/porep-SIZE.json. Without that
// file: only records.
groth16::OwnedShape check_circuit(const std::string& size, const filecoin::PorepSetup& setup);

}  // namespace pinion::test
