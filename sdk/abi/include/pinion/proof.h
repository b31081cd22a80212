/* proof.h: "pinion.proof/1": which proofs exist, and how a request becomes satisfied circuits. Kinds are data: all that
 * differs between them (sizes, names, files, wire numbers) crosses here as fields, so the host names none. */
#ifndef PINION_PROOF_H
#define PINION_PROOF_H

#include "pinion/abi.h"
#include "pinion/backend.h"
#include "pinion/host.h"
#include "pinion/memory.h"
#include "pinion/resident.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_PROOF "pinion.proof/1"

#define PINION_PRIORITY_LOW 1
#define PINION_PRIORITY_NORMAL 2
#define PINION_PRIORITY_HIGH 3
#define PINION_PRIORITY_CRITICAL 4

/* A parameter file of a kind. Frozen. */
typedef struct pinion_kind_file {
  const char *name;   /* within the parameter folder */
  const char *digest; /* of the published file, hex, in the plugin's own rule (pinion.keys/1 checks it) */
  uint64_t bytes;     /* expected size */
} pinion_kind_file;

typedef struct pinion_kind {
  uint32_t size;
  uint32_t format_count;
  uint32_t file_count;
  uint32_t priority;          /* PINION_PRIORITY_, when a request names none */
  const char *id;             /* "FAMILY-SIZE", unique in the host */
  const char *family;         /* the word after `prove`, `verify`, `params generate` */
  const char *title;          /* for people */
  uint64_t sector_bytes;      /* what --size selects by */
  const char *const *formats; /* job formats it can emit, in order of preference */
  const pinion_kind_file *files;
  const char *wire_label;   /* label in metrics and status of the compatible service */
  const char *wire_circuit; /* circuit id there; "" when it has none */
  uint32_t wire_kind;       /* proof kind number there */
  uint32_t parse_percent;   /* `open` needs at most this share of the request's bytes on top of them, in percent */
} pinion_kind;

/* One input file or message field: a file's name and its bytes. Frozen. */
typedef struct pinion_part {
  const char *name;
  pinion_bytes bytes;
} pinion_part;

/* A fact the request states beside its parts: "miner_id", "sector_number". Frozen. */
typedef struct pinion_field {
  const char *key;
  uint64_t number;    /* when bytes is {NULL, 0} */
  pinion_bytes bytes; /* otherwise */
} pinion_field;

/* Only parts are wanted: assemble and verify will not be called. */
#define PINION_REQUEST_PARTS UINT32_C(1)
/* Keys whose digest is not the published one may be used; they are reported all the same. */
#define PINION_REQUEST_TEST_KEYS UINT32_C(2)
/* Key files are not to be read once more to compare their digests: plans state none for them. A proof that does not
 * verify is then the key's fault before it is a device's. */
#define PINION_REQUEST_TRUST_FILES UINT32_C(4)

typedef struct pinion_request {
  uint32_t size;
  uint32_t flags; /* PINION_REQUEST_ */
  const char *family;
  const char *params_dir;     /* where parameter files are; absolute */
  const pinion_part *parts;   /* a file, or all files of a folder by name, or a message's fields */
  const pinion_field *fields; /* an unknown key is PINION_INVALID_INPUT */
  uint32_t part_count, field_count;
} pinion_request;

/* What a session needs, in numbers, before any memory is taken. Arrays live until close. */
typedef struct pinion_plan {
  uint32_t size;
  uint32_t partitions;
  uint32_t need_count;
  uint32_t resource_count;
  const pinion_buffer_need *needs;         /* per partition; buffers of synthesize, in this order */
  const pinion_resource *const *resources; /* per partition */
  uint64_t reserve;                        /* host bytes that synthesize makes itself, per partition */
  uint64_t part_bytes;                     /* of one part */
  uint64_t proof_bytes;                    /* of the whole proof; 0 when it cannot be assembled */
} pinion_plan;

/* Takes a kind's resources, one by one. Frozen. */
typedef struct pinion_resource_sink {
  void *context;
  /* Takes one as it is named; what it points to is read during the call only. [worker] */
  void (*resource)(void *context, const pinion_resource *resource);
} pinion_resource_sink;

typedef struct pinion_proof {
  uint32_t size, reserved;
  /* Every kind of this plugin; static, *count set. [any] */
  const pinion_kind *const *(*kinds)(void *self, uint32_t *count);
  /* Parses and checks a request once, all of it. Request bytes live until close. *kind is one of kinds().
   * PINION_INVALID_INPUT with the path of the field at fault, what it holds and what was expected: no session. [worker]
   */
  pinion_status (*open)(void *self, const pinion_request *request, const pinion_call *call, void **session,
                        const pinion_kind **kind, pinion_error *err);
  /* The plan for one of the kind's job formats; the same at every call. PINION_UNSUPPORTED: not this format. [worker]
   */
  pinion_status (*plan)(void *self, void *session, const char *format, pinion_plan *out, pinion_error *err);
  /* Fills the plan's buffers for one partition and describes them in *job, whose payload lives in the session until
   * retire. Draws r and s through call->random. Partitions may run at once. On failure the buffers are garbage.
   * [worker] */
  pinion_status (*synthesize)(void *self, void *session, const char *format, uint32_t partition,
                              const pinion_buffer *buffers, uint32_t buffer_count, const pinion_loaded *residents,
                              uint32_t resident_count, const pinion_call *call, pinion_job *job, pinion_error *err);
  /* The partition's buffers are gone: forget its job. Legal after any outcome of synthesize. Cannot fail. [worker] */
  void (*retire)(void *self, void *session, uint32_t partition);
  /* Checks one part against the partition's public inputs. PINION_PROOF_INVALID: it does not verify. [worker] */
  pinion_status (*verify_part)(void *self, void *session, uint32_t partition, pinion_bytes part,
                               const pinion_call *call, pinion_error *err);
  /* Joins all parts, in partition order. `capacity` is at least the plan's proof_bytes. [worker] */
  pinion_status (*assemble)(void *self, void *session, const pinion_bytes *parts, uint32_t count, uint8_t *out,
                            uint64_t capacity, uint64_t *written, pinion_error *err);
  /* Checks a whole proof, also one made elsewhere. PINION_PROOF_INVALID: it does not verify. [worker] */
  pinion_status (*verify)(void *self, void *session, pinion_bytes proof, const pinion_call *call, pinion_error *err);
  /* Frees the session; legal at any point after open, once no call of it runs. Cannot fail. [worker] */
  void (*close)(void *self, void *session);
  /* Since 0.2, optional: NULL when resources are known only from a request. Names the resources that the plan of every
   * request of this kind has, for loading them before there is one; `params_dir` and `flags` as in a request.
   * PINION_INVALID_CONFIG: a file is missing or not what it should be. [worker] */
  pinion_status (*resources_of)(void *self, const pinion_kind *kind, const char *params_dir, uint32_t flags,
                                const pinion_resource_sink *sink, pinion_error *err);
} pinion_proof;

#ifdef __cplusplus
}
#endif
#endif
