// The other kernels of the AVX-512 levels: blending, copying and kernels that the compiler vectorizes well.
#ifndef TESSERA_X86_AVX512_SIMPLE_H
#define TESSERA_X86_AVX512_SIMPLE_H

#include "levels.h"
#include "simple.h"
#include "x86_avx512.h"

// Mixes half of 64 samples like `mixed`; `shifted` is `below` in the upper bytes.
AVX512_INLINE __m512i mixed_half(__m512i below, __m512i shifted, __m512i above, __m512i coverage) {
    const __mmask32 covered = _mm512_cmpeq_epi16_mask(coverage, _mm512_set1_epi16(255));
    const __m512i weight = _mm512_mask_add_epi16(coverage, covered, coverage, _mm512_set1_epi16(1));
    const __m512i difference = _mm512_mullo_epi16(_mm512_sub_epi16(above, below), weight);
    return _mm512_srli_epi16(_mm512_add_epi16(_mm512_add_epi16(shifted, _mm512_set1_epi16(128)), difference), 8);
}

AVX512_INLINE __m512i mixed_64(__m512i below, __m512i above, __m512i coverage) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low =
        mixed_half(_mm512_unpacklo_epi8(below, zero), _mm512_unpacklo_epi8(zero, below),
                   _mm512_unpacklo_epi8(above, zero), _mm512_unpacklo_epi8(coverage, zero));
    const __m512i high =
        mixed_half(_mm512_unpackhi_epi8(below, zero), _mm512_unpackhi_epi8(zero, below),
                   _mm512_unpackhi_epi8(above, zero), _mm512_unpackhi_epi8(coverage, zero));
    return _mm512_packus_epi16(low, high);
}

// Mixes `above` over the samples of `mask`; the others are neither read nor written.
AVX512_INLINE void blend_64(uint8_t *dst, __m512i above, const uint8_t *coverage, __mmask64 mask) {
    const __m512i below = _mm512_maskz_loadu_epi8(mask, dst);
    _mm512_mask_storeu_epi8(dst, mask, mixed_64(below, above, _mm512_maskz_loadu_epi8(mask, coverage)));
}

AVX512 static void blend_avx512(uint8_t *dst, const uint8_t *src, const uint8_t *coverage, size_t count) {
    for (size_t i = 0; i < count; i += VECTOR) {
        const __mmask64 mask = first_lanes(count - i);
        blend_64(dst + i, _mm512_maskz_loadu_epi8(mask, src + i), coverage + i, mask);
    }
}

// The terms of blending a value over samples, or `under` them, that depend only on the coverage and are equal for all
// rows.
typedef struct value_mix {
    __m512i weight;   // of the samples, in 1/256
    __m512i value;    // the contribution of the value, with half a unit
} value_mix;

AVX512_INLINE value_mix mix_of(__m512i coverage, uint8_t value, const bool under) {
    const __m512i one = _mm512_set1_epi16(256);
    const __mmask32 covered = _mm512_cmpeq_epi16_mask(coverage, _mm512_set1_epi16(255));
    const __m512i part = _mm512_mask_add_epi16(coverage, covered, coverage, _mm512_set1_epi16(1));
    const __m512i weight = under ? part : _mm512_sub_epi16(one, part);
    const __m512i product = _mm512_mullo_epi16(_mm512_set1_epi16(value), _mm512_sub_epi16(one, weight));
    return (value_mix){weight, _mm512_add_epi16(product, _mm512_set1_epi16(128))};
}

AVX512_INLINE __m512i mixed_words(__m512i samples, value_mix mix) {
    return _mm512_srli_epi16(_mm512_add_epi16(_mm512_mullo_epi16(samples, mix.weight), mix.value), 8);
}

// Blends a value with at most 32 samples of many rows: the edges of tiles.
AVX512_INLINE void blend_value_32(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value, const uint8_t *coverage,
                                  size_t count, const bool under) {
    const __mmask32 mask = (__mmask32)first_lanes(count);
    const value_mix mix = mix_of(_mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, coverage)), value, under);
    for (; rows > 0; rows--, dst += stride) {
        const __m512i samples = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, dst));
        _mm256_mask_storeu_epi8(dst, mask, _mm512_cvtepi16_epi8(mixed_words(samples, mix)));
    }
}

AVX512_INLINE void blend_value_64(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value, const uint8_t *coverage,
                                  size_t count, const bool under) {
    const __m512i zero = _mm512_setzero_si512();
    const __mmask64 mask = first_lanes(count);
    const __m512i parts = _mm512_maskz_loadu_epi8(mask, coverage);
    const value_mix low = mix_of(_mm512_unpacklo_epi8(parts, zero), value, under);
    const value_mix high = mix_of(_mm512_unpackhi_epi8(parts, zero), value, under);
    for (; rows > 0; rows--, dst += stride) {
        const __m512i samples = _mm512_maskz_loadu_epi8(mask, dst);
        const __m512i first = mixed_words(_mm512_unpacklo_epi8(samples, zero), low);
        const __m512i second = mixed_words(_mm512_unpackhi_epi8(samples, zero), high);
        _mm512_mask_storeu_epi8(dst, mask, _mm512_packus_epi16(first, second));
    }
}

AVX512_INLINE void blend_value(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value, const uint8_t *coverage,
                               size_t count, const bool under) {
    if (count <= 32) {
        blend_value_32(dst, stride, rows, value, coverage, count, under);
        return;
    }
    for (size_t i = 0; i < count; i += VECTOR) {
        blend_value_64(dst + i, stride, rows, value, coverage + i, count - i, under);
    }
}

AVX512 static void blend_over_avx512(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value,
                                     const uint8_t *coverage, size_t count) {
    blend_value(dst, stride, rows, value, coverage, count, false);
}

AVX512 static void blend_under_avx512(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value,
                                      const uint8_t *coverage, size_t count) {
    blend_value(dst, stride, rows, value, coverage, count, true);
}

// Copies whole lines of the destination at once; the first and the last vector of a row overlap others. Two stores to
// one line cost a fifth more while another thread of the core also stores.
AVX512_INLINE void copy_row(uint8_t *dst, const uint8_t *src, size_t count) {
    if (count < VECTOR) {
        const __mmask64 mask = first_lanes(count);
        _mm512_mask_storeu_epi8(dst, mask, _mm512_maskz_loadu_epi8(mask, src));
        return;
    }
    const __m512i last = _mm512_loadu_si512(src + count - VECTOR);
    _mm512_storeu_si512(dst, _mm512_loadu_si512(src));
    for (size_t i = VECTOR - (uintptr_t)dst % VECTOR; i + VECTOR <= count; i += VECTOR) {
        _mm512_store_si512(dst + i, _mm512_loadu_si512(src + i));
    }
    _mm512_storeu_si512(dst + count - VECTOR, last);
}

// Copies rows of several parts in turn, so that more of the source is in flight from the L3 cache.
AVX512 static void copy_avx512(uint8_t *dst, ptrdiff_t stride, const uint8_t *src, ptrdiff_t src_stride, size_t rows,
                               size_t count) {
    enum { PARTS = 8 };
    const size_t part = rows / PARTS;
    for (size_t row = 0; row < part; row++) {
        for (size_t y = row; y < PARTS * part; y += part) {
            copy_row(dst + (ptrdiff_t)y * stride, src + (ptrdiff_t)y * src_stride, count);
        }
    }
    for (size_t y = PARTS * part; y < rows; y++) {
        copy_row(dst + (ptrdiff_t)y * stride, src + (ptrdiff_t)y * src_stride, count);
    }
}

CONVERT_KERNELS(AVX512, avx512)

// Fills in the kernels of this file and the scaling kernels of the level. Transposing moves bytes, so the AVX2 level's
// kernel stays.
#define FILL_AVX512(table, level)                                                                                     \
    (table)->packed_size = tpk_packed_size_##level;                                                                   \
    (table)->pack = tpk_pack_##level;                                                                                 \
    (table)->horizontal = tpk_horizontal_##level;                                                                     \
    (table)->vertical = tpk_vertical_##level;                                                                         \
    (table)->copy = copy_avx512;                                                                                      \
    FILL_SIMPLE_KERNELS(table, avx512)

#endif
