/* keys.h: "pinion.keys/1", optional, beside pinion.proof/1: parameter files from the command line. */
#ifndef PINION_KEYS_H
#define PINION_KEYS_H

#include "pinion/abi.h"
#include "pinion/host.h"
#include "pinion/proof.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_KEYS "pinion.keys/1"

/* Takes facts as they are found. Frozen. */
typedef struct pinion_fact_sink {
  void *context;
  /* `key` is a short stable name ("h points"), `value` what a person reads. Texts are copied. [worker] */
  void (*fact)(void *context, const char *key, const char *value);
} pinion_fact_sink;

typedef struct pinion_keys {
  uint32_t size, reserved;
  /* Makes a kind's files in `dir`, which exists. Never overwrites: PINION_INVALID_INPUT names what stands in the way.
   * `toxic_label`: derive the toxic waste from it (test keys anybody can forge proofs for); NULL: draw it from
   * call->random and forget it. Either way each file gets a sidecar "NAME.insecure" that says so: a local key is not
   * the published one. On failure nothing of it stays. [worker] */
  pinion_status (*generate)(void *self, const pinion_kind *kind, const char *dir, const char *toxic_label,
                            const pinion_call *call, const pinion_fact_sink *sink, pinion_error *err);
  /* Reads a kind's files in `dir` whole: structure, every point, digest against the published one.
   * PINION_INVALID_CONFIG: missing, short or altered; PINION_UNSUPPORTED: sound, but not the published file. [worker]
   */
  pinion_status (*check)(void *self, const pinion_kind *kind, const char *dir, const pinion_call *call,
                         const pinion_fact_sink *sink, pinion_error *err);
  /* Describes one file from its header alone. PINION_UNSUPPORTED: not a file of this plugin. [worker] */
  pinion_status (*describe)(void *self, const char *file, const pinion_fact_sink *sink, pinion_error *err);
} pinion_keys;

#ifdef __cplusplus
}
#endif
#endif
