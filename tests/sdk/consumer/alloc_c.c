/* An allocator in plain C, without the wrapper. */
#include <pinion/pinion.h>
#include <stdio.h>
#include <stdlib.h>

static void describe(void* self, pinion_allocator_info* out) {
  (void)self;
  /* Every field here is as old as the ABI, so no caller's struct can be shorter. */
  out->kind = PINION_MEMORY_PAGEABLE;
  out->granularity = 4096;
  out->alignment = 4096;
  out->max_slab = 0;
  out->slow = 0;
  out->reserved = 0;
}

static pinion_status allocate(void* self, uint64_t bytes, const pinion_placement* placement, void** out,
                              pinion_error* err) {
  (void)self;
  (void)placement;
  *out = aligned_alloc(4096, bytes);
  if (*out != NULL) return PINION_OK;
  if (err != NULL) {
    err->native_code = 0;
    snprintf(err->message, sizeof err->message, "the C heap has no %llu bytes", (unsigned long long)bytes);
  }
  return PINION_OUT_OF_MEMORY;
}

static void release(void* self, void* slab, uint64_t bytes) {
  (void)self;
  (void)bytes;
  free(slab);
}

static const pinion_allocator table = {sizeof(pinion_allocator), 0, describe, allocate, release};

static pinion_status create(const pinion_host* host, const pinion_option* options, uint32_t count, void** self,
                            pinion_error* err) {
  (void)options;
  (void)count;
  (void)err;
  host->log(host, PINION_LOG_INFO, "made");
  *self = (void*)&table; /* no state */
  return PINION_OK;
}

static void destroy(void* self) {
  (void)self;
}

static const void* query(void* self, const char* id) {
  const char* mine = PINION_ALLOCATOR;
  (void)self;
  while (*id != '\0' && *id == *mine) ++id, ++mine;
  return *id == *mine ? &table : NULL;
}

static const char* const interfaces[] = {PINION_ALLOCATOR};
static const pinion_plugin_info info = {sizeof(pinion_plugin_info),
                                        1,
                                        0,
                                        0,
                                        PINION_PLUGIN_ID,
                                        "Allocator in C",
                                        PINION_PLUGIN_VERSION,
                                        "MIT",
                                        "The C heap.",
                                        interfaces,
                                        NULL};

const pinion_plugin_entry pinion_plugin = {
    PINION_MAGIC, PINION_ABI_MAJOR, PINION_ABI_MINOR, sizeof(pinion_plugin_entry), 0, &info, create, destroy, query};
