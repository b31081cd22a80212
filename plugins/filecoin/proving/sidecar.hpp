// The mark beside a locally made key file, NAME.insecure: the format itself has no room for one. Says that the file is
// not the trusted setup's, and with which digest it was made, so that one changed since is found out when it is used.
#pragma once

#include <optional>
#include <pinion/groth16/exclusive_file.hpp>
#include <string>

namespace pinion::filecoin {

// A mark being made. Holds its file until the keys stand, so that of two runs with the same output the later one is
// refused before it touches anything. What it wrote is taken back unless kept.
class Sidecar {
 public:
  // Throws UNSUPPORTED, as do begin() and keep(): somebody else holds it, or it cannot be made or written.
  explicit Sidecar(const std::string& key_file);
  Sidecar(const Sidecar&) = delete;
  Sidecar& operator=(const Sidecar&) = delete;
  ~Sidecar();

  // Before the key is written, so that a local key never stands without a mark. `toxic_label`: what its secrets follow
  // from; nullptr: they were drawn.
  void begin(const char* toxic_label);
  // The key stands whole: adds its digest, in the rule of groth16::file_digest.
  void keep(const std::string& digest);

 private:
  void write();

  groth16::ExclusiveFile file_;
  std::string text_;
  bool mine_ = file_.bytes_found() == 0;
  bool kept_ = false;
};

// The digest that the mark beside `key_file` holds; nothing where there is no mark, or one without. [any]
std::optional<std::string> recorded_digest(const std::string& key_file);

// What to say of a key file whose digest is no longer the recorded one.
std::string changed_key(const std::string& key_file, const std::string& digest, const std::string& recorded);

}  // namespace pinion::filecoin
