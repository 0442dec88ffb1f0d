// Means of blocks: the specification, and how windows make them.
#include "box.h"

#include <string.h>

void tpk_box_results(uint8_t *dst, const tpk_box *plan, const uint8_t *const *rows, size_t first, size_t last) {
    for (size_t i = first; i < last; i++) {
        uint32_t sum = 0;
        for (int32_t row = 0; row < plan->row_ratio; row++) {
            for (int32_t tap = 0; tap < plan->taps; tap++) {
                const int32_t sample = plan->first + (int32_t)i * plan->ratio + tap;
                sum += (uint32_t)(plan->weights[tap] * rows[row][step_nearest(sample, plan->source)]);
            }
        }
        dst[i - first] = box_rounded(plan, sum);
    }
}

// The results that lie within the source, where the first one may lack three samples.
static void find_inside(tpk_box *plan) {
    const int32_t room = plan->source - plan->taps - plan->first;
    const int32_t end = room < 0 ? 0 : room / plan->ratio + 1;
    plan->inside = plan->first >= -3 ? 0 : (plan->ratio - 1 - plan->first) / plan->ratio;
    plan->inside_end = end < plan->inside ? plan->inside : end;
}

void tpk_box_prepare(tpk_box *plan) {
    enum { WORDS = TPK_BOX_WINDOW / 2, UNUSED = WORDS };
    memset(plan->beginning, 0, sizeof plan->beginning);
    memset(plan->ending, 0, sizeof plan->ending);
    plan->window_results = (TPK_BOX_WINDOW - plan->taps) / plan->ratio + 1;
    plan->pick_pairs = plan->taps > 5 ? 2 : 1;
    for (size_t i = 0; i < 2 * WORDS; i++) {
        plan->picks[i / WORDS][i % WORDS] = UNUSED;   // no result ends in the first four samples
    }
    for (int32_t result = 0; result < plan->window_results; result++) {
        const int32_t begin = result * plan->ratio, end = begin + plan->taps;
        for (int32_t four = begin / 4; 4 * four < end; four++) {
            const bool ends = result + 1 < plan->window_results && begin + plan->ratio < 4 * four + 4;
            uint8_t *weights = ends ? plan->ending : plan->beginning;
            for (int32_t sample = 4 * four; sample < 4 * four + 4; sample++) {
                if (sample >= begin && sample < end) {
                    weights[sample] = plan->weights[sample - begin];
                }
            }
            const int32_t pick = four - begin / 4;
            plan->picks[pick / 2][2 * result + pick % 2] = (int16_t)((ends ? WORDS : 0) + 2 * four);
        }
    }
    memcpy(plan->edge, plan->beginning, sizeof plan->edge);
    find_inside(plan);
    for (int32_t sample = 0; plan->first >= -3 && sample < -plan->first; sample++) {
        plan->edge[-plan->first] += plan->edge[sample];
        plan->edge[sample] = 0;
    }
}
