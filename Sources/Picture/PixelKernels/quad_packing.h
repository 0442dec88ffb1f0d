// The packed form of a horizontal plan for levels that permute quads: a `tpk_packed` of TPK_QUADS, then places and
// vectors.
//
// The quads of a block are counted from its start, four consecutive samples each. A result takes as many consecutive
// quads as its weights reach into, wherever in the first one they start. A vector of a block has one quad of 16
// results: its indices as int32_t[16], and the 64 weights of its samples. A single permutation of 32-bit lanes thus
// brings samples to their weights; up to three samples of a quad have no weight.
//
// If results are too far apart for all their quads to be in the registers, the registers move on by a quad per group,
// as far as the source extends (`last_window`). They then stay for one group, otherwise for all.
//
// If the results of a block weigh at most 16 samples, as when enlarging, a quad starts with the first sample that has a
// weight, and its indices are 4 bytes. `registers` is then 0, and the samples are repeated in every 128 bits.
//
// If the quads of results follow each other like the results, blocks are strided and stored as in packing.h.
#ifndef TESSERA_QUAD_PACKING_H
#define TESSERA_QUAD_PACKING_H

#include "packing.h"

enum { QUAD_RESULTS = 16, QUAD_WINDOW = 64, MOST_QUAD_REGISTERS = 2, NARROW_WINDOW = 16 };

// Returns the number of bytes that tpk_quads_pack writes. Returns 0 if there are no results, or if their quads do not
// fit into the registers of a block.
size_t tpk_quads_packed_size(const tpk_horizontal *plan);
// Packs a plan. Returns false and writes nothing if tpk_quads_packed_size returns 0.
bool tpk_quads_pack(const tpk_horizontal *plan, void *packed);

#endif
