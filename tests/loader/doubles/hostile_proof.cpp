// A proof plugin that means harm, or was written in haste: the option "attack" says which lie its tables tell.
// Everything else about it is in order, so that what the host says is about that lie.
#include <pinion/pinion.h>

#include <cstring>
#include <stdexcept>
#include <string>

namespace {

constexpr std::uint32_t most32 = UINT32_MAX;
constexpr std::uint64_t most64 = UINT64_MAX;
const char* const formats[] = {"test.job/1"};
const pinion_kind_file file{"test.params", "", 10};

struct Hostile {
  std::string attack;
  pinion_kind kind{.size = sizeof(pinion_kind),
                   .format_count = 1,
                   .file_count = 1,
                   .priority = PINION_PRIORITY_NORMAL,
                   .id = "test-1k",
                   .family = "test",
                   .title = "A test",
                   .sector_bytes = 1024,
                   .formats = formats,
                   .files = &file,
                   .wire_label = "",
                   .wire_circuit = "",
                   .wire_kind = 0,
                   .parse_percent = 100};
  alignas(8) char shifted[sizeof(pinion_kind) + 1] = {};
  const pinion_kind* kinds[2] = {&kind, nullptr};
  pinion_sample sample{.size = sizeof(pinion_sample),
                       .part_count = 0,
                       .field_count = 0,
                       .reserved = 0,
                       .title = "a sample",
                       .kind = &kind,
                       .parts = nullptr,
                       .fields = nullptr};
  const pinion_sample* samples[2] = {&sample, nullptr};
  pinion_buffer_need need{1024, PINION_MEMORY_ANY, PINION_FREE_AFTER_FINISH, "a buffer", 0};
  pinion_resource resource{sizeof(pinion_resource), 0, "thing", "test.thing/1", 0, "", ""};
  const pinion_resource* resources[1] = {&resource};
  char session = 0;

  bool is(const char* name) const { return attack == name; }
  void prepare() {
    if (is("kind size 0")) kind.size = 0;
    if (is("kind size huge")) kind.size = most32;
    if (is("kind formats null")) kind.formats = nullptr;
    if (is("kind formats huge")) kind.format_count = most32;
    if (is("kind files null")) kind.files = nullptr;
    if (is("kind files huge")) kind.file_count = most32;
    if (is("kind texts null")) kind.title = kind.wire_label = kind.wire_circuit = nullptr;
    if (is("kind null")) kinds[0] = nullptr;
    if (is("kind misaligned")) {
      std::memcpy(shifted + 1, &kind, sizeof kind);
      kinds[0] = reinterpret_cast<const pinion_kind*>(shifted + 1);
    }
    if (is("sample null")) samples[0] = nullptr;
    if (is("sample size 0")) sample.size = 0;
    if (is("sample parts null")) sample.part_count = 3;
    if (is("sample fields huge")) sample.field_count = most32;
    if (is("sample of nothing")) sample.kind = nullptr;
    if (is("plan needs 2^64-1")) need.bytes = most64;
    if (is("plan kind of memory")) need.kinds = 0x80;
    if (is("plan free after")) need.free_after = 99;
    if (is("plan resource null")) resources[0] = nullptr;
    if (is("plan resource nameless") || is("resource nameless")) resource.id = nullptr;
  }
  void maybe_throw(const char* function) const {
    if (attack == std::string("throw from ") + function) throw std::runtime_error("thrown across the border");
  }
};

Hostile& of(void* self) {
  return *static_cast<Hostile*>(self);
}

const pinion_proof proof{
    .size = sizeof(pinion_proof),
    .reserved = 0,
    .kinds = [](void* self, std::uint32_t* count) -> const pinion_kind* const* {
      of(self).maybe_throw("kinds");
      *count = of(self).is("kinds huge") ? most32 : of(self).is("kinds none") ? 0 : 1;
      return of(self).is("kinds null") ? nullptr : of(self).kinds;
    },
    .open = [](void* self, const pinion_request*, const pinion_call*, void** session, const pinion_kind** kind,
               pinion_error*) -> pinion_status {
      static const pinion_kind foreign{};
      *session = of(self).is("open without session") ? nullptr : &of(self).session;
      *kind = of(self).is("open foreign kind") ? &foreign : of(self).is("open null kind") ? nullptr : of(self).kinds[0];
      return PINION_OK;
    },
    .plan = [](void* self, void*, const char*, pinion_plan* out, pinion_error*) -> pinion_status {
      Hostile& me = of(self);
      *out = {.size = sizeof(pinion_plan),
              .partitions = me.is("plan partitions 0")      ? 0
                            : me.is("plan partitions huge") ? most32
                                                            : 1,
              .need_count = me.is("plan needs huge") ? most32 : 1,
              .resource_count = me.is("plan resources huge") ? most32 : 1,
              .needs = me.is("plan needs null") ? nullptr : &me.need,
              .resources = me.is("plan resources null") ? nullptr : me.resources,
              .reserve = me.is("plan reserve 2^64-1") ? most64 : 0,
              .part_bytes = me.is("plan part 2^64-1") ? most64 : 10,
              .proof_bytes = me.is("plan proof 2^64-1") ? most64 : 10};
      return PINION_OK;
    },
    .synthesize = [](void*, void*, const char*, std::uint32_t, const pinion_buffer*, std::uint32_t,
                     const pinion_loaded*, std::uint32_t, const pinion_call*, pinion_job*,
                     pinion_error*) -> pinion_status { return PINION_OK; },
    .retire = [](void* self, void*, std::uint32_t) { of(self).maybe_throw("retire"); },
    .verify_part = [](void*, void*, std::uint32_t, pinion_bytes, const pinion_call*, pinion_error*) -> pinion_status {
      return PINION_OK;
    },
    .assemble = [](void* self, void*, const pinion_bytes*, std::uint32_t, std::uint8_t*, std::uint64_t,
                   std::uint64_t* written, pinion_error*) -> pinion_status {
      *written = of(self).is("assemble too much") ? most64 : 10;
      return PINION_OK;
    },
    .verify = [](void*, void*, pinion_bytes, const pinion_call*, pinion_error* error) -> pinion_status {
      std::memset(error->message, 'x', sizeof error->message);  // no end
      return PINION_PROOF_INVALID;
    },
    .close = [](void* self, void*) { of(self).maybe_throw("close"); },
    .resources_of = [](void* self, const pinion_kind*, const char*, std::uint32_t, const pinion_resource_sink* sink,
                       pinion_error*) -> pinion_status {
      Hostile& me = of(self);
      me.maybe_throw("resources_of");
      const std::uint32_t count = me.is("resources without end") ? 100'000 : 1;
      for (std::uint32_t i = 0; i < count; ++i)
        sink->resource(sink->context, me.is("resource null") ? nullptr : &me.resource);
      return PINION_OK;
    },
};

const pinion_resident residents{
    .size = sizeof(pinion_resident),
    .reserved = 0,
    .formats = [](void* self, std::uint32_t* count) -> const char* const* {
      of(self).maybe_throw("formats");
      *count = of(self).is("resident formats huge") ? most32 : 1;
      return of(self).is("resident formats null") ? nullptr : formats;
    },
    .describe = [](void*, const pinion_resource*, std::int32_t, pinion_resident_info*, pinion_error*) -> pinion_status {
      return PINION_OK;
    },
    .load = [](void*, const pinion_resource*, std::int32_t, pinion_bytes, const pinion_buffer*, const pinion_call*,
               void**, pinion_error*) -> pinion_status { return PINION_OK; },
    .unload = [](void*, void*) {},
    .view = [](void*, void*, pinion_bytes*) -> pinion_status { return PINION_OK; },
};

const pinion_samples samples{
    .size = sizeof(pinion_samples),
    .reserved = 0,
    .list = [](void* self, std::uint32_t* count) -> const pinion_sample* const* {
      of(self).maybe_throw("list");
      *count = of(self).is("samples huge") ? most32 : 1;
      return of(self).is("samples huge") ? nullptr : of(self).samples;
    },
    .fake = [](void*, const pinion_kind*, std::uint64_t, const char*, const pinion_call*,
               pinion_error*) -> pinion_status { return PINION_OK; },
    .fake_options = [](void* self, const pinion_kind*, std::uint32_t* count) -> const pinion_option_info* const* {
      of(self).maybe_throw("fake_options");
      *count = of(self).is("fake options huge") ? most32 : of(self).is("fake options null") ? 3 : 0;
      return nullptr;
    },
    .fake_with = [](void*, const pinion_kind*, std::uint64_t, const pinion_option*, std::uint32_t, const char*,
                    const pinion_call*, const pinion_fact_sink*, pinion_error*) -> pinion_status { return PINION_OK; },
};

pinion_status create(const pinion_host*, const pinion_option* options, std::uint32_t count, void** self,
                     pinion_error*) {
  auto* hostile = new Hostile;
  if (count == 1) hostile->attack = options[0].text;
  hostile->prepare();
  *self = hostile;
  return PINION_OK;
}

void destroy(void* self) {
  const Hostile copy = of(self);
  delete &of(self);
  copy.maybe_throw("destroy");
}

const void* query(void* self, const char* id) {
  of(self).maybe_throw("query");
  if (std::strcmp(id, PINION_PROOF) == 0) return &proof;
  if (std::strcmp(id, PINION_RESIDENT) == 0) return &residents;
  return std::strcmp(id, PINION_SAMPLE) == 0 ? &samples : nullptr;
}

const char* const interfaces[] = {PINION_PROOF, PINION_RESIDENT, PINION_SAMPLE};
const pinion_option_info attack{
    sizeof(pinion_option_info), PINION_OPTION_TEXT, "attack", "", "which lie to tell", nullptr};
const pinion_option_info* const options[] = {&attack};
const pinion_plugin_info info{.size = sizeof(pinion_plugin_info),
                              .interface_count = 3,
                              .option_count = 1,
                              .reserved = 0,
                              .id = PINION_PLUGIN_ID,
                              .name = "Hostile proof",
                              .version = PINION_PLUGIN_VERSION,
                              .licence = "Apache-2.0 OR MIT",
                              .description = "Built for the loader's tests.",
                              .interfaces = interfaces,
                              .options = options};

}  // namespace

extern "C" PINION_EXPORT constexpr pinion_plugin_entry pinion_plugin = {.magic = PINION_MAGIC,
                                                                        .abi_major = PINION_ABI_MAJOR,
                                                                        .abi_minor = PINION_ABI_MINOR,
                                                                        .size = sizeof(pinion_plugin_entry),
                                                                        .reserved = 0,
                                                                        .info = &info,
                                                                        .create = create,
                                                                        .destroy = destroy,
                                                                        .query = query};
