#include <pinion/host/cli/interrupt.hpp>
#include <pinion/host/cli/program.hpp>

int main(int argc, char** argv) {
  using namespace pinion::host::cli;
  const Interrupt interrupt;  // before any other thread
  auto console = Console::standard();
  Program program{console, interrupt.token(), {}};
  return run(argc, argv, program);
}
