// How the permuting levels store a horizontal plan.
//
// A window is a run of source bytes that one permutation reads; it holds `window / width` results, each with `width`
// weights a group. A window serves `stay` groups, which differ in their indices, and then moves on by the samples of
// these groups; vectors that find all their samples in the window of the one before begin where that begins. So a
// filter of any length and ratio takes the same few instructions: with width 4 and windows that serve one group,
// results may lie up to (window - 4) / (window / 4 - 1) samples apart, with greater widths farther; width == window
// always fits. No window ends past the source: levels that fold move on less far there, for others windows begin
// earlier. Where results lie a little too far apart, windows of levels that fold hold one or two results less.
//
// A vector has `lanes` windows, a unit is one vector, and a block has width / 4 units: the results of lane l, unit u
// follow those of lane l, unit u - 1.
//
// Four samples are a quad. The quads of a result are neighbors in a vector, so that adding neighbors of several units
// puts the results in order. Levels that fold have the first half of a result's quads in the lower half of an even unit
// and in the upper half of an odd one, the second half in the other: adding the halves of two units crosswise puts the
// results of the first before those of the second. Where 3, 5 or 7 quads find their samples in one window, the last
// ones of all results are one more vector, of indices into the windows of both units.
//
// Where sums of two products saturate at 16 bits, samples and weights are stored in the order j, j + 2, j + 1, j + 3,
// so that none exceeds them.
//
// Blocks whose results lie exactly four samples apart, also from one block to the next, are called strided, if of
// few quads: the samples of a quad are 64 consecutive bytes, moved on by four a quad, and need no permutation.
#ifndef TESSERA_PACKING_H
#define TESSERA_PACKING_H

#include "pixel_kernels.h"

enum { MOST_STRIDED_QUADS = 6 };

typedef struct tpk_vector {
    int32_t window;   // source bytes that a permutation reads, and indices and weights of one lane: 16 or 64
    int32_t lanes;    // windows in a vector
    bool saturates;   // whether sums of two products do
    bool folds;       // whether it adds halves of vectors, clamps windows and knows strided blocks; one lane then
} tpk_vector;

// Which header says how the bytes after a `tpk_packed` are stored: this one or quad_packing.h.
typedef enum tpk_packing { TPK_WINDOWS, TPK_QUADS } tpk_packing;

// The start of the packed bytes. Behind it, both 64-byte aligned: a place for every block, then for every different
// block, unit and group one vector of indices into the windows and one of weights, and those of the rest; for a strided
// block only the weights of every quad. Ratios of small numbers have few different blocks, which stay in the first
// cache.
//
// A place is the offset of the block's vectors from the place itself, in bytes, and the starts of its windows:
// int32_t[units][lanes].
typedef struct tpk_packed {
    int32_t width;    // samples that one group takes of a result: 4, 8, … window
    int32_t units;    // vectors that make a block
    int32_t groups;
    int32_t stay;     // groups that a window serves: all, half of them or 1
    int32_t rest;     // 1 where two units that are folded have one quad more for every result, else 0
    int32_t blocks;
    int32_t results;  // in a window: window / width, or a little less
    int32_t place;    // integers in a place
    int32_t last_window;   // where windows of a row may begin at most, after having moved on
    int32_t strided_begin, strided_end;   // the blocks that are strided
    int32_t is_short;      // whether the results are made of at most SHORT_ROW samples of a row
    int32_t strided_quads; // of the results of strided blocks
    int32_t registers;     // see quad_packing.h
    tpk_packing packing;
    int32_t reserved;
} tpk_packed;
_Static_assert(sizeof(tpk_packed) == 64, "what follows is aligned");

// The quads of every result.
static inline int32_t tpk_quads(const tpk_packed *packed) {
    return packed->width / 4 * packed->groups + packed->rest;
}

static inline const int32_t *tpk_place(const tpk_packed *packed, size_t block) {
    return (const int32_t *)(packed + 1) + block * (size_t)packed->place;
}

static inline const uint8_t *tpk_vectors(const int32_t *place) {
    return (const uint8_t *)place + place[0];
}

// The offset of the first block's vectors in bytes.
size_t tpk_vectors_offset(const tpk_packed *packed);

// Lets `place` refer to the block's vectors at `next`, or to equal ones among the last of those from `first` on. Where
// the next block's vectors go.
uint8_t *tpk_store_once(int32_t *place, uint8_t *first, uint8_t *next, size_t size);

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector);
void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *packed);

#endif
