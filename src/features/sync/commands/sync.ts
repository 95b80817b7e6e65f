import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { finalCheckFlag, groupRunFlags } from "../../../cli/bulk/bulk-flags.js";
import { createReplaceFlags, readMatch } from "../../../cli/bulk/flags.js";
import { formatSource } from "../../../cli/bulk/import.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { assertSingleSheet } from "../../../cli/bulk/sheet-warnings.js";
import { getSyncPaths, openWhole, synchronize } from "../../../cli/bulk/sync.js";
import { createSyncFlags, readSyncFlags } from "../../../cli/bulk/sync-flags.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { formatAdvice } from "../../import/commands/advice.js";
import {
  fileFlags,
  matchFlag,
  openContacts,
  readFileFlags,
  toReadingOptions,
} from "../../import/commands/file-flags.js";
import { keyFlags } from "../../import/commands/key-flags.js";
import { formatMappingRemarks } from "../../import/commands/mapping.js";
import { createRejectsWriter } from "../../import/commands/rejects.js";

const nouns = { noun: "contact", plural: "contacts" };

const contactFlags: readonly Flag[] = [
  ...keyFlags,
  matchFlag,
  {
    name: "protect",
    value: "file",
    description: "File with contacts that are never deleted, identified by number, email or key",
    group: "Safety",
  },
];

const allFlags: readonly Flag[] = [
  ...createSyncFlags(nouns),
  ...contactFlags,
  ...createReplaceFlags("contacts"),
  ...fileFlags,
  ...groupRunFlags,
  finalCheckFlag,
];

export const syncContacts: Command = {
  name: "sync",
  summary: "Update a group of contacts to match a file",
  description: `voxctl creates and updates contacts so that each row of the file has one contact with its values. The file can be CSV, TSV, XLSX, JSONL, JSON or vCard. Contacts that are not in the file are kept, unless you use --delete.\n\nInvalid cells don't change a field. Empty cells clear a field only if at least half of the column is filled; to clear a contact's last number or last email, use --clear-empty.

With --delete, voxctl refuses a file that looks incomplete: one that is empty, ends within a row, has too many invalid rows, or is much shorter than the file of the last run. voxctl keeps contacts that share a number, email or full name with an invalid row, and contacts that another user changed after the file was last changed.\n\nAll checks run before the first write. If a check fails, the command exits with code 12, and a hint shows the next step.

Without --expect-rows or an earlier run, voxctl can't detect a file that was cut exactly between two rows. It also can't detect errors below the limits, such as swapped cells in a few rows. In groups with fewer than 20 contacts, only deletions are limited, unless you use --max-update and --max-clear.

voxctl reads each contact again before it changes or deletes it, and skips contacts that another user has changed since the sync read the group. If another user changed a contact earlier, but after the file was last changed, voxctl doesn't delete the contact, but still replaces its values with the file's values.

To resume an interrupted sync, run the same command again. To revert a sync, run \`voxctl runs undo RUN\`; deleted contacts are recreated with new IDs.`,
  arguments: [{ name: "file", description: "Input file; - means standard input" }],
  flags: allFlags,
  confirms: "deletions",
  examples: [
    {
      command: "voxctl contacts sync kunden.csv --group Patienten --country DE --dry-run",
      note: "Preview",
    },
    {
      command: "voxctl contacts sync crm.csv --group Kunden --country DE --key Kundennummer --delete --yes",
      note: "Nightly, from a CRM export",
    },
    {
      command: "voxctl contacts sync kunden.csv --group Patienten --country DE --plan patienten.plan",
      note: "Save the changes for review before you apply them",
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
    const { checkClearEmpty } = await import("../../import/index.js");
    const { contactSubject, protectedContacts } = await import("../index.js");
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
      advice: () => formatAdvice(contacts, { clearEmpty, keyColumn: flags.task.keyColumn }),
    });
  } finally {
    await source.close();
    await protect?.source.close();
  }
}

/** Returns when the file was last changed. For a stream, returns when reading started. */
async function getFileTime(session: Session, input: Input, startedAt: number): Promise<number> {
  const [file = "-"] = input.arguments;
  if (file === "-") return startedAt;
  const { mtimeMs, isFile } = await stat(resolve(session.io.cwd, file)).then((status) => ({
    mtimeMs: status.mtimeMs,
    isFile: status.isFile(),
  }));
  return isFile ? mtimeMs : startedAt;
}
