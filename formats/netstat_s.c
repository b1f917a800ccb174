// SPDX-License-Identifier: GPL-2.0-or-later
// netstat -s, -su
//
// Counters that the program has words for are printed in words, others as "Name: value" and only
// where they are not 0. Words without a heading are taken for those of IPv4, which is told.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/netstat_match.h"
#include "formats/netstat_sections.h"

#define FIELD_SIZE 64

static const struct netstat_section *section_of_item(const struct netstat_item *item) {
    static const char *const names[] = {
        [WORDS_IP] = "Ip", [WORDS_ICMP] = NULL, [WORDS_UDP] = "Udp"
    };
    if (!item->word)
        return netstat_section_of_label(&item->label);
    return names[item->word->family] ? netstat_section(names[item->word->family]) : NULL;
}

struct reading {
    struct intake *intake;
    const struct netstat_section *section;
    bool headed;         // there was a heading
    bool told;           // that there was none
    unsigned seen;       // sections with a heading, as bits
    unsigned histograms; // of ICMP, so far in this section
    bool modern;         // the kernel is of 3.10 or later: it counts bad checksums and full buffers
};

static void field_name(const struct reading *reading, const char *name, int length, char *ret) {
    const char *section = reading->section->name;
    bool whole = strncmp(name, section, strlen(section)) == 0 && strchr(section, '6');
    snprintf(ret, FIELD_SIZE, "%s%.*s", whole ? "" : section, length < 40 ? length : 40, name);
}

static bool has(const struct reading *reading, const char *name) {
    char field[FIELD_SIZE];
    field_name(reading, name, (int) strlen(name), field);
    return intake_has(reading->intake, field);
}

// The k-th line with the same counter is of the k-th look: grep leaves nothing else between them.
static void put(struct reading *reading, const struct line *line, const char *field,
        const struct word *number) {
    if (intake_has(reading->intake, field))
        intake_look(reading->intake, line, line->at_ms);
    intake_row(reading->intake, line, "snmp", NULL);
    if (!intake_put(reading->intake, field, number))
        intake_unused(reading->intake, line);
}

// IcmpMsg has the messages by type: 3 is unreachable, 11 time exceeded. Without a section of words
// (-su) it is all there is.
static void put_icmp_type(
        struct reading *reading, const struct line *line, const struct netstat_item *item) {
    static const struct {
        const char *type, *field;
    } types[] = { { "InType3", "IcmpInDestUnreachs" }, { "OutType3", "IcmpOutDestUnreachs" },
        { "OutType11", "IcmpOutTimeExcds" } };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (word_is(&item->label, types[i].type)) {
            if (!intake_has(reading->intake, types[i].field))
                intake_put(reading->intake, types[i].field, &item->number);
            return;
        }
    intake_unused(reading->intake, line);
}

static void put_icmp(
        struct reading *reading, const struct line *line, const struct netstat_item *item) {
    char field[FIELD_SIZE];
    snprintf(field, sizeof(field), "%s%s%s", reading->section->name,
            reading->histograms > 1 ? "Out" : "In", item->word->field);
    if (!intake_has(reading->intake, field) && reading->histograms > 0 &&
            intake_put(reading->intake, field, &item->number))
        return;
    intake_unused(reading->intake, line);
}

// Where one translation serves two counters, the order in which they are printed decides.
static const char *field_of(const struct reading *reading, const struct netstat_item *item) {
    const char *field = item->word->field;
    if (!item->translated)
        return field;
    if (strcmp(field, "InErrors") == 0 && has(reading, "InErrors") && !has(reading, "RcvbufErrors"))
        return "RcvbufErrors";
    if (strcmp(field, "ReasmOKs") == 0 &&
            strcmp(item->word->phrase, "# Fragmente korrekt empfangen") == 0 &&
            (has(reading, "ReasmOKs") || !has(reading, "ReasmReqds")))
        return "FragOKs";
    return field;
}

static void put_item(
        struct reading *reading, const struct line *line, const struct netstat_item *item) {
    char field[FIELD_SIZE];
    if (item->word && item->word->family == WORDS_ICMP) {
        put_icmp(reading, line, item);
        return;
    }
    if (reading->section->kind == SECTION_ICMP_MSG) {
        put_icmp_type(reading, line, item);
        return;
    }
    const char *name = item->word ? field_of(reading, item) : item->label.text;
    field_name(reading, name, item->word ? (int) strlen(name) : (int) item->label.length, field);
    if (strcmp(field, "Ip6ForwDatagrams") == 0)
        strcpy(field, "Ip6OutForwDatagrams");
    reading->modern |= strncmp(name, "IgnoredMulti", 12) == 0 ||
                       strncmp(name, "InCsumErrors", 12) == 0 ||
                       strncmp(name, "InNoECTPkts", 11) == 0 || strncmp(name, "MemErrors", 9) == 0;
    put(reading, line, field, &item->number);
}

static void tell_unheaded(struct reading *reading, const struct line *line) {
    if (!reading->headed && !reading->told)
        intake_note(reading->intake, line, "counters without a heading are taken for those of %s",
                reading->section->name);
    reading->told = true;
}

// Whether the words can be of this section.
static bool fits(const struct netstat_section *section, const struct netstat_item *item) {
    static const enum section_kind kinds[] = {
        [WORDS_IP] = SECTION_IP, [WORDS_ICMP] = SECTION_ICMP, [WORDS_UDP] = SECTION_UDP
    };
    return item->word ? section->kind == kinds[item->word->family] : true;
}

static bool read_item(
        struct reading *reading, const struct line *line, const struct netstat_item *item) {
    const struct netstat_section *own = section_of_item(item);
    bool sure = reading->section && fits(reading->section, item) &&
                (reading->headed || item->word || !own);
    if (!sure && !own)
        return false;
    if (!sure) {
        reading->headed &= reading->section == own;
        reading->section = own;
    }
    if (item->word)
        tell_unheaded(reading, line);
    put_item(reading, line, item);
    return true;
}

// A sentence with one number in it: a counter of a section that no table has.
static bool is_sentence(const struct line *line) {
    struct word words[WORDS_MAX];
    size_t n = words_split(line->text, words, WORDS_MAX), numbers = 0, letters = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char first = (unsigned char) words[i].text[0];
        numbers += netstat_number(&words[i]);
        letters += isalpha(first) || first >= 0x80;
    }
    return numbers <= 1 && letters > 0 && letters + numbers >= n &&
           strpbrk(line->text, "0123456789") != NULL;
}

static bool is_histogram(const struct line *line) {
    return strstr(line->text, "ICMP") && strpbrk(line->text, "0123456789") == NULL;
}

// What the program leaves out where it is 0 was 0, where the rest of the section is there.
static void fill_up(struct reading *reading, const char *const *must, const char *const *names) {
    char field[FIELD_SIZE];
    for (; *must; must++)
        if (!has(reading, *must))
            return;
    for (; *names; names++) {
        field_name(reading, *names, (int) strlen(*names), field);
        if (!intake_has(reading->intake, field))
            intake_set(reading->intake, field, 0);
    }
}

static void end_section(struct reading *reading) {
    static const char *const ip_must[] = { "InReceives", "InDelivers", "OutRequests", NULL };
    static const char *const ip_zero[] = { "InHdrErrors", "InAddrErrors", "InUnknownProtos",
        "OutDiscards", "OutNoRoutes", "ReasmTimeout", "ReasmReqds", "ReasmOKs", "ReasmFails",
        "FragOKs", "FragFails", "FragCreates", NULL };
    static const char *const udp_must[] = { "InDatagrams", "NoPorts", "InErrors", "OutDatagrams",
        NULL };
    static const char *const udp_zero[] = { "RcvbufErrors", "SndbufErrors", "InCsumErrors", NULL };
    if (!reading->section || !reading->headed)
        return;
    if (reading->section->kind == SECTION_IP)
        fill_up(reading, ip_must, ip_zero);
    // The four oldest lines alone may be of a kernel that has no more, unless another counter shows
    // its age.
    if (reading->section->kind == SECTION_UDP && strcmp(reading->section->name, "Udp") == 0 &&
            reading->modern)
        fill_up(reading, udp_must, udp_zero);
}

static bool begin_section(struct reading *reading, const struct netstat_section *section) {
    unsigned bit = section->bit;
    if (reading->seen & bit)
        return false; // the next output
    reading->seen |= bit;
    reading->section = section;
    reading->headed = true;
    reading->histograms = 0;
    return true;
}

// Several lines in one: "Udp: 2829651752 packets received 27732564 packets to ...".
static void read_flat(struct reading *reading, const struct line *line) {
    const char *text = line->text;
    while (*text) {
        struct netstat_item item;
        struct word word;
        const char *end = netstat_match_next(text, &item);
        if (end) {
            read_item(reading, line, &item);
            text = end;
            continue;
        }
        if (words_split(text, &word, 1) == 0)
            return;
        const struct netstat_section *section = netstat_heading_word(&word);
        if (section)
            begin_section(reading, section);
        text = word.text + word.length;
    }
}

static size_t count_items(const char *text) {
    size_t n = 0;
    while (*text) {
        struct netstat_item item;
        struct word word;
        const char *end = netstat_match_next(text, &item);
        n += end != NULL;
        if (!end && words_split(text, &word, 1) == 0)
            break;
        text = end ? end : word.text + word.length;
    }
    return n;
}

static bool is_flat(const struct line *line) {
    return line->length > 40 && count_items(line->text) > 1;
}

static const struct line *next_text(const struct lines *lines, size_t i) {
    for (i++; i < lines->n; i++)
        if (lines->line[i].kind != LINE_BLANK)
            return &lines->line[i];
    return NULL;
}

static bool is_item(const struct line *line) {
    struct netstat_item item;
    return line->kind == LINE_TEXT && netstat_match(line->text, &item) && section_of_item(&item);
}

static int begins(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i], *next = next_text(lines, i);
    struct netstat_item item;
    if (is_flat(line))
        return FORMAT_CERTAIN;
    if (line->kind == LINE_COMMAND)
        return FORMAT_NO;
    const struct netstat_section *heading = netstat_heading(line);
    if (heading && next && (netstat_heading(next) || is_sentence(next)))
        return FORMAT_CERTAIN;
    if (!is_item(line))
        return FORMAT_NO;
    netstat_match(line->text, &item);
    return item.word ? FORMAT_CERTAIN - 10 : FORMAT_LIKELY;
}

// false: the line is not of this output.
static bool read_line(struct reading *reading, const struct line *line) {
    struct netstat_item item;
    if (is_flat(line)) {
        read_flat(reading, line);
        return true;
    }
    if (netstat_match(line->text, &item) && read_item(reading, line, &item))
        return true;
    if (!reading->section || reading->section->kind == SECTION_UDP)
        return false;
    if (reading->section->kind == SECTION_ICMP && is_histogram(line)) {
        reading->histograms++;
        return true;
    }
    if (!is_sentence(line))
        return false;
    intake_unused(reading->intake, line);
    return true;
}

// A blank line ends the output unless more of it follows.
static bool goes_on(const struct lines *lines, size_t i) {
    const struct line *next = next_text(lines, i);
    return next && next->kind == LINE_TEXT && (netstat_heading(next) || is_item(next));
}

// The kernel has no line IcmpMsg before the first message, and -su no other one about them.
static void fill_messages(struct reading *reading, const char *command) {
    static const char *const fields[] = { "IcmpInDestUnreachs", "IcmpOutDestUnreachs" };
    unsigned messages = netstat_section("IcmpMsg")->bit | netstat_section("Icmp")->bit;
    unsigned whole = netstat_section("Udp")->bit | netstat_section("IpExt")->bit;
    if (!command || strchr(command, '|') || (reading->seen & messages) ||
            (reading->seen & whole) != whole)
        return;
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (!intake_has(reading->intake, fields[i]))
            intake_set(reading->intake, fields[i], 0);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct reading reading = { .intake = intake };
    const char *command = lines_command(lines, i);
    intake_row(intake, &lines->line[i], "snmp", NULL);
    for (size_t first = i; i < lines->n; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK && goes_on(lines, i))
            continue;
        if (line->kind == LINE_BLANK || (line->kind == LINE_COMMAND && i > first))
            break;
        const struct netstat_section *heading = netstat_heading(line);
        if (heading) {
            end_section(&reading);
            if (!begin_section(&reading, heading))
                return i;
        } else if (!read_line(&reading, line)) {
            break;
        }
    }
    end_section(&reading);
    fill_messages(&reading, command);
    // Kernels that are known to be new by a later section count more than the section of UDP says.
    if (reading.modern && (reading.seen & netstat_section("Udp")->bit)) {
        reading.section = netstat_section("Udp");
        reading.headed = true;
        end_section(&reading);
    }
    return i;
}

const struct format format_netstat_s = {
    .name = "netstat-s",
    .help = "netstat -s, -su",
    .commands = true,
    .begins = begins,
    .read = read_block,
};
