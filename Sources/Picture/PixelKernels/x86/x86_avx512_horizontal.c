// The horizontal pass of the avx512 level: blocks of one unit and strided blocks.
#if defined(__x86_64__)
#define VBMI
#include "x86_avx512_unit.h"

static const tpk_vector vector_shape = {VECTOR, 1, false, true};

size_t tpk_packed_size_avx512(const tpk_horizontal *plan) {
    return tpk_packed_size(plan, vector_shape);
}

void tpk_pack_avx512(const tpk_horizontal *plan, void *packed) {
    tpk_pack(plan, vector_shape, packed);
}

AVX512_INLINE void unit_rows(PASS, const size_t row_count, const size_t groups, const size_t stay, size_t first,
                             size_t last) {
    const size_t block = (size_t)packed->results;
    const int32_t *place = tpk_place(packed, first);
    int16_t *results[MOST_ROWS / 2];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r += 2) {
        results[r / 2] = pairs[r / 2];
    }
    __m512i windows[MOST_ROWS], sums[MOST_ROWS];
    int32_t loaded = -1;
    next_rows next = {source + (ptrdiff_t)row_count * stride, place[1], packed->is_short};
    for (size_t i = first * block; i < last * block; i += block, place += 2) {
        fetch_rows(&next, stride, row_count, place[1], VECTOR);
        const int32_t start = place[1];
        const bool moved = stay < groups || start != loaded;
        loaded = start;
        sum_unit(sums, windows, moved, packed, source, start, stride, row_count, tpk_vectors(place), groups, stay, 4,
                 16384);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r += 2) {
            _mm512_storeu_si512(results[r / 2] + 2 * i, interleaved(sums[r], sums[r + 1]));
        }
    }
}

AVX512_INLINE void unit_shape(PASS, size_t pair_count, const size_t groups, const size_t stay, size_t first,
                              size_t last) {
    size_t pair = 0;
    for (; pair + 4 <= pair_count; pair += 4, source += 8 * stride) {
        unit_rows(packed, pairs + pair, source, stride, 8, groups, stay, first, last);
    }
    for (; pair < pair_count; pair++, source += 2 * stride) {
        unit_rows(packed, pairs + pair, source, stride, 2, groups, stay, first, last);
    }
}

AVX512_INLINE void unit_any(PASS, size_t pair_count, size_t first, size_t last) {
    for (size_t pair = 0; pair < pair_count; pair++, source += 2 * stride) {
        unit_rows(packed, pairs + pair, source, stride, 2, (size_t)packed->groups, (size_t)packed->stay, first, last);
    }
}

// The compiler generates one loop for every common shape, without a branch in it.
#define KEY(groups, stay) (8 * (groups) + (stay))
#define UNIT(groups, stay) \
    case KEY(groups, stay): \
        unit_shape(packed, pairs, source, stride, pair_count, groups, stay, first, last); \
        break;

AVX512 static void unit_blocks(PASS, size_t pair_count, size_t first, size_t last) {
    switch (packed->groups < 8 ? KEY(packed->groups, packed->stay) : 0) {
        UNIT(1, 1)
        UNIT(2, 2)
        UNIT(3, 3)
        UNIT(3, 2)
        UNIT(4, 4)
        UNIT(4, 2)
        UNIT(5, 5)
        UNIT(5, 3)
        UNIT(6, 3)
    default:
        unit_any(packed, pairs, source, stride, pair_count, first, last);
    }
}

static void other_blocks(PASS, size_t pair_count, size_t first, size_t last) {
    if (packed->units > 1) {
        tpk_folded_blocks_avx512(packed, pairs, source, stride, pair_count, first, last);
    } else {
        unit_blocks(packed, pairs, source, stride, pair_count, first, last);
    }
}

AVX512 void tpk_horizontal_avx512(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source,
                                  ptrdiff_t stride, size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    all_blocks(packed, pairs, source, stride, pair_count, first, last, (size_t)plan->count,
               (size_t)(packed->units * packed->results), other_blocks);
}
#endif
