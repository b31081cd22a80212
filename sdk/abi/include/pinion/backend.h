/* backend.h: "pinion.backend/1": turns a job (a satisfied circuit) into a part (its proof) on one of its devices. A CPU
 * backend has one device. Two blocking calls, start and finish, instead of callbacks: the host owns all threads. */
#ifndef PINION_BACKEND_H
#define PINION_BACKEND_H

#include "pinion/abi.h"
#include "pinion/host.h"
#include "pinion/memory.h"
#include "pinion/resident.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_BACKEND "pinion.backend/1"

typedef struct pinion_backend_info {
  uint32_t size;
  uint32_t device_count; /* 0 is legal: the message of `why_none` says why */
  uint32_t format_count;
  uint32_t dma_kinds;      /* kinds of host memory its devices read directly */
  uint32_t accepted_kinds; /* kinds that work, maybe by copying */
  uint32_t reserved;
  const char *const *formats; /* job formats, static */
  const char *why_none;       /* static; NULL when there are devices */
} pinion_backend_info;

typedef struct pinion_device_info {
  uint32_t size;
  int32_t numa_node;         /* -1: none */
  uint32_t starts_in_flight; /* how many `start` calls at once make sense, at least 1 */
  uint32_t has_uuid;
  uint8_t uuid[16];
  char name[64];         /* "NVIDIA H200", "16 threads, AVX-512 IFMA" */
  char address[32];      /* PCI "0000:41:00.0"; "" for a CPU */
  uint64_t memory_bytes; /* capacity of the device's space; 0: it works in host memory */
  char ineligible[128];  /* "" or why it cannot be used: "needs compute capability 8.0, has 6.1" */
} pinion_device_info;

/* A satisfied circuit in the form its format id names; see groth16.h. */
typedef struct pinion_job {
  uint32_t size, reserved;
  const char *format;
  const void *payload; /* the struct of that format; lives in the session until the partition is retired */
} pinion_job;

#define PINION_BACKEND_NEEDS 8

/* What one job costs on a device besides the proof's own plan. */
typedef struct pinion_backend_plan {
  uint32_t size;
  uint32_t need_count;                            /* at most PINION_BACKEND_NEEDS */
  pinion_buffer_need needs[PINION_BACKEND_NEEDS]; /* buffers handed to start, in this order */
  uint64_t host_reserve;                          /* host bytes the backend makes itself, until finish */
  uint64_t device_bytes;                          /* in the device's space, until finish */
  uint64_t part_bytes;                            /* what finish writes */
} pinion_backend_plan;

/* How much a device has been used; since ABI 0.2. */
typedef struct pinion_device_usage {
  uint32_t size, reserved;
  uint64_t busy_ns; /* for how long it computed on this instance's jobs, since create: never less than before, and
                     * never more than the time that passed. Waiting for a copy is not computing. A job's share is in
                     * it when its finish returns. */
} pinion_device_usage;

/* How a device knows a piece of host memory; since ABI 0.2. */
#define PINION_SEEN_UNKNOWN UINT32_C(0)  /* its driver does not tell */
#define PINION_SEEN_PAGEABLE UINT32_C(1) /* ordinary: copies go through memory of the driver's */
#define PINION_SEEN_PINNED UINT32_C(2)   /* page-locked for the device, or registered with it: read directly (DMA) */
#define PINION_SEEN_DEVICE UINT32_C(3)   /* the device's own memory */
#define PINION_SEEN_MANAGED UINT32_C(4)  /* moves between host and device as it is touched */
#define PINION_SEEN_MIXED UINT32_C(5)    /* not one piece: its ends differ in kind or in registration */

/* What a device makes of memory that an allocator stated something of; since ABI 0.2. */
typedef struct pinion_memory_seen {
  uint32_t size;
  uint32_t kind; /* one PINION_SEEN_ */
} pinion_memory_seen;

typedef struct pinion_backend {
  uint32_t size, reserved;
  /* Cannot fail. [any] */
  void (*describe)(void *self, pinion_backend_info *out);
  /* Device i, counted from 0. PINION_INVALID_INPUT: no such device. [any] */
  pinion_status (*device)(void *self, uint32_t i, pinion_device_info *out, pinion_error *err);
  /* The cost of a job of this format with these resources. PINION_UNSUPPORTED: not this format or these resources.
   * [worker] */
  pinion_status (*plan)(void *self, uint32_t device, const char *format, const pinion_resource *const *resources,
                        uint32_t count, pinion_backend_plan *out, pinion_error *err);
  /* Runs until every buffer marked PINION_FREE_AFTER_START, the proof's and the backend's own, is no longer read.
   * Job, residents and buffers are borrowed, the rest of them until finish or abandon. *op is the backend's until then.
   * At most starts_in_flight at once per device. On failure there is no op, and buffers are untouched from then on.
   * [worker] */
  pinion_status (*start)(void *self, uint32_t device, const pinion_job *job, const pinion_loaded *residents,
                         uint32_t resident_count, const pinion_buffer *buffers, uint32_t buffer_count,
                         const pinion_call *call, void **op, pinion_error *err);
  /* Waits for the rest and writes the part. Consumes op, whatever it returns. `capacity` is at least the plan's
   * part_bytes. May run on another thread than start, and overlap later starts. [worker] */
  pinion_status (*finish)(void *self, void *op, const pinion_call *call, uint8_t *out, uint64_t capacity,
                          uint64_t *written, pinion_error *err);
  /* Drops the work; returns when no host memory is being touched. Consumes op. Cannot fail. [worker] */
  void (*abandon)(void *self, void *op);
  /* Optional, since ABI 0.2: NULL, or PINION_UNSUPPORTED, where it cannot be told. PINION_INVALID_INPUT: no such
   * device. [any] */
  pinion_status (*usage)(void *self, uint32_t device, pinion_device_usage *out, pinion_error *err);
  /* Optional, since ABI 0.2: NULL, or PINION_UNSUPPORTED, where it cannot be told, as by a device that works in host
   * memory. Of `bytes` bytes (at least one) from `at`, which stay the caller's and are neither read nor written. What
   * it says goes into status and reports; no failure of it fails a job. PINION_INVALID_INPUT: no such device. [any] */
  pinion_status (*memory_seen)(void *self, uint32_t device, const void *at, uint64_t bytes, pinion_memory_seen *out,
                               pinion_error *err);
} pinion_backend;

#ifdef __cplusplus
}
#endif
#endif
