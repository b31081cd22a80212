/* health.h: "pinion.health/1", optional, for any plugin: what `pinion doctor` prints of it. */
#ifndef PINION_HEALTH_H
#define PINION_HEALTH_H

#include "pinion/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINION_HEALTH "pinion.health/1"

#define PINION_HEALTH_PASS 0
#define PINION_HEALTH_WARN 1
#define PINION_HEALTH_FAIL 2

/* Takes findings as they are made; texts are copied. Frozen. */
typedef struct pinion_health_sink {
  void *context;
  /* `what` was looked at, `found` is its state, `fix` says what to do ("" when nothing). [main] */
  void (*finding)(void *context, int32_t level, const char *what, const char *found, const char *fix);
} pinion_health_sink;

typedef struct pinion_health {
  uint32_t size, reserved;
  /* Looks at what this plugin depends on; at most a few seconds, changes nothing. Cannot fail. [main] */
  void (*examine)(void *self, const pinion_health_sink *sink);
} pinion_health;

#ifdef __cplusplus
}
#endif
#endif
