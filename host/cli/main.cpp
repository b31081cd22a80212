#include <pinion/host/cli/interrupt.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/streams.hpp>

int main(int argc, char** argv) {
  using namespace pinion::host::cli;
  secure_streams();
  auto console = Console::standard();
  try {
    const Interrupt interrupt;  // before any other thread; it has one itself
    Program program{console, interrupt.token(), {}};
    return run(argc, argv, program);
  } catch (...) {
    return thrown(console);
  }
}
