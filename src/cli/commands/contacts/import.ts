import type { ReplaceBounds } from "../../../bulk/planning/bounds.js";
import type { Command } from "../../session/command.js";
import type { Flag } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import {
  createReplaceFlags,
  type ImportFlags,
  importFlags,
  readBounds,
  readImportFlags,
} from "../bulk/flags.js";
import { importContactsFile } from "../bulk/import.js";
import { withRefusals } from "../bulk/refusals.js";
import { showSummary } from "../bulk/summary.js";
import { stateFlag } from "../bulk/sync-flags.js";
import { openImportTarget } from "../bulk/target.js";
import { formatAdvice } from "./advice.js";
import {
  type FileFlags,
  fileFlags,
  matchFlag,
  openContacts,
  readFileFlags,
  toReadingOptions,
} from "./file-flags.js";
import { type ImportKeys, keyFlags, readKeys, runKeyedImport } from "./import-keyed.js";
import { formatMappingRemarks } from "./mapping.js";
import { createRejectsWriter } from "./rejects.js";
import { toKeptRejects } from "./resumed-rejects.js";

const flags: readonly Flag[] = [
  ...importFlags.filter(({ name }) => !fileFlags.some((flag) => flag.name === name)).map(toContactFlag),
  ...fileFlags,
  matchFlag,
  ...keyFlags,
  {
    ...stateFlag,
    description: "File that stores the known keys (JSONL)",
  },
  ...createReplaceFlags("contacts"),
];

export const importContactsCommand: Command = {
  name: "import",
  summary: "Import contacts from a CSV, TSV, XLSX, JSONL or JSON file",
  description:
    "Columns are known by their English or German headers; the header and a spreadsheet's sheet are " +
    "found among the first 20 rows, and said. Numbers are " +
    "brought into the international form. A row is taken for a contact of the group, or for an earlier row, if they " +
    "share a phone number, even under another name (a warning says so; --match decides otherwise), and is left alone " +
    "then; with --on-match update it adds to the contact, with --on-match replace it makes the contact equal to the row. A row that repeats an earlier row is always left out; a warning names those with numbers or e-mails that the earlier one lacks. With --key a row is known by a column of your own, such as a customer number: which contact each key became is kept, so that the next import, or contacts sync, of the same group knows it again, whatever else changed. Rows that can't be imported are listed in a report. A run that was interrupted goes on when the same command is " +
    "given again; nothing is written twice.",
  arguments: [{ name: "file", description: "the file, or - for standard input" }],
  flags,
  examples: [
    { command: "voxctl contacts import kunden.csv --group Kunden --create-group --country DE" },
    {
      command: "voxctl contacts import kunden.csv --group Patienten --country DE --dry-run",
      note: "what would happen",
    },
    {
      command:
        'voxctl contacts import list.csv --group Patienten --map "first_name=Rufname,phone_numbers=Tel1|Tel2"',
    },
    {
      command:
        "voxctl contacts import kunden.csv --group Patienten --country DE --rejects nicht-importiert.csv",
      note: "what is mended in nicht-importiert.csv can be imported as it is",
    },
    {
      command:
        "voxctl contacts import kunden.csv --group Patienten --country DE --on-match replace --dry-run",
      note: "what would change where the file is right",
    },
    {
      command: "voxctl contacts import kunden.csv --group Patienten --country DE --plan kunden.plan",
      note: "what is reviewed before voxctl apply kunden.plan carries it out",
    },
    {
      command:
        "voxctl contacts import crm.csv --group Kunden --create-group --country DE --key Kundennummer --on-match replace",
      note: "a customer number says who is who, however often the telephone number changes",
    },
    { command: "crm-export | voxctl contacts import - --group Patienten --on-match update -o json" },
  ],
  verdict: true,
  async run(session, input) {
    const read = readImportFlags(input, session, { noun: "contacts", type: "contacts", flags });
    const file = readFileFlags(input);
    const clearEmpty = input.texts("clear-empty");
    await withRefusals(async () =>
      importFile(session, read, file, {
        ...{ clearEmpty, bounds: await readBounds(input) },
        keys: readKeys(input, read, flags),
      }),
    );
  },
};

function toContactFlag(flag: Flag): Flag {
  if (flag.name === "group") return { ...flag, ofProfile: "group" };
  if (flag.name !== "on-match") return flag;
  return {
    ...flag,
    description: "Action for existing contacts: skip, update, replace or create",
    choices: ["skip", "update", "replace", "create"],
  };
}

interface ImportOptions {
  clearEmpty: readonly string[];
  bounds: ReplaceBounds;
  keys: ImportKeys | undefined;
}

async function importFile(
  session: Session,
  flags: ImportFlags,
  fileFlags: FileFlags,
  { clearEmpty, bounds, keys }: ImportOptions,
): Promise<void> {
  const { checkClearEmpty } = await import("../../../bulk/index.js");
  const { source, contacts, folder } = await openContacts(session, flags.file, fileFlags);
  try {
    checkClearEmpty(contacts, clearEmpty);
    const writeRejects = await createRejectsWriter(session, fileFlags.rejects, contacts, flags.report);
    const isReplacing = flags.onMatch === "replace";
    const remarks = await formatMappingRemarks(contacts, {
      isShown: flags.dryRun || session.notes.live,
      clearEmpty: isReplacing ? clearEmpty : undefined,
      keyColumn: keys?.column,
    });
    const target = await openImportTarget(session, folder, flags);
    const advice = () => formatAdvice(contacts);
    const rejects = toKeptRejects(session, flags.file, fileFlags);
    const more = { clearEmpty, bounds, writeRejects, rejects, reading: toReadingOptions(fileFlags) };
    const { summary, groupIsNew, sealed } = await (keys === undefined
      ? importContactsFile(target, contacts, flags, { ...more, maps: fileFlags.maps, remarks })
      : runKeyedImport(session, target, remarks, { ...more, keys, flags, input: contacts })
    ).catch((error: unknown) => {
      // Refused as a whole, or interrupted: all the same it is worth knowing.
      const text = advice();
      if (text !== undefined) session.notes.note(text);
      throw error;
    });
    await showSummary(session, summary, { ...flags, groupIsNew, sealed, advice: advice() });
  } finally {
    await source.close();
  }
}
