import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { counted } from "../../../base/text.js";
import type { Command } from "../../session/command.js";
import type { Flag } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { groupRunFlags } from "../bulk/bulk-flags.js";
import { importFlags, readImportFlags } from "../bulk/flags.js";
import { type GroupInput, runIntoGroup } from "../bulk/import.js";
import { sealFlags } from "../bulk/plan-file.js";
import { openImportTarget, showSummary, withRefusals } from "../bulk/session.js";

const onMatch: Flag = {
  name: "on-match",
  value: "what",
  description: "update: change the item of that name if the text differs; skip: leave it",
  choices: ["update", "skip"],
  strict: true,
  default: "update",
};
const shared = new Set([
  "group",
  "create-group",
  "strict",
  "dry-run",
  ...sealFlags.map(({ name }) => name),
  "report",
  "new-run",
  ...groupRunFlags.map(({ name }) => name),
]);

const flags: readonly Flag[] = [...importFlags.filter(({ name }) => shared.has(name)), onMatch];

export const importKnowledge: Command = {
  name: "import",
  summary: "Import a folder of Markdown and text files",
  description:
    "Each .md, .markdown and .txt file becomes an item, named by the title in its front matter, its first heading or " +
    "the file. Given again, it updates by name, and only what changed: nothing else is indexed anew. Of two files with " +
    "one name and different texts the first is imported, and the other is reported as invalid.",
  arguments: [{ name: "folder", description: "the folder; those below it are read, too" }],
  flags,
  examples: [
    { command: "voxctl knowledge import ./wissen --group Praxiswissen" },
    { command: "voxctl knowledge import ./wissen --group Praxiswissen --dry-run", note: "what would change" },
  ],
  verdict: true,
  async run(session, input) {
    const read = readImportFlags(input, session, { noun: "knowledge", type: "knowledges", flags });
    await withRefusals(() =>
      importFolder(session, { ...read, onMatch: input.text("on-match") === "skip" ? "skip" : "update" }),
    );
  },
};

async function importFolder(session: Session, flags: ReturnType<typeof readImportFlags>): Promise<void> {
  const { importItems, knowledgeType, readFolder, usableItems } = await import("../../../bulk/index.js");
  const runs = join(session.folders.data, "runs");
  await mkdir(runs, { recursive: true, mode: 0o700 });
  const { rows, files, digest, passedOver, empty } = await readFolder(
    resolve(session.io.cwd, flags.file),
    flags.file,
  );
  const target = await openImportTarget(session, runs, flags);
  if (empty.length > 0) session.notes.warn(emptyText(empty));
  const input: GroupInput = {
    description: `${flags.file}: ${counted(files, "file")}`,
    command: `knowledge import ${flags.file}`,
    file: flags.file,
    remarks:
      passedOver > 0
        ? [`not read: ${counted(passedOver, "file")} of other kinds than .md, .markdown and .txt`]
        : [],
    unit: "file",
    usable: (world) => usableItems(rows(), knowledgeType, world),
  };
  const { summary, group, groupIsNew, sealed } = await runIntoGroup(
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
        reportPath: flags.report,
      }),
  );
  if (!flags.dryRun && summary.created + summary.updated > 0) {
    session.notes.note(`they are being indexed: voxctl knowledge wait --group "${group}"`);
  }
  await showSummary(session, summary, { ...flags, unit: "file", groupIsNew, sealed });
}

const emptyNamed = 5;

/** "2 files hold no text: a.md, b.md" */
function emptyText(empty: readonly string[]): string {
  const more = empty.length > emptyNamed ? " …" : "";
  const hold = empty.length === 1 ? "holds" : "hold";
  return `${counted(empty.length, "file")} ${hold} no text: ${empty.slice(0, emptyNamed).join(", ")}${more}`;
}
