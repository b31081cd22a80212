// What an operation on a device ends with: nothing, or what was tried and what the driver said. The plugin turns it
// into a status code of the ABI; nothing here throws.
#pragma once

#include <string>
#include <utility>

struct CUstream_st;

namespace pinion::cuda {

using Stream = CUstream_st*;  // cudaStream_t

class [[nodiscard]] Status {
 public:
  Status() = default;
  // `code` is a cudaError_t, or one of the two below for what the kernels find themselves.
  Status(int code, std::string sentence) : code_(code), sentence_(std::move(sentence)) {}
  static constexpr int bad_argument = -1;
  static constexpr int arena_too_small = -2;

  bool ok() const { return code_ == 0; }
  int code() const { return code_; }
  const std::string& sentence() const { return sentence_; }

 private:
  int code_ = 0;
  std::string sentence_;
};

#define PINION_TRY(expression)                                                        \
  do {                                                                                \
    if (::pinion::cuda::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

}  // namespace pinion::cuda
