// Proof bytes, verification and batches, against vectors/prims/groth16-small.
#include <catch2/catch.hpp>
#include <pinion/groth16/verifier.hpp>
#include <pinion/test/thread_executor.hpp>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;
using nlohmann::json;

namespace {
Verifier verifier_of(const SmallSystem& system) {
  return Verifier(VerifyingKey::read(system.vk.string()).value());
}

std::vector<bls::Fr> without_one(const json& inputs) {
  auto out = read_frs(inputs);
  out.erase(out.begin());
  return out;
}

Result<Proof> read_proof(const json& hex) {
  auto proofs = decode_proofs(from_hex(hex.get<std::string>()), 1);
  if (!proofs) return proofs.error();
  return proofs->front();
}
}  // namespace

TEST_CASE("the reference's proofs verify and encode to the same bytes") {
  for (const char* name : small_system_names) {
    const SmallSystem system(name);
    const Verifier verifier = verifier_of(system);
    for (const json& witness : system.json["witnesses"]) {
      const auto inputs = without_one(witness["inputs"]);
      for (const json& item : witness["proofs"]) {
        const Proof proof = read_proof(item["proof"]).value();
        CHECK(to_hex(proof.encode()) == item["proof"].get<std::string>());
        CHECK(verifier.verify({inputs, proof}).value());
      }
    }
  }
}

TEST_CASE("what the reference rejects is rejected for the same reason") {
  for (const char* name : small_system_names) {
    const SmallSystem system(name);
    const Verifier verifier = verifier_of(system);
    for (const json& item : system.json["rejected"]) {
      INFO(name << ": " << item["what"].dump());
      const std::string outcome = item["outcome"];
      const auto inputs = read_frs(item["inputs"]);
      const auto proof = read_proof(item["proof"]);
      REQUIRE(static_cast<bool>(proof) == (outcome.find("read error") == std::string::npos));
      if (!proof) {
        const bool length = outcome.find("192 bytes") != std::string::npos;
        CHECK(proof.error().code == (length ? ErrorCode::mismatch : ErrorCode::malformed));
        if (outcome.find("infinity") != std::string::npos)
          CHECK_THAT(proof.error().message, Catch::Contains("infinity"));
        continue;
      }
      const auto verified = verifier.verify({inputs, *proof});
      REQUIRE(static_cast<bool>(verified) == (outcome == "false"));
      if (verified) CHECK_FALSE(*verified);
      if (!verified) CHECK(verified.error().code == ErrorCode::mismatch);
    }
  }
}

TEST_CASE("several proofs are exactly their concatenation") {
  const SmallSystem system("tiny");
  const std::string one = system.json["batch"][0]["proof"], two = system.json["batch"][1]["proof"];
  CHECK(decode_proofs(from_hex(one + two), 2).value().size() == 2);
  CHECK(decode_proofs({}, 0).value().empty());
  CHECK(decode_proofs(from_hex(one + two), 1).error().message ==
        "proof: 384 bytes where 1 partitions of 192 bytes were expected");
  std::string damaged = one + two;
  damaged[2 * 192 + 2 * 48] = '2';  // B of the second loses its compression flag
  CHECK_THAT(decode_proofs(from_hex(damaged), 2).error().message,
             Catch::StartsWith("partition 1: proof: B at byte 48: the point has the wrong compression flag"));
}

TEST_CASE("a batch verifies when all its proofs do, and only then") {
  for (const char* name : small_system_names) {
    INFO(name);
    const SmallSystem system(name);
    const Verifier verifier = verifier_of(system);
    ThreadExecutor threads(3);
    std::vector<std::vector<bls::Fr>> inputs;
    for (const json& witness : system.json["witnesses"]) inputs.push_back(without_one(witness["inputs"]));
    std::vector<ProvenStatement> batch;
    for (std::size_t w = 0; w < inputs.size(); ++w)
      for (const json& item : system.json["witnesses"][w]["proofs"])
        batch.push_back({inputs[w], read_proof(item["proof"]).value()});
    CHECK(verifier.verify_all(batch, system_random, threads).value());
    CHECK(verifier.verify_all({}, system_random, threads).value());
    for (const std::size_t bad : {std::size_t{0}, batch.size() - 1}) {
      auto wrong = batch;
      wrong[bad].proof.c = -wrong[bad].proof.c;
      CHECK_FALSE(verifier.verify_all(wrong, system_random, threads).value());
    }
    // Errors that cancel in a plain sum do not cancel in a random one.
    auto wrong = batch;
    wrong[0].proof.c = (bls::G1(batch[0].proof.c) + bls::G1::generator()).to_affine();
    wrong[1].proof.c = (bls::G1(batch[1].proof.c) - bls::G1::generator()).to_affine();
    CHECK_FALSE(verifier.verify_all(wrong, system_random, threads).value());
    wrong = batch;
    wrong[1].inputs = wrong[1].inputs.subspan(1);
    CHECK(verifier.verify_all(wrong, system_random, threads).error().code == ErrorCode::mismatch);
  }
}

TEST_CASE("the reference's batches") {
  for (const char* name : small_system_names) {
    const SmallSystem system(name);
    const Verifier verifier = verifier_of(system);
    SerialExecutor serial;
    const json& witnesses = system.json["witnesses"];
    std::vector<std::vector<bls::Fr>> inputs;
    std::vector<ProvenStatement> batch;
    inputs.reserve(witnesses.size());
    for (std::size_t i = 0; i < system.json["batch"].size(); ++i) {
      inputs.push_back(without_one(witnesses[i]["inputs"]));
      batch.push_back({inputs.back(), read_proof(system.json["batch"][i]["proof"]).value()});
    }
    CHECK(verifier.verify_all(batch, system_random, serial).value());
  }
}
