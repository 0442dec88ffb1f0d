// Log messages of a single decoder or demuxer, stored with its context. libav* itself logs for the whole process.
#ifndef TESSERA_CFFMPEG_COMPLAINTS_H
#define TESSERA_CFFMPEG_COMPLAINTS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>

/// The data that the `opaque` of a libav* context points to.
struct cff_notes {
    /// The first logged line since the last query; empty without one.
    char words[256];
    /// The number of the last decoded packet.
    int64_t packet;
    /// The last picture, if the decoder may leave parts of pictures unwritten (see concealing.h); otherwise null.
    AVFrame *last;
};

/// Returns the notes of the context that logs a message; null if it has none.
static inline struct cff_notes *cff_notes_of(void *context) {
    const AVClass *class = context ? *(const AVClass **)context : 0;
    if (!class) return 0;
    if (class == avcodec_get_class()) return ((AVCodecContext *)context)->opaque;
    if (class == avformat_get_class()) return ((AVFormatContext *)context)->opaque;
    return 0;
}

/// Stores a line, unless an earlier one is stored.
static inline void cff_note(struct cff_notes *notes, const char *line) {
    if (!notes->words[0]) snprintf(notes->words, sizeof notes->words, "%s", line);
}

/// Returns the stored line; empty without one.
static inline const char *cff_noted(const struct cff_notes *notes) { return notes->words; }

#endif
