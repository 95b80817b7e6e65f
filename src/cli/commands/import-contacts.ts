import { mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ImportSummary } from "../../bulk/engine/summary.js";
import type { Command } from "../command.js";
import { CliError, type Exit, exits } from "../errors.js";
import type { Session } from "../session.js";
import { type ImportFlags, importFlags, readImportFlags } from "./import/flags.js";
import { runImport } from "./import/run.js";

export const importContactsCommand: Command = {
  name: "import",
  summary: "Import contacts from a CSV, TSV, JSONL or JSON file",
  description:
    "Columns are known by their English or German headers. Numbers are brought into the international form, rows that " +
    "are already in the group are left alone, and what can't be imported is listed in a report. A run that was " +
    "interrupted goes on when the same command is given again; nothing is written twice.",
  arguments: [{ name: "file", description: "the file, or - for standard input" }],
  flags: importFlags,
  examples: [
    { command: "voxctl contacts import kunden.csv --group Kunden --create-group --country DE" },
    {
      command: "voxctl contacts import kunden.csv --group Kunden --country DE --dry-run",
      note: "what would happen",
    },
    {
      command:
        'voxctl contacts import list.csv --group Kunden --map "first_name=Rufname,phone_numbers=Tel1|Tel2"',
    },
    { command: "crm-export | voxctl contacts import - --group Kunden --on-match update -o json" },
  ],
  async run(session, input) {
    const flags = readImportFlags(input);
    const { BulkError } = await import("../../bulk/index.js");
    try {
      await importFile(session, flags);
    } catch (error) {
      throw error instanceof BulkError ? refusal(error) : error;
    }
  },
};

async function importFile(session: Session, flags: ImportFlags): Promise<void> {
  const { openContactInput, openSource, parseHeaderMap } = await import("../../bulk/index.js");
  const map = flags.map === undefined ? {} : parseHeaderMap(flags.map);
  const folder = join(session.folders.data, "runs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = await openSource(
    flags.file === "-" ? { stream: session.io.stdin } : { path: resolve(session.io.cwd, flags.file) },
    { name: flags.file, temporaryFolder: folder },
  );
  try {
    const contacts = await openContactInput(source, { country: flags.country, map });
    const connection = await session.connect({ mutates: !flags.dryRun, quiet: true });
    const { summary } = await runImport(
      {
        clientOptions: connection.clientOptions,
        baseUrl: connection.baseUrl("public") ?? "",
        profile: connection.profile.name,
        inProcess: connection.emulator !== undefined,
        clock: connection.clock,
        machineClock: session.clock,
        signal: session.signal,
        notes: session.notes,
        folder,
        maxWaitMilliseconds: session.flags.maxWaitMilliseconds,
      },
      contacts,
      { ...flags, report: flags.report === undefined ? undefined : resolve(session.io.cwd, flags.report) },
    );
    if (flags.dryRun) session.notes.note("dry run: nothing was sent");
    await session.output.item(summary);
    if (!flags.dryRun) throwIncomplete(summary);
    if (summary.created < summary.rows) session.notes.note(`report: ${summary.report}`);
  } finally {
    await source.close();
  }
}

/** Exit codes for what a person has to look at; the summary stands on stdout already. */
function throwIncomplete(summary: ImportSummary): void {
  const { rows, invalid, failed, unknown, report } = summary;
  const file = summary.file === "-" ? "standard input" : basename(summary.file);
  if (unknown > 0) {
    throw new CliError({
      exit: exits.unknown,
      code: "outcome_unknown",
      message: `of ${unknown} of ${rows} rows of ${file} nobody can say whether they were written`,
      outcome: "unknown",
      hint: `they are listed in ${report}`,
    });
  }
  if (invalid + failed > 0) {
    const parts = [
      ...(invalid > 0 ? [`${invalid} invalid`] : []),
      ...(failed > 0 ? [`${failed} rejected by the service`] : []),
    ];
    throw new CliError({
      exit: exits.partlyDone,
      code: "partly_done",
      message: `${invalid + failed} of ${rows} rows of ${file} were not imported: ${parts.join(", ")}`,
      outcome: "done",
      hint: `they are listed in ${report}`,
    });
  }
}

/** The bulk layer's refusals as the command line's: nothing was sent. */
function refusal(error: Error & { code: string; hint?: string | undefined }): CliError {
  const exit = refusalExits[error.code] ?? exits.usage;
  return new CliError({ exit, code: error.code, message: error.message, hint: error.hint, cause: error });
}

const refusalExits: Readonly<Record<string, Exit>> = {
  run_finished: exits.refused,
  run_busy: exits.conflict,
};
