import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import { createReplaceFlags, readMatch } from "../bulk/flags.js";
import { formatSource } from "../bulk/import.js";
import { withRefusals } from "../bulk/refusals.js";
import { assertSingleSheet } from "../bulk/sheet-warnings.js";
import { getSyncPaths, openWhole, synchronize } from "../bulk/sync.js";
import { createSyncFlags, readSyncFlags } from "../bulk/sync-flags.js";
import { formatAdvice } from "./advice.js";
import { fileFlags, matchFlag, openContacts, readFileFlags, toReadingOptions } from "./file-flags.js";
import { keyFlags } from "./import-keyed.js";
import { formatMappingRemarks } from "./mapping.js";
import { createRejectsWriter } from "./rejects.js";

const nouns = { noun: "contact", plural: "contacts" };

const contactFlags: readonly Flag[] = [
  ...keyFlags,
  matchFlag,
  {
    name: "protect",
    value: "file",
    description: "File with contacts that are never deleted; numbers, emails or keys are enough",
    group: "Safety",
  },
];

const allFlags: readonly Flag[] = [
  ...createSyncFlags(nouns),
  ...contactFlags,
  ...createReplaceFlags("contacts"),
  ...fileFlags,
  ...groupRunFlags,
];

export const syncContacts: Command = {
  name: "sync",
  summary: "Make a group equal to a file: create, change and, with --delete, delete contacts",
  description: `Each row becomes one contact, and a contact equals its row in the columns that the file has. A cell that can't be read leaves its field as it is; an empty cell clears only in a column that is filled in at least half of the rows; a contact's last number or e-mail goes only with --clear-empty. A second run of the same file writes nothing.

With --delete the file has to look whole: not empty, not ending within a row, not much shorter than last time, not mostly invalid; and no more than --max-delete go. Contacts that share a number, an e-mail or the full name with a row that can't be used stay, and so do those that others made or changed after the file was made. Everything is judged before the first write; a refusal is 12, and names the flag that lifts it. What can't be noticed: one row that is missing at a line's end; without an earlier run or --expect-rows a file that was cut exactly between two rows; and a mistake that stays under the bounds, as a column whose cells are mixed up in fewer than half of the contacts, or names that were decoded wrongly in some of them. In a group of fewer than 20 contacts only deletes are bounded, unless --max-update and --max-clear are given. --dry-run shows what would change, and runs undo takes it back.

Right before each change or delete the contact is read once more; where others changed it meanwhile it is left and listed. A run that was interrupted is gone on with by the same command. voxctl runs undo RUN takes a run back; deleted contacts are made again, under new ids.`,
  arguments: [{ name: "file", description: "the file, or - for standard input" }],
  flags: allFlags,
  examples: [
    {
      command: "voxctl contacts sync kunden.csv --group Patienten --country DE --dry-run",
      note: "what would change",
    },
    {
      command: "voxctl contacts sync crm.csv --group Kunden --country DE --key Kundennummer --delete --yes",
      note: "every night, from the CRM's export",
    },
    {
      command: "voxctl contacts sync kunden.csv --group Patienten --country DE --plan patienten.plan",
      note: "for review; voxctl apply patienten.plan carries it out",
    },
  ],
  verdict: true,
  run: (session, input) => withRefusals(() => runContactSync(session, input)),
};

async function runContactSync(session: Session, input: Input): Promise<void> {
  const match = readMatch(input.text("match") ?? "phone");
  const file = readFileFlags(input);
  const flags = readSyncFlags(input, "contacts", { match, country: file.country, ...toReadingOptions(file) });
  const clearEmpty = input.texts("clear-empty");
  const startedAt = session.clock.now();
  const [path = "-"] = input.arguments;
  const { source, contacts } = await openWhole(flags, () => openContacts(session, path, file));
  const protectPath = input.text("protect");
  const protect =
    protectPath === undefined
      ? undefined
      : await openContacts(session, protectPath, file, { isReportOnly: true }).catch(
          async (error: unknown) => {
            await source.close();
            throw error;
          },
        );
  try {
    if (flags.isDeleting && file.sheet === undefined) assertSingleSheet(source);
    const { checkClearEmpty } = await import("../../../bulk/index.js");
    const { contactSubject, protectedContacts } = await import("../../../bulk/sync/index.js");
    checkClearEmpty(contacts, clearEmpty);
    const { report } = getSyncPaths(session, input, flags, source.name);
    await synchronize(session, input, flags, {
      words: ["contacts", "sync"],
      ...{ flags: allFlags, groupType: "contacts", file: source.name, description: formatSource(source) },
      subject: contactSubject(contacts, { match, clearEmpty }),
      protectFile: protect === undefined ? undefined : protectedContacts(protect.contacts),
      madeAt: await getFileTime(session, input, startedAt),
      remarks: ({ notes }) =>
        formatMappingRemarks(contacts, {
          isShown: flags.dryRun || notes.live,
          clearEmpty,
          keyColumn: flags.task.keyColumn,
        }),
      writeRejects: await createRejectsWriter(session, file.rejects, contacts, report),
      advice: () => formatAdvice(contacts),
    });
  } finally {
    await source.close();
    await protect?.source.close();
  }
}

/** When the file was made; what has no time of its own counts from when it began to be read (S5). */
async function getFileTime(session: Session, input: Input, startedAt: number): Promise<number> {
  const [file = "-"] = input.arguments;
  if (file === "-") return startedAt;
  const { mtimeMs, isFile } = await stat(resolve(session.io.cwd, file)).then((status) => ({
    mtimeMs: status.mtimeMs,
    isFile: status.isFile(),
  }));
  return isFile ? mtimeMs : startedAt;
}
