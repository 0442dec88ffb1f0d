// How the permuting levels store a horizontal plan.
//
// A window is a run of source bytes that one permutation reads; it holds `window / width` results, each with `width`
// weights a group. A window serves `stay` groups, which differ in their indices, and then moves on by the samples of
// these groups; vectors that find all their samples in the window of the one before begin where that begins. So a
// filter of any length and ratio takes the same few instructions: with width 4, results may lie up to
// (reach - 4) / (window / 4 - 1) samples apart, with greater widths farther; width == window always fits.
//
// A vector has `lanes` windows, a unit is one vector, and a block of `lanes * window / 4` results has width / 4 units:
// the results of lane l, unit u follow those of lane l, unit u - 1, so that adding neighbours puts them in order.
//
// Samples and weights are stored in the order j, j + 2, j + 1, j + 3, so that no sum of two products exceeds 16 bits.
#ifndef TESSERA_PACKING_H
#define TESSERA_PACKING_H

#include "pixel_kernels.h"

typedef struct tpk_vector {
    int32_t window;   // indices and weights of one lane: 16 or 64
    int32_t lanes;    // windows in a vector
    int32_t least;    // source bytes that the cheapest permutation reads
    int32_t most;     // source bytes that the dearest permutation reads, at most TPK_WINDOW
} tpk_vector;

// The start of the packed bytes. Behind it, both 64-byte aligned: int32_t starts[blocks][units][lanes], then for every
// block, unit and group one vector of indices into the windows and one of weights.
typedef struct tpk_packed {
    int32_t width;    // samples that one group takes of a result: 4, 8, … window
    int32_t units;    // vectors that make a block
    int32_t groups;
    int32_t stay;     // groups that a window serves: all, half of them or 1
    int32_t reach;    // source bytes that a permutation reads
    int32_t blocks;
    int32_t data;     // offset of the vectors in bytes
    int32_t reserved[9];
} tpk_packed;

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector);
void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *packed);

#endif
