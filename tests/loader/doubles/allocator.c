/* A plain C allocator, and with -DFAULT_X one of the ways to get a plugin wrong. Each build breaks exactly one rule, so
 * that a refusal can only come from the gate under test. */
#include "pinion/allocator.h"

#include <stdlib.h>
#include <string.h>

#include "pinion/plugin.h"

#ifdef FAULT_ABORTS
__attribute__((constructor)) static void before_all(void) {
  abort();
}
#endif
#ifdef FAULT_EXITS
__attribute__((constructor)) static void before_all(void) {
  _Exit(0);
}
#endif
#ifdef FAULT_UNRESOLVED_SYMBOL
extern void nobody_defines_this(void);
#endif
#ifdef FAULT_DEPENDENCY
extern int only_in_gone(void);
#endif

static void describe(void* self, pinion_allocator_info* out) {
  pinion_allocator_info info = {.size = sizeof info,
                                .kind = PINION_MEMORY_PAGEABLE,
                                .granularity = 4096,
                                .alignment = 4096,
                                .max_slab = 0,
                                .slow = 0,
                                .reserved = 0};
  (void)self;
#if defined(FAULT_GRANULARITY)
  info.granularity = 5000;
#elif defined(FAULT_KIND)
  info.kind = 64;
#endif
  /* Out structs: the caller's size counts, never more is written; and never more than this plugin knows. */
  info.size = out->size;
#ifdef OLDER_OUT_STRUCTS
  memcpy(out, &info, offsetof(pinion_allocator_info, max_slab));
#else
  memcpy(out, &info, out->size < sizeof info ? out->size : sizeof info);
#endif
}

static pinion_status allocate(void* self, uint64_t bytes, const pinion_placement* placement, void** out,
                              pinion_error* err) {
  (void)self;
  (void)placement;
  (void)err;
  *out = aligned_alloc(4096, (size_t)bytes);
#ifdef FAULT_MISALIGNED
  *out = (char*)*out + 64;
#endif
#ifdef FAULT_STATUS
  free(*out);
  *out = NULL;
  return 77;
#endif
  return *out ? PINION_OK : PINION_OUT_OF_MEMORY;
}

static void release(void* self, void* slab, uint64_t bytes) {
  (void)self;
  (void)bytes;
#ifdef FAULT_MISALIGNED
  slab = (char*)slab - 64;
#endif
  free(slab);
}

/* A table of tomorrow: known fields, then some this host has never heard of. */
typedef struct longer_allocator {
  pinion_allocator known;
  void (*prefault)(void* self, void* slab, uint64_t bytes);
} longer_allocator;

static const longer_allocator table = {
    .known =
        {
#if defined(FAULT_SHORT_TABLE)
            .size = offsetof(pinion_allocator, release),
#elif defined(FAULT_HUGE_TABLE)
            .size = 1u << 20,
#elif defined(LONGER_STRUCTS)
            .size = sizeof(longer_allocator),
#else
            .size = sizeof(pinion_allocator),
#endif
            .describe = describe,
#ifndef FAULT_MISSING_FUNCTION
            .allocate = allocate,
#endif
            .release = release,
        },
    .prefault = NULL,
};

static int instance;

static pinion_status create(const pinion_host* host, const pinion_option* options, uint32_t count, void** self,
                            pinion_error* err) {
  (void)host;
  (void)options;
  (void)count;
#ifdef FAULT_CREATE
  if (err) {
    static const char why[] = "the moon is in the wrong phase; wait a week";
    err->native_code = 5;
    memcpy(err->message, why, sizeof why);
  }
  return PINION_INVALID_CONFIG;
#endif
#ifdef FAULT_UNRESOLVED_SYMBOL
  nobody_defines_this();
#endif
#ifdef FAULT_DEPENDENCY
  if (!only_in_gone()) return PINION_INTERNAL;
#endif
  (void)err;
  *self = &instance;
  return PINION_OK;
}

static void destroy(void* self) {
  (void)self;
}

static const void* query(void* self, const char* interface_id) {
  (void)self;
#ifdef FAULT_QUERY_NULL
  return NULL;
#endif
  return strcmp(interface_id, PINION_ALLOCATOR) == 0 ? &table : NULL;
}

static const char* const interfaces[] = {PINION_ALLOCATOR};

static const pinion_option_info color = {
    .size = sizeof(pinion_option_info),
#ifdef FAULT_OPTION_TYPE
    .type = 99,
#else
    .type = PINION_OPTION_TEXT,
#endif
    .key = "color",
    .default_value = "red",
    .help = "which color",
    .choices = "red|green",
};
#ifdef FAULT_OPTION_TWICE
static const pinion_option_info* const options[] = {&color, &color};
#elif defined(FAULT_OPTION_NULL)
static const pinion_option_info* const options[] = {NULL};
#else
static const pinion_option_info* const options[] = {&color};
#endif

typedef struct longer_info {
  pinion_plugin_info known;
  const char* mascot;
} longer_info;

static const longer_info info = {
    .known =
        {
#if defined(FAULT_SHORT_INFO)
            .size = offsetof(pinion_plugin_info, interfaces),
#elif defined(LONGER_STRUCTS)
            .size = sizeof(longer_info),
#else
            .size = sizeof(pinion_plugin_info),
#endif
            .interface_count = 1,
            .option_count = sizeof options / sizeof options[0],
            .id =
#if defined(FAULT_ID)
                "somebody-else",
#elif defined(FAULT_BAD_ID)
                "Not An Id",
#else
                PINION_PLUGIN_ID,
#endif
            .name = "Test allocator",
            .version = PINION_PLUGIN_VERSION,
            .licence = "Apache-2.0 OR MIT",
            .description = "Built for the loader's tests.",
            .interfaces = interfaces,
            .options = options,
        },
    .mascot = "a heron",
};

#ifdef FAULT_EXTRA_SYMBOL
PINION_EXPORT int helper_that_got_out(void);
int helper_that_got_out(void) {
  return 1;
}
#endif

#ifdef FAULT_MISSING_SYMBOL
#define pinion_plugin hidden_plugin
static const pinion_plugin_entry hidden_plugin __attribute__((used));
static
#endif
    const pinion_plugin_entry pinion_plugin = {
#ifdef FAULT_MAGIC
        .magic = 0x21212121,
#else
    .magic = PINION_MAGIC,
#endif
#if defined(FAULT_MAJOR)
        .abi_major = PINION_ABI_MAJOR + 1,
#else
    .abi_major = PINION_ABI_MAJOR,
#endif
#if defined(NEWER_MINOR)
        .abi_minor = PINION_ABI_MINOR + 7,
#elif defined(OLDER_MINOR)
    .abi_minor = 0,
#else
    .abi_minor = PINION_ABI_MINOR,
#endif
#ifdef FAULT_ENTRY_SIZE
        .size = sizeof(pinion_plugin_entry) - 8,
#else
    .size = sizeof(pinion_plugin_entry),
#endif
#ifdef FAULT_INFO_NULL
        .info = NULL,
#else
    .info = &info.known,
#endif
        .create = create,
        .destroy = destroy,
#ifndef FAULT_ENTRY_QUERY
        .query = query,
#endif
};
