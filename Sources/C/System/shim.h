// Headers of the system that Swift's own module of it leaves out, and calls that the C library has no function for.
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

// Landlock's numbers, of which a system's headers may know only the first ones.
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

/// Gives two files or folders each other's name in one step; -1 where the file system cannot, or one of them is not there.
static inline int csys_exchange(const char *path, const char *other) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, 2u);
}

/// Gives a file or folder a name that nothing has; -1 where something has it, or the file system cannot.
static inline int csys_rename_free(const char *path, const char *name) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, 1u);
}

/// The kernel's version of Landlock; negative where it has none.
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

/// Gives up, for good, what a program could gain by starting another one.
static inline int csys_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/// Makes a pipe that programs started from here do not get.
static inline int csys_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

enum { CSYS_O_PATH = 0x200000 };

/// A handle of a file or folder itself, whatever may be done to it; -1 where there is none.
static inline int csys_open_path(const char *path) { return open(path, CSYS_O_PATH | O_CLOEXEC); }

/// Opens a file for reading that lies in `folder`, whatever links lead to it; never waits for a pipe's other end.
static inline int csys_open_beneath(int folder, const char *path) {
    struct open_how how = {O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
}

/// How many processors the calling thread may run on; 0 where that is unknown.
static inline int csys_processor_count(void) {
    unsigned long set[1024] = {0};
    long size = syscall(SYS_sched_getaffinity, 0, sizeof(set), set);
    int count = 0;
    for (long i = 0; i < size / (long)sizeof(set[0]); i++) count += __builtin_popcountl(set[i]);
    return count;
}

static inline int csys_thread_id(void) { return (int)syscall(SYS_gettid); }

#endif
