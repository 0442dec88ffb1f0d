// Row kernels for 8-bit planes: scale, convert, blend, transpose.
//
// Conventions: the destination comes first; strides are in bytes, counts in samples; nothing needs to be aligned; no
// kernel reads or writes a byte outside the memory that its parameters name. Every level writes the same bytes as the
// reference.
//
// Scaling is two passes without a rounding between them:
//
//   horizontal   u8 samples x s8 weights of 1/128   -> s16, the exact sum in 1/128, centered and negated: 16384 - sum
//   vertical     s16 x s16 weights of 1/16384       -> s32, rounded half up and clamped once: u8
//
// Weights are stored negated, because -128 (a weight of exactly one) fits in eight bits and +128 does not; the two
// negations cancel. Intervals: with the negative weights of one result adding up to at least -64/128, a horizontal sum
// is in [-16320, 48960], so 16384 - sum fits in 16 bits, also when it is accumulated modulo 2^16. A vertical sum of
// weights of magnitude up to 2 stays below 2^30, which leaves room for the offset of 2^28 that undoes the centering.
#ifndef TESSERA_PIXEL_KERNELS_H
#define TESSERA_PIXEL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TPK_WINDOW = 128,             // readable samples that a source row of the horizontal pass needs beyond its taps
    TPK_HORIZONTAL_ONE = 128,     // the sum of the horizontal weights of one result, before the negation
    TPK_VERTICAL_ONE = 16384,     // the sum of the vertical weights of one result, before the negation
    TPK_PAIR_PADDING = 64,        // samples that the horizontal pass may write, and the vertical read, after `count`
    TPK_CUBE_NODES = 65,          // nodes along each axis of a color table
};

// Instruction set levels, best last within an architecture. TPK_AVX512_VNNI is AVX-512 with VNNI (Cascade Lake and
// later); TPK_AVX512 also has VBMI (Ice Lake, Zen 4 and later).
typedef enum tpk_level { TPK_C, TPK_AVX2, TPK_AVX512_VNNI, TPK_AVX512, TPK_NEON } tpk_level;

// One axis of weights for the horizontal pass: result i is computed from source samples left[i] ..< left[i] + taps.
typedef struct tpk_horizontal {
    int32_t source;         // samples in a source row, at least taps + TPK_WINDOW
    int32_t count;          // samples in a result row
    int32_t taps;           // weights per result: a multiple of 4
    const int32_t *left;    // [count], 0 ... source - taps
    const int8_t *weights;  // [count][taps] in -1/128; any weights j and j + 2 add up to at most one
    const void *packed;     // the fields above as packed by `pack` of the same level, 64-byte aligned
} tpk_horizontal;

// A result row of the vertical pass: the sum over pairs of rows with two weights each.
typedef struct tpk_vertical_row {
    const int16_t *weights;    // [pair_count][2] in -1/16384
    int32_t pair_count;
    int32_t slot;              // the index of the first pair in the ring
} tpk_vertical_row;

// The conversion from one Y'CbCr encoding to another. Chroma does not depend on luma, because gray stays gray.
typedef struct tpk_matrix {
    int32_t luma[4];    // of luma, blue, red, and an offset that includes half a unit, all in 1/8192
    int32_t blue[3];    // of blue, red, and an offset that includes half a unit, all in 1/8192
    int32_t red[3];     // of blue, red, and an offset that includes half a unit, all in 1/8192
} tpk_matrix;

typedef struct tpk_table {
    tpk_level level;

    // The number of bytes that `pack` writes; a multiple of 64.
    size_t (*packed_size)(const tpk_horizontal *plan);
    void (*pack)(const tpk_horizontal *plan, void *packed);

    // Scales 2 * pair_count source rows, `stride` bytes apart, to results first ..< last, and up to 15 more on both
    // sides. The results of rows 2p and 2p + 1 are interleaved: pairs[p][2i] and pairs[p][2i + 1].
    void (*horizontal)(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source, ptrdiff_t stride,
                       size_t pair_count, size_t first, size_t last);

    // Computes `count` samples of row_count result rows, from the pairs of rows in `ring`. Rows 2i and 2i + 1 read the
    // pairs that they share once.
    void (*vertical)(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring, const tpk_vertical_row *rows,
                     size_t row_count, size_t count);

    // Copies `rows` rows of `count` samples.
    void (*copy)(uint8_t *dst, ptrdiff_t stride, const uint8_t *src, ptrdiff_t src_stride, size_t rows, size_t count);

    // Blends src over dst. A coverage of c means c/256, except that 255 means 1.
    void (*blend)(uint8_t *dst, const uint8_t *src, const uint8_t *coverage, size_t count);
    // Blends one value over `rows` rows, with one row of coverage for all.
    void (*blend_over)(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value, const uint8_t *coverage,
                       size_t count);
    // Blends dst over one value, with one row of coverage for all rows.
    void (*blend_under)(uint8_t *dst, ptrdiff_t stride, size_t rows, uint8_t value, const uint8_t *coverage,
                        size_t count);

    // Converts `count` samples in place: luma, with chroma samples of equal resolution in blue and red, or both chroma
    // planes.
    void (*convert_luma)(uint8_t *luma, const uint8_t *blue, const uint8_t *red, const tpk_matrix *matrix,
                         size_t count);
    void (*convert_chroma)(uint8_t *blue, uint8_t *red, const tpk_matrix *matrix, size_t count);

    // Converts ten-bit colors to one eight-bit plane by a table: nodes[red / 16][blue / 16][luma / 16] in 1/64, 0 ...
    // 255 * 64. The result is the mean of the eight nearest nodes, weighted by distance and rounded half up. Samples
    // above 1023 are clamped to 1023.
    //
    // For luma, near and far point at the blue ([0]) and red ([1]) rows that are 1/4 and 3/4 of a chroma row away, with
    // chroma_count samples each, one for two of luma. For chroma, which may be the blue or the red plane, `luma` points
    // at both rows of each sample, which are twice as long.
    void (*cube_luma)(uint8_t *dst, const uint16_t *luma, const uint16_t *const near[2], const uint16_t *const far[2],
                      const int16_t *nodes, size_t chroma_count, size_t count);
    void (*cube_chroma)(uint8_t *dst, const uint16_t *const luma[2], const uint16_t *blue, const uint16_t *red,
                        const int16_t *nodes, size_t count);

    // Sets dst(x, y) = src(y, x), for dst of width by height.
    void (*transpose)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, size_t width,
                      size_t height);
} tpk_table;

// Returns true if this processor supports `level`.
bool tpk_level_available(tpk_level level);

// Fills the table for a level that the processor supports.
void tpk_table_init(tpk_table *table, tpk_level level);

#endif
