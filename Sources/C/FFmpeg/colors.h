// Color tags in the bitstream: the range in HEVC parameter sets.
#ifndef TESSERA_CFFMPEG_COLORS_H
#define TESSERA_CFFMPEG_COLORS_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavutil/opt.h>
#include <string.h>

/// Returns a hevc_metadata filter whose output parameters have the rewritten parameter sets of an HEVC stream, with a
/// limited range if `isLimited`; null on failure.
static inline AVBSFContext *cff_rewritten_hevc(const AVCodecParameters *parameters, int isLimited) {
    const AVBitStreamFilter *filter = av_bsf_get_by_name("hevc_metadata");
    AVBSFContext *context = 0;
    if (!filter || av_bsf_alloc(filter, &context) < 0) return 0;
    if (avcodec_parameters_copy(context->par_in, parameters) >= 0
        && (!isLimited || av_opt_set_int(context->priv_data, "video_full_range_flag", 0, 0) >= 0)
        && av_bsf_init(context) >= 0) return context;
    av_bsf_free(&context);
    return 0;
}

/// Returns 1 if the parameter sets of an HEVC stream do not signal a range; the stream must not be full range. It is
/// detected by whether signaling a limited range changes them.
static inline int cff_hevc_lacks_range(const AVCodecParameters *parameters) {
    AVBSFContext *as_is = cff_rewritten_hevc(parameters, 0), *limited = cff_rewritten_hevc(parameters, 1);
    int lacks = 0;
    if (as_is && limited) {
        const AVCodecParameters *one = as_is->par_out, *other = limited->par_out;
        lacks = one->extradata_size != other->extradata_size
            || memcmp(one->extradata, other->extradata, one->extradata_size);
    }
    av_bsf_free(&as_is);
    av_bsf_free(&limited);
    return lacks;
}

#endif
