// Color conversion by a lookup table, in plain C.
#include "cube.h"

static void strip(uint8_t *dst, const int16_t *nodes, const uint16_t *luma, const uint16_t *blue, const uint16_t *red,
                  size_t count) {
    for (size_t i = 0; i < count; i++) {
        dst[i] = cube_at(nodes, ten_bits(luma[i]), ten_bits(blue[i]), ten_bits(red[i]));
    }
}

void tpk_cube_luma(uint8_t *dst, const uint16_t *luma, const uint16_t *const near[2], const uint16_t *const far[2],
                   const int16_t *nodes, size_t chroma_count, size_t count) {
    cube_luma_body(dst, luma, near, far, nodes, chroma_count, count, strip);
}

void tpk_cube_chroma(uint8_t *dst, const uint16_t *const luma[2], const uint16_t *blue, const uint16_t *red,
                     const int16_t *nodes, size_t count) {
    cube_chroma_body(dst, luma, blue, red, nodes, count, strip);
}
