// What one decoder or demuxer complains of, kept with it: libav* logs for the whole process.
#ifndef TESSERA_CFFMPEG_COMPLAINTS_H
#define TESSERA_CFFMPEG_COMPLAINTS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>

/// What belongs to a context of libav* as its `opaque`.
struct cff_notes {
    /// The first line since it was last asked for; empty where there is none.
    char words[256];
    /// The number of the packet that was decoded last.
    int64_t packet;
    /// The last picture, where the decoder leaves out parts of pictures.
    AVFrame *last;
};

/// The notes of a context that logs something; null where it has none.
static inline struct cff_notes *cff_notes_of(void *context) {
    const AVClass *class = context ? *(const AVClass **)context : 0;
    if (!class) return 0;
    if (class == avcodec_get_class()) return ((AVCodecContext *)context)->opaque;
    if (class == avformat_get_class()) return ((AVFormatContext *)context)->opaque;
    return 0;
}

/// Notes a line, unless there is one.
static inline void cff_note(struct cff_notes *notes, const char *line) {
    if (!notes->words[0]) snprintf(notes->words, sizeof notes->words, "%s", line);
}

/// The line that was noted.
static inline const char *cff_noted(const struct cff_notes *notes) { return notes->words; }

#endif
