// Concealment of unwritten parts of pictures. Some decoders leave parts of a picture unwritten without an error; VP8's
// leaves the rows after a damaged one. Such parts must not depend on recycled memory, so they show the preceding
// picture.
#ifndef TESSERA_CFFMPEG_CONCEALING_H
#define TESSERA_CFFMPEG_CONCEALING_H

#include <libavcodec/avcodec.h>
#include <string.h>

#include "complaints.h"

/// Returns 1 if the picture about to be decoded is a keyframe or intra picture, which depends on no other.
static inline int cff_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 59 || (LIBAVUTIL_VERSION_MAJOR == 58 && LIBAVUTIL_VERSION_MINOR >= 7)
    if (frame->flags & AV_FRAME_FLAG_KEY) return 1;
#else
    if (frame->key_frame) return 1;
#endif
    return frame->pict_type == AV_PICTURE_TYPE_I;
}

/// A get_buffer2 callback that fills a new picture with the preceding one. A keyframe is filled with gray, so that the
/// result is identical for a decoder that starts there.
static int cff_get_filled_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    const int result = avcodec_default_get_buffer2(context, frame, flags);
    struct cff_notes *notes = context->opaque;
    AVFrame *last = notes ? notes->last : 0;
    if (result < 0 || !last) return result;
    const int isKey = cff_frame_is_key(frame);
    for (int plane = 0; plane < AV_NUM_DATA_POINTERS && frame->buf[plane]; plane++) {
        AVBufferRef *buffer = frame->buf[plane], *before = last->buf[plane];
        const int isLikeBefore = !isKey && before && before->size == buffer->size
            && last->linesize[plane] == frame->linesize[plane] && last->format == frame->format;
        if (isLikeBefore) memcpy(buffer->data, before->data, buffer->size);
        else memset(buffer->data, 128, buffer->size);
    }
    av_frame_unref(last);
    const int kept = av_frame_ref(last, frame);
    return kept < 0 ? kept : result;
}

/// Installs the callback in a decoder whose `opaque` points to its notes. Returns 0 or a negative error code.
static inline int cff_fill_pictures(AVCodecContext *context) {
    struct cff_notes *notes = context->opaque;
    notes->last = av_frame_alloc();
    context->get_buffer2 = cff_get_filled_buffer;
    return notes->last ? 0 : AVERROR(ENOMEM);
}

#endif
