#ifndef TESSERA_PIXEL_KERNELS_H
#define TESSERA_PIXEL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Instruction set levels, best last within an architecture.
typedef enum tpk_level { TPK_C, TPK_AVX2, TPK_AVX512, TPK_NEON } tpk_level;

bool tpk_level_available(tpk_level level);

#endif
