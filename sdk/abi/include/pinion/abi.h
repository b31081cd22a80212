/* abi.h: the words every other header of the ABI uses: version, export, status codes, byte ranges, errors.
 *
 * The ABI is C: stddef.h and stdint.h only, no enum, bool, bit-field or union in a struct, natural alignment with
 * explicit reserved fields, strings NUL-terminated UTF-8. It grows in two ways only:
 *   - a struct whose first field is `size` may gain fields at its end. Who writes one sets `size` to what it was
 *     compiled with; who reads one asks PINION_HAS before it uses a field that is newer than the first release. An
 *     *out* struct is caller-allocated with `size` set by the caller; the writer fills min(caller's, own) bytes.
 *   - anything optional or incompatible gets a new string id with a revision, such as "pinion.backend/2".
 * Structs documented as frozen never change; they stand in arrays by value. Growing structs stand in arrays by pointer.
 *
 * Threads. The last thing in each function's comment is its thread tag:
 *   [main]    start-up and shutdown thread, serial
 *   [worker]  a host worker: serial per object (session, op, resident), concurrent across objects
 *   [any]     concurrent from anywhere, and quick unless the comment says that it may wait
 */
#ifndef PINION_ABI_H
#define PINION_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Major: an entry layout or a meaning broke. Minor: fields or ids were added. Loading needs equal majors. */
#define PINION_ABI_MAJOR 0
#define PINION_ABI_MINOR 2
#define PINION_MAGIC UINT32_C(0x4e4e4950) /* "PINN" in memory */

#if defined(__GNUC__)
#define PINION_EXPORT __attribute__((visibility("default")))
#else
#define PINION_EXPORT
#endif

/* True when *p was made by someone whose struct already had `field`. `type` is the struct's name. */
#define PINION_HAS(p, type, field) ((p)->size >= offsetof(type, field) + sizeof(((const type *)0)->field))

/* One code for each decision the host takes. A code outside this list is read as PINION_INTERNAL. */
typedef int32_t pinion_status;
#define PINION_OK 0
#define PINION_CANCELLED 1      /* ends the job as cancelled */
#define PINION_INVALID_INPUT 2  /* fails the job, tells the client, never retries */
#define PINION_INVALID_CONFIG 3 /* refuses to start; from create, describe and key checks only */
#define PINION_OUT_OF_MEMORY 4  /* evicts, retries once, then fails the job */
#define PINION_DEVICE_LOST 5    /* stops using the device; the partition is done again elsewhere */
#define PINION_UNSUPPORTED 6    /* uses the default or skips the route; permanent */
#define PINION_INTERNAL 7       /* fails the job; one strike against the plugin */
#define PINION_PROOF_INVALID 8  /* a part or proof does not verify: a strike against the device, one more try */

/* A borrowed byte range. Frozen. */
typedef struct pinion_bytes {
  const uint8_t *data; /* may be NULL when size is 0 */
  uint64_t size;
} pinion_bytes;

/* Owned by the caller, so there is nothing to free and nothing that can dangle. Functions take `pinion_error *err`,
 * which may be NULL, and touch it only on failure. The message is a sentence for the operator: what was tried, what
 * was found, where, what to do; always NUL-terminated, cut at a character boundary. Frozen (512 bytes). */
typedef struct pinion_error {
  uint32_t size;       /* set by the caller: sizeof(pinion_error) */
  int32_t native_code; /* errno, CUDA code …; 0 when there is none */
  char message[504];
} pinion_error;

#ifdef __cplusplus
}
#endif
#endif
