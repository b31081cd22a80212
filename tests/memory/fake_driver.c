#include "fake_driver.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_devices = 2, most_ranges = 256, most_depth = 8 };
enum { success = 0, invalid_value = 1, no_device = 100, invalid_context = 201, not_registered = 713 };

struct range {
  void* data;
  size_t bytes;
  int device;
  unsigned type; /* CU_MEMORYTYPE_ */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int device_total;
static int active[most_devices], retained[most_devices], killed[most_devices];
static struct range ranges[most_ranges];
static char refused[64];
static int refuse_after, refuse_code;
static _Thread_local int depth;
static _Thread_local int stack[most_depth]; /* device numbers */

void fake_driver_reset(int devices) {
  device_total = devices;
  memset(active, 0, sizeof active);
  memset(retained, 0, sizeof retained);
  memset(killed, 0, sizeof killed);
  memset(ranges, 0, sizeof ranges);
  refused[0] = '\0';
}

void fake_driver_refuse(const char* function, int after, int code) {
  snprintf(refused, sizeof refused, "%s", function);
  refuse_after = after;
  refuse_code = code;
}

void fake_driver_activate(int device) {
  active[device] = 1;
}
void fake_driver_kill(int device, int code) {
  killed[device] = code;
}
int fake_driver_retained(int device) {
  return retained[device];
}
int fake_driver_depth(void) {
  return depth;
}

int fake_driver_locked(void) {
  int count = 0;
  for (int i = 0; i < most_ranges; ++i) count += ranges[i].data != NULL;
  return count;
}

int fake_driver_device_of(const void* data) {
  for (int i = 0; i < most_ranges; ++i)
    if (ranges[i].data == data) return ranges[i].device;
  return -1;
}

static int refuse(const char* function) {
  if (strcmp(refused, function) != 0 || refuse_after-- > 0) return success;
  refused[0] = '\0';
  return refuse_code;
}

/* Under the mutex. */
static int add_range(struct range range) {
  for (int i = 0; i < most_ranges; ++i)
    if (ranges[i].data == NULL) return ranges[i] = range, success;
  return invalid_value;
}

void fake_driver_declare(void* data, size_t bytes, unsigned type) {
  pthread_mutex_lock(&mutex);
  add_range((struct range){data, bytes, 0, type});
  pthread_mutex_unlock(&mutex);
}

/* Under the mutex. Locks a range through the current context. */
static int lock_range(const char* function, void* data, size_t bytes) {
  const int code = refuse(function);
  if (code != success) return code;
  if (depth == 0) return invalid_context;
  if (killed[stack[depth - 1]] != success) return killed[stack[depth - 1]];
  return add_range((struct range){data, bytes, stack[depth - 1], fake_driver_host});
}

static int unlock_range(const char* function, const void* data) {
  const int code = refuse(function);
  if (code != success) return code;
  for (int i = 0; i < most_ranges; ++i)
    if (ranges[i].data == data) {
      if (depth == 0 || stack[depth - 1] != ranges[i].device) return invalid_context;
      if (killed[ranges[i].device] != success) return killed[ranges[i].device];
      ranges[i].data = NULL;
      return success;
    }
  return not_registered;
}

int cuInit(unsigned flags) {
  return flags != 0 ? invalid_value : refuse("cuInit");
}
int cuDriverGetVersion(int* version) {
  return *version = 13000, success;
}
int cuDeviceGetCount(int* count) {
  return *count = device_total, success;
}
int cuDeviceGet(int* device, int ordinal) {
  if (ordinal >= device_total) return no_device;
  return *device = ordinal, success;
}
int cuDeviceGetName(char* name, int length, int device) {
  return snprintf(name, (size_t)length, "Fake %d", device), success;
}
int cuDeviceGetUuid_v2(uint8_t* uuid, int device) {
  return memset(uuid, 0x11 * (device + 1), 16), success;
}
int cuDeviceGetPCIBusId(char* address, int length, int device) {
  return snprintf(address, (size_t)length, "0000:F%d:00.0", device), success;
}
int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* is_active) {
  *flags = 0;
  pthread_mutex_lock(&mutex);
  *is_active = active[device] || retained[device] > 0;
  pthread_mutex_unlock(&mutex);
  return success;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  pthread_mutex_lock(&mutex);
  const int code = refuse("cuDevicePrimaryCtxRetain");
  if (code == success) {
    ++retained[device];
    *context = &retained[device];
  }
  pthread_mutex_unlock(&mutex);
  return code;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
  return --retained[device], success;
}
int cuCtxPushCurrent_v2(void* context) {
  if (depth == most_depth) return invalid_value;
  stack[depth++] = (int)((int*)context - retained);
  return success;
}
int cuCtxPopCurrent_v2(void** context) {
  if (depth == 0) return invalid_context;
  *context = &retained[stack[--depth]];
  return success;
}
int cuMemHostRegister_v2(void* data, size_t bytes, unsigned flags) {
  if (bytes == 0 || flags != 1) return invalid_value;
  pthread_mutex_lock(&mutex);
  const int code = lock_range("cuMemHostRegister", data, bytes);
  pthread_mutex_unlock(&mutex);
  return code;
}
int cuMemHostUnregister(void* data) {
  pthread_mutex_lock(&mutex);
  const int code = unlock_range("cuMemHostUnregister", data);
  pthread_mutex_unlock(&mutex);
  return code;
}
int cuMemHostAlloc(void** data, size_t bytes, unsigned flags) {
  if (bytes == 0 || flags != 1) return invalid_value;
  void* made = aligned_alloc(4096, bytes);
  pthread_mutex_lock(&mutex);
  const int code = made == NULL ? 2 : lock_range("cuMemHostAlloc", made, bytes);
  pthread_mutex_unlock(&mutex);
  if (code != success)
    free(made);
  else
    *data = made;
  return code;
}
int cuMemFreeHost(void* data) {
  pthread_mutex_lock(&mutex);
  const int code = unlock_range("cuMemFreeHost", data);
  pthread_mutex_unlock(&mutex);
  if (code == success) free(data);
  return code;
}
/* Of memory it was never told of: CUDA_ERROR_INVALID_VALUE, as the driver has it. */
int cuPointerGetAttribute(void* out, int attribute, uintptr_t at) {
  enum { memory_type = 2, is_managed = 8, range_start = 11 };
  pthread_mutex_lock(&mutex);
  int code = refuse("cuPointerGetAttribute");
  const struct range* found = NULL;
  for (int i = 0; i < most_ranges; ++i) {
    const uintptr_t begin = (uintptr_t)ranges[i].data;
    if (begin != 0 && at >= begin && at - begin < ranges[i].bytes) found = &ranges[i];
  }
  if (code == success && found == NULL) code = invalid_value;
  if (code == success && attribute == memory_type) *(unsigned*)out = found->type;
  if (code == success && attribute == is_managed) *(unsigned*)out = found->type == fake_driver_managed;
  if (code == success && attribute == range_start) *(uintptr_t*)out = (uintptr_t)found->data;
  pthread_mutex_unlock(&mutex);
  return code;
}
int cuGetErrorName(int code, const char** text) {
  *text = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 803 ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" : NULL;
  return *text == NULL ? invalid_value : success;
}
int cuGetErrorString(int code, const char** text) {
  *text = code == 2 ? "out of memory" : NULL;
  return *text == NULL ? invalid_value : success;
}
