import { mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "./bulk-flags.js";
import { createReplaceFlags } from "./flags.js";
import { formatSource, formatUnreadRemarks } from "./import.js";
import { formatSilentRemarks, type TableResource } from "./import-items.js";
import { withRefusals } from "./refusals.js";
import { warnOfHiddenContent } from "./sheet-warnings.js";
import { openWhole, synchronize } from "./sync.js";
import { createSyncFlags, readSyncFlags } from "./sync-flags.js";

/** `NOUN sync FILE` of items that a table has. */
export function createSyncCommand(resource: TableResource): Command {
  const { command, noun, plural, key, columns, map } = resource;
  const flags: readonly Flag[] = [
    ...createSyncFlags(resource),
    ...createReplaceFlags(plural),
    { name: "map", value: "field=column,…", description: `columns of the file: ${map}` },
    ...groupRunFlags,
  ];
  return {
    name: "sync",
    summary: `Make a group equal to a file: create, change and, with --delete, delete ${plural}`,
    description: `Columns are ${columns}, by these or their German headers. Each row becomes one ${noun}, known by its ${key}, and a ${noun} equals its row in the columns that the file has; an empty cell clears only in a column that is filled in at least half of the rows. A second run of the same file writes nothing.

With --delete the file has to look whole: not empty, not ending within a row, not much shorter than last time, not mostly invalid; and no more than --max-delete go. What others made or changed after the file was made stays. Everything is judged before the first write; a refusal is 12, and names the flag that lifts it. What can't be noticed: one row that is missing at a line's end, and without an earlier run or --expect-rows a file that was cut exactly between two rows. voxctl runs undo RUN takes a run back; what was deleted is made again, under a new id.`,
    arguments: [{ name: "file", description: "the file, or - for standard input" }],
    flags,
    examples: [
      { command: `voxctl ${command} sync list.csv --group Praxis --dry-run`, note: "what would change" },
      { command: `voxctl ${command} sync list.csv --group Praxis --delete --yes` },
    ],
    verdict: true,
    run: (session, input) => withRefusals(() => runSync(session, input, resource, flags)),
  };
}

async function runSync(
  session: Session,
  input: Input,
  resource: TableResource,
  own: readonly Flag[],
): Promise<void> {
  const { command, groupType } = resource;
  const flags = readSyncFlags(input, groupType);
  const startedAt = session.clock.now();
  const [file = "-"] = input.arguments;
  const { source, type, table } = await openWhole(flags, () => openTable(session, input, resource));
  try {
    const { tableSubject } = await import("../../../bulk/sync/index.js");
    await synchronize(session, input, flags, {
      words: [command, "sync"],
      ...{ flags: own, groupType, file: source.name, description: formatSource(source) },
      subject: tableSubject(type, source, table, resource),
      madeAt: file === "-" ? startedAt : (await stat(resolve(session.io.cwd, file))).mtimeMs,
      remarks: async () => [...formatUnreadRemarks(table.unread), ...formatSilentRemarks(table.silent)],
    });
  } finally {
    await source.close();
  }
}

async function openTable(session: Session, input: Input, resource: TableResource) {
  const { openSource, parseColumnMap, readTable } = await import("../../../bulk/index.js");
  const { type, fields, judge } = await resource.table();
  const [file = "-"] = input.arguments;
  const given = input.text("map");
  const map = given === undefined ? new Map<string, string>() : parseColumnMap(given, fields);
  const folder = join(session.folders.data, "runs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = await openSource(
    file === "-" ? { stream: session.io.stdin } : { path: resolve(session.io.cwd, file) },
    { name: file, temporaryFolder: folder, signal: session.signal },
  );
  try {
    warnOfHiddenContent(session, source);
    const clearEmpty = input.texts("clear-empty");
    return { source, type, table: await readTable(source, fields, map, { judge, clearEmpty }) };
  } catch (error) {
    await source.close();
    throw error;
  }
}
