// libarchive: reading .zip archives.
#ifndef TESSERA_CARCHIVE_SHIM_H
#define TESSERA_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

// The macros have casts that Swift does not read.
static inline int tessera_archive_is_file(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFREG;
}

static inline int tessera_archive_is_folder(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFDIR;
}

static inline int tessera_archive_has_no_kind(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == 0;
}

// Lets this thread read and write names as UTF-8, whatever the program's locale is.
static inline locale_t tessera_archive_use_utf8(locale_t utf8) { return uselocale(utf8); }

static inline locale_t tessera_archive_utf8(void) {
    return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

#endif
