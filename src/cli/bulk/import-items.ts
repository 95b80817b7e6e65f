import { join, resolve } from "node:path";
import { makePrivateFolder } from "../../base/private-file.js";
import type { TableType } from "../../features/import/items/tables.js";
import type { ReplaceBounds } from "../../features/import/planning/bounds.js";
import type { Command } from "../session/command.js";
import type { Example } from "../session/input.js";
import type { groupOf } from "../session/references/group.js";
import type { Session } from "../session/session.js";
import {
  createImportFlags,
  createReplaceFlags,
  type ImportFlags,
  readBounds,
  readImportFlags,
} from "./flags.js";
import { formatSource, formatUnreadRemarks, type GroupInput, importIntoGroup } from "./import.js";
import { withRefusals } from "./refusals.js";
import { warnOfHiddenContent } from "./sheet-warnings.js";
import { showSummary } from "./summary.js";
import { openImportTarget } from "./target.js";

export interface TableResource {
  command: string;
  groupType: Parameters<typeof groupOf>[0];
  noun: string;
  plural: string;
  key: string;
  columns: string;
  map: string;
  examples: readonly Example[];
  table(): Promise<TableType>;
}

export function createImportCommand(resource: TableResource): Command {
  const { groupType, plural, key, columns, map, examples } = resource;
  const flags = [...createImportFlags(plural), ...createReplaceFlags(plural)].map((flag) =>
    flag.name === "map" ? { ...flag, description: `Column for each field: ${map}` } : flag,
  );
  return {
    name: "import",
    summary: `Import ${plural} from a CSV, TSV, XLSX, JSONL or JSON file`,
    description:
      `The columns are ${columns}; German names also work. Rows whose ${key} already exists in the group are skipped; use ` +
      "--on-match to update the existing items instead. With --on-match replace, an empty cell clears a field if at least " +
      `half of the column is filled. If two rows have the same ${key} but differ, the second row is invalid.\n\nTo resume an ` +
      "interrupted import, run the same command again: no row is imported twice.",
    arguments: [{ name: "file", description: "Input file; - means standard input" }],
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
    "../../features/import/index.js"
  );
  const { type, fields, judge } = await resource.table();
  const map = flags.map === undefined ? new Map<string, string>() : parseColumnMap(flags.map, fields);
  const folder = join(session.folders.data, "runs");
  await makePrivateFolder(folder);
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
      remarks: [...formatUnreadRemarks(unread, resource.command), ...formatSilentRemarks(silent)],
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
    const { noun, plural } = resource;
    await showSummary(session, summary, { ...flags, noun, plural, groupIsNew, sealed });
  } finally {
    await source.close();
  }
}

export function formatSilentRemarks(silent: readonly string[]): string[] {
  if (silent.length === 0) return [];
  const names = silent.map((name) => `"${name}"`).join(", ");
  const first = silent.length === 1 ? silent[0] : "COLUMN";
  return [
    `most cells in ${names} are empty, so voxctl ignores the empty cells; to clear fields instead, use --clear-empty "${first}"`,
  ];
}
