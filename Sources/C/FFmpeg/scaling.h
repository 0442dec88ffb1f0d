// libswscale with one API for all versions: its context is opaque or a public struct, and its flags are macros or an
// enum.
#ifndef TESSERA_CFFMPEG_SCALING_H
#define TESSERA_CFFMPEG_SCALING_H

#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

/// An opaque SwsContext.
struct cff_scaler;

/// Bit flags for a scaler. Results are bit-exact and reproducible with any of them.
enum {
    /// Area averaging in place of bicubic filtering.
    CFF_SCALE_AREA = 1,
    /// Interpolates the input's subsampled chroma; for RGB input, drops no chroma.
    CFF_SCALE_CHROMA_IN = 2,
    /// Interpolates chroma for RGB output.
    CFF_SCALE_CHROMA_OUT = 4,
    /// Subsampled chroma is sited at the left, vertically between two rows; otherwise at libswscale's default position.
    CFF_SCALE_LEFT = 8,
};

/// Returns a converter between picture sizes and pixel formats; null if libswscale does not support the conversion.
static inline struct cff_scaler *cff_scaler_alloc(
    int width, int height, enum AVPixelFormat from, int to_width, int to_height, enum AVPixelFormat to, int options) {
    const AVPixFmtDescriptor *in = av_pix_fmt_desc_get(from), *out = av_pix_fmt_desc_get(to);
    struct SwsContext *context = in && out ? sws_alloc_context() : 0;
    if (!context) return 0;
    int flags = SWS_ACCURATE_RND | SWS_BITEXACT | (options & CFF_SCALE_AREA ? SWS_AREA : SWS_BICUBIC);
    if (options & CFF_SCALE_CHROMA_IN) flags |= SWS_FULL_CHR_H_INP;
    if (options & CFF_SCALE_CHROMA_OUT) flags |= SWS_FULL_CHR_H_INT;
    av_opt_set_int(context, "srcw", width, 0);
    av_opt_set_int(context, "srch", height, 0);
    av_opt_set_int(context, "src_format", from, 0);
    av_opt_set_int(context, "dstw", to_width, 0);
    av_opt_set_int(context, "dsth", to_height, 0);
    av_opt_set_int(context, "dst_format", to, 0);
    av_opt_set_int(context, "sws_flags", flags, 0);
    if (options & CFF_SCALE_LEFT) {
        if (in->log2_chroma_w) av_opt_set_int(context, "src_h_chr_pos", 0, 0);
        if (in->log2_chroma_h == 1) av_opt_set_int(context, "src_v_chr_pos", 128, 0);
        if (out->log2_chroma_w) av_opt_set_int(context, "dst_h_chr_pos", 0, 0);
        if (out->log2_chroma_h == 1) av_opt_set_int(context, "dst_v_chr_pos", 128, 0);
    }
    if (sws_init_context(context, 0, 0) >= 0) return (struct cff_scaler *)context;
    sws_freeContext(context);
    return 0;
}

static inline void cff_scaler_free(struct cff_scaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

/// Sets the matrix of input and output to that of `space` (BT.709, BT.2020 or otherwise BT.601), and their ranges.
static inline void cff_scaler_set_colors(
    struct cff_scaler *scaler, enum AVColorSpace space, int is_full_in, int is_full_out) {
    const int matrix = space == AVCOL_SPC_BT709 ? SWS_CS_ITU709
        : space == AVCOL_SPC_BT2020_NCL         ? SWS_CS_BT2020
                                                : SWS_CS_ITU601;
    const int *coefficients = sws_getCoefficients(matrix);
    sws_setColorspaceDetails(
        (struct SwsContext *)scaler, coefficients, is_full_in, coefficients, is_full_out, 0, 1 << 16, 1 << 16);
}

/// Converts `from` to the size and format of `to`. Returns a negative error code on failure.
static inline int cff_scale(struct cff_scaler *scaler, AVFrame *to, const AVFrame *from) {
    return sws_scale_frame((struct SwsContext *)scaler, to, from);
}

/// Converts all `height` rows of a picture that is given by its planes and their strides in bytes.
static inline int cff_scale_planes(
    struct cff_scaler *scaler, AVFrame *to, const uint8_t *const planes[], const int strides[], int height) {
    return sws_scale((struct SwsContext *)scaler, planes, strides, 0, height, to->data, to->linesize);
}

#endif
