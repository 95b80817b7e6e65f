import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TableType } from "../../../bulk/items/tables.js";
import type { Command } from "../../session/command.js";
import type { Example } from "../../session/input.js";
import type { groupOf } from "../../session/references/group.js";
import type { Session } from "../../session/session.js";
import { type ImportFlags, importFlags, readImportFlags } from "./flags.js";
import { type GroupInput, runIntoGroup, sourceText, unreadRemarks } from "./import.js";
import { openImportTarget, showSummary, withRefusals } from "./session.js";

interface Imported {
  command: string;
  groupType: Parameters<typeof groupOf>[0];
  plural: string;
  /** The field by which a row and what is there are the same. */
  key: string;
  columns: string;
  map: string;
  examples: readonly Example[];
  table(): Promise<TableType>;
}

/** `NOUN import FILE` of items that a table has. */
export function importCommand(kind: Imported): Command {
  const { groupType, plural, key, columns, map, examples } = kind;
  // The identity of an item can't be chosen, and none of its fields is a phone number.
  const flags = importFlags
    .filter(({ name }) => name !== "country" && name !== "match")
    .map((flag) => (flag.name === "map" ? { ...flag, description: `columns of the file: ${map}` } : flag))
    .map((flag) =>
      flag.name === "on-match"
        ? {
            ...flag,
            description: `skip: leave what has the ${key}; update: change what differs; create: compare nothing`,
          }
        : flag,
    );
  return {
    name: "import",
    summary: `Import ${plural} from a CSV, TSV, XLSX, JSONL or JSON file`,
    description:
      `Columns are ${columns}, by these or their German headers. A row whose ${key} is in the group already is left ` +
      `alone or updates it; an empty cell never clears a field. A ${key} that stands in the file with two contents ` +
      "is imported once, and the other row is reported as invalid. A run that was interrupted goes on when the same " +
      "command is given again; nothing is written twice.",
    arguments: [{ name: "file", description: "the file, or - for standard input" }],
    flags,
    examples,
    verdict: true,
    async run(session, input) {
      const read = readImportFlags(input, session, { noun: kind.command, type: groupType, flags });
      await withRefusals(() => importFile(session, kind, read));
    },
  };
}

async function importFile(session: Session, kind: Imported, flags: ImportFlags): Promise<void> {
  const { importItems, openSource, parseColumnMap, readTable, usableItems } = await import(
    "../../../bulk/index.js"
  );
  const { type, fields, judge } = await kind.table();
  const map = flags.map === undefined ? new Map<string, string>() : parseColumnMap(flags.map, fields);
  const folder = join(session.folders.data, "runs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = await openSource(
    flags.file === "-" ? { stream: session.io.stdin } : { path: resolve(session.io.cwd, flags.file) },
    { name: flags.file, temporaryFolder: folder, signal: session.signal },
  );
  try {
    const { rows, unread } = await readTable(source, fields, map, judge);
    const target = await openImportTarget(session, folder, flags);
    const input: GroupInput = {
      description: sourceText(source),
      command: `${kind.command} import ${source.name}`,
      file: source.name,
      remarks: unreadRemarks(unread),
      usable: (world) => usableItems(rows(), type, world),
    };
    const { summary, groupIsNew, sealed } = await runIntoGroup(
      target,
      kind.groupType,
      flags,
      input,
      (context, into) =>
        importItems(context, type, {
          ...into,
          rows,
          file: source.name,
          digest: source.digest,
          map: flags.map,
          onMatch: flags.onMatch,
          strict: flags.strict,
          newRun: flags.newRun,
          reportPath: flags.report,
        }),
    );
    await showSummary(session, summary, { ...flags, groupIsNew, sealed });
  } finally {
    await source.close();
  }
}
