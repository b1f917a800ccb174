// SPDX-License-Identifier: GPL-2.0-or-later
// Ethtool questions
#include "collectors/ethtool.h"

#include <errno.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

// mlx5 with 128 channels has some 10,000 counters; a number far above that is a mistake.
#define MAX_STATS 1000000u

static int ask(struct ethtool *ethtool, const char *interface, void *command) {
    struct ifreq request = { .ifr_data = command };
    if (ethtool->socket < 0)
        ethtool->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (ethtool->socket < 0)
        return -errno;
    strncpy(request.ifr_name, interface, sizeof(request.ifr_name) - 1);
    return ioctl(ethtool->socket, SIOCETHTOOL, &request) < 0 ? -errno : 0;
}

int ethtool_driver(struct ethtool *ethtool, const char *interface, struct ethtool_drvinfo *ret) {
    *ret = (struct ethtool_drvinfo){ .cmd = ETHTOOL_GDRVINFO };
    return ask(ethtool, interface, ret);
}

int ethtool_rings(struct ethtool *ethtool, const char *interface, struct ethtool_ringparam *ret) {
    *ret = (struct ethtool_ringparam){ .cmd = ETHTOOL_GRINGPARAM };
    return ask(ethtool, interface, ret);
}

int ethtool_channels(struct ethtool *ethtool, const char *interface, struct ethtool_channels *ret) {
    *ret = (struct ethtool_channels){ .cmd = ETHTOOL_GCHANNELS };
    return ask(ethtool, interface, ret);
}

int ethtool_count(struct ethtool *ethtool, const char *interface, unsigned *ret) {
    union {
        struct ethtool_sset_info info;
        char room[sizeof(struct ethtool_sset_info) + sizeof(uint32_t)]; // for one set
    } answer = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS } };
    int r = ask(ethtool, interface, &answer);
    if (r < 0)
        return r;
    // The bit of a set that the driver does not have comes back cleared.
    if (!(answer.info.sset_mask & 1ull << ETH_SS_STATS) || answer.info.data[0] > MAX_STATS)
        return -EOPNOTSUPP;
    *ret = answer.info.data[0];
    return 0;
}

static int make_room(struct ethtool *ethtool, size_t size) {
    size_t page = (size_t) sysconf(_SC_PAGESIZE);
    size = (size + page - 1) / page * page;
    if (size <= ethtool->size)
        return 0;
    char *buffer = mmap(NULL, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return -errno;
    if (mprotect(buffer, size, PROT_READ | PROT_WRITE) < 0) {
        munmap(buffer, size + page);
        return -ENOMEM;
    }
    if (ethtool->buffer)
        munmap(ethtool->buffer, ethtool->size + page);
    ethtool->buffer = buffer;
    ethtool->size = size;
    return 0;
}

void ethtool_close(struct ethtool *ethtool) {
    if (ethtool->socket >= 0)
        close(ethtool->socket);
    if (ethtool->buffer)
        munmap(ethtool->buffer, ethtool->size + (size_t) sysconf(_SC_PAGESIZE));
    *ethtool = ETHTOOL_CLOSED;
}

int ethtool_names(struct ethtool *ethtool, const char *interface, unsigned n,
        const char (**ret)[ETH_GSTRING_LEN]) {
    int r = make_room(ethtool, sizeof(struct ethtool_gstrings) + (size_t) n * ETH_GSTRING_LEN);
    if (r < 0)
        return r;
    struct ethtool_gstrings *strings = ethtool->buffer;
    *strings = (struct ethtool_gstrings){ ETHTOOL_GSTRINGS, ETH_SS_STATS, n };
    r = ask(ethtool, interface, strings);
    if (r < 0 || strings->len != n)
        return r < 0 && r != -EFAULT ? r : -EAGAIN;
    *ret = (const char(*)[ETH_GSTRING_LEN]) strings->data;
    return 0;
}

int ethtool_stats(
        struct ethtool *ethtool, const char *interface, unsigned n, const uint64_t **ret) {
    int r = make_room(ethtool, sizeof(struct ethtool_stats) + (size_t) n * sizeof(uint64_t));
    if (r < 0)
        return r;
    struct ethtool_stats *stats = ethtool->buffer;
    *stats = (struct ethtool_stats){ ETHTOOL_GSTATS, n };
    r = ask(ethtool, interface, stats);
    if (r < 0 || stats->n_stats != n)
        return r < 0 && r != -EFAULT ? r : -EAGAIN;
    *ret = (const uint64_t *) stats->data;
    return 0;
}
