// Results of every three source samples: the specification.
#include "thirds.h"

void tpk_thirds_results(uint8_t *dst, const tpk_thirds *plan, const thirds_rows *rows, size_t first, size_t last) {
    const tpk_thirds_axis *columns = &plan->columns;
    const uint32_t phases = (uint32_t)columns->phases;
    for (size_t i = first; i < last; i++) {
        const int32_t sample = columns->first + TPK_THIRDS * (int32_t)((uint32_t)i / phases);
        const uint8_t *weights = columns->weights[(uint32_t)i % phases];
        uint32_t sum = plan->half;
        for (int32_t row = 0; row < plan->rows.taps; row++) {
            for (int32_t tap = 0; tap < TPK_THIRDS_TAPS; tap++) {
                const uint8_t value = rows->samples[row][step_nearest(sample + tap, columns->source)];
                sum += (uint32_t)(rows->weights[row] * weights[tap] * value);
            }
        }
        dst[i] = (uint8_t)((sum * plan->multiplier) >> plan->shift);
    }
}
