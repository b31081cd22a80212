/* A CUDA driver for tests: two devices that page-lock ordinary memory, refuse on demand, and keep account of contexts.
 * The functions here are the test's side of it; the driver's side are the names that alloc-pinned looks for. */
#ifndef PINION_TESTS_FAKE_DRIVER_H
#define PINION_TESTS_FAKE_DRIVER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Forgets everything; `devices` (at most 2) are there from now on. Device i has UUID bytes all 0x11 * (i + 1). */
void fake_driver_reset(int devices);
/* The next calls of `function` ("cuMemHostRegister") succeed `after` times, then return `code` once. */
void fake_driver_refuse(const char* function, int after, int code);
/* As if somebody else had made the device's primary context. */
void fake_driver_activate(int device);
/* Its context dies of its work: what is locked or unlocked through it fails with `code` from now on. 0: it lives. */
void fake_driver_kill(int device, int code);
/* How often the primary context is retained. */
int fake_driver_retained(int device);
/* Contexts pushed by the calling thread and not popped. */
int fake_driver_depth(void);
/* Memory that it is told of, as if somebody else had made it, until the next reset. Types are those of cuda.h. */
enum { fake_driver_host = 1, fake_driver_device = 2, fake_driver_array = 3, fake_driver_managed = 4 };
void fake_driver_declare(void* data, size_t bytes, unsigned type);
/* Ranges that are page-locked now, and through which device the one at `data` is (-1: it is not). */
int fake_driver_locked(void);
int fake_driver_device_of(const void* data);

#ifdef __cplusplus
}
#endif
#endif
