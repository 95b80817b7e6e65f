import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TableType } from "../../../bulk/items/tables.js";
import type { ReplaceBounds } from "../../../bulk/planning/bounds.js";
import type { Command } from "../../session/command.js";
import type { Example } from "../../session/input.js";
import type { groupOf } from "../../session/references/group.js";
import type { Session } from "../../session/session.js";
import { createReplaceFlags, type ImportFlags, importFlags, readBounds, readImportFlags } from "./flags.js";
import { formatSource, formatUnreadRemarks, type GroupInput, importIntoGroup } from "./import.js";
import { withRefusals } from "./refusals.js";
import { warnOfHiddenContent } from "./sheet-warnings.js";
import { showSummary } from "./summary.js";
import { openImportTarget } from "./target.js";

/** Items that a table has. */
export interface TableResource {
  command: string;
  groupType: Parameters<typeof groupOf>[0];
  noun: string;
  plural: string;
  /** The field by which a row and what is there are the same. */
  key: string;
  columns: string;
  map: string;
  examples: readonly Example[];
  table(): Promise<TableType>;
}

/** `NOUN import FILE` of items that a table has. */
export function createImportCommand(resource: TableResource): Command {
  const { groupType, plural, key, columns, map, examples } = resource;
  // The identity of an item can't be chosen, and none of its fields is a phone number.
  const flags = [...importFlags, ...createReplaceFlags(plural)]
    .map((flag) => (flag.name === "map" ? { ...flag, description: `columns of the file: ${map}` } : flag))
    .map((flag) =>
      flag.name === "on-match"
        ? {
            ...flag,
            choices: ["skip", "update", "replace", "create"],
            description: `Action for existing ${plural}: skip, update, replace or create`,
          }
        : flag,
    );
  return {
    name: "import",
    summary: `Import ${plural} from a CSV, TSV, XLSX, JSONL or JSON file`,
    description:
      `Columns are ${columns}, by these or their German headers. A row whose ${key} is in the group already is left ` +
      `alone, updates it, or with --on-match replace makes it equal to the row; only then an empty cell clears a field, in ` +
      `a column that is filled in at least half of the rows. A ${key} that stands in the file with two contents ` +
      "is imported once, and the other row is reported as invalid. A run that was interrupted goes on when the same " +
      "command is given again; nothing is written twice.",
    arguments: [{ name: "file", description: "the file, or - for standard input" }],
    flags,
    examples,
    verdict: true,
    async run(session, input) {
      const read = readImportFlags(input, session, { noun: resource.command, type: groupType, flags });
      const clearEmpty = read.onMatch === "replace" ? input.texts("clear-empty") : undefined;
      await withRefusals(async () =>
        importFile(session, resource, read, { clearEmpty, bounds: await readBounds(input) }),
      );
    },
  };
}

async function importFile(
  session: Session,
  resource: TableResource,
  flags: ImportFlags,
  { clearEmpty, bounds }: { clearEmpty: readonly string[] | undefined; bounds: ReplaceBounds },
): Promise<void> {
  const { importItems, openSource, parseColumnMap, readTable, usableItems } = await import(
    "../../../bulk/index.js"
  );
  const { type, fields, judge } = await resource.table();
  const map = flags.map === undefined ? new Map<string, string>() : parseColumnMap(flags.map, fields);
  const folder = join(session.folders.data, "runs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = await openSource(
    flags.file === "-" ? { stream: session.io.stdin } : { path: resolve(session.io.cwd, flags.file) },
    { name: flags.file, temporaryFolder: folder, signal: session.signal },
  );
  try {
    warnOfHiddenContent(session, source);
    const { rows, unread, silent } = await readTable(source, fields, map, { judge, clearEmpty });
    const target = await openImportTarget(session, folder, flags);
    const input: GroupInput = {
      description: formatSource(source),
      command: `${resource.command} import ${source.name}`,
      remarks: [...formatUnreadRemarks(unread), ...formatSilentRemarks(silent)],
      usable: (emulatorId) => usableItems(rows(), type, emulatorId),
    };
    const { summary, groupIsNew, sealed } = await importIntoGroup(
      target,
      resource.groupType,
      flags,
      input,
      (context, into) =>
        importItems(context, type, {
          ...into,
          rows,
          file: source.name,
          digest: source.digest,
          map: flags.map,
          clearEmpty: clearEmpty ?? [],
          bounds: flags.onMatch === "replace" ? bounds : undefined,
          onMatch: flags.onMatch,
          strict: flags.strict,
          newRun: flags.newRun,
          resultsPath: flags.report,
        }),
    );
    await showSummary(session, summary, { ...flags, groupIsNew, sealed });
  } finally {
    await source.close();
  }
}

/** Columns whose empty cells say nothing (S0). */
export function formatSilentRemarks(silent: readonly string[]): string[] {
  if (silent.length === 0) return [];
  const names = silent.map((name) => `"${name}"`).join(", ");
  const [are, their, first] = silent.length === 1 ? ["is", "its", silent[0]] : ["are", "their", "COLUMN"];
  return [
    `${names} ${are} empty in most rows: ${their} empty cells clear nothing (--clear-empty "${first}" lifts that)`,
  ];
}
