// Color tags that a bitstream states.
#ifndef TESSERA_CFFMPEG_COLORS_H
#define TESSERA_CFFMPEG_COLORS_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavutil/opt.h>
#include <string.h>

/// The parameter sets of a stream of HEVC, written anew and, if `isLimited`, with a range that is limited; null where that
/// fails.
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

/// Whether the parameter sets of a stream of HEVC, whose pictures are not full range, state no range: then stating one
/// changes them.
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
