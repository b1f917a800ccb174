// SPDX-License-Identifier: GPL-2.0-or-later
// Memory thrift
#include "daemon/memory.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// The heap grows in pieces of this size, and shrinks only by memory_give_back(). Before Linux 6.6 a
// page fault on a file of a stuck disk (SQLite maps one) stops every thread that changes the
// address space: the loop should have no reason to.
#define HEAP_PIECE (1024 * 1024)

void memory_set_up(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, HEAP_PIECE);
    mallopt(M_TRIM_THRESHOLD, 64 * HEAP_PIECE);
    mallopt(M_MMAP_THRESHOLD, 4 * HEAP_PIECE);
}

// Segments that nobody writes are the same in the file. Libraries that are used for a moment at the
// start, and the 64 KiB that the kernel maps around each page fault, are most of a small daemon's
// resident memory.
static int drop_text(struct dl_phdr_info *object, size_t size, void *data) {
    uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W))
            continue;
        uintptr_t begin = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end =
                (object->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & ~(page - 1);
        (void) madvise((void *) begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void memory_give_back(void) {
    malloc_trim(0);
    dl_iterate_phdr(drop_text, NULL);
}
