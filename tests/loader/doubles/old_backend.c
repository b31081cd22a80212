/* A backend in C as somebody built it with the headers of ABI 0.1, whose table ends before `usage`: it loads for ever,
 * and what it cannot say is not reported. It proves nothing. */
#include <string.h>

#include "pinion/backend.h"
#include "pinion/plugin.h"

static const char* const formats[] = {"test.job/1"};

static void describe(void* self, pinion_backend_info* out) {
  (void)self;
  out->device_count = 1;
  out->format_count = 1;
  out->accepted_kinds = PINION_MEMORY_ANY;
  out->formats = formats;
}

static pinion_status device(void* self, uint32_t i, pinion_device_info* out, pinion_error* err) {
  (void)self;
  (void)i;
  (void)err;
  out->numa_node = -1;
  out->starts_in_flight = 1;
  strcpy(out->name, "an old device");
  return PINION_OK;
}

static pinion_status plan(void* self, uint32_t device_number, const char* format,
                          const pinion_resource* const* resources, uint32_t count, pinion_backend_plan* out,
                          pinion_error* err) {
  (void)self, (void)device_number, (void)format, (void)resources, (void)count, (void)out, (void)err;
  return PINION_UNSUPPORTED;
}

static pinion_status start(void* self, uint32_t device_number, const pinion_job* job, const pinion_loaded* residents,
                           uint32_t resident_count, const pinion_buffer* buffers, uint32_t buffer_count,
                           const pinion_call* call, void** op, pinion_error* err) {
  (void)self, (void)device_number, (void)job, (void)residents, (void)resident_count, (void)buffers, (void)buffer_count;
  (void)call, (void)op, (void)err;
  return PINION_UNSUPPORTED;
}

static pinion_status finish(void* self, void* op, const pinion_call* call, uint8_t* out, uint64_t capacity,
                            uint64_t* written, pinion_error* err) {
  (void)self, (void)op, (void)call, (void)out, (void)capacity, (void)written, (void)err;
  return PINION_UNSUPPORTED;
}

static void abandon(void* self, void* op) {
  (void)self, (void)op;
}

static const pinion_backend table = {sizeof table, 0, describe, device, plan, start, finish, abandon};

static pinion_status create(const pinion_host* host, const pinion_option* options, uint32_t count, void** self,
                            pinion_error* err) {
  static int instance;
  (void)host, (void)options, (void)count, (void)err;
  *self = &instance;
  return PINION_OK;
}

static void destroy(void* self) {
  (void)self;
}

static const void* query(void* self, const char* interface_id) {
  (void)self;
  return strcmp(interface_id, PINION_BACKEND) == 0 ? &table : NULL;
}

static const char* const interfaces[] = {PINION_BACKEND};

static const pinion_plugin_info info = {
    .size = sizeof info,
    .interface_count = 1,
    .id = PINION_PLUGIN_ID,
    .name = "Old backend",
    .version = PINION_PLUGIN_VERSION,
    .licence = "MIT",
    .description = "A backend of ABI 0.1.",
    .interfaces = interfaces,
};

const pinion_plugin_entry pinion_plugin = {
    .magic = PINION_MAGIC,
    .abi_major = PINION_ABI_MAJOR,
    .abi_minor = PINION_ABI_MINOR,
    .size = sizeof(pinion_plugin_entry),
    .info = &info,
    .create = create,
    .destroy = destroy,
    .query = query,
};
