// libarchive for reading .zip archives, with functions for macros that Swift cannot import.
#ifndef TESSERA_CARCHIVE_SHIM_H
#define TESSERA_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

// The file types are macros with casts, which Swift cannot import.
static inline int tessera_archive_is_file(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFREG;
}

static inline int tessera_archive_is_folder(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == AE_IFDIR;
}

static inline int tessera_archive_has_no_kind(struct archive_entry *entry) {
    return archive_entry_filetype(entry) == 0;
}

// Makes this thread convert entry names from and to UTF-8, independently of the program's locale. Returns the previous
// locale of the thread.
static inline locale_t tessera_archive_use_utf8(locale_t utf8) { return uselocale(utf8); }

// Returns a new UTF-8 locale for tessera_archive_use_utf8, or 0.
static inline locale_t tessera_archive_utf8(void) {
    return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

#endif
