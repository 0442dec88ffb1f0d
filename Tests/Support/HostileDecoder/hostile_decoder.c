// A compromised decoder or archive reader. Loaded before libavcodec (LD_PRELOAD), it performs a hostile operation at a
// given packet of a stream. The environment selects both:
//
//   TESSERA_HOSTILE_CODEC   the codec: vp8; zip is archives
//   TESSERA_HOSTILE_PACKET  the number of frames to return, or entries to read, before the operation
//   TESSERA_HOSTILE_DEED    segv, abort, open, connect, exec, memory or kill
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../Preload/preload.h"

static const char *hostile_codec, *hostile_packet, *hostile_deed, *hostile_trace;

// Read the variables at load time: a worker clears its environment.
__attribute__((constructor)) static void begin(void) {
    const char **variables[] = {&hostile_codec, &hostile_packet, &hostile_deed, &hostile_trace};
    const char *names[] = {"CODEC", "PACKET", "DEED", "TRACE"};
    for (int i = 0; i < 4; i++) {
        char name[64] = "TESSERA_HOSTILE_";
        const char *value = getenv(strcat(name, names[i]));
        *variables[i] = value ? strdup(value) : 0;
    }
}

static void commit(const char *deed) {
    if (!strcmp(deed, "segv")) *(volatile int *)8 = 1;
    if (!strcmp(deed, "abort")) abort();
    if (!strcmp(deed, "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(deed, "connect")) socket(AF_INET, SOCK_STREAM, 0);
    if (!strcmp(deed, "exec")) execl("/bin/true", "true", (char *)0);
    if (!strcmp(deed, "memory"))
        while (malloc(1 << 16)) continue;
    if (!strcmp(deed, "open") && open("/etc/passwd", O_RDONLY) >= 0) {
        int file = open(hostile_trace, O_WRONLY | O_CREAT, 0666);
        if (file >= 0) close(file);
        abort();
    }
}

struct archive;
struct archive_entry;

int archive_read_next_header(struct archive *archive, struct archive_entry **entry) {
    static int (*original)(struct archive *, struct archive_entry **);
    static int count;
    if (!original) original = dlsym(RTLD_NEXT, "archive_read_next_header");
    if (hostile_codec && hostile_packet && hostile_deed && !strcmp(hostile_codec, "zip") &&
        count++ >= atoi(hostile_packet))
        commit(hostile_deed);
    return original(archive, entry);
}

int avcodec_send_packet(AVCodecContext *context, const AVPacket *packet) {
    static int (*original)(AVCodecContext *, const AVPacket *);
    if (!original) original = dlsym(RTLD_NEXT, "avcodec_send_packet");
    if (hostile_codec && hostile_packet && hostile_deed && packet && packet->size > 0 &&
        context->frame_number >= atoi(hostile_packet) &&
        !strcmp(avcodec_get_name(context->codec_id), hostile_codec))
        commit(hostile_deed);
    return original(context, packet);
}

typedef struct OpusMSDecoder OpusMSDecoder;

// The last created decoder, and the number of its calls. A process has one Opus stream at a time here.
static OpusMSDecoder *newest;
static int calls;

OpusMSDecoder *opus_multistream_decoder_create(int rate, int channels, int streams, int coupled,
                                               const unsigned char *mapping, int *error) {
    static OpusMSDecoder *(*original)(int, int, int, int, const unsigned char *, int *);
    if (!original) original = dlsym(RTLD_NEXT, "opus_multistream_decoder_create");
    newest = original(rate, channels, streams, coupled, mapping, error);
    calls = 0;
    return newest;
}

int opus_multistream_decode_float(OpusMSDecoder *decoder, const unsigned char *data, int size, float *samples, int count,
                                  int recovers) {
    static int (*original)(OpusMSDecoder *, const unsigned char *, int, float *, int, int);
    if (!original) original = dlsym(RTLD_NEXT, "opus_multistream_decode_float");
    if (hostile_codec && hostile_packet && hostile_deed && decoder == newest && !strcmp(hostile_codec, "opus") &&
        calls++ >= atoi(hostile_packet))
        commit(hostile_deed);
    return original(decoder, data, size, samples, count, recovers);
}
