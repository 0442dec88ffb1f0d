// Definitions shared by the two AVX-512 levels: avx512vnni, and avx512, which also has VBMI. A file of the level avx512
// defines VBMI first.
#ifndef TESSERA_X86_AVX512_H
#define TESSERA_X86_AVX512_H

#include <immintrin.h>

#include "pixel_kernels.h"

// Scheduling for Zen 4 is 1 % faster there than generic scheduling; the instructions are the same. Not measured
// elsewhere.
#define AVX512_FEATURES "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,bmi2,tune=znver4"
#ifdef VBMI
#define AVX512 __attribute__((target(AVX512_FEATURES ",avx512vbmi")))
#define OF_LEVEL(name) name##_avx512
#else
#define AVX512 __attribute__((target(AVX512_FEATURES)))
#define OF_LEVEL(name) name##_avx512vnni
#endif
#define AVX512_INLINE static inline __attribute__((always_inline)) AVX512

enum { VECTOR = 64 };

AVX512_INLINE __mmask64 first_lanes(size_t count) {
    return count < VECTOR ? _bzhi_u64(~0ULL, (unsigned)count) : ~0ULL;
}

// Declares the scaling kernels of a level.
#define SCALING(level)                                                                                                \
    size_t tpk_packed_size_##level(const tpk_horizontal *plan);                                                       \
    void tpk_pack_##level(const tpk_horizontal *plan, void *packed);                                                  \
    void tpk_horizontal_##level(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source,             \
                                ptrdiff_t stride, size_t pair_count, size_t first, size_t last);                      \
    void tpk_vertical_##level(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring,                             \
                              const tpk_vertical_row *rows, size_t row_count, size_t count);
SCALING(avx512vnni)
SCALING(avx512)

#endif
