// Alpha that Matroska stores beside pictures (BlockAdditional), as the alpha plane of decoded frames.
#ifndef TESSERA_CFFMPEG_ALPHA_H
#define TESSERA_CFFMPEG_ALPHA_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <string.h>

/// Returns the coded alpha of a packet and its size; null if it has none. The side data begin with eight bytes for
/// their kind (BlockAddID), which is 1 for alpha.
static inline const uint8_t *cff_alpha(const AVPacket *packet, size_t *size) {
    static const uint8_t opacity[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, size);
    if (!data || *size <= sizeof opacity || memcmp(data, opacity, sizeof opacity)) return 0;
    *size -= sizeof opacity;
    return data + sizeof opacity;
}

/// Copies the coded alpha of `packet` into the empty packet `alpha` and returns its size; 0 if there is none, or a
/// negative error code.
static inline int cff_copy_alpha(const AVPacket *packet, AVPacket *alpha) {
    size_t size = 0;
    const uint8_t *data = cff_alpha(packet, &size);
    if (!data) return 0;
    if (size > INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR(EINVAL);
    const int result = av_new_packet(alpha, (int)size);
    if (result < 0) return result;
    memcpy(alpha->data, data, size);
    return (int)size;
}

/// Makes the luma plane of `alpha` the fourth plane of `frame`, which is planar 4:2:0 of equal size. Returns 0 or a
/// negative error code.
static inline int cff_add_alpha(AVFrame *frame, AVFrame *alpha) {
    int place = 0;
    while (place < AV_NUM_DATA_POINTERS && frame->buf[place]) place++;
    AVBufferRef *buffer = av_frame_get_plane_buffer(alpha, 0);
    if (place == AV_NUM_DATA_POINTERS || !buffer) return AVERROR(EINVAL);
    frame->buf[place] = av_buffer_ref(buffer);
    if (!frame->buf[place]) return AVERROR(ENOMEM);
    frame->data[3] = alpha->data[0];
    frame->linesize[3] = alpha->linesize[0];
    frame->format = AV_PIX_FMT_YUVA420P;
    return 0;
}

#endif
