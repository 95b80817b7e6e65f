import { join, resolve } from "node:path";
import { getText, isFields } from "../../../base/fields.js";
import { makePrivateFolder } from "../../../base/private-file.js";
import { formatCount, inflect } from "../../../base/text.js";
import { ClientError } from "../../../client/errors.js";
import type { Folder } from "../../../features/import/items/folder.js";
import type { InputRow } from "../../../write/input-row.js";
import { groupRunFlags } from "../../bulk/bulk-flags.js";
import { createImportFlags, createReplaceFlags, readImportFlags } from "../../bulk/flags.js";
import { type GroupInput, importIntoGroup } from "../../bulk/import.js";
import { sealFlags } from "../../bulk/plan-file.js";
import { withRefusals } from "../../bulk/refusals.js";
import { showSummary } from "../../bulk/summary.js";
import { openWhole, synchronize } from "../../bulk/sync.js";
import { createDeleteFlags, readSyncFlags, type SyncFlags } from "../../bulk/sync-flags.js";
import { openImportTarget } from "../../bulk/target.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

const onMatch: Flag = {
  name: "on-match",
  value: "action",
  description: "Action for existing items with the same name: update or skip",
  choices: ["update", "skip"],
  strict: true,
  default: "update",
};
const sharedFlags = new Set([
  "group",
  "create-group",
  "strict",
  "dry-run",
  ...sealFlags.map(({ name }) => name),
  "report",
  "new-run",
  ...groupRunFlags.map(({ name }) => name),
]);

const nouns = { noun: "knowledge item", plural: "knowledge items" };

const ownDescriptions: Readonly<Record<string, string>> = {
  delete: "Delete the group's items that have no file",
  "expect-rows": "With --delete: stop if the number of files is not in this range, such as 100-150",
  "delete-newer": "With --delete: also delete items that changed after the newest file",
  "delete-duplicates": "With --delete: if several items match the same file by name, keep only the oldest",
  "max-delete":
    "With --delete: stop if the number of items to delete exceeds this limit. To accept a directory that looks incomplete, set the exact number of deletions",
  strict: "Import nothing if voxctl finds an invalid file",
  report: "Results file (NDJSON) with all input files whose items were not created",
};

const flags: readonly Flag[] = [
  ...createImportFlags("items").filter(({ name }) => sharedFlags.has(name)),
  onMatch,
  ...createDeleteFlags(nouns),
  ...createReplaceFlags("items").filter(({ name }) => name === "max-update"),
].map((flag) => ({ ...flag, description: ownDescriptions[flag.name] ?? flag.description }));

export const importKnowledge: Command = {
  name: "import",
  summary: "Import a directory of Markdown and text files",
  description:
    "Each .md, .markdown and .txt file becomes an item, named after the title in its front matter, its first heading or " +
    "the file. With `active: false` in its front matter, the item is inactive. A repeated import matches items by name and updates only changed items, so unchanged items are not indexed again.\n\nIf two files have " +
    "the same name but different content, the first is imported and the other is invalid. A file is also invalid if its front " +
    "matter is not closed, is not YAML or has a title that is not text. A first line `---` without fields " +
    "after it is a horizontal rule. An empty file is skipped. A file with only front matter keeps its item's text, or " +
    "creates an item without text.\n\nItems without a file are listed and kept. With --delete, they are deleted, and voxctl " +
    "refuses (exit code 12) a directory that is empty or unreadable, or that has fewer than half as many files as " +
    "before. It also refuses more deletions than --max-delete allows.",
  arguments: [{ name: "directory", description: "Directory with the files, including subdirectories" }],
  flags,
  confirms: "deletions",
  examples: [
    { command: "voxctl knowledge import ./wissen --group Praxiswissen" },
    { command: "voxctl knowledge import ./wissen --group Praxiswissen --dry-run", note: "Preview" },
  ],
  verdict: true,
  async run(session, input) {
    const read = readImportFlags(input, session, { noun: "knowledge", type: "knowledges", flags });
    const sync = readSyncFlags(input, "knowledges");
    if (sync.isDeleting) return withRefusals(() => syncFolder(session, input, sync));
    for (const name of ["max-delete", "delete-newer", "expect-rows", "max-update"])
      if (input.has(name)) throw usageError(`--${name} requires --delete`);
    await withRefusals(() =>
      importFolder(session, { ...read, onMatch: input.text("on-match") === "skip" ? "skip" : "update" }),
    );
  },
};

async function importFolder(session: Session, flags: ReturnType<typeof readImportFlags>): Promise<void> {
  const { importItems, knowledgeType, readFolder, usableItems } = await import(
    "../../../features/import/index.js"
  );
  const runs = join(session.folders.data, "runs");
  await makePrivateFolder(runs);
  const folder = await readFolder(resolve(session.io.cwd, flags.file), flags.file);
  const { rows, files, digest, passedOver, empty } = folder;
  const target = await openImportTarget(session, runs, flags);
  warnOfFiles(session, folder);
  const input: GroupInput = {
    description: `${flags.file} (${formatCount(files, "file")})`,
    command: `knowledge import ${flags.file}`,
    remarks:
      passedOver > 0
        ? [`Skipped ${formatCount(passedOver, "file")} with extensions other than .md, .markdown and .txt`]
        : [],
    unit: "file",
    usable: (emulatorId) => usableItems(rows(), knowledgeType, emulatorId),
  };
  const { summary, group, groupId, groupIsNew, sealed } = await importIntoGroup(
    target,
    "knowledges",
    flags,
    input,
    (context, target) =>
      importItems(context, knowledgeType, {
        ...target,
        rows,
        file: flags.file,
        digest,
        map: undefined,
        onMatch: flags.onMatch,
        strict: flags.strict,
        newRun: flags.newRun,
        resultsPath: flags.report,
      }),
  );
  const { created = 0, updated = 0 } = summary.outcomes;
  if (!flags.dryRun && created + updated > 0) {
    session.notes.note(
      `The service is indexing the items. To wait for it, run \`voxctl knowledge wait --group "${group}"\`.`,
    );
  }
  if (groupId !== undefined && !groupIsNew) await reportItemsWithoutFile(session, groupId, rows, empty);
  await showSummary(session, summary, { ...flags, unit: "file", groupIsNew, sealed });
}

function warnOfFiles(session: Session, { empty, withoutText, beginningWithRule }: Folder): void {
  if (empty.length > 0) {
    session.notes.warn(`skipping ${formatCount(empty.length, "empty file")}: ${formatSome(empty)}`);
  }
  if (withoutText.length > 0) {
    session.notes.warn(
      `${formatCount(withoutText.length, "file")} ${inflect(withoutText.length, "has", "have")} a title but no text, so existing items keep their text: ${formatSome(withoutText)}`,
    );
  }
  if (beginningWithRule.length > 0) {
    session.notes.warn(
      `treating "---" in the first line as a horizontal rule in ${formatCount(beginningWithRule.length, "file")}, because no title follows it: ${formatSome(beginningWithRule)}`,
    );
  }
}

async function reportItemsWithoutFile(
  session: Session,
  groupId: string,
  rows: () => AsyncIterable<InputRow>,
  empty: readonly string[],
): Promise<void> {
  const { normalizedText } = await import("../../../write/index.js");
  const named = new Set<string>();
  // It is unknown which items belong to empty or unreadable files.
  const uncertain = [...empty];
  for await (const { read, detail } of rows()) {
    if ("fields" in read) named.add(normalizedText(String(read.fields["name"])));
    else uncertain.push(String(detail?.["file"]));
  }
  const { client } = await session.connect();
  const unmatched: string[] = [];
  try {
    const query = { group_id: groupId };
    const options = { signal: session.signal, pageSize: 200 };
    for await (const item of client.items("knowledge.list", { query }, options)) {
      // Filter the rows here, because a service may ignore the request's filter.
      if (!isFields(item) || item["group_id"] !== groupId) continue;
      const name = getText(item, "name");
      if (!named.has(normalizedText(name))) unmatched.push(`"${name}"`);
    }
  } catch (error) {
    // The import has already succeeded, so an error while reading the items must not hide its result.
    if (!(error instanceof ClientError)) throw error;
    return;
  }
  if (unmatched.length === 0) return;
  const have = inflect(unmatched.length, "has", "have");
  const isOnlyEmpty = uncertain.length === empty.length;
  const file = uncertain.length === 0 ? "no file" : isOnlyEmpty ? "no file with text" : "no valid file";
  const candidates =
    uncertain.length === 0
      ? ""
      : ` (${isOnlyEmpty ? "empty" : "empty or invalid"} files: ${formatSome(uncertain)})`;
  session.notes.note(
    `${formatCount(unmatched.length, "item")} in the group ${have} ${file}: ${formatSome(unmatched)}${candidates}. To delete ${inflect(unmatched.length, "it", "them")}, use --delete.`,
  );
}

const namedAtOnce = 20;

function formatSome(names: readonly string[]): string {
  const more = names.length - namedAtOnce;
  return `${names.slice(0, namedAtOnce).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Flags that have no effect with --delete or conflict with it. */
const notWithDelete = ["create-group", "strict", "new-run", "encrypt-env"];

async function syncFolder(session: Session, input: Input, sync: SyncFlags): Promise<void> {
  if (input.text("on-match") === "skip") throw usageError("--on-match skip and --delete can't be combined");
  for (const name of notWithDelete)
    if (input.has(name)) throw usageError(`--${name} and --delete can't be combined`);
  const [name = ""] = input.arguments;
  const { readFolder } = await import("../../../features/import/index.js");
  const { folderSubject } = await import("../../../features/sync/index.js");
  const folder = await openWhole(sync, () => readFolder(resolve(session.io.cwd, name), name));
  const { files, newestAt } = folder;
  warnOfFiles(session, folder);
  await synchronize(session, input, sync, {
    words: ["knowledge", "import"],
    ...{ flags, groupType: "knowledges", file: name, description: `${name} (${formatCount(files, "file")})` },
    unit: "file",
    subject: await folderSubject(folder, nouns, { name, isDeleting: true }),
    madeAt: newestAt,
    remarks: async () => [],
  });
}
