/** `contacts import --key`: matches rows by a key column and stores the contact of each key. */

import { join, resolve } from "node:path";
import { quoteWord } from "../../../base/shell-words.js";
import type { ImportFlags } from "../../../cli/bulk/flags.js";
import { type ImportTarget, importIntoGroup, toGroupInput } from "../../../cli/bulk/import.js";
import { formatCommandWords } from "../../../cli/bulk/plan-file.js";
import type { BulkTarget } from "../../../cli/bulk/target.js";
import { usageError } from "../../../cli/errors/errors.js";
import { rememberedFile } from "../../../cli/profiles/rehearsal-file.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { version } from "../../../cli/session/version.js";
import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { SyncOptions } from "../../sync/run.js";
import type { SyncTask } from "../../sync/task.js";
import type { ContactInput } from "../contacts/input.js";
import type { ReplaceBounds } from "../planning/bounds.js";

const keyFlag: Flag = {
  name: "key",
  value: "column",
  description: "Column with your own ID, such as a customer number; matches before --match",
  group: "Matching",
};

/** Flags of every command that matches contacts by keys. */
export const keyFlags: readonly Flag[] = [
  keyFlag,
  {
    name: "accept-new-map",
    description: "Allow a first import with --key to create contacts in a group that is not empty",
    group: "Safety",
  },
  {
    name: "accept-rekey",
    description: "Allow many known keys to identify different people",
    group: "Safety",
  },
];

/** The key flags of an import. */
export interface ImportKeys {
  column: string;
  /** Path as typed. */
  stateFile: string | undefined;
  acceptNewMap: boolean;
  acceptRekey: boolean;
  command: string[];
}

/**
 * Reads the key flags. Returns undefined if --key was not passed.
 * @throws usage error (2) for flags that require --key or exclude it
 */
export function readKeys(
  input: Input,
  { onMatch, newRun }: ImportFlags,
  flags: readonly Flag[],
): ImportKeys | undefined {
  const column = input.text("key");
  if (column === undefined) {
    for (const name of ["state", "accept-new-map", "accept-rekey"])
      if (input.has(name)) throw usageError(`--${name} requires --key`);
    return undefined;
  }
  if (onMatch === "create")
    throw usageError("--key can't be combined with --on-match create, which compares no contacts", {
      hint: "to keep existing contacts unchanged, use --on-match skip",
    });
  if (newRun)
    throw usageError("--key can't be combined with --new-run: it always resumes an interrupted run", {
      hint: "to revert that run, run `voxctl runs undo RUN`",
    });
  return {
    column,
    stateFile: input.text("state"),
    acceptNewMap: input.on("accept-new-map") === true,
    acceptRekey: input.on("accept-rekey") === true,
    command: formatCommandWords(["contacts", "import"], input, flags),
  };
}

/** Data of an import before its group is looked up. */
interface KeyedImport {
  keys: ImportKeys;
  input: ContactInput;
  flags: ImportFlags;
  bounds: ReplaceBounds;
  clearEmpty: readonly string[];
  /** Flags that change how the file is read. */
  reading: Readonly<Record<string, unknown>>;
  writeRejects: SyncOptions["writeRejects"];
}

/** Finds or creates the group and imports contacts into it. */
export async function runKeyedImport(
  session: Session,
  target: BulkTarget,
  remarks: readonly string[],
  keyed: KeyedImport,
): ReturnType<typeof importIntoGroup> {
  const { flags, input } = keyed;
  const { plan } = flags;
  let planId: string | null = null;
  const imported = await importIntoGroup(
    target,
    "contacts",
    flags,
    { ...(await toGroupInput(input, remarks, keyed.keys.column)), isPlannedFirst: true },
    async (context, into) => {
      const summary = await importKeyed(session, target, { context, into }, keyed);
      planId = summary.plan_id;
      return summary;
    },
  );
  const { created = 0, updated = 0 } = imported.summary.outcomes;
  const sealed =
    plan && planId !== null ? { file: plan.file, id: planId, steps: created + updated } : undefined;
  return { ...imported, sealed };
}

async function importKeyed(
  session: Session,
  target: BulkTarget,
  { context, into }: { context: RunContext; into: ImportTarget },
  keyed: KeyedImport,
): Promise<WriteSummary> {
  const { contactSubject, createKeyMapFileStore, createKeyMapStore, runSync, syncResultsPath } = await import(
    "../../sync/index.js"
  );
  const { keys, input, flags, bounds, clearEmpty, reading } = keyed;
  const { groupId = "", groupName } = into;
  const { plan, onMatch, match, strict } = flags;
  if (plan !== undefined && groupId === "")
    throw usageError(`contact group "${groupName}" not found: --plan with --key requires an existing group`, {
      hint: `create it: \`voxctl groups create --type contacts --name ${quoteWord(groupName)}\``,
    });
  const isReplacing = onMatch === "replace";
  const task: SyncTask = {
    subject: contactSubject(input, { match, clearEmpty: isReplacing ? clearEmpty : undefined }),
    keyedImport: { onMatch: onMatch === "create" ? "skip" : onMatch, strict },
    file: input.source.name,
    groupId,
    groupName,
    options: { ...reading, match },
    keyColumn: keys.column,
    bounds,
    ...{ deletes: false, deletesDuplicates: false, deletesNewer: false, maxDelete: undefined },
    ...{ protectFile: undefined, expectRows: undefined },
    acceptNewMap: keys.acceptNewMap,
    acceptRekey: keys.acceptRekey,
    madeAt: session.serviceNow(),
  };
  const { stateFile } = keys;
  const { cwd, env } = session.io;
  const path = stateFile === undefined ? undefined : rememberedFile(env, resolve(cwd, stateFile));
  const folder = join(session.folders.data, "sync");
  const { baseUrl } = context;
  const storeOf = (id: string) =>
    path === undefined ? createKeyMapStore({ baseUrl, groupId: id, folder }) : createKeyMapFileStore(path);
  const { createGroup } = into;
  return runSync(context, task, {
    store: storeOf(groupId),
    stateFile:
      stateFile === undefined || path === undefined ? undefined : { given: stateFile, directory: cwd, path },
    folder,
    profile: target.profile,
    command: keys.command,
    madeBy: `voxctl ${version}`,
    random: session.random,
    resultsPath: flags.report ?? syncResultsPath(context.folder, baseUrl, groupId || `new ${groupName}`),
    dryRun: plan === undefined && into.dryRun,
    groupIsMade: into.groupMade,
    createGroup:
      createGroup &&
      (async () => {
        const { groupId: id = "", groupName: name, groupMade } = await createGroup();
        return { groupId: id, groupName: name, groupIsMade: groupMade, store: storeOf(id) };
      }),
    planPath: plan?.path,
    force: plan?.force === true,
    passphrase: plan?.passphrase,
    writeRejects: keyed.writeRejects,
    planned: () => {},
    confirm: async () => {},
    remark: target.notes.note,
    goingOn: (id) => target.notes.note(`Resuming the interrupted run of plan ${id}…`),
  });
}
