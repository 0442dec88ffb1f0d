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
// Where sums of two products saturate at 16 bits, samples and weights are stored in the order j, j + 2, j + 1, j + 3,
// so that none exceeds them.
//
// Blocks of width 4 whose results lie exactly four samples apart, also from one block to the next, are called strided:
// the samples of a group are the window itself, moved on by four samples a group, so that they need no permutation, and
// windows follow each other without a gap.
#ifndef TESSERA_PACKING_H
#define TESSERA_PACKING_H

#include "pixel_kernels.h"

typedef struct tpk_vector {
    int32_t window;   // indices and weights of one lane: 16 or 64
    int32_t lanes;    // windows in a vector
    int32_t least;    // source bytes that the cheapest permutation reads
    int32_t most;     // source bytes that the dearest permutation reads, at most TPK_WINDOW
    bool saturates;   // whether sums of two products do
} tpk_vector;

// The start of the packed bytes. Behind it, both 64-byte aligned: a place for every block, then for every different
// block, unit and group one vector of indices into the windows and one of weights. Ratios of small numbers have few
// different blocks, which stay in the first cache.
//
// A place is the offset of the block's vectors from the place itself, in bytes, and the starts of its windows:
// int32_t[units][lanes].
typedef struct tpk_packed {
    int32_t width;    // samples that one group takes of a result: 4, 8, … window
    int32_t units;    // vectors that make a block
    int32_t groups;
    int32_t stay;     // groups that a window serves: all, half of them or 1
    int32_t reach;    // source bytes that a permutation reads
    int32_t blocks;
    int32_t place;    // integers in a place
    int32_t strided_begin, strided_end;   // the blocks that are strided
    int32_t reserved[7];
} tpk_packed;

static inline const int32_t *tpk_place(const tpk_packed *packed, size_t block) {
    return (const int32_t *)(packed + 1) + block * (size_t)packed->place;
}

static inline const uint8_t *tpk_vectors(const int32_t *place) {
    return (const uint8_t *)place + place[0];
}

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector);
void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *packed);

#endif
