#include "scale_peers.h"

// SwiftPM compiles all targets, also if the trait is disabled and the libraries are missing.
#if __has_include(<libyuv.h>) && __has_include(<zimg.h>)

#include <libavutil/pixfmt.h>
#include <libswscale/swscale.h>
#include <libyuv.h>
#include <stdlib.h>
#include <zimg.h>

struct scale_peer {
    int source[2];
    int target[2];
    scale_peer_library library;
    enum FilterMode mode;
    struct SwsContext *swscale;
    zimg_filter_graph *zimg;
    void *scratch;
};

static bool open_libyuv(scale_peer *peer, scale_peer_filter filter) {
    peer->mode = filter == SCALE_PEER_AREA ? kFilterBox : kFilterBilinear;
    return filter == SCALE_PEER_AREA || filter == SCALE_PEER_BILINEAR;
}

static bool open_swscale(scale_peer *peer, scale_peer_filter filter) {
    static const int flags[] = {SWS_BILINEAR, SWS_AREA, SWS_BICUBIC, SWS_LANCZOS};
    peer->swscale = sws_getContext(peer->source[0], peer->source[1], AV_PIX_FMT_YUV420P, peer->target[0],
                                   peer->target[1], AV_PIX_FMT_YUV420P, flags[filter], NULL, NULL, NULL);
    return peer->swscale != NULL;
}

static bool open_zimg(scale_peer *peer, scale_peer_filter filter, bool avx2) {
    if (filter == SCALE_PEER_AREA) {
        return false;
    }
    zimg_image_format from, to;
    zimg_image_format_default(&from, ZIMG_API_VERSION);
    from.width = (unsigned)peer->source[0];
    from.height = (unsigned)peer->source[1];
    from.pixel_type = ZIMG_PIXEL_BYTE;
    from.subsample_w = from.subsample_h = 1;
    from.depth = 8;
    from.color_family = ZIMG_COLOR_YUV;
    from.matrix_coefficients = ZIMG_MATRIX_BT709;
    from.transfer_characteristics = ZIMG_TRANSFER_BT709;
    from.color_primaries = ZIMG_PRIMARIES_BT709;
    to = from;
    to.width = (unsigned)peer->target[0];
    to.height = (unsigned)peer->target[1];
    zimg_graph_builder_params params;
    zimg_graph_builder_params_default(&params, ZIMG_API_VERSION);
    params.resample_filter = filter == SCALE_PEER_BILINEAR  ? ZIMG_RESIZE_BILINEAR
                             : filter == SCALE_PEER_BICUBIC ? ZIMG_RESIZE_BICUBIC
                                                            : ZIMG_RESIZE_LANCZOS;
    params.resample_filter_uv = params.resample_filter;
    params.filter_param_a = 0;
    params.filter_param_b = 0.5;
    params.filter_param_a_uv = 0;
    params.filter_param_b_uv = 0.5;
    if (filter == SCALE_PEER_LANCZOS) {
        params.filter_param_a = params.filter_param_a_uv = 3;
    }
    params.cpu_type = avx2 ? ZIMG_CPU_X86_AVX2 : ZIMG_CPU_AUTO_64B;
    peer->zimg = zimg_filter_graph_build(&from, &to, &params);
    size_t bytes = 0;
    if (peer->zimg == NULL || zimg_filter_graph_get_tmp_size(peer->zimg, &bytes) != ZIMG_ERROR_SUCCESS) {
        return false;
    }
    peer->scratch = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    return peer->scratch != NULL;
}

scale_peer *scale_peer_open(scale_peer_library library, scale_peer_filter filter, const int source[2],
                            const int target[2], bool avx2) {
    scale_peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL) {
        return NULL;
    }
    *peer = (scale_peer){.source = {source[0], source[1]}, .target = {target[0], target[1]}, .library = library};
    const bool opened = library == SCALE_PEER_LIBYUV    ? open_libyuv(peer, filter)
                        : library == SCALE_PEER_SWSCALE ? open_swscale(peer, filter)
                                                        : open_zimg(peer, filter, avx2);
    if (!opened) {
        scale_peer_close(peer);
        return NULL;
    }
    return peer;
}

static void run_zimg(scale_peer *peer, const scale_peer_planes *source, const scale_peer_planes *target) {
    zimg_image_buffer_const in = {.version = ZIMG_API_VERSION};
    zimg_image_buffer out = {.version = ZIMG_API_VERSION};
    for (int p = 0; p < 3; p++) {
        in.plane[p].data = source->base[p];
        in.plane[p].stride = source->stride[p];
        in.plane[p].mask = ZIMG_BUFFER_MAX;
        out.plane[p].data = target->base[p];
        out.plane[p].stride = target->stride[p];
        out.plane[p].mask = ZIMG_BUFFER_MAX;
    }
    zimg_filter_graph_process(peer->zimg, &in, &out, peer->scratch, NULL, NULL, NULL, NULL);
}

void scale_peer_run(scale_peer *peer, const scale_peer_planes *source, const scale_peer_planes *target) {
    uint8_t *const *s = source->base, *const *d = target->base;
    switch (peer->library) {
    case SCALE_PEER_LIBYUV:
        I420Scale(s[0], source->stride[0], s[1], source->stride[1], s[2], source->stride[2], peer->source[0],
                  peer->source[1], d[0], target->stride[0], d[1], target->stride[1], d[2], target->stride[2],
                  peer->target[0], peer->target[1], peer->mode);
        break;
    case SCALE_PEER_SWSCALE:
        sws_scale(peer->swscale, (const uint8_t *const *)s, source->stride, 0, peer->source[1], d, target->stride);
        break;
    case SCALE_PEER_ZIMG:
        run_zimg(peer, source, target);
        break;
    }
}

void scale_peer_close(scale_peer *peer) {
    if (peer != NULL) {
        sws_freeContext(peer->swscale);
        zimg_filter_graph_free(peer->zimg);
        free(peer->scratch);
        free(peer);
    }
}

#endif
