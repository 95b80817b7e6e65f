import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makePrivateFolder } from "../../base/private-file.js";
import type { Command } from "../session/command.js";
import type { Flag, Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import { groupRunFlags } from "./bulk-flags.js";
import { createReplaceFlags } from "./flags.js";
import { formatSource, formatUnreadRemarks } from "./import.js";
import { formatSilentRemarks, type TableResource } from "./import-items.js";
import { withRefusals } from "./refusals.js";
import { warnOfHiddenContent } from "./sheet-warnings.js";
import { openWhole, synchronize } from "./sync.js";
import { createSyncFlags, readSyncFlags } from "./sync-flags.js";

export function createSyncCommand(resource: TableResource): Command {
  const { command, noun, plural, key, columns, map } = resource;
  const flags: readonly Flag[] = [
    ...createSyncFlags(resource),
    ...createReplaceFlags(plural),
    { name: "map", value: "field=column,…", description: `Column for each field: ${map}` },
    ...groupRunFlags,
  ];
  return {
    name: "sync",
    summary: `Update a group of ${plural} to match a file`,
    description: `The columns are ${columns}; German names also work. voxctl creates and updates ${plural} so that each row has one ${noun} with the same ${key} and the same values. Existing ${plural} that are not in the file are kept, unless you use --delete. Empty cells clear a field only if at least half of the column is filled.

With --delete, voxctl refuses a file that looks incomplete: one that is empty, ends within a row, has too many invalid rows, or is much shorter than the file of the last run. voxctl keeps ${plural} that another user changed after the file was last changed.\n\nAll checks run before the first write. If a check fails, the command exits with code 12, and a hint shows the next step. Without --expect-rows or an earlier run, voxctl can't detect a file that was cut exactly between two rows.

To resume an interrupted sync, run the same command again. To revert a sync, run \`voxctl runs undo RUN\`; deleted ${plural} are recreated with new IDs.`,
    arguments: [{ name: "file", description: "Input file; - means standard input" }],
    flags,
    examples: [
      { command: `voxctl ${command} sync list.csv --group Praxis --dry-run`, note: "Preview" },
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
    const { tableSubject } = await import("../../features/sync/index.js");
    await synchronize(session, input, flags, {
      words: [command, "sync"],
      ...{ flags: own, groupType, file: source.name, description: formatSource(source) },
      subject: tableSubject(type, source, table, resource),
      madeAt: file === "-" ? startedAt : (await stat(resolve(session.io.cwd, file))).mtimeMs,
      remarks: async () => [
        ...formatUnreadRemarks(table.unread, command),
        ...formatSilentRemarks(table.silent),
      ],
    });
  } finally {
    await source.close();
  }
}

async function openTable(session: Session, input: Input, resource: TableResource) {
  const { openSource, parseColumnMap, readTable } = await import("../../features/import/index.js");
  const { type, fields, judge } = await resource.table();
  const [file = "-"] = input.arguments;
  const given = input.text("map");
  const map = given === undefined ? new Map<string, string>() : parseColumnMap(given, fields);
  const folder = join(session.folders.data, "runs");
  await makePrivateFolder(folder);
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
