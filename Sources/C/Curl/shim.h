// libcurl for HTTP transfers. curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call, so each
// argument type has a function here.
#ifndef TESSERA_CCURL_SHIM_H
#define TESSERA_CCURL_SHIM_H

#include <curl/curl.h>

typedef size_t (*ccurl_data)(char *, size_t, size_t, void *);
typedef int (*ccurl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef curl_socket_t (*ccurl_socket)(void *, curlsocktype, struct curl_sockaddr *);

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_data(CURL *handle, CURLoption option, ccurl_data value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_progress(CURL *handle, ccurl_progress value) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode ccurl_set_socket(CURL *handle, ccurl_socket value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// Returns the HTTP status of the current response; 0 if there is none yet.
static inline long ccurl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// Initializes libcurl for the process. Call it once, before threads start.
static inline CURLcode ccurl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
