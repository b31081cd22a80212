// What every Filecoin proof plugin is: kinds, shapes as residents, parameter files, sessions. A plugin class derives
// from it, states its kinds and reads its requests.
#pragma once

#include <memory>
#include <pinion/plugin/interfaces.hpp>
#include <string>
#include <vector>

#include "kind_table.hpp"
#include "statement.hpp"

namespace pinion::filecoin {

class ProofPlugin : public Proof, public ResidentTable, public Keys {
 public:
  std::span<const pinion_kind* const> kinds() const noexcept override { return kinds_.all(); }
  std::unique_ptr<Session> open(const pinion_request& request, Call& call) override;
  void resources_of(const pinion_kind& kind, const std::string& params_dir, std::uint32_t flags,
                    const ResourceSink& sink) override;

  std::span<const char* const> resident_formats() const noexcept override;
  pinion_resident_info describe_resident(const pinion_resource& resource, std::int32_t device) override;
  std::unique_ptr<Resident> load_resident(const pinion_resource& resource, std::int32_t device,
                                          std::span<const std::uint8_t> source, const pinion_buffer* buffer,
                                          Call& call) override;

  void generate_keys(const pinion_kind& kind, const std::string& dir, const char* toxic_label, Call& call,
                     const FactSink& facts) override;
  void check_keys(const pinion_kind& kind, const std::string& dir, Call& call, const FactSink& facts) override;
  void describe_keys(const std::string& file, const FactSink& facts) override;

 protected:
  struct Read {
    const ProofKind* kind;  // of table()
    std::unique_ptr<const Statement> statement;
  };

  ProofPlugin(Host host, std::vector<ProofKind> kinds) : host_(host), kinds_(std::move(kinds)) {}

  // Parses and checks all of a request. Throws pinion::Error INVALID_INPUT naming the field. [worker]
  virtual Read read(const pinion_request& request) = 0;

  const KindTable& table() const { return kinds_; }
  const Host& host() const { return host_; }

 private:
  const Host host_;
  const KindTable kinds_;
};

}  // namespace pinion::filecoin
