#include "emulator.hpp"

#include <ucontext.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace pinion::cuda::emulator {
namespace {

constexpr std::size_t stack_bytes = 128 << 10;
constexpr unsigned lanes = 32;

struct Fibre {
  ucontext_t context;
  std::unique_ptr<char[]> stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
  unsigned barriers = 0;   // that it has come to
  unsigned exchanges = 0;  // that it has come to
  std::uint32_t word[2] = {};
  bool done = false;
};

struct Block {
  std::vector<Fibre>* fibres;
  std::size_t running = 0;
  ucontext_t scheduler;
  const std::function<void()>* f;
  std::exception_ptr error;
};

thread_local Place current;
thread_local Block* block = nullptr;

Fibre& self() {
  return (*block->fibres)[block->running];
}

void yield() {
  const Place saved = current;
  swapcontext(&self().context, &block->scheduler);
  current = saved;
}

void enter() {
  try {
    (*block->f)();
  } catch (...) {
    block->error = std::current_exception();
  }
  self().done = true;
  swapcontext(&self().context, &block->scheduler);
}

void run_block(std::vector<Fibre>& fibres, const Place& start, const std::function<void()>& f) {
  Block state{&fibres, 0, {}, &f, {}};
  block = &state;
  for (Fibre& fibre : fibres) {
    fibre.done = false;
    fibre.barriers = fibre.exchanges = 0;
    getcontext(&fibre.context);
    fibre.context.uc_stack.ss_sp = fibre.stack.get();
    fibre.context.uc_stack.ss_size = stack_bytes;
    fibre.context.uc_link = nullptr;
    makecontext(&fibre.context, enter, 0);
  }
  for (bool alive = true; alive;) {
    alive = false;
    for (state.running = 0; state.running < fibres.size(); ++state.running) {
      if (fibres[state.running].done) continue;
      alive = true;
      current = start;
      current.thread = {static_cast<unsigned>(state.running), 0, 0};
      swapcontext(&state.scheduler, &fibres[state.running].context);
      if (state.error) std::rethrow_exception(state.error);
    }
  }
  block = nullptr;
}

}  // namespace

Place& place() {
  return current;
}

void run_grid(Index grid, Index block_dim, std::size_t shared_bytes, const std::function<void()>& f) {
  if (block_dim.y > 1 || block_dim.z > 1) throw std::logic_error("emulator: blocks have one dimension");
  thread_local std::vector<std::vector<Fibre>> kept(1025);  // by size of block: stacks are made once
  std::vector<Fibre>& fibres = kept.at(block_dim.x);
  if (fibres.empty()) fibres = std::vector<Fibre>(block_dim.x);
  std::vector<std::uint64_t> shared(shared_bytes / 8 + 2);
  for (unsigned z = 0; z < std::max(1U, grid.z); ++z)
    for (unsigned y = 0; y < std::max(1U, grid.y); ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        std::fill(shared.begin(), shared.end(), 0xdeadbeefdeadbeefU);
        void* aligned = shared.data();
        std::size_t room = shared.size() * 8;
        std::align(16, shared_bytes, aligned, room);
        run_block(fibres, Place{{}, {x, y, z}, block_dim, grid, aligned}, f);
      }
}

void block_barrier() {
  const unsigned mine = ++self().barriers;
  const auto all_here = [mine] {
    return std::all_of(block->fibres->begin(), block->fibres->end(),
                       [mine](const Fibre& fibre) { return fibre.done || fibre.barriers >= mine; });
  };
  while (!all_here()) yield();
}

std::uint32_t exchange(unsigned mask, std::uint32_t value, unsigned source) {
  const unsigned mine = ++self().exchanges;
  self().word[mine % 2] = value;
  Fibre* const warp = block->fibres->data() + block->running / lanes * lanes;
  const auto all_here = [=] {
    for (unsigned lane = 0; lane < lanes; ++lane)
      if ((mask >> lane & 1) != 0 && warp[lane].exchanges < mine) return false;
    return true;
  };
  while (!all_here()) yield();
  return warp[source].word[mine % 2];
}

}  // namespace pinion::cuda::emulator
