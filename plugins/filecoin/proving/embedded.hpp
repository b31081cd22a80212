// Files put into a plugin by pinion_embed() (cmake/PinionEmbed.cmake).
#pragma once

#include <pinion/filecoin/digest.hpp>

// Declares SYMBOL(): the bytes of the file embedded under that name, static. At global scope.
#define PINION_EMBEDDED(symbol)                                        \
  extern "C" const std::uint8_t symbol##_begin[];                      \
  extern "C" const std::uint8_t symbol##_end[];                        \
  [[maybe_unused]] static inline pinion::filecoin::ByteView symbol() { \
    return {symbol##_begin, symbol##_end};                             \
  }
