#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#ifdef __SANITIZE_THREAD__
// oneTBB's library is not built with the sanitizer, which then takes its own locking for none. What our code does from
// within it is still watched.
extern "C" const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n";
}
#endif
