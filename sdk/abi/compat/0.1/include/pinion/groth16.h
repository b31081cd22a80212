/* groth16.h: the job and resource formats of Groth16 over BLS12-381. New format = new id. Not here: the layout of a
 * shape's flat bytes (sdk/groth16/shape.hpp) and of the parameter file (the Filecoin one).
 *
 * Variables: inputs (input 0 is ONE) and aux, each numbered in allocation order. Rows include the appended row of every
 * input. A part is A | B | C compressed: 192 bytes. Both formats give the same part for the same r and s. */
#ifndef PINION_GROTH16_H
#define PINION_GROTH16_H

#include "pinion/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_JOB_GROTH16_WITNESS "pinion.job.groth16-witness.bls12-381/1"
#define PINION_JOB_GROTH16_EVALUATIONS "pinion.job.groth16-evaluations.bls12-381/1"
#define PINION_SHAPE_R1CS "pinion.shape.r1cs.bls12-381/1"
#define PINION_KEYS_GROTH16 "pinion.keys.groth16.bls12-381/1"
#define PINION_GROTH16_PART_BYTES 192

/* A scalar: four 64-bit limbs, low limb first, Montgomery form (R = 2^256), reduced. Frozen. */
typedef struct pinion_fr {
  uint64_t limb[4];
} pinion_fr;

#define PINION_WITNESS_PLAIN 1  /* scalars holds every aux; bits is NULL */
#define PINION_WITNESS_PACKED 2 /* bits and scalars */

/* PINION_JOB_GROTH16_WITNESS, resources PINION_SHAPE_R1CS and PINION_KEYS_GROTH16. */
typedef struct pinion_groth16_witness {
  uint32_t size;
  uint32_t form;       /* PINION_WITNESS_ */
  uint64_t num_inputs; /* ONE included */
  uint64_t num_aux;
  uint64_t num_scalars;     /* PLAIN: num_aux. PACKED: aux that the shape does not mark as bits */
  const pinion_fr *inputs;  /* num_inputs */
  const uint64_t *bits;     /* ceil(num_aux / 64) words, low bit first: aux i's value where it is a bit, else 0 */
  const pinion_fr *scalars; /* num_scalars, in allocation order */
  pinion_fr r, s;           /* blinding values */
} pinion_groth16_witness;

/* PINION_JOB_GROTH16_EVALUATIONS, resource PINION_KEYS_GROTH16 (and PINION_SHAPE_R1CS for the densities). */
typedef struct pinion_groth16_evaluations {
  uint32_t size, reserved;
  uint64_t rows;
  const pinion_fr *a, *b, *c; /* rows each: the products of A, B, C with the witness */
  pinion_groth16_witness witness;
} pinion_groth16_evaluations;

#ifdef __cplusplus
}
#endif
#endif
