// Kernels that compilers vectorize well: one body, instantiated for the instruction set of every level.
#ifndef TESSERA_SIMPLE_H
#define TESSERA_SIMPLE_H

#include "pixel_kernels.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint8_t clamped(int32_t value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

// Mixes two samples by a coverage. Intermediate values wrap modulo 2^16; the result before the shift is in [128,
// 65408].
ALWAYS_INLINE uint8_t mixed(uint8_t dst, uint8_t src, uint8_t coverage) {
    const uint16_t weight = (uint16_t)(coverage + (coverage == 255));
    const uint16_t difference = (uint16_t)(src - dst);
    return (uint8_t)((uint16_t)((dst << 8) + difference * weight + 128) >> 8);
}

ALWAYS_INLINE void blend_body(uint8_t *restrict dst, const uint8_t *restrict src, const uint8_t *restrict coverage,
                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        dst[i] = mixed(dst[i], src[i], coverage[i]);
    }
}

// Blends one value over the samples, or `under` them. The terms that depend only on the coverage are computed once for
// all rows.
ALWAYS_INLINE void blend_value_body(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value,
                                    const uint8_t *coverage, size_t count, const bool under) {
    enum { STRIP = 64 };
    for (size_t start = 0; start < count; start += STRIP) {
        const size_t width = count - start < STRIP ? count - start : STRIP;
        uint16_t weights[STRIP], values[STRIP];
        for (size_t i = 0; i < width; i++) {
            const uint16_t part = (uint16_t)(coverage[start + i] + (coverage[start + i] == 255));
            weights[i] = under ? part : (uint16_t)(256 - part);
            values[i] = (uint16_t)(value * (256 - weights[i]) + 128);
        }
        for (size_t row = 0; row < rows; row++) {
            uint8_t *restrict samples = dst + (ptrdiff_t)row * stride + start;
            for (size_t i = 0; i < width; i++) {
                samples[i] = (uint8_t)((uint16_t)(samples[i] * weights[i] + values[i]) >> 8);
            }
        }
    }
}

ALWAYS_INLINE void convert_luma_body(uint8_t *restrict luma, const uint8_t *restrict blue,
                                     const uint8_t *restrict red, const tpk_matrix *restrict matrix, size_t count) {
    const int32_t m[4] = {matrix->luma[0], matrix->luma[1], matrix->luma[2], matrix->luma[3]};
    for (size_t i = 0; i < count; i++) {
        luma[i] = clamped((m[0] * luma[i] + m[1] * blue[i] + m[2] * red[i] + m[3]) >> 13);
    }
}

ALWAYS_INLINE void convert_chroma_body(uint8_t *restrict blue, uint8_t *restrict red,
                                       const tpk_matrix *restrict matrix, size_t count) {
    const int32_t b[3] = {matrix->blue[0], matrix->blue[1], matrix->blue[2]};
    const int32_t r[3] = {matrix->red[0], matrix->red[1], matrix->red[2]};
    for (size_t i = 0; i < count; i++) {
        const int32_t cb = blue[i], cr = red[i];
        blue[i] = clamped((b[0] * cb + b[1] * cr + b[2]) >> 13);
        red[i] = clamped((r[0] * cb + r[1] * cr + r[2]) >> 13);
    }
}

#define BLEND_KERNELS(attribute, level)                                                                               \
    attribute static void blend_##level(uint8_t *dst, const uint8_t *src, const uint8_t *coverage, size_t count) {    \
        blend_body(dst, src, coverage, count);                                                                        \
    }                                                                                                                 \
    attribute static void blend_over_##level(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value,              \
                                             const uint8_t *coverage, size_t count) {                                 \
        blend_value_body(dst, stride, rows, value, coverage, count, false);                                           \
    }                                                                                                                 \
    attribute static void blend_under_##level(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value,             \
                                              const uint8_t *coverage, size_t count) {                                \
        blend_value_body(dst, stride, rows, value, coverage, count, true);                                            \
    }

#define CONVERT_KERNELS(attribute, level)                                                                             \
    attribute static void convert_luma_##level(uint8_t *luma, const uint8_t *blue, const uint8_t *red,                \
                                               const tpk_matrix *matrix, size_t count) {                              \
        convert_luma_body(luma, blue, red, matrix, count);                                                            \
    }                                                                                                                 \
    attribute static void convert_chroma_##level(uint8_t *blue, uint8_t *red, const tpk_matrix *matrix,               \
                                                 size_t count) {                                                      \
        convert_chroma_body(blue, red, matrix, count);                                                                \
    }

#define FILL_SIMPLE_KERNELS(table, level)                                                                             \
    (table)->blend = blend_##level;                                                                                   \
    (table)->blend_over = blend_over_##level;                                                                         \
    (table)->blend_under = blend_under_##level;                                                                       \
    (table)->convert_luma = convert_luma_##level;                                                                     \
    (table)->convert_chroma = convert_chroma_##level;

#endif
