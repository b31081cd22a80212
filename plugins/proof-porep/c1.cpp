#include <algorithm>
#include <pinion/porep/c1.hpp>
#include <pinion/porep/c1_wrapper.hpp>
#include <pinion/porep/vanilla_reader.hpp>
#include <pinion/printable.hpp>

namespace pinion::filecoin {
namespace {

using json::Field;
using json::Place;
using json::Value;

// The registered proof decides the shape of everything else, so it is looked up first; the reference writes it first.
SealProof read_registered_proof(json::Document& document) {
  const Place at = document.place();
  simdjson::ondemand::object object;
  Value root = document.root();
  if (root.get_object().get(object)) json::fail_type(root, at, "an object");
  Value value;
  const auto error = object.find_field("registered_proof").get(value);
  if (error == simdjson::NO_SUCH_FIELD) at.field("registered_proof").fail("is missing");
  if (error) json::fail_syntax(error, at);
  const std::string_view name = json::read_string(value, at.field("registered_proof"));
  if (const auto proof = SealProof::from_name(name)) return *proof;
  at.field("registered_proof").fail(in_quotes(json::beginning(name)) + " is not a registered seal proof");
}

auto read_into(Bytes32& out) {
  return [&out](Value value, const Place& at) { out = json::read_bytes32(value, at); };
}
auto read_nonzero(Bytes32& out) {
  return [&out](Value value, const Place& at) {
    out = json::read_bytes32(value, at);
    if (std::all_of(out.begin(), out.end(), [](std::uint8_t byte) { return byte == 0; })) at.fail("is zero");
  };
}
auto read_commitment(Bytes32& out) {
  return [&out](Value value, const Place& at) {
    read_nonzero(out)(value, at);
    json::to_scalar(out, at);
  };
}

}  // namespace

C1 read_c1(ByteView bytes) {
  const BareC1 bare = open_c1(bytes);
  json::Document& document = *bare.document;
  C1 out;
  out.proof = read_registered_proof(document);
  if (bare.wrapper) {
    out.sector_number = bare.wrapper->sector_number;
    if (bare.wrapper->sector_bytes != sector_bytes(out.proof.size()))
      document.place()
          .field("registered_proof")
          .fail(fmt::format("{} in a wrapper whose SectorSize is {}", out.proof.name(), bare.wrapper->sector_bytes));
  }
  const PorepSetup setup = out.proof.setup();
  const auto vanilla = [&](Value value, const Place& at) {
    json::read_variant(value, at, [&](std::string_view name, Value proofs, const Place& where) {
      if (name != out.proof.vanilla_name())
        where.fail(fmt::format("{} expected for registered proof {}", out.proof.vanilla_name(), out.proof.name()));
      out.partitions = read_partitions(proofs, where, setup);
    });
  };
  json::read_object(document.root(), document.place(), Field{"registered_proof", json::read_string},
                    Field{"vanilla_proofs", vanilla}, Field{"comm_r", read_commitment(out.comm_r)},
                    Field{"comm_d", read_commitment(out.comm_d)},
                    Field{"replica_id",
                          [&](Value value, const Place& at) {
                            out.replica_id = json::read_bytes32(value, at);
                            json::to_scalar(out.replica_id, at);
                          }},
                    Field{"seed", read_nonzero(out.seed)}, Field{"ticket", read_into(out.ticket)});
  document.expect_end();
  for (VanillaPartition& partition : out.partitions) {
    partition.replica_id = *bls::Fr::from_bytes(out.replica_id);
    partition.comm_d = *bls::Fr::from_bytes(out.comm_d);
    partition.comm_r = *bls::Fr::from_bytes(out.comm_r);
  }
  return out;
}

std::vector<VanillaPartition> read_vanilla_proofs(ByteView bytes, const PorepSetup& setup) {
  json::Document document(simdjson::padded_string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                          "vanilla proofs");
  auto out = read_partitions(document.root(), document.place(), setup);
  document.expect_end();
  return out;
}

}  // namespace pinion::filecoin
