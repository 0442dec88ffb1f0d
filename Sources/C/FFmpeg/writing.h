// Functions for writing files, with one API for all versions of libav*.
#ifndef TESSERA_CFFMPEG_WRITING_H
#define TESSERA_CFFMPEG_WRITING_H

#include <libavcodec/codec_desc.h>
#include <libavformat/avformat.h>
#include <libavutil/murmur3.h>

/// Adds a chapter. libavformat's own function for it is private. Returns a negative error code on failure.
static inline int cff_add_chapter(
    AVFormatContext *context, int64_t id, AVRational time_base, int64_t start, int64_t end, const char *title) {
    AVChapter *chapter = (AVChapter *)av_mallocz(sizeof(AVChapter));
    if (!chapter) return AVERROR(ENOMEM);
    AVChapter **chapters = (AVChapter **)av_realloc_array(
        context->chapters, context->nb_chapters + 1, sizeof(AVChapter *));
    if (!chapters) {
        av_free(chapter);
        return AVERROR(ENOMEM);
    }
    chapter->id = id;
    chapter->time_base = time_base;
    chapter->start = start;
    chapter->end = end;
    context->chapters = chapters;
    chapters[context->nb_chapters++] = chapter;
    return av_dict_set(&chapter->metadata, "title", title, 0);
}

/// Returns the channel mask of a stream; 0 if it has none.
static inline uint64_t cff_parameters_channel_mask(const AVCodecParameters *parameters) {
    return parameters->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? parameters->ch_layout.u.mask : 0;
}

static inline int cff_parameters_channels(const AVCodecParameters *parameters) {
    return parameters->ch_layout.nb_channels;
}

/// Sets the channel layout to `mask`, or to the default layout of `count` channels if `mask` is 0.
static inline int cff_set_channels(AVCodecParameters *parameters, uint64_t mask, int count) {
    if (mask) return av_channel_layout_from_mask(&parameters->ch_layout, mask);
    av_channel_layout_default(&parameters->ch_layout, count);
    return 0;
}

/// Copies a decoder's configuration (extradata). Returns 0 or a negative error code.
static inline int cff_set_extradata(AVCodecParameters *parameters, const uint8_t *bytes, int count) {
    parameters->extradata = (uint8_t *)av_mallocz(count + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!parameters->extradata) return AVERROR(ENOMEM);
    for (int i = 0; i < count; i++) parameters->extradata[i] = bytes[i];
    parameters->extradata_size = count;
    return 0;
}

#endif
