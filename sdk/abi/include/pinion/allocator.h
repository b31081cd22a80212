/* allocator.h: "pinion.allocator/1", a source of slabs. It does not cache, count or limit: the host's pool does. */
#ifndef PINION_ALLOCATOR_H
#define PINION_ALLOCATOR_H

#include "pinion/abi.h"
#include "pinion/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_ALLOCATOR "pinion.allocator/1"

typedef struct pinion_allocator_info {
  uint32_t size;        /* in: the caller's */
  uint32_t kind;        /* one PINION_MEMORY_ flag: every slab is of this kind */
  uint64_t granularity; /* sizes are multiples of it; a power of two, at least 4096 */
  uint64_t alignment;   /* of a slab's address; a power of two, at least 4096 */
  uint64_t max_slab;    /* bytes; 0: no limit of its own */
  uint32_t slow;        /* non-zero: making a slab is costly, keep what you get */
  uint32_t reserved;
} pinion_allocator_info;

/* Where a slab should lie. A wish: an allocator that cannot place says so in its log once. */
typedef struct pinion_placement {
  uint32_t size;
  int32_t numa_node;   /* -1: anywhere */
  uint32_t has_device; /* non-zero: device_uuid says which device will read it */
  uint32_t reserved;
  uint8_t device_uuid[16];
} pinion_placement;

typedef struct pinion_allocator {
  uint32_t size, reserved;
  /* Plain facts, always the same for one instance. Cannot fail. [any] */
  void (*describe)(void *self, pinion_allocator_info *out);
  /* One slab of `bytes` (a positive multiple of granularity); may take seconds, so may wait. The host has charged the
   * bytes already and owns the slab until release. PINION_OUT_OF_MEMORY: *out is NULL and nothing is kept; the message
   * says what was asked, of what kind of memory, which limit stood against it and which key to change. [any] */
  pinion_status (*allocate)(void *self, uint64_t bytes, const pinion_placement *placement, void **out,
                            pinion_error *err);
  /* Returns one slab to the OS; `bytes` as allocated. The host guarantees that no user and no device work is left.
   * Cannot fail. [any] */
  void (*release)(void *self, void *slab, uint64_t bytes);
  /* Since 0.2, optional: NULL when `release` always gives the memory back. As `release`, but says when the system did
   * not get it, as when a driver that lost its device keeps the pages until the process ends; `err` says who keeps it.
   * The slab's memory is then as before: the host goes on counting it, may lend it again, and does not offer it here
   * any more. [any] */
  pinion_status (*try_release)(void *self, void *slab, uint64_t bytes, pinion_error *err);
} pinion_allocator;

#ifdef __cplusplus
}
#endif
#endif
