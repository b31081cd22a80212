// From the base classes of interfaces.hpp to the C tables: one constant table per interface and plugin class. `self` is
// the plugin class's own pointer, so each trampoline casts to P first and only then to the base.
#pragma once

#include <pinion/plugin/interfaces.hpp>

namespace pinion::detail {

// Makes *out from what `make` returns; *out is untouched when it throws.
template <class F>
pinion_status create_into(void** out, pinion_error* err, F&& make) noexcept {
  return guard(err, [&] {
    auto owned = make();
    if (!owned) throw Error(PINION_INTERNAL, "the plugin returned nothing where it owes an object");
    *out = owned.release();
  });
}

template <class P>
struct AllocatorTable {
  static Allocator& of(void* self) { return *static_cast<P*>(self); }
  static constexpr pinion_allocator table{
      sizeof(pinion_allocator),
      0,
      [](void* self, pinion_allocator_info* out) { write_out(out, of(self).describe_allocator()); },
      [](void* self, uint64_t bytes, const pinion_placement* placement, void** out, pinion_error* err) {
        *out = nullptr;
        return guard(err, [&] { *out = of(self).allocate(bytes, *placement); });
      },
      [](void* self, void* slab, uint64_t bytes) { of(self).release(slab, bytes); },
      [](void* self, void* slab, uint64_t bytes, pinion_error* err) {
        return guard(err, [&] { of(self).try_release(slab, bytes); });
      }};
};

template <class P>
struct ResidentTableOf {
  static ResidentTable& of(void* self) { return *static_cast<P*>(self); }
  static constexpr pinion_resident table{
      sizeof(pinion_resident),
      0,
      [](void* self, uint32_t* count) {
        const auto formats = of(self).resident_formats();
        *count = static_cast<uint32_t>(formats.size());
        return formats.data();
      },
      [](void* self, const pinion_resource* resource, int32_t device, pinion_resident_info* out, pinion_error* err) {
        return guard(err, [&] { write_out(out, of(self).describe_resident(*resource, device)); });
      },
      [](void* self, const pinion_resource* resource, int32_t device, pinion_bytes source, const pinion_buffer* buffer,
         const pinion_call* call, void** handle, pinion_error* err) {
        return create_into(handle, err, [&] {
          Call c(call);
          return of(self).load_resident(*resource, device, bytes_of(source), buffer, c);
        });
      },
      [](void*, void* handle) { delete static_cast<Resident*>(handle); },
      [](void*, void* handle, pinion_bytes* out) -> pinion_status {
        const auto view = static_cast<Resident*>(handle)->view();
        if (view.empty()) return PINION_UNSUPPORTED;
        *out = as_bytes(view);
        return PINION_OK;
      }};
};

template <class P>
struct BackendTable {
  static Backend& of(void* self) { return *static_cast<P*>(self); }
  static constexpr pinion_backend table{
      sizeof(pinion_backend),
      0,
      [](void* self, pinion_backend_info* out) { write_out(out, of(self).describe_backend()); },
      [](void* self, uint32_t i, pinion_device_info* out, pinion_error* err) {
        return guard(err, [&] { write_out(out, of(self).device(i)); });
      },
      [](void* self, uint32_t device, const char* format, const pinion_resource* const* resources, uint32_t count,
         pinion_backend_plan* out, pinion_error* err) {
        return guard(err, [&] { write_out(out, of(self).plan(device, format, {resources, count})); });
      },
      [](void* self, uint32_t device, const pinion_job* job, const pinion_loaded* residents, uint32_t resident_count,
         const pinion_buffer* buffers, uint32_t buffer_count, const pinion_call* call, void** op, pinion_error* err) {
        return create_into(op, err, [&] {
          Call c(call);
          return of(self).start(device, *job, {residents, resident_count}, {buffers, buffer_count}, c);
        });
      },
      [](void*, void* op, const pinion_call* call, uint8_t* out, uint64_t capacity, uint64_t* written,
         pinion_error* err) {
        const std::unique_ptr<Operation> owned(static_cast<Operation*>(op));
        return guard(err, [&] {
          Call c(call);
          *written = owned->finish(c, {out, static_cast<std::size_t>(capacity)});
        });
      },
      [](void*, void* op) { delete static_cast<Operation*>(op); },
      [](void* self, uint32_t device, pinion_device_usage* out, pinion_error* err) {
        return guard(err, [&] {
          const auto busy = of(self).busy_time(device);
          if (!busy) throw Error(PINION_UNSUPPORTED, "this backend does not say how busy its devices are");
          pinion_device_usage usage{};
          usage.size = sizeof usage;
          usage.busy_ns = static_cast<uint64_t>(busy->count());
          write_out(out, usage);
        });
      },
      [](void* self, uint32_t device, const void* at, uint64_t bytes, pinion_memory_seen* out, pinion_error* err) {
        return guard(err, [&] {
          const auto kind = of(self).memory_seen(device, {static_cast<const std::byte*>(at), bytes});
          if (!kind) throw Error(PINION_UNSUPPORTED, "this backend does not say how its devices see host memory");
          write_out(out, pinion_memory_seen{sizeof(pinion_memory_seen), *kind});
        });
      }};
};

template <class P>
struct ProofTable {
  static Proof& of(void* self) { return *static_cast<P*>(self); }
  static Session& in(void* session) { return *static_cast<Session*>(session); }
  static constexpr pinion_proof table{
      sizeof(pinion_proof),
      0,
      [](void* self, uint32_t* count) {
        const auto kinds = of(self).kinds();
        *count = static_cast<uint32_t>(kinds.size());
        return kinds.data();
      },
      [](void* self, const pinion_request* request, const pinion_call* call, void** session, const pinion_kind** kind,
         pinion_error* err) {
        return create_into(session, err, [&] {
          Call c(call);
          auto opened = of(self).open(*request, c);
          if (opened) *kind = opened->kind();
          return opened;
        });
      },
      [](void*, void* session, const char* format, pinion_plan* out, pinion_error* err) {
        return guard(err, [&] { write_out(out, in(session).plan(format)); });
      },
      [](void*, void* session, const char* format, uint32_t partition, const pinion_buffer* buffers,
         uint32_t buffer_count, const pinion_loaded* residents, uint32_t resident_count, const pinion_call* call,
         pinion_job* job, pinion_error* err) {
        return guard(err, [&] {
          Call c(call);
          write_out(job,
                    in(session).synthesize(format, partition, {buffers, buffer_count}, {residents, resident_count}, c));
        });
      },
      [](void*, void* session, uint32_t partition) { in(session).retire(partition); },
      [](void*, void* session, uint32_t partition, pinion_bytes part, const pinion_call* call, pinion_error* err) {
        return guard(err, [&] {
          Call c(call);
          in(session).verify_part(partition, bytes_of(part), c);
        });
      },
      [](void*, void* session, const pinion_bytes* parts, uint32_t count, uint8_t* out, uint64_t capacity,
         uint64_t* written, pinion_error* err) {
        return guard(err, [&] {
          *written = in(session).assemble({parts, count}, {out, static_cast<std::size_t>(capacity)});
        });
      },
      [](void*, void* session, pinion_bytes proof, const pinion_call* call, pinion_error* err) {
        return guard(err, [&] {
          Call c(call);
          in(session).verify(bytes_of(proof), c);
        });
      },
      [](void*, void* session) { delete static_cast<Session*>(session); },
      [](void* self, const pinion_kind* kind, const char* params_dir, uint32_t flags, const pinion_resource_sink* sink,
         pinion_error* err) {
        return guard(err, [&] { of(self).resources_of(*kind, params_dir, flags, ResourceSink(sink)); });
      }};
};

template <class P>
struct KeysTable {
  static Keys& of(void* self) { return *static_cast<P*>(self); }
  static constexpr pinion_keys table{sizeof(pinion_keys), 0,
                                     [](void* self, const pinion_kind* kind, const char* dir, const char* toxic_label,
                                        const pinion_call* call, const pinion_fact_sink* sink, pinion_error* err) {
                                       return guard(err, [&] {
                                         Call c(call);
                                         of(self).generate_keys(*kind, dir, toxic_label, c, FactSink(sink));
                                       });
                                     },
                                     [](void* self, const pinion_kind* kind, const char* dir, const pinion_call* call,
                                        const pinion_fact_sink* sink, pinion_error* err) {
                                       return guard(err, [&] {
                                         Call c(call);
                                         of(self).check_keys(*kind, dir, c, FactSink(sink));
                                       });
                                     },
                                     [](void* self, const char* file, const pinion_fact_sink* sink, pinion_error* err) {
                                       return guard(err, [&] { of(self).describe_keys(file, FactSink(sink)); });
                                     }};
};

template <class P>
struct SamplesTable {
  static Samples& of(void* self) { return *static_cast<P*>(self); }
  static constexpr pinion_samples table{
      sizeof(pinion_samples),
      0,
      [](void* self, uint32_t* count) {
        const auto samples = of(self).samples();
        *count = static_cast<uint32_t>(samples.size());
        return samples.data();
      },
      [](void* self, const pinion_kind* kind, uint64_t seed, const char* dir, const pinion_call* call,
         pinion_error* err) {
        return guard(err, [&] {
          Call c(call);
          const DefaultOptions defaults(of(self).fake_options(*kind));
          static constexpr pinion_fact_sink nobody{nullptr, [](void*, const char*, const char*) {}};
          of(self).fake(*kind, seed, defaults.view(), dir, c, FactSink(&nobody));
        });
      },
      [](void* self, const pinion_kind* kind, uint32_t* count) {
        const auto options = of(self).fake_options(*kind);
        *count = static_cast<uint32_t>(options.size());
        return options.data();
      },
      [](void* self, const pinion_kind* kind, uint64_t seed, const pinion_option* options, uint32_t count,
         const char* dir, const pinion_call* call, const pinion_fact_sink* sink, pinion_error* err) {
        return guard(err, [&] {
          Call c(call);
          of(self).fake(*kind, seed, Options(options, count), dir, c, FactSink(sink));
        });
      }};
};

template <class P>
struct HealthTable {
  static constexpr pinion_health table{sizeof(pinion_health), 0, [](void* self, const pinion_health_sink* sink) {
                                         static_cast<Health&>(*static_cast<P*>(self)).examine(HealthSink(sink));
                                       }};
};

}  // namespace pinion::detail
