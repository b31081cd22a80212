/* memory.h: kinds of host memory and the buffers the host lends. The host owns every large byte of host memory:
 * allocators make slabs for it, backends and proofs borrow buffers from it. Not here: who decides (host/memory). */
#ifndef PINION_MEMORY_H
#define PINION_MEMORY_H

#include "pinion/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a slab is, fixed at its birth. Bit flags, so that a set of kinds is an OR. */
#define PINION_MEMORY_PAGEABLE UINT32_C(1)
#define PINION_MEMORY_PINNED UINT32_C(2) /* page-locked: a device reads it directly */
#define PINION_MEMORY_ANY UINT32_C(3)

/* Where bytes live. Each space has its own ledger. */
#define PINION_SPACE_HOST UINT32_C(0)
#define PINION_SPACE_DEVICE(i) (UINT32_C(1) + (uint32_t)(i)) /* i: index in the backend's device list */

/* When a buffer of a plan is taken back. */
#define PINION_FREE_AFTER_SYNTHESIS UINT32_C(1)
#define PINION_FREE_AFTER_START UINT32_C(2) /* nothing reads it once `start` has returned */
#define PINION_FREE_AFTER_FINISH UINT32_C(3)

/* A borrowed piece of a slab. Content is undefined when lent. Frozen. */
typedef struct pinion_buffer {
  void *data; /* aligned to 4096 bytes */
  uint64_t bytes;
  uint32_t kind; /* one PINION_MEMORY_ flag: what it really is */
  uint32_t reserved;
  uint64_t id; /* of the lease; give_back goes by it */
} pinion_buffer;

/* One buffer that a plan asks for. Frozen. */
typedef struct pinion_buffer_need {
  uint64_t bytes;      /* 0 is allowed: data may then be NULL */
  uint32_t kinds;      /* acceptable kinds */
  uint32_t free_after; /* PINION_FREE_AFTER_ */
  const char *purpose; /* short, static: "evaluations a"; shown in status */
  uint64_t reserved;
} pinion_buffer_need;

#ifdef __cplusplus
}
#endif
#endif
