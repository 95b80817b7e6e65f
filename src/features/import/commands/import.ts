import { finalCheckFlag } from "../../../cli/bulk/bulk-flags.js";
import {
  createImportFlags,
  createReplaceFlags,
  type ImportFlags,
  readBounds,
  readImportFlags,
} from "../../../cli/bulk/flags.js";
import { importContactsFile } from "../../../cli/bulk/import.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { showSummary } from "../../../cli/bulk/summary.js";
import { stateFlag } from "../../../cli/bulk/sync-flags.js";
import { openImportTarget } from "../../../cli/bulk/target.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { ReplaceBounds } from "../planning/bounds.js";
import { formatAdvice } from "./advice.js";
import {
  type FileFlags,
  fileFlags,
  matchFlag,
  openContacts,
  readFileFlags,
  toReadingOptions,
} from "./file-flags.js";
import { createKeysOf, type ImportKeyFlags, keyFlags, readKeys } from "./key-flags.js";
import { formatMappingRemarks } from "./mapping.js";
import { createRejectsWriter } from "./rejects.js";
import { toKeptRejects } from "./resumed-rejects.js";

const flags: readonly Flag[] = [
  ...createImportFlags("contacts")
    .filter(({ name }) => !fileFlags.some((flag) => flag.name === name))
    .map((flag) => (flag.name === "group" ? { ...flag, ofProfile: "group" as const } : flag)),
  ...fileFlags,
  matchFlag,
  ...keyFlags,
  {
    ...stateFlag,
    description: "File that stores which contact belongs to each key (JSONL)",
  },
  ...createReplaceFlags("contacts"),
  finalCheckFlag,
];

export const importContactsCommand: Command = {
  name: "import",
  summary: "Import contacts from a CSV, TSV, XLSX, JSONL, JSON or vCard file",
  description:
    "voxctl matches each row with the group's contacts by phone number, or by email if the row has no number. Rows that " +
    "match an earlier row are skipped. Rows that match an existing contact are also skipped; to update the contacts instead, " +
    "use --on-match. Invalid rows are reported and the rest is imported; the exit code is then 68.\n\nTo resume an interrupted import, run the same command again: no row is imported " +
    'twice. Use "-" to read standard input. To try an import without the service, use --profile offline.',
  arguments: [{ name: "file", description: "Input file; - means standard input" }],
  flags,
  examples: [
    {
      command: "voxctl contacts import customers.csv --group Kunden --country DE --dry-run",
      note: "Preview, then import",
    },
    { command: "voxctl contacts import customers.csv --group Kunden --country DE" },
    {
      command:
        'voxctl contacts import list.csv --group Kunden --map "first_name=Rufname,phone_numbers=Tel1|Tel2"',
      note: "Map columns whose names voxctl doesn't recognize",
    },
    {
      command:
        "voxctl contacts import crm.csv --group Kunden --country DE --key Kundennummer --on-match replace",
      note: "Update existing contacts, matched by customer number",
    },
    { command: "voxctl contacts import kontakte.vcf --group Kunden --country DE --key UID", note: "vCards" },
    {
      command: "voxctl contacts import customers.csv --group Kunden --country DE --plan customers.plan",
      note: "Save the changes for review before you apply them",
    },
  ],
  verdict: true,
  async run(session, input) {
    const read = readImportFlags(input, session, { noun: "contacts", type: "contacts", flags });
    const file = readFileFlags(input);
    const clearEmpty = input.texts("clear-empty");
    await withRefusals(async () =>
      importFile(session, read, file, {
        ...{ clearEmpty, bounds: await readBounds(input) },
        keys: readKeys(input, read),
      }),
    );
  },
};

interface ImportOptions {
  clearEmpty: readonly string[];
  bounds: ReplaceBounds;
  keys: ImportKeyFlags | undefined;
}

async function importFile(
  session: Session,
  flags: ImportFlags,
  fileFlags: FileFlags,
  { clearEmpty, bounds, keys }: ImportOptions,
): Promise<void> {
  const { checkClearEmpty } = await import("../index.js");
  const { source, contacts, folder } = await openContacts(session, flags.file, fileFlags);
  try {
    checkClearEmpty(contacts, clearEmpty);
    const writeRejects = await createRejectsWriter(session, fileFlags.rejects, contacts, flags.report);
    const matching = {
      clearEmpty: flags.onMatch === "replace" ? clearEmpty : undefined,
      keyColumn: keys?.column,
    };
    const remarks = await formatMappingRemarks(contacts, {
      isShown: flags.dryRun || session.notes.live,
      ...matching,
    });
    const target = await openImportTarget(session, folder, flags);
    const advice = () => formatAdvice(contacts, matching);
    const rejects = toKeptRejects(session, flags.file, fileFlags);
    const { summary, groupIsNew, sealed } = await importContactsFile(target, contacts, flags, {
      ...{ clearEmpty, bounds, writeRejects, rejects, remarks },
      ...{ reading: toReadingOptions(fileFlags), maps: fileFlags.maps },
      keys: keys && createKeysOf(session, contacts, flags, { clearEmpty, keys }),
    }).catch((error: unknown) => {
      // The advice also helps if the import was refused or interrupted.
      for (const text of advice()) session.notes.note(text);
      throw error;
    });
    await showSummary(session, summary, {
      ...flags,
      noun: "contact",
      groupIsNew,
      sealed,
      advice: advice(),
      rejects: fileFlags.rejects,
      offersRejects: true,
    });
  } finally {
    await source.close();
  }
}
