// How levels that permute quads store a horizontal plan: a `tpk_packed` of TPK_QUADS, places and vectors after it.
//
// The quads of a block are those from its start on, four samples each, one after the other; a result takes as many
// consecutive ones as its weights reach into, wherever in the first one they begin. A vector of a block has one quad of
// 16 results: its indices as int32_t[16], and the 64 weights of its samples. So one permutation of 32-bit lanes and no
// other brings samples to their weights, for up to three of these without weight. Where results lie too far apart for
// all their quads to be in the registers, these move on by a quad a group, as far as the source goes (`last_window`);
// they stay for one group alone then, for all otherwise.
//
// Where 16 samples are all that a block's results weigh, as when enlarging, a quad begins with the first sample that
// has a weight, and its indices are 4 bytes: `registers` is 0, the samples are repeated in every 128 bits.
//
// Where the quads of results follow each other like the results, blocks are strided and stored as in packing.h.
#ifndef TESSERA_QUAD_PACKING_H
#define TESSERA_QUAD_PACKING_H

#include "packing.h"

enum { QUAD_RESULTS = 16, QUAD_WINDOW = 64, MOST_QUAD_REGISTERS = 2, NARROW_WINDOW = 16 };

// The bytes that tpk_quads_pack writes, or 0 where there are no results, or their quads do not lie in the vectors that
// a block may have.
size_t tpk_quads_packed_size(const tpk_horizontal *plan);
// Writes nothing and says so in these cases.
bool tpk_quads_pack(const tpk_horizontal *plan, void *packed);

#endif
