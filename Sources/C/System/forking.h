// A fork server: forks workers from a copy of a process that has no threads yet.
#ifndef TESSERA_CSYSTEM_FORKING_H
#define TESSERA_CSYSTEM_FORKING_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// The number of descriptors in a request: the worker's arguments, standard input, output and error.
enum { CSYS_FORK_FILES = 4 };

// MFD_CLOEXEC, which the system's headers define only for GNU programs.
enum { CSYS_MFD_CLOEXEC = 1 };

/// An aligned buffer for the control message that passes descriptors.
union csys_fork_control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(CSYS_FORK_FILES * sizeof(int))];
};

static inline int csys_fork(void) { return fork(); }

/// Forks a process that kills the process group `group` once all copies of the pipe's end `writing` are closed. Returns
/// the process identifier, or -1. The child makes only calls that are safe after forking a process with threads.
static inline int csys_guard_group(int group, int reading, int writing) {
    const pid_t process = fork();
    if (process) return process;
    // A session of its own keeps signals of the terminal away.
    setsid();
    close(writing);
    dup2(reading, 0);
    syscall(SYS_close_range, 1u, ~0u, 0u);
    char byte;
    while (read(0, &byte, 1) < 0 && errno == EINTR) {}
    kill(-group, SIGKILL);
    _exit(0);
}

/// Makes a spawned program close all descriptors from `first` on. `actions` is a posix_spawn_file_actions_t. The C
/// library has the function since 2.34, but declares it only for GNU programs.
extern int csys_spawn_without_files(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

/// Returns the number of threads of this process; 0 if unknown.
static inline int csys_thread_count(void) {
    struct stat folder;
    return stat("/proc/self/task", &folder) == 0 && folder.st_nlink > 2 ? (int)folder.st_nlink - 2 : 0;
}

/// Overwrites the arguments after the program's name with zeros. Returns their first byte, and their total length in
/// bytes.
static inline char *csys_forget_arguments(int count, char **arguments, size_t *length) {
    *length = 0;
    if (count < 2) return arguments[0];
    const char *end = arguments[count - 1] + strlen(arguments[count - 1]);
    if (end <= arguments[1]) return arguments[1];
    *length = (size_t)(end - arguments[1]);
    return memset(arguments[1], 0, *length);
}

/// Makes this process the parent of descendants whose own parent ends (subreaper).
static inline int csys_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// Returns the descriptor of a memory file with the `size` bytes of `bytes`; -1 on failure.
static inline int csys_memory_file(const char *bytes, size_t size) {
    const int file = (int)syscall(SYS_memfd_create, "arguments", CSYS_MFD_CLOEXEC);
    size_t written = 0;
    while (file >= 0 && written < size) {
        const ssize_t count = write(file, bytes + written, size - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            close(file);
            return -1;
        }
        written += (size_t)count;
    }
    return file;
}

/// Requests a worker from the server at `socket`. Returns its process identifier, or a negative errno; -EPIPE if the
/// server has ended.
static inline int csys_request_fork(int socket, const int files[CSYS_FORK_FILES]) {
    union csys_fork_control control;
    memset(&control, 0, sizeof(control));
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(CSYS_FORK_FILES * sizeof(int));
    memcpy(CMSG_DATA(head), files, CSYS_FORK_FILES * sizeof(int));
    ssize_t count;
    while ((count = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
    if (count < 0) return -errno;
    int worker = 0;
    while ((count = recv(socket, &worker, sizeof(worker), 0)) < 0 && errno == EINTR) {}
    return count == sizeof(worker) ? worker : -EPIPE;
}

/// Waits for a request and receives its descriptors; returns 0 if the other end is closed.
static inline int csys_await_fork(int socket, int files[CSYS_FORK_FILES]) {
    union csys_fork_control control;
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
    ssize_t count;
    while ((count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
    const struct cmsghdr *head = count == 1 ? CMSG_FIRSTHDR(&message) : 0;
    if (!head || head->cmsg_len != CMSG_LEN(CSYS_FORK_FILES * sizeof(int))) return 0;
    memcpy(files, CMSG_DATA(head), CSYS_FORK_FILES * sizeof(int));
    return 1;
}

/// Makes a new process a worker: it gets a process group of its own, and the requested files as its only ones. Its
/// arguments, each terminated by a 0, also replace those of the command in `area`, for process listings. Returns the
/// arguments.
static inline char *csys_become_worker(const int files[CSYS_FORK_FILES], char *area, size_t length, size_t *size) {
    setpgid(0, 0);
    const off_t end = lseek(files[0], 0, SEEK_END);
    char *arguments = end > 0 ? malloc((size_t)end) : 0;
    if (!arguments || pread(files[0], arguments, (size_t)end, 0) != end) _exit(70);
    *size = (size_t)end;
    memcpy(area, arguments, *size < length ? *size : length);
    for (int i = 1; i < CSYS_FORK_FILES; i++) dup2(files[i], i - 1);
    // All other descriptors are closed, including the server's socket.
    syscall(SYS_close_range, 3u, ~0u, 0u);
    return arguments;
}

/// Forks workers on request until the other end of `socket` is closed. Returns only in the workers, with their
/// arguments. Each worker is orphaned at once, so that the subreaper becomes its parent.
static inline char *csys_serve_forks(int socket, char *area, size_t length, size_t *size) {
    setpgid(0, 0);
    // The server must not keep inherited pipes open, so its standard streams are /dev/null.
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; none > 2 && i < 3; i++) dup2(none, i);
    if (none > 2) close(none);
    int *worker = mmap(0, sizeof(*worker), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int files[CSYS_FORK_FILES];
    while (worker != MAP_FAILED && csys_await_fork(socket, files)) {
        *worker = -EAGAIN;
        const pid_t between = fork();
        if (!between) {
            const pid_t forked = fork();
            if (forked) {
                *worker = forked > 0 ? forked : -errno;
                _exit(0);
            }
            munmap(worker, sizeof(*worker));
            return csys_become_worker(files, area, length, size);
        }
        for (int i = 0; i < CSYS_FORK_FILES; i++) close(files[i]);
        while (between > 0 && waitpid(between, 0, 0) < 0 && errno == EINTR) {}
        while (send(socket, worker, sizeof(*worker), MSG_NOSIGNAL) < 0 && errno == EINTR) {}
    }
    _exit(0);
}

/// The arguments of the server's thread.
struct csys_fork_server {
    int socket;
    char *area;
    size_t length;
    void (*work)(char *arguments, size_t size);
};

static inline void *csys_run_fork_server(void *pointer) {
    const struct csys_fork_server server = *(const struct csys_fork_server *)pointer;
    size_t size = 0;
    char *arguments = csys_serve_forks(server.socket, server.area, server.length, &size);
    server.work(arguments, size);
    exit(0);
}

/// Forks workers as csys_serve_forks does, and calls `work` in each. Does not return.
///
/// The server is a thread that has run nothing but C. Swift's runtime and its Mutex store the identifier of a thread in
/// the thread itself, for locks of the kernel (FUTEX_LOCK_PI). A worker begins as a copy of the thread that forks it:
/// with an identifier stored before, its first thread would take locks in the name of its parent, and another thread
/// that waits for one of them would never get it. A fork copies one thread only, so a worker still begins with one.
__attribute__((noreturn)) static inline void
csys_serve_forks_in_thread(int socket, char *area, size_t length, void (*work)(char *, size_t)) {
    struct csys_fork_server server = {socket, area, length, work};
    pthread_attr_t attributes;
    pthread_t thread;
    // As large as a main thread's.
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, 8 << 20)
        || pthread_create(&thread, &attributes, csys_run_fork_server, &server))
        _exit(1);
    pthread_join(thread, 0);
    _exit(0);
}

#endif
