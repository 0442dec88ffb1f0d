// Definitions shared by the files of the AVX2 level.
#ifndef TESSERA_X86_AVX2_H
#define TESSERA_X86_AVX2_H

#include <immintrin.h>

#include "pixel_kernels.h"

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

AVX2_INLINE __m256i load(const void *at) {
    return _mm256_loadu_si256((const __m256i *)at);
}

size_t tpk_packed_size_avx2(const tpk_horizontal *plan);
void tpk_pack_avx2(const tpk_horizontal *plan, void *packed);
void tpk_horizontal_avx2(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source, ptrdiff_t stride,
                         size_t pair_count, size_t first, size_t last);
void tpk_cube_luma_avx2(uint8_t *dst, const uint16_t *luma, const uint16_t *const near[2],
                        const uint16_t *const far[2], const int16_t *nodes, size_t chroma_count, size_t count);
void tpk_cube_chroma_avx2(uint8_t *dst, const uint16_t *const luma[2], const uint16_t *blue, const uint16_t *red,
                          const int16_t *nodes, size_t count);

#endif
