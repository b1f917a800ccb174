// SPDX-License-Identifier: GPL-2.0-or-later
// Words of vmstat -s
#include "formats/vmstat_s_words.h"

#include <string.h>

// procps 4.0: src/vmstat.c and po/*.po, without the number. What is not translated is as in
// English. "Other" are those that have no table and not the shape of one of these lines otherwise.
static const struct {
    const char *phrase;
    enum vmstat_s_field field;
} words[] = {
    { "K total memory", VMSTAT_S_TOTAL },
    { "K free memory", VMSTAT_S_FREE },
    { "K total swap", VMSTAT_S_SWAP_TOTAL },
    { "K free swap", VMSTAT_S_SWAP_FREE },
    { "pages swapped in", VMSTAT_S_SWAPPED_IN },
    { "pages swapped out", VMSTAT_S_SWAPPED_OUT },
    { "non-nice user cpu ticks", VMSTAT_S_USER },
    { "nice user cpu ticks", VMSTAT_S_NICE },
    { "system cpu ticks", VMSTAT_S_SYSTEM },
    { "idle cpu ticks", VMSTAT_S_IDLE },
    { "IO-wait cpu ticks", VMSTAT_S_IOWAIT },
    { "IRQ cpu ticks", VMSTAT_S_IRQ },
    { "softirq cpu ticks", VMSTAT_S_SOFTIRQ },
    { "stolen cpu ticks", VMSTAT_S_STEAL },
    { "boot time", VMSTAT_S_OTHER },
    { "forks", VMSTAT_S_OTHER },
    { "interrupts", VMSTAT_S_OTHER },
    // German
    { "K Gesamtspeicher", VMSTAT_S_TOTAL },
    { "K freier Speicher", VMSTAT_S_FREE },
    { "K Gesamt-Auslagerungsspeicher", VMSTAT_S_SWAP_TOTAL },
    { "K freier Auslagerungsspeicher", VMSTAT_S_SWAP_FREE },
    { "System-CPU-Ticks", VMSTAT_S_SYSTEM },
    { "Untätig-CPU-Ticks", VMSTAT_S_IDLE },
    { "E/A-Warten-CPU-Ticks", VMSTAT_S_IOWAIT },
    { "IRQ-CPU-Ticks", VMSTAT_S_IRQ },
    // Spanish
    { "K memoria total", VMSTAT_S_TOTAL },
    { "K memoria libre", VMSTAT_S_FREE },
    { "K intercambio total", VMSTAT_S_SWAP_TOTAL },
    { "K intercambio libre", VMSTAT_S_SWAP_FREE },
    // French
    { "K mémoire totale", VMSTAT_S_TOTAL },
    { "K mémoire libre", VMSTAT_S_FREE },
    { "K échange total", VMSTAT_S_SWAP_TOTAL },
    { "K échange libre", VMSTAT_S_SWAP_FREE },
    { "pages mises en mémoire d'échange", VMSTAT_S_SWAPPED_IN },
    { "pages sorties de la mémoire d'échange", VMSTAT_S_SWAPPED_OUT },
    { "tics du cpu utilisateur non-courtois", VMSTAT_S_USER },
    { "tics cpu utilisateur courtois", VMSTAT_S_NICE },
    { "tics cpu système", VMSTAT_S_SYSTEM },
    { "tics cpu inactif", VMSTAT_S_IDLE },
    { "tics cpu attente E/S", VMSTAT_S_IOWAIT },
    { "tics cpu IRQ", VMSTAT_S_IRQ },
    { "tics cpu IRQ soft", VMSTAT_S_SOFTIRQ },
    { "tics cpu volés", VMSTAT_S_STEAL },
    { "interruptions", VMSTAT_S_OTHER },
    { "clonages", VMSTAT_S_OTHER },
    // Polish
    { "Pamięć razem: K", VMSTAT_S_TOTAL },
    { "Pamięć wolna: K", VMSTAT_S_FREE },
    { "Obszar wymiany razem: K", VMSTAT_S_SWAP_TOTAL },
    { "Obszar wymiany wolny: K", VMSTAT_S_SWAP_FREE },
    { "Stron z pamięci wymiany:", VMSTAT_S_SWAPPED_IN },
    { "Stron do pamięci wymiany:", VMSTAT_S_SWAPPED_OUT },
    { "Cykli CPU użytk. zwykłych:", VMSTAT_S_USER },
    { "Cykli CPU użytk. z nice:", VMSTAT_S_NICE },
    { "Cykli CPU systemowych:", VMSTAT_S_SYSTEM },
    { "Cykli CPU bezczynności:", VMSTAT_S_IDLE },
    { "Cykli CPU oczek. na we/wy:", VMSTAT_S_IOWAIT },
    { "Cykli CPU w IRQ:", VMSTAT_S_IRQ },
    { "Cykli CPU w softirq:", VMSTAT_S_SOFTIRQ },
    { "Cykli CPU skradzionych:", VMSTAT_S_STEAL },
    { "Pamięć użyta: K", VMSTAT_S_OTHER },
    { "Pamięć aktywna: K", VMSTAT_S_OTHER },
    { "Pamięć nieaktywna: K", VMSTAT_S_OTHER },
    { "Pamięć buforów: K", VMSTAT_S_OTHER },
    { "Pam. podr. obsz. wymiany: K", VMSTAT_S_OTHER },
    { "Obszar wymiany użyty: K", VMSTAT_S_OTHER },
    { "Cykli CPU gościa zwykłych:", VMSTAT_S_OTHER },
    { "Cykli CPU gościa z nice:", VMSTAT_S_OTHER },
    { "Danych wczytanych z dysku: K", VMSTAT_S_OTHER },
    { "Danych usuniętych z pam.: K", VMSTAT_S_OTHER },
    { "Przerwań:", VMSTAT_S_OTHER },
    { "Przełączeń kontekstu CPU:", VMSTAT_S_OTHER },
    { "Czas rozruchu:", VMSTAT_S_OTHER },
    { "Odgałęzień procesów:", VMSTAT_S_OTHER },
    // Portuguese of Brazil
    { "K de memória total", VMSTAT_S_TOTAL },
    { "K de memória livre", VMSTAT_S_FREE },
    { "K de swap total", VMSTAT_S_SWAP_TOTAL },
    { "K de swap livre", VMSTAT_S_SWAP_FREE },
    { "páginas em swap IN", VMSTAT_S_SWAPPED_IN },
    { "páginas em swap OUT", VMSTAT_S_SWAPPED_OUT },
    { "tiques não-nice de cpu de usuário", VMSTAT_S_USER },
    { "tiques nice de cpu de usuário", VMSTAT_S_NICE },
    { "tiques de cpu de sistema", VMSTAT_S_SYSTEM },
    { "tiques de cpu ocioso", VMSTAT_S_IDLE },
    { "tiques de cpu de aguardo de E/S", VMSTAT_S_IOWAIT },
    { "tiques de cpu de IRQ", VMSTAT_S_IRQ },
    { "tiques de cpu de softirq", VMSTAT_S_SOFTIRQ },
    { "tiques de cpu roubada", VMSTAT_S_STEAL },
    // Swedish
    { "K totalt minne", VMSTAT_S_TOTAL },
    { "K fritt minne", VMSTAT_S_FREE },
    { "K totalt växling", VMSTAT_S_SWAP_TOTAL },
    { "K fri växling", VMSTAT_S_SWAP_FREE },
    { "sidor växlade in", VMSTAT_S_SWAPPED_IN },
    { "sidor växlade ut", VMSTAT_S_SWAPPED_OUT },
    { "icke-nice användar-cpu-tick", VMSTAT_S_USER },
    { "nice användar-cpu-tick", VMSTAT_S_NICE },
    { "system-cpu-tick", VMSTAT_S_SYSTEM },
    { "inaktiva-cpu-tick", VMSTAT_S_IDLE },
    { "cpu-tick i IO-väntan", VMSTAT_S_IOWAIT },
    { "IRQ-cpu-tick", VMSTAT_S_IRQ },
    { "softirq-cpu-tick", VMSTAT_S_SOFTIRQ },
    { "stulna cpu-tick", VMSTAT_S_STEAL },
    { "avbrott", VMSTAT_S_OTHER },
    { "CPU-kontextbyten", VMSTAT_S_OTHER },
    { "starttid", VMSTAT_S_OTHER },
    { "grenar", VMSTAT_S_OTHER },
};

enum vmstat_s_field vmstat_s_field(const char *phrase) {
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i].phrase, phrase) == 0)
            return words[i].field;
    return VMSTAT_S_NONE;
}
