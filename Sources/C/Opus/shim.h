// libopus, with functions for the macros that Swift cannot import.
#ifndef TESSERA_COPUS_SHIM_H
#define TESSERA_COPUS_SHIM_H

#include <opus.h>
#include <opus_multistream.h>

/// Sets the gain that the decoder applies to its output, in 1/256 dB.
static inline int copus_set_gain(OpusMSDecoder *decoder, int gain) {
    return opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

/// Returns 1 if a packet of a single stream contains a redundant copy of the preceding packet (in-band FEC, LBRR; RFC
/// 6716, section 4.2.4). libopus itself offers this from version 1.5 on.
static inline int copus_repeats(const unsigned char *data, int size) {
    const unsigned char *frames[48];
    opus_int16 sizes[48];
    if (size < 1 || data[0] & 0x80) return 0;  // Only SILK has it, alone or in hybrid mode.
    if (opus_packet_parse(data, size, 0, frames, sizes, 0) < 1 || sizes[0] < 1) return 0;
    // A voice activity flag for each 20 ms precedes the LBRR flag; a second channel repeats both.
    const int length = opus_packet_get_samples_per_frame(data, 48000), parts = length > 960 ? length / 960 : 1;
    const int middle = frames[0][0] >> (7 - parts) & 1;
    const int side = opus_packet_get_nb_channels(data) == 2 ? frames[0][0] >> (6 - 2 * parts) & 1 : 0;
    return middle | side;
}

#endif
