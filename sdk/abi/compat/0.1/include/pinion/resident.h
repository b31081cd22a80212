/* resident.h: "pinion.resident/1": big reloadable things that are worth keeping loaded: parameters (47 GB for a 32 GiB
 * sector) and circuit shapes. To the host they are all the same: costly to load, safe to drop when no job uses them.
 *
 * A plan names *resources*. Who turns one into a resident:
 *   1. the backend, when its table lists the resource's format (decoded keys, a shape on its device);
 *   2. else the proof plugin's own table (a shape as flat bytes in a host buffer).
 * A backend that loads a resource without a file gets the proof plugin's bytes as `source`. */
#ifndef PINION_RESIDENT_H
#define PINION_RESIDENT_H

#include "pinion/abi.h"
#include "pinion/host.h"
#include "pinion/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_RESIDENT "pinion.resident/1"

/* Something a partition needs besides buffers. */
typedef struct pinion_resource {
  uint32_t size, reserved;
  const char *id;     /* the host's cache key together with format: "shape of demo-1k" */
  const char *format; /* "pinion.keys.groth16.bls12-381/1", "pinion.shape.r1cs.bls12-381/1" … */
  uint64_t bytes;     /* of its canonical form (file or flat bytes); 0 when not known before it is made */
  const char *digest; /* of the canonical form, hex; "" when unknown */
  const char *file;   /* absolute path of the file it is read from; "": its proof plugin makes it */
} pinion_resource;

/* What a resident costs. host_bytes and device_bytes are charged before load and given back, those same numbers, after
 * unload. */
typedef struct pinion_resident_info {
  uint32_t size;
  uint32_t buffer_kinds; /* acceptable kinds of the one host buffer of host_bytes that load gets; 0: no buffer, the
                            plugin makes host_bytes itself */
  uint64_t host_bytes;   /* while loaded */
  uint64_t device_bytes; /* while loaded, in the device's space */
  uint64_t load_bytes;   /* more host bytes while load runs */
  uint64_t reload_ms;    /* an estimate; the evictor drops what is cheap to reload first */
} pinion_resident_info;

typedef struct pinion_resident {
  uint32_t size, reserved;
  /* The formats this table loads; static, *count set. [any] */
  const char *const *(*formats)(void *self, uint32_t *count);
  /* What it would cost on `device` (-1: the host). May read a file's header. PINION_INVALID_INPUT: the file is not what
   * it should be. PINION_UNSUPPORTED: not this format, or not there. [worker] */
  pinion_status (*describe)(void *self, const pinion_resource *resource, int32_t device, pinion_resident_info *out,
                            pinion_error *err);
  /* Makes it resident within the stated bytes. `source`: canonical bytes when the host has them, else {NULL, 0} and
   * resource->file is read (never mapped, so that a truncated file is an error). `buffer` is the handle's until unload;
   * NULL when buffer_kinds was 0. On failure nothing is kept. [worker] */
  pinion_status (*load)(void *self, const pinion_resource *resource, int32_t device, pinion_bytes source,
                        const pinion_buffer *buffer, const pinion_call *call, void **handle, pinion_error *err);
  /* Drops it. No job uses it. Cannot fail. [worker] */
  void (*unload)(void *self, void *handle);
  /* Its canonical bytes in host memory, valid until unload; PINION_UNSUPPORTED when it holds another form. [any] */
  pinion_status (*view)(void *self, void *handle, pinion_bytes *out);
} pinion_resident;

/* A loaded resource as `start` and `synthesize` see it. Frozen. */
typedef struct pinion_loaded {
  const pinion_resource *resource;
  void *handle;      /* what the callee's own load returned; NULL when another plugin loaded it */
  pinion_bytes view; /* its canonical bytes; {NULL, 0} when they are not in host memory */
} pinion_loaded;

#ifdef __cplusplus
}
#endif
#endif
