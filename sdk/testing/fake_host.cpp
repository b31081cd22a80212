#include "fake_host.hpp"

#include <algorithm>
#include <pinion/plugin/error.hpp>

namespace pinion::testing {
namespace {

// True on threads that `parallel` of some FakeCall runs on right now.
thread_local bool inside_parallel = false;

struct Loop {
  std::uint64_t count;
  void (*fn)(void*, std::uint64_t);
  void* arg;
  std::atomic<std::uint64_t> next{0};

  void work() {
    const bool outer = inside_parallel;
    inside_parallel = true;
    for (std::uint64_t i = next++; i < count; i = next++) fn(arg, i);
    inside_parallel = outer;
  }
};

// SplitMix64 (Steele, Lea, Flood 2014): a fixed stream for tests, never for secrets.
std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

struct FakeHostTable {
  static void log(const pinion_host* host, std::int32_t level, const char* text) {
    auto& self = *static_cast<FakeHost*>(host->context);
    const std::lock_guard lock(self.mutex_);
    self.lines_.push_back({level, text});
  }
  static const void* query(const pinion_host* host, const char* service) {
    const auto& self = *static_cast<const FakeHost*>(host->context);
    return self.width_ != 0 && std::string_view(service) == PINION_WIDTH ? &self.width_ : nullptr;
  }
};

FakeHost::FakeHost(std::uint32_t width)
    : width_(width), table_{sizeof(pinion_host), PINION_ABI_MAJOR,    PINION_ABI_MINOR, this,
                            FakeHostTable::log,  FakeHostTable::query} {}

std::vector<FakeHost::Line> FakeHost::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

struct FakeCallTable {
  static FakeCall& of(const pinion_call* call) { return *static_cast<FakeCall*>(call->context); }

  static std::int32_t cancelled(const pinion_call* call) {
    FakeCall& self = of(call);
    const std::uint64_t polls = self.polls_.fetch_add(1) + 1;
    return self.cancel_.load(std::memory_order_relaxed) || polls > self.settings_.cancel_after ? 1 : 0;
  }
  static void progress(const pinion_call* call, std::uint64_t done, std::uint64_t total) {
    if (done > total) of(call).violate("progress: " + std::to_string(done) + " of " + std::to_string(total));
  }
  static std::uint64_t span_begin(const pinion_call* call, const char* name) {
    FakeCall& self = of(call);
    const std::lock_guard lock(self.mutex_);
    self.open_spans_[self.next_id_] = name;
    return self.next_id_++;
  }
  static void span_end(const pinion_call* call, std::uint64_t span, std::uint64_t) {
    FakeCall& self = of(call);
    {
      const std::lock_guard lock(self.mutex_);
      if (const auto found = self.open_spans_.find(span); found != self.open_spans_.end()) {
        self.ended_spans_.push_back(found->second);
        self.open_spans_.erase(found);
        return;
      }
    }
    self.violate("span_end: span " + std::to_string(span) + " is not open");
  }
  static std::uint32_t width(const pinion_call* call) { return of(call).settings_.threads; }
  static void parallel(const pinion_call* call, std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) {
    FakeCall& self = of(call);
    self.require_worker("parallel");
    Loop loop{count, fn, arg};
    std::vector<std::thread> threads;
    if (!inside_parallel)
      for (unsigned i = 1; i < self.settings_.threads && i < count; ++i) threads.emplace_back([&loop] { loop.work(); });
    loop.work();
    for (std::thread& thread : threads) thread.join();
  }
  static pinion_status reserve(const pinion_call* call, std::uint32_t space, std::uint64_t bytes, pinion_error* err) {
    FakeCall& self = of(call);
    self.require_worker("reserve");
    if (!self.charge(space, bytes))
      return fail(err, PINION_OUT_OF_MEMORY, "reserve: no room for " + std::to_string(bytes) + " bytes");
    const std::lock_guard lock(self.mutex_);
    self.reserved_[space] += bytes;
    return PINION_OK;
  }
  static void unreserve(const pinion_call* call, std::uint32_t space, std::uint64_t bytes) {
    FakeCall& self = of(call);
    self.require_worker("unreserve");
    {
      const std::lock_guard lock(self.mutex_);
      std::uint64_t& reserved = self.reserved_[space];
      if (bytes <= reserved) {
        reserved -= bytes;
        self.ledgers_[space].used -= bytes;
        return;
      }
    }
    self.violate("unreserve: " + std::to_string(bytes) + " bytes, more than is reserved");
  }
  static pinion_status acquire(const pinion_call* call, std::uint64_t bytes, std::uint32_t kinds, pinion_buffer* out,
                               pinion_error* err) {
    FakeCall& self = of(call);
    self.require_worker("acquire");
    if ((kinds & PINION_MEMORY_PAGEABLE) == 0)
      return fail(err, PINION_UNSUPPORTED, "acquire: the fake host has pageable memory only");
    if (!self.charge(PINION_SPACE_HOST, bytes))
      return fail(err, PINION_OUT_OF_MEMORY, "acquire: no room for " + std::to_string(bytes) + " bytes");
    const std::lock_guard lock(self.mutex_);
    auto buffer = std::make_unique<GuardBuffer>(bytes, GuardBuffer::Edge::start);
    *out = buffer->buffer(self.next_id_);
    self.buffers_[self.next_id_++] = std::move(buffer);
    return PINION_OK;
  }
  static void give_back(const pinion_call* call, const pinion_buffer* buffer) {
    FakeCall& self = of(call);
    self.require_worker("give_back");
    std::unique_ptr<GuardBuffer> owned;
    {
      const std::lock_guard lock(self.mutex_);
      if (const auto found = self.buffers_.find(buffer->id); found != self.buffers_.end()) {
        owned = std::move(found->second);
        self.buffers_.erase(found);
        self.ledgers_[PINION_SPACE_HOST].used -= owned->span().size();
      }
    }
    if (!owned)
      self.violate("give_back: buffer " + std::to_string(buffer->id) + " is not lent");
    else if (!owned->intact())
      self.violate("give_back: buffer " + std::to_string(buffer->id) + " was overrun");
  }
  static pinion_status random(const pinion_call* call, void* out, std::uint64_t bytes, pinion_error*) {
    FakeCall& self = of(call);
    self.require_worker("random");
    const std::lock_guard lock(self.mutex_);
    auto* to = static_cast<std::uint8_t*>(out);
    for (std::uint64_t i = 0; i < bytes; ++i)
      to[i] = self.random_used_ < self.settings_.random.size()
                  ? self.settings_.random[self.random_used_++]
                  : static_cast<std::uint8_t>(split_mix(self.settings_.seed));
    return PINION_OK;
  }
};

FakeCall::FakeCall(CallSettings settings) : settings_(std::move(settings)), owner_(std::this_thread::get_id()) {
  using T = FakeCallTable;
  table_ = {sizeof(pinion_call), 0,           this,         T::cancelled, T::progress,
            T::span_begin,       T::span_end, T::width,     T::parallel,  T::reserve,
            T::unreserve,        T::acquire,  T::give_back, T::random};
}

bool FakeCall::charge(std::uint32_t space, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  Ledger& ledger = ledgers_[space];
  if (bytes > settings_.memory - ledger.used) return false;
  ledger.used += bytes;
  ledger.peak = std::max(ledger.peak, ledger.used);
  return true;
}

void FakeCall::violate(std::string sentence) {
  const std::lock_guard lock(mutex_);
  violations_.push_back(std::move(sentence));
}

void FakeCall::require_worker(const char* function) {
  if (std::this_thread::get_id() != owner_ && !inside_parallel)
    violate(std::string(function) + " is [worker], but was called from a thread of the plugin's own");
}

std::uint64_t FakeCall::peak_bytes(std::uint32_t space) const {
  const std::lock_guard lock(mutex_);
  const auto found = ledgers_.find(space);
  return found == ledgers_.end() ? 0 : found->second.peak;
}

std::vector<std::string> FakeCall::spans() const {
  const std::lock_guard lock(mutex_);
  return ended_spans_;
}

std::vector<std::string> FakeCall::leaks() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [space, bytes] : reserved_)
    if (bytes != 0) out.push_back(std::to_string(bytes) + " bytes reserved in space " + std::to_string(space));
  for (const auto& [id, buffer] : buffers_)
    out.push_back("buffer " + std::to_string(id) + " of " + std::to_string(buffer->span().size()) + " bytes");
  for (const auto& [id, name] : open_spans_) out.push_back("open span '" + name + "'");
  return out;
}

std::vector<std::string> FakeCall::violations() const {
  const std::lock_guard lock(mutex_);
  return violations_;
}

}  // namespace pinion::testing
