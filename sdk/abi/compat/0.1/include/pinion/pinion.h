/* pinion.h: the whole stable ABI. */
#ifndef PINION_H
#define PINION_H

#include "pinion/abi.h"
#include "pinion/allocator.h"
#include "pinion/backend.h"
#include "pinion/groth16.h"
#include "pinion/health.h"
#include "pinion/host.h"
#include "pinion/keys.h"
#include "pinion/memory.h"
#include "pinion/plugin.h"
#include "pinion/proof.h"
#include "pinion/resident.h"
#include "pinion/sample.h"

#endif
