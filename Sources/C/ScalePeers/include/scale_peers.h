// Adapter for other scalers, benchmarked against ours: 8-bit 4:2:0 from one size to another, on one thread.
#ifndef TESSERA_SCALE_PEERS_H
#define TESSERA_SCALE_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum scale_peer_library { SCALE_PEER_LIBYUV, SCALE_PEER_SWSCALE, SCALE_PEER_ZIMG } scale_peer_library;
typedef enum scale_peer_filter {
    SCALE_PEER_BILINEAR,
    SCALE_PEER_AREA,
    SCALE_PEER_BICUBIC,
    SCALE_PEER_LANCZOS,
} scale_peer_filter;

// Three planes with their strides in bytes.
typedef struct scale_peer_planes {
    uint8_t *base[3];
    int stride[3];
} scale_peer_planes;

typedef struct scale_peer scale_peer;

// Returns a scaler, or NULL if the library does not support the filter. `avx2` limits it to AVX2 if the library allows
// that.
scale_peer *scale_peer_open(scale_peer_library library, scale_peer_filter filter, const int source[2],
                            const int target[2], bool avx2);
void scale_peer_run(scale_peer *peer, const scale_peer_planes *source, const scale_peer_planes *target);
void scale_peer_close(scale_peer *peer);

#endif
