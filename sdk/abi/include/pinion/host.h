/* host.h: what the host gives plugins. pinion_host lives from `create` to the end of `destroy`; pinion_call lives for
 * one call, so that every lease and reservation belongs to a job, and is taken back and reported if leaked.
 * Functions here never wait for memory: they say yes, or PINION_OUT_OF_MEMORY. That is what makes deadlock
 * impossible: only the host blocks for memory, and only before it calls a plugin. */
#ifndef PINION_HOST_H
#define PINION_HOST_H

#include "pinion/abi.h"
#include "pinion/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_LOG_DEBUG 0
#define PINION_LOG_INFO 1
#define PINION_LOG_WARN 2
#define PINION_LOG_ERROR 3

/* A service of `query`: a const uint32_t, what `width` of every call of this host will say. For plans, which are made
 * before there is a call. Optional. */
#define PINION_WIDTH "pinion.width/1"

typedef struct pinion_host pinion_host;
struct pinion_host {
  uint32_t size;
  uint16_t abi_major, abi_minor; /* of the host */
  void *context;                 /* the host's */
  /* One line for the log, named after this plugin. Plugins never print. `text` is copied. [any] */
  void (*log)(const pinion_host *host, int32_t level, const char *text);
  /* A host service by id, NULL when there is none; static for the plugin's life. [any] */
  const void *(*query)(const pinion_host *host, const char *service_id);
};

typedef struct pinion_call pinion_call;
struct pinion_call {
  uint32_t size, reserved;
  void *context; /* the host's */
  /* Non-zero once this call should end with PINION_CANCELLED; poll at least every 100 ms of work. Lock-free. [any] */
  int32_t (*cancelled)(const pinion_call *call);
  /* Work done, in units of the plugin's choice; may go back. [any] */
  void (*progress)(const pinion_call *call, uint64_t done, uint64_t total);
  /* Times a stage; `name` is static. Returns an id for span_end, 0 when spans are off. [any] */
  uint64_t (*span_begin)(const pinion_call *call, const char *name);
  /* Ends a span; `bytes` moved within it, 0 when the figure means nothing. [any] */
  void (*span_end)(const pinion_call *call, uint64_t span, uint64_t bytes);
  /* How many calls of one parallel loop can run at once, at least 1. [any] */
  uint32_t (*width)(const pinion_call *call);
  /* fn(arg, i) once for each i below count on the host's threads; returns when all have; nested calls run inline. All
   * CPU work goes here. fn must not let an exception out. [worker] */
  void (*parallel)(const pinion_call *call, uint64_t count, void (*fn)(void *arg, uint64_t i), void *arg);
  /* Charges memory the plugin makes itself, beyond the plan, before it makes it. PINION_OUT_OF_MEMORY: nothing was
   * charged. What is still reserved when the call ends is taken back and reported. [worker] */
  pinion_status (*reserve)(const pinion_call *call, uint32_t space, uint64_t bytes, pinion_error *err);
  /* Gives back exactly what was reserved, in one or several pieces. [worker] */
  void (*unreserve)(const pinion_call *call, uint32_t space, uint64_t bytes);
  /* Scratch from the shared pool, of one of `kinds`. The buffer is the plugin's until give_back or the call's end.
   * PINION_OUT_OF_MEMORY: *out is untouched. [worker] */
  pinion_status (*acquire)(const pinion_call *call, uint64_t bytes, uint32_t kinds, pinion_buffer *out,
                           pinion_error *err);
  /* Returns a buffer got from acquire. [worker] */
  void (*give_back)(const pinion_call *call, const pinion_buffer *buffer);
  /* Fills `out` with secret random bytes (blinding values): the OS source in production, seeded in tests. [worker] */
  pinion_status (*random)(const pinion_call *call, void *out, uint64_t bytes, pinion_error *err);
};

#ifdef __cplusplus
}
#endif
#endif
