// The headers of libav*, with constants and functions for the macros that Swift cannot import. Differences between
// FFmpeg versions are resolved here, so that Swift sees one API.
#ifndef TESSERA_CFFMPEG_SHIM_H
#define TESSERA_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/parseutils.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>

#include "alpha.h"
#include "colors.h"
#include "complaints.h"
#include "concealing.h"
#include "filtering.h"
#include "scaling.h"
#include "writing.h"

static const int64_t CFF_NOPTS = AV_NOPTS_VALUE;
static const int CFF_ERROR_EOF = AVERROR_EOF;
static const int CFF_ERROR_EXIT = AVERROR_EXIT;
static const int CFF_ERROR_INVALID_DATA = AVERROR_INVALIDDATA;
static const int CFF_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int CFF_ERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int CFF_ERROR_OPTION_NOT_FOUND = AVERROR_OPTION_NOT_FOUND;
static const int CFF_ERROR_PATCH_WELCOME = AVERROR_PATCHWELCOME;
static const AVRational CFF_NANOSECONDS = {1, 1000000000};

/// Returns the libav* error code of an errno value.
static inline int cff_averror(int e) { return AVERROR(e); }

/// Returns the display matrix of a stream (nine 16.16 or 2.30 fixed-point numbers), or null.
static inline const int32_t *cff_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *data = av_packet_side_data_get(stream->codecpar->coded_side_data,
        stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : 0;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : 0;
#endif
}

/// Returns the Dolby Vision profile that a stream declares, or -1.
static inline int cff_dolby_vision_profile(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *data = av_packet_side_data_get(stream->codecpar->coded_side_data,
        stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DOVI_CONF);
    const uint8_t *bytes = data ? data->data : 0;
    size_t size = data ? data->size : 0;
#else
    size_t size = 0;
    const uint8_t *bytes = av_stream_get_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size);
#endif
    if (!bytes || size < sizeof(AVDOVIDecoderConfigurationRecord)) return -1;
    return ((const AVDOVIDecoderConfigurationRecord *)bytes)->dv_profile;
}

/// Returns a parser for packets of `codec`; null if libavcodec has none.
static inline AVCodecParserContext *cff_parser_alloc(enum AVCodecID codec) { return av_parser_init(codec); }

/// Returns 1 if the decoder marked the frame as interlaced.
static inline int cff_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 59 || (LIBAVUTIL_VERSION_MAJOR == 58 && LIBAVUTIL_VERSION_MINOR >= 7)
    return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    return frame->interlaced_frame;
#endif
}

/// Returns the peak luminance in cd/m², at most 10,000: the content's (MaxCLL), otherwise the mastering display's; 0 if
/// neither is stated.
static inline int cff_frame_peak(const AVFrame *frame) {
    const AVFrameSideData *content = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
    if (content && content->size >= sizeof(unsigned)) {
        unsigned peak = ((const AVContentLightMetadata *)content->data)->MaxCLL;
        if (peak > 0) return peak < 10000 ? (int)peak : 10000;
    }
    const AVFrameSideData *display = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
    if (!display) return 0;
    const AVMasteringDisplayMetadata *master = (const AVMasteringDisplayMetadata *)display->data;
    if (!master->has_luminance || master->max_luminance.num <= 0 || master->max_luminance.den <= 0) return 0;
    double peak = av_q2d(master->max_luminance);
    return peak < 10000 ? (int)peak : 10000;
}

/// Returns the frame's duration in its stream's time base; 0 if unknown.
static inline int64_t cff_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 58
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// Returns the channel mask of a layout; 0 if it has none.
static inline uint64_t cff_channel_mask(const AVChannelLayout *layout) {
    return layout->order == AV_CHANNEL_ORDER_NATIVE ? layout->u.mask : 0;
}

/// Allocates the frame's buffer for `count` interleaved float samples of each channel. A mask of 0 stands for
/// `channels` channels in unspecified order.
static inline int cff_take_samples(AVFrame *frame, int count, int rate, int channels, uint64_t mask) {
    av_frame_unref(frame);
    frame->format = AV_SAMPLE_FMT_FLT;
    frame->nb_samples = count;
    frame->sample_rate = rate;
    if (mask) av_channel_layout_from_mask(&frame->ch_layout, mask);
    else frame->ch_layout = (AVChannelLayout){AV_CHANNEL_ORDER_UNSPEC, channels, {0}, 0};
    return av_frame_get_buffer(frame, 0);
}

/// Returns the samples of a frame that cff_take_samples allocated.
static inline float *cff_samples(AVFrame *frame) { return (float *)frame->data[0]; }

/// Allocates a converter, not yet initialized, from the format of `frame` to interleaved float stereo at an unchanged
/// rate. Mono goes to both sides at unity gain, as does each of more than two channels without a layout. `channel`
/// selects a single channel, counted from 0; -1 selects all.
static inline int cff_converter_alloc(SwrContext **context, const AVFrame *frame, int channel) {
    AVChannelLayout out = AV_CHANNEL_LAYOUT_STEREO, in = frame->ch_layout;
    const int count = in.nb_channels;
    const int is_centered = in.order == AV_CHANNEL_ORDER_UNSPEC && count != 2;
    if (in.order == AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_default(&in, count);
    int result = swr_alloc_set_opts2(context, &out, AV_SAMPLE_FMT_FLT, frame->sample_rate, &in,
        (enum AVSampleFormat)frame->format, frame->sample_rate, 0, 0);
    if (result < 0 || (channel < 0 && count != 1 && !is_centered)) return result;
    double *matrix = av_calloc(count, 2 * sizeof(*matrix));
    if (!matrix) return AVERROR(ENOMEM);
    for (int index = 0; index < 2 * count; index++) matrix[index] = channel < 0 || index % count == channel;
    result = swr_set_matrix(*context, matrix, count);
    av_free(matrix);
    return result;
}

/// Returns 1 if the packet changes the parameters of its stream.
static inline int cff_packet_changes_parameters(const AVPacket *packet) {
    return av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, 0)
        || av_packet_get_side_data(packet, AV_PKT_DATA_PARAM_CHANGE, 0);
}

/// Calls swr_convert, whose parameters have different qualifiers in different versions.
static inline int cff_resample(SwrContext *context, uint8_t **out, int out_count, uint8_t **in, int in_count) {
    return swr_convert(context, out, out_count, (void *)in, in_count);
}

#endif
