import { statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { fileTrouble } from "../../base/file-trouble.js";
import type { OperationName } from "../../contract/wire.js";
import type { Command, Flag } from "../command.js";
import { refusedError, usageError } from "../errors.js";
import { isFields } from "../output/fields.js";
import { createFormatter } from "../output/formats.js";
import { groupOf } from "../presentation/groups.js";
import { resolveReference } from "../references.js";
import type { Session } from "../session.js";
import { counted } from "../text.js";

const batchSize = 500;

type ExportFormat = "csv" | "jsonl";

interface Exported {
  /** The command's resource: `contacts`. */
  name: string;
  list: OperationName;
  groupType: Parameters<typeof groupOf>[0];
  plural: string;
  noun: string;
  /** The columns of a CSV file: what the import reads again. */
  fields: readonly string[];
  group: string;
}

export const exportContacts = exportCommand({
  name: "contacts",
  list: "contacts.list",
  groupType: "contacts",
  noun: "contact",
  plural: "contacts",
  fields: ["first_name", "last_name", "phone_numbers", "emails"],
  group: "Patienten",
});

export const exportGlossary = exportCommand({
  name: "glossary",
  list: "glossary.list",
  groupType: "glossaries",
  noun: "glossary entry",
  plural: "glossary entries",
  fields: ["term", "definition"],
  group: "Zahnmedizin",
});

export const exportPronunciation = exportCommand({
  name: "pronunciation",
  list: "pronunciation.list",
  groupType: "pronunciations",
  noun: "pronunciation rule",
  plural: "pronunciation rules",
  fields: ["token", "replacement", "spell_out", "speaking_rate", "ipa"],
  group: "Namen und Kürzel",
});

function exportCommand(kind: Exported): Command {
  const { name, list, groupType, noun, plural, fields, group } = kind;
  const flags: readonly Flag[] = [
    { name: "group", value: "name|id", description: `only ${plural} of this group` },
    {
      name: "format",
      value: "form",
      description: "csv: what an import reads again; jsonl: everything the service sent",
      choices: ["csv", "jsonl"],
      strict: true,
      default: "by the file's ending, else csv",
    },
    { name: "force", description: "overwrite the file" },
  ];
  return {
    name: "export",
    summary: `Write ${plural} as CSV or JSONL`,
    arguments: [
      { name: "file", description: "where to; without it, or as -, to standard output", optional: true },
    ],
    flags,
    examples: [
      { command: `voxctl ${name} export ${name}.csv --group "${group}"` },
      { command: `voxctl ${name} export --format jsonl > ${name}.jsonl` },
    ],
    async run(session, input) {
      const [file] = input.arguments;
      const path = file === undefined || file === "-" ? undefined : resolve(session.io.cwd, file);
      const format = formatOf(input.text("format"), path);
      const named = input.text("group");
      const { client } = await session.connect();
      const groupId =
        named === undefined
          ? undefined
          : await resolveReference(client, groupOf(groupType), named, "--group", session);
      const query = groupId === undefined ? {} : { group_id: groupId };
      const rows = client.items(list, { query }, { signal: session.signal, pageSize: 200 });
      const progress = { count: 0 };
      const texts = fileText(ofGroup(rows, groupId, progress), format, fields, session);
      if (path === undefined) {
        for await (const text of texts) await session.output.text(text);
        return;
      }
      await writeWhole(path, input.on("force") === true, texts);
      session.notes.note(`${counted(progress.count, noun, plural)} written to ${file}`);
    },
  };
}

function formatOf(flag: string | undefined, path: string | undefined): ExportFormat {
  if (flag === "csv" || flag === "jsonl") return flag;
  const ending = path === undefined ? "" : extname(path).toLowerCase();
  return ending === ".jsonl" || ending === ".ndjson" ? "jsonl" : "csv";
}

/** A filter is never trusted. */
async function* ofGroup(
  rows: AsyncIterable<unknown>,
  groupId: string | undefined,
  progress: { count: number },
): AsyncGenerator<unknown, void> {
  for await (const row of rows) {
    if (groupId !== undefined && isFields(row) && "group_id" in row && row["group_id"] !== groupId) continue;
    progress.count += 1;
    yield row;
  }
}

async function* fileText(
  rows: AsyncIterable<unknown>,
  format: ExportFormat,
  fields: readonly string[],
  { notes }: Session,
): AsyncGenerator<string, void> {
  const options = { view: { columns: [], fields }, fields, columns: undefined, paint: notes.paint };
  const formatter = await createFormatter(format === "csv" ? "csv" : "ndjson", options);
  yield await formatter.start([]);
  let batch: unknown[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield await formatter.rows(batch);
    batch = [];
  }
  yield await formatter.rows(batch);
}

/** Writes beside and moves into place, so that half a file is never taken for a whole one. Personal data: 0600. */
async function writeWhole(path: string, force: boolean, texts: AsyncIterable<string>): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw usageError(`${path} can't be written: it is a folder`);
  if (!force && there) throw refusedError(`${path} exists already`, "--force overwrites it");
  const draft = `${path}.part`;
  const file = await open(draft, "w", 0o600).catch((cause: unknown) => {
    throw usageError(`${path} can't be written: ${fileTrouble(cause, "write")}`, { cause });
  });
  try {
    for await (const text of texts) await file.writeFile(text);
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}
