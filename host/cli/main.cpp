#include <pinion/host/cli/interrupt.hpp>
#include <pinion/host/cli/program.hpp>
#include <pinion/host/cli/streams.hpp>

int main(int argc, char** argv) {
  using namespace pinion::host::cli;
  secure_streams();
  const Interrupt interrupt;  // before any other thread
  auto console = Console::standard();
  Program program{console, interrupt.token(), {}};
  return run(argc, argv, program);
}
