// libsoxr, with functions for the macros that Swift cannot import.
#ifndef TESSERA_CSOXR_SHIM_H
#define TESSERA_CSOXR_SHIM_H

#include <soxr.h>

/// Returns a resampler for interleaved float stereo; null if libsoxr fails. `ratio` is output samples for each input
/// sample. If `is_steady`, the ratio is constant, at the highest quality; otherwise it can be changed later to any
/// value of at least `lowest`.
static inline soxr_t csoxr_create(double ratio, int is_steady, double lowest) {
    soxr_error_t error = 0;
    soxr_io_spec_t format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = is_steady ? soxr_quality_spec(SOXR_VHQ, SOXR_HI_PREC_CLOCK)
                                            : soxr_quality_spec(SOXR_HQ, SOXR_VR);
    soxr_t resampler = is_steady ? soxr_create(1, ratio, 2, &error, &format, &quality, 0)
                                 : soxr_create(1 / lowest, 1, 2, &error, &format, &quality, 0);
    if (error || (!is_steady && soxr_set_io_ratio(resampler, 1 / ratio, 0))) {
        soxr_delete(resampler);
        return 0;
    }
    return resampler;
}

#endif
