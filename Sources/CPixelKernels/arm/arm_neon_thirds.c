// Results of every three source samples by NEON, 16 groups at a time: loads that deal out every third byte bring the
// same taps of all groups together.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "thirds.h"

enum { GROUPS = 16, READ = TPK_THIRDS * (GROUPS + 1) };

// Adds the taps of a source row to the sums of 16 results, eight each.
static void add_taps(uint16x8_t sums[2], const uint8_t *at, const uint8_t weights[TPK_THIRDS_TAPS],
                     uint8_t row_weight) {
    const uint8x16x3_t three = vld3q_u8(at), next = vld3q_u8(at + TPK_THIRDS);
    const uint8x16_t taps[TPK_THIRDS_TAPS] = {three.val[0], three.val[1], three.val[2], next.val[0]};
    for (size_t tap = 0; tap < TPK_THIRDS_TAPS; tap++) {
        const uint8x8_t weight = vdup_n_u8((uint8_t)(weights[tap] * row_weight));
        sums[0] = vmlal_u8(sums[0], vget_low_u8(taps[tap]), weight);
        sums[1] = vmlal_u8(sums[1], vget_high_u8(taps[tap]), weight);
    }
}

static uint8x8_t divided(const tpk_thirds *plan, uint16x8_t sums) {
    const uint32x4_t low = vmull_n_u16(vget_low_u16(sums), (uint16_t)plan->multiplier);
    const uint32x4_t high = vmull_n_u16(vget_high_u16(sums), (uint16_t)plan->multiplier);
    const int32x4_t shift = vdupq_n_s32(-plan->shift);
    return vmovn_u16(vcombine_u16(vmovn_u32(vshlq_u32(low, shift)), vmovn_u32(vshlq_u32(high, shift))));
}

// The results of one phase of 16 groups.
static uint8x16_t phase_results(const tpk_thirds *plan, const thirds_rows *rows, ptrdiff_t sample, size_t phase) {
    uint16x8_t sums[2] = {vdupq_n_u16((uint16_t)plan->half), vdupq_n_u16((uint16_t)plan->half)};
    for (size_t row = 0; row < (size_t)plan->rows.taps; row++) {
        add_taps(sums, rows->samples[row] + sample, plan->columns.weights[phase], rows->weights[row]);
    }
    return vcombine_u8(divided(plan, sums[0]), divided(plan, sums[1]));
}

void tpk_thirds_neon(THIRDS) {
    const thirds_groups groups = thirds_groups_of(plan, GROUPS, READ, first, last);
    const ptrdiff_t phases = plan->columns.phases, end = thirds_windows_end(&groups, GROUPS);
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const thirds_rows rows = thirds_rows_of(plan, source, source_stride, row, (size_t)plan->rows.taps);
        uint8_t *results = dst - first;
        for (ptrdiff_t next = groups.first; next < end; next += GROUPS) {
            const ptrdiff_t group = step_least(next, end - GROUPS);
            const ptrdiff_t sample = plan->columns.first + TPK_THIRDS * group;
            const uint8x16_t made = phase_results(plan, &rows, sample, 0);
            if (phases == 2) {
                const uint8x16x2_t both = {{made, phase_results(plan, &rows, sample, 1)}};
                vst2q_u8(results + 2 * group, both);
            } else {
                vst1q_u8(results + group, made);
            }
        }
        thirds_rest(results, plan, &rows, first, last, groups.first, end);
    }
}
#endif
