/* plugin.h: the one symbol a plugin exports, and what it says of itself. A plugin is a shared library with exactly one
 * exported symbol, the constant `pinion_plugin`; the host reads version and sizes from it before any plugin function
 * runs, copies each function table it is given, and never unloads the library. Plugins run in the host's process with
 * its rights: the host's gates catch mistakes, not attacks. */
#ifndef PINION_PLUGIN_H
#define PINION_PLUGIN_H

#include "pinion/abi.h"
#include "pinion/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of options, and of the text an operator writes for them in [plugin.ID]. */
#define PINION_OPTION_BOOL 1     /* true | false                  -> number 0 or 1 */
#define PINION_OPTION_INTEGER 2  /* -3                            -> number */
#define PINION_OPTION_SIZE 3     /* "5GiB"                        -> number, bytes */
#define PINION_OPTION_DURATION 4 /* "10m"                         -> number, milliseconds */
#define PINION_OPTION_TEXT 5     /* "all"                         -> text */
#define PINION_OPTION_LIST 6     /* [0, "GPU-1234"] or one value  -> list of texts */

/* A declared option: `plugin describe` prints it, the host checks the config against it. */
typedef struct pinion_option_info {
  uint32_t size;
  uint32_t type;             /* PINION_OPTION_ */
  const char *key;           /* as written in TOML; snake_case */
  const char *default_value; /* in the operator's spelling; NULL: the key is required */
  const char *help;          /* one sentence */
  const char *choices;       /* "a|b|c" for a text with a closed set, else NULL */
} pinion_option_info;

/* A checked value handed to create: every declared option is present. Frozen. */
typedef struct pinion_option {
  const char *key;
  uint32_t type;
  uint32_t count;          /* of list */
  int64_t number;          /* BOOL, INTEGER, SIZE, DURATION */
  const char *text;        /* TEXT; else NULL */
  const char *const *list; /* LIST; else NULL */
} pinion_option;

/* All static for the process. */
typedef struct pinion_plugin_info {
  uint32_t size;
  uint32_t interface_count;
  uint32_t option_count;
  uint32_t reserved;
  const char *id;                           /* "alloc-heap": [a-z0-9-], at most 63 characters; equals the manifest's */
  const char *name;                         /* for people: "Heap allocator" */
  const char *version;                      /* "1.2.3" */
  const char *licence;                      /* SPDX expression */
  const char *description;                  /* one or two sentences */
  const char *const *interfaces;            /* ids that `query` answers: "pinion.allocator/1" */
  const pinion_option_info *const *options; /* may be NULL when option_count is 0 */
} pinion_plugin_info;

/* Frozen. */
typedef struct pinion_plugin_entry {
  uint32_t magic;                /* PINION_MAGIC */
  uint16_t abi_major, abi_minor; /* PINION_ABI_MAJOR, PINION_ABI_MINOR of the headers it was built with */
  uint32_t size;                 /* sizeof(pinion_plugin_entry) */
  uint32_t reserved;
  const pinion_plugin_info *info;
  /* Builds an instance from checked options; there may be several. *self is the plugin's until destroy; `host` stays
   * valid until then, options during the call only. May be slow. PINION_INVALID_CONFIG, or PINION_UNSUPPORTED when the
   * machine lacks what it needs (what is named as its fallback serves then), with a sentence; no *self then. [main] */
  pinion_status (*create)(const pinion_host *host, const pinion_option *options, uint32_t count, void **self,
                          pinion_error *err);
  /* Frees the instance and joins its threads: after it returns no plugin code runs for self. Cannot fail. [main] */
  void (*destroy)(void *self);
  /* The function table of an interface, static for the process; NULL for an unknown id, without a log line. [any] */
  const void *(*query)(void *self, const char *interface_id);
} pinion_plugin_entry;

/* A plugin defines this, constant. */
PINION_EXPORT extern const pinion_plugin_entry pinion_plugin;

#ifdef __cplusplus
}
#endif
#endif
