// The packed form of a horizontal plan for the levels that permute bytes.
//
// A window is a run of source bytes that one permutation reads. It contains `window / width` results, each with `width`
// weights per group. A window serves `stay` groups, which differ in their indices, and then moves on by the samples of
// these groups. A vector whose samples are all in the previous vector's window starts where that window starts.
//
// A filter of any length and ratio thus takes the same few instructions. With width 4 and windows that serve one group,
// results may be up to (window - 4) / (window / 4 - 1) samples apart; with greater widths, farther; width == window
// always fits. No window ends past the source: at its end, levels that fold move windows on less, and for others
// windows start earlier. If results are slightly too far apart, windows of levels that fold contain one to five results
// less.
//
// A vector has `lanes` windows, a unit is one vector, and a block has width / 4 units: the results of lane l, unit u
// follow those of lane l, unit u - 1.
//
// Four samples are a quad. The quads of a result are neighbors in a vector, so that adding neighbors of several units
// puts the results in order. Levels that fold have the first half of a result's quads in the lower half of an even unit
// and in the upper half of an odd one, and the second half in the other. Adding the halves of two units crosswise then
// puts the results of the first before those of the second. If 3, 5 or 7 quads have their samples in one window, the
// last quads of all results are one more vector, with indices into the windows of both units.
//
// If sums of two products saturate at 16 bits, samples and weights are stored in the order j, j + 2, j + 1, j + 3, so
// that no sum exceeds 16 bits.
//
// Blocks with few quads whose results are exactly four samples apart, also from one block to the next, are called
// strided. The samples of a quad are then 64 consecutive bytes, moved on by four per quad, and need no permutation.
#ifndef TESSERA_PACKING_H
#define TESSERA_PACKING_H

#include "pixel_kernels.h"

enum { MOST_STRIDED_QUADS = 6 };

typedef struct tpk_vector {
    int32_t window;   // bytes that a permutation reads of the source, and indices and weights of one lane: 16 or 64
    int32_t lanes;    // windows in a vector
    bool saturates;   // true if sums of two products saturate at 16 bits
    bool folds;       // true if halves of vectors are added, windows clamped and blocks strided; has one lane then
} tpk_vector;

// The header that describes the bytes after a `tpk_packed`: this one or quad_packing.h.
typedef enum tpk_packing { TPK_WINDOWS, TPK_QUADS } tpk_packing;

// The header of the packed bytes.
//
// After it follow, both 64-byte aligned, a place for every block, then the vectors. Every different block, unit and
// group has one vector of indices into the windows and one of weights, and so do the rests. A strided block has only
// the weights of every quad. Ratios of small numbers have few different blocks, which stay in the L1 cache.
//
// A place is the offset of the block's vectors from the place itself, in bytes, and the starts of its windows:
// int32_t[units][lanes].
typedef struct tpk_packed {
    int32_t width;    // samples per result and group: 4, 8, … window
    int32_t units;    // vectors per block
    int32_t groups;
    int32_t stay;     // groups that a window serves: all, half of them or 1
    int32_t rest;     // 1 if two folded units have one quad more for every result, otherwise 0
    int32_t blocks;
    int32_t results;  // results per window: window / width, or slightly less
    int32_t place;    // integers per place
    int32_t last_window;   // the largest start of a window in a row, after moving on
    int32_t strided_begin, strided_end;   // the blocks that are strided
    int32_t is_short;      // 1 if the results read at most SHORT_ROW samples of a row, otherwise 0
    int32_t strided_quads; // quads of each result of strided blocks
    int32_t registers;     // see quad_packing.h
    tpk_packing packing;
    int32_t reserved;
} tpk_packed;
_Static_assert(sizeof(tpk_packed) == 64, "what follows is aligned");

// Returns the number of quads of every result.
static inline int32_t tpk_quads(const tpk_packed *packed) {
    return packed->width / 4 * packed->groups + packed->rest;
}

static inline const int32_t *tpk_place(const tpk_packed *packed, size_t block) {
    return (const int32_t *)(packed + 1) + block * (size_t)packed->place;
}

static inline const uint8_t *tpk_vectors(const int32_t *place) {
    return (const uint8_t *)place + place[0];
}

// Returns the offset of the first block's vectors in bytes.
size_t tpk_vectors_offset(const tpk_packed *packed);

// Sets `place` to the block's vectors at `next`, or to equal ones among the last blocks stored since `first`. Returns
// the address for the next block's vectors.
uint8_t *tpk_store_once(int32_t *place, uint8_t *first, uint8_t *next, size_t size);

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector);
void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *packed);

#endif
