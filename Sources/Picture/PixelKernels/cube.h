// Color conversion by a lookup table of 65 x 65 x 65 nodes, for conversions that are not a matrix.
#ifndef TESSERA_CUBE_H
#define TESSERA_CUBE_H

#include "simple.h"

enum { CUBE_ROW = TPK_CUBE_NODES, CUBE_PLANE = TPK_CUBE_NODES * TPK_CUBE_NODES, CUBE_STRIP = 64 };

ALWAYS_INLINE int32_t ten_bits(int32_t value) {
    return value > 1023 ? 1023 : value;
}

// Interpolates between the eight nodes around a color, weighted by distance. The sum is exact, in 1/2^12 of 1/64,
// before it is rounded once.
ALWAYS_INLINE uint8_t cube_at(const int16_t *nodes, int32_t luma, int32_t blue, int32_t red) {
    const int32_t y = luma & 15, b = blue & 15, r = red & 15;
    const int16_t *at = nodes + (red >> 4) * CUBE_PLANE + (blue >> 4) * CUBE_ROW + (luma >> 4);
    const int32_t near = (16 - b) * ((16 - y) * at[0] + y * at[1]) +
                         b * ((16 - y) * at[CUBE_ROW] + y * at[CUBE_ROW + 1]);
    at += CUBE_PLANE;
    const int32_t far = (16 - b) * ((16 - y) * at[0] + y * at[1]) +
                        b * ((16 - y) * at[CUBE_ROW] + y * at[CUBE_ROW + 1]);
    return (uint8_t)(((16 - r) * near + r * far + (1 << 17)) >> 18);
}

// Computes the chroma at luma samples first ..< first + count of a row: vertically weighted 3:1, horizontally at the
// left column or between two columns.
ALWAYS_INLINE void cube_chroma_at_luma(uint16_t *restrict dst, const uint16_t *restrict near,
                                       const uint16_t *restrict far, size_t first, size_t count, size_t last) {
    for (size_t i = 0; i < count; i++) {
        const size_t left = (first + i) / 2, next = (first + i + 1) / 2, right = next > last ? last : next;
        const int32_t sum = 3 * (ten_bits(near[left]) + ten_bits(near[right])) + ten_bits(far[left]) +
                            ten_bits(far[right]);
        dst[i] = (uint16_t)((sum + 4) >> 3);
    }
}

// Computes the luma at chroma samples first ..< first + count: the mean of both rows at the left column.
ALWAYS_INLINE void cube_luma_at_chroma(uint16_t *restrict dst, const uint16_t *const rows[2], size_t first,
                                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t at = 2 * (first + i);
        dst[i] = (uint16_t)((ten_bits(rows[0][at]) + ten_bits(rows[1][at]) + 1) >> 1);
    }
}

typedef void (*cube_strip)(uint8_t *dst, const int16_t *nodes, const uint16_t *luma, const uint16_t *blue,
                           const uint16_t *red, size_t count);

ALWAYS_INLINE void cube_luma_body(uint8_t *dst, const uint16_t *luma, const uint16_t *const near[2],
                                  const uint16_t *const far[2], const int16_t *nodes, size_t chroma_count,
                                  size_t count, const cube_strip strip) {
    uint16_t blue[CUBE_STRIP], red[CUBE_STRIP];
    for (size_t start = 0; start < count; start += CUBE_STRIP) {
        const size_t width = count - start < CUBE_STRIP ? count - start : CUBE_STRIP;
        cube_chroma_at_luma(blue, near[0], far[0], start, width, chroma_count - 1);
        cube_chroma_at_luma(red, near[1], far[1], start, width, chroma_count - 1);
        strip(dst + start, nodes, luma + start, blue, red, width);
    }
}

ALWAYS_INLINE void cube_chroma_body(uint8_t *dst, const uint16_t *const luma[2], const uint16_t *blue,
                                    const uint16_t *red, const int16_t *nodes, size_t count,
                                    const cube_strip strip) {
    uint16_t lumas[CUBE_STRIP];
    for (size_t start = 0; start < count; start += CUBE_STRIP) {
        const size_t width = count - start < CUBE_STRIP ? count - start : CUBE_STRIP;
        cube_luma_at_chroma(lumas, luma, start, width);
        strip(dst + start, nodes, lumas, blue + start, red + start, width);
    }
}

void tpk_cube_luma(uint8_t *dst, const uint16_t *luma, const uint16_t *const near[2], const uint16_t *const far[2],
                   const int16_t *nodes, size_t chroma_count, size_t count);
void tpk_cube_chroma(uint8_t *dst, const uint16_t *const luma[2], const uint16_t *blue, const uint16_t *red,
                     const int16_t *nodes, size_t count);

#endif
