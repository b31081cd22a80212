/* sample.h: "pinion.sample/1", optional, beside pinion.proof/1: an input for people who have none. */
#ifndef PINION_SAMPLE_H
#define PINION_SAMPLE_H

#include "pinion/abi.h"
#include "pinion/host.h"
#include "pinion/keys.h"
#include "pinion/plugin.h"
#include "pinion/proof.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_SAMPLE "pinion.sample/1"

/* A real input that ships inside the plugin. Static. */
typedef struct pinion_sample {
  uint32_t size;
  uint32_t part_count;
  uint32_t field_count;
  uint32_t reserved;
  const char *title; /* "a really sealed 2 KiB sector" */
  const pinion_kind *kind;
  const pinion_part *parts;
  const pinion_field *fields;
} pinion_sample;

typedef struct pinion_samples {
  uint32_t size, reserved;
  /* The inputs `demo` proves; static, *count set. [any] */
  const pinion_sample *const *(*list)(void *self, uint32_t *count);
  /* Writes a valid full-size input into `dir`, which exists and is empty, without sealing anything. The same seed gives
   * the same bytes. PINION_UNSUPPORTED: why this kind cannot be faked. [worker] */
  pinion_status (*fake)(void *self, const pinion_kind *kind, uint64_t seed, const char *dir, const pinion_call *call,
                        pinion_error *err);
  /* Since 0.2. What `fake_with` can be told of this kind; static, *count set. [any] */
  const pinion_option_info *const *(*fake_options)(void *self, const pinion_kind *kind, uint32_t *count);
  /* Since 0.2. As `fake`, which stands for all defaults, with checked options: every declared one is present. `sink`
   * takes what a person should know of the input, such as facts that its request must state. [worker] */
  pinion_status (*fake_with)(void *self, const pinion_kind *kind, uint64_t seed, const pinion_option *options,
                             uint32_t count, const char *dir, const pinion_call *call, const pinion_fact_sink *sink,
                             pinion_error *err);
} pinion_samples;

#ifdef __cplusplus
}
#endif
#endif
