import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { counted } from "../../../base/text.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { type ImportFlags, importFlags, readImportFlags } from "../bulk/flags.js";
import { runImport } from "../bulk/import.js";
import { importPlace, showSummary, withRefusals } from "../bulk/session.js";

export const importContactsCommand: Command = {
  name: "import",
  summary: "Import contacts from a CSV, TSV, XLSX, JSONL or JSON file",
  description:
    "Columns are known by their English or German headers; of a spreadsheet the first sheet is read. Numbers are " +
    "brought into the international form. A row is taken for a contact of the group, or for an earlier row, if they " +
    "share a phone number, even under another name (a warning says so; --match decides otherwise), and is left alone " +
    "then. What can't be imported is listed in a report. A run that was interrupted goes on when the same command is " +
    "given again; nothing is written twice.",
  arguments: [{ name: "file", description: "the file, or - for standard input" }],
  flags: importFlags,
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
    { command: "crm-export | voxctl contacts import - --group Patienten --on-match update -o json" },
  ],
  async run(session, input) {
    const flags = readImportFlags(input, session);
    await withRefusals(() => importFile(session, flags));
  },
};

async function importFile(session: Session, flags: ImportFlags): Promise<void> {
  const { openContactInput, openSource, parseHeaderMap } = await import("../../../bulk/index.js");
  const map = flags.map === undefined ? {} : parseHeaderMap(flags.map);
  const folder = join(session.folders.data, "runs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = await openSource(
    flags.file === "-" ? { stream: session.io.stdin } : { path: resolve(session.io.cwd, flags.file) },
    { name: flags.file, temporaryFolder: folder, signal: session.signal },
  );
  try {
    const contacts = await openContactInput(source, { country: flags.country, map });
    const place = await importPlace(session, folder, flags);
    const advice = () => countryAdvice(contacts.withoutCountry());
    const { summary, groupIsNew } = await runImport(place, contacts, flags).catch((error: unknown) => {
      // Refused as a whole, or interrupted: all the same it is worth knowing.
      const text = advice();
      if (text !== undefined) session.notes.note(text);
      throw error;
    });
    await showSummary(session, summary, { ...flags, groupIsNew, advice: advice() });
  } finally {
    await source.close();
  }
}

/** Most lists are written at home: what that takes is worth more than each row's complaint. */
function countryAdvice(numbers: number): string | undefined {
  if (numbers === 0) return undefined;
  const have = numbers === 1 ? "has" : "have";
  const them = numbers === 1 ? "it as a German one" : "them as German ones";
  return `${counted(numbers, "phone number")} ${have} no country code: --country DE reads ${them}`;
}
