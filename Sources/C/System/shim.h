// System headers that Swift's Glibc module omits, and system calls without a function in the C library.
#ifndef TESSERA_CSYSTEM_SHIM_H
#define TESSERA_CSYSTEM_SHIM_H

#include <fcntl.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "forking.h"
#include "looks.h"
#include "privileges.h"

// Landlock's structures and numbers. Older systems' headers have only the first fields, or none.
struct csys_ruleset {
    uint64_t handled_files;
    uint64_t handled_network;
    uint64_t scoped;
};

struct csys_path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum {
    CSYS_CREATE_RULESET = 444,
    CSYS_ADD_RULE = 445,
    CSYS_RESTRICT_SELF = 446,
    CSYS_RULE_PATH_BENEATH = 1,
    CSYS_RULESET_VERSION = 1,
};

/// Exchanges the names of two files or folders atomically (RENAME_EXCHANGE). Returns -1 if the file system does not
/// support it or if either is missing.
static inline int csys_exchange(const char *path, const char *other) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 2u);
}

/// Renames a file or folder without replacing anything (RENAME_NOREPLACE). Returns -1 if the name exists or if the file
/// system does not support it.
static inline int csys_rename_free(const char *path, const char *name) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, 1u);
}

/// Returns the kernel's version of Landlock; negative if it has none.
static inline int csys_landlock_version(void) {
    return (int)syscall(CSYS_CREATE_RULESET, 0, 0, CSYS_RULESET_VERSION);
}

static inline int csys_landlock_create(const struct csys_ruleset *ruleset, unsigned long size) {
    return (int)syscall(CSYS_CREATE_RULESET, ruleset, size, 0);
}

static inline int csys_landlock_allow(int ruleset, uint64_t rights, int parent) {
    struct csys_path_rule rule = {rights, parent};
    return (int)syscall(CSYS_ADD_RULE, ruleset, CSYS_RULE_PATH_BENEATH, &rule, 0);
}

static inline int csys_landlock_restrict(int ruleset) {
    return (int)syscall(CSYS_RESTRICT_SELF, ruleset, 0);
}

/// Sets no_new_privs irrevocably: executed programs cannot gain privileges.
static inline int csys_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/// Creates a pipe that child programs do not inherit.
static inline int csys_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

enum { CSYS_O_PATH = 0x200000 };

/// Opens a file or folder with O_PATH, as a handle without access rights; -1 if it does not exist.
static inline int csys_open_path(const char *path) { return open(path, CSYS_O_PATH | O_CLOEXEC); }

/// Opens a file below `folder` for reading; fails if links lead out of it. Never waits for the other end of a pipe.
static inline int csys_open_beneath(int folder, const char *path) {
    struct open_how how = {O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
}

/// Returns the number of processors that the calling thread may run on; 0 if unknown.
static inline int csys_processor_count(void) {
    unsigned long set[1024] = {0};
    long size = syscall(SYS_sched_getaffinity, 0, sizeof(set), set);
    int count = 0;
    for (long i = 0; i < size / (long)sizeof(set[0]); i++) count += __builtin_popcountl(set[i]);
    return count;
}

static inline int csys_thread_id(void) { return (int)syscall(SYS_gettid); }

#endif
