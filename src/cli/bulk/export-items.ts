import { isFields } from "../../base/fields.js";
import { writeTarget } from "../../base/file-target.js";
import { formatCount } from "../../base/text.js";
import type { OperationName } from "../../contract/wire.js";
import type { Command } from "../session/command.js";
import type { Flag } from "../session/input.js";
import { groupOf } from "../session/references/group.js";
import { resolveReference } from "../session/references/references.js";
import { formatCsv, formatJsonLines, formatSpreadsheet, formatVcards } from "./export-contents.js";
import { type ExportForms, isRegularFileTarget, printText, readExportOptions } from "./export-options.js";

type ExportFormat = "csv" | "jsonl" | "xlsx" | "vcard";
const forms: Omit<ExportForms<ExportFormat>, "list"> = {
  byEnding: {
    "": "csv",
    ".csv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".xlsx": "xlsx",
  },
  endings: ".csv, .xlsx or .jsonl",
  hint: "to use another extension, add --format csv or --format jsonl",
};
const contactForms: typeof forms = {
  byEnding: { ...forms.byEnding, ".vcf": "vcard", ".vcard": "vcard" },
  endings: ".csv, .xlsx, .jsonl or .vcf",
  hint: "to use another extension, add --format csv, --format jsonl or --format vcard",
};

interface ExportedResource {
  name: string;
  list: OperationName;
  groupType: Parameters<typeof groupOf>[0];
  plural: string;
  noun: string;
  fields: readonly string[];
  group: string;
}

export function createExportCommand(resource: ExportedResource): Command {
  const { name, list, groupType, noun, plural, fields, group } = resource;
  const hasContacts = groupType === "contacts";
  const ownForms = hasContacts ? contactForms : forms;
  const flags: readonly Flag[] = [
    { name: "group", value: "name|id", description: `Export only ${plural} in this group` },
    {
      name: "format",
      value: "form",
      description: `csv${hasContacts ? ", vcard" : ""} and xlsx contain the fields that an import reads; jsonl contains all fields`,
      choices: [...new Set(Object.values(ownForms.byEnding))],
      strict: true,
      default: "from the file extension, or csv",
    },
    { name: "force", description: "Overwrite an existing file" },
  ];
  return {
    name: "export",
    summary: `Export ${plural} to a ${hasContacts ? "CSV, XLSX, JSONL or vCard" : "CSV, XLSX or JSONL"} file`,
    arguments: [{ name: "file", description: "Output file (default: standard output)", optional: true }],
    flags,
    examples: [
      { command: `voxctl ${name} export ${name}.csv --group "${group}"` },
      {
        command: `voxctl ${name} export ${name}.csv --excel`,
        note: "Export a CSV file for a spreadsheet program",
      },
      { command: `voxctl ${name} export ${name}.xlsx` },
      { command: `voxctl ${name} export --format jsonl > ${name}.jsonl` },
      ...(hasContacts
        ? [{ command: `voxctl ${name} export ${name}.vcf`, note: "Export vCards for an address book" }]
        : []),
    ],
    writesCsv: true,
    async run(session, input) {
      const { file, target, format } = await readExportOptions(session, input, {
        ...ownForms,
        list: `${name} list --all`,
      });
      const named = input.text("group");
      const { client } = await session.connect();
      const groupId =
        named === undefined
          ? undefined
          : await resolveReference(client, groupOf(groupType), named, "--group", session);
      const query = groupId === undefined ? {} : { group_id: groupId };
      const rows = client.items(list, { query }, { signal: session.signal, pageSize: 200, complete: true });
      const progress = { count: 0 };
      const exported = filterByGroup(rows, groupId, progress);
      const texts = {
        csv: () => formatCsv(exported, fields, session),
        jsonl: () => formatJsonLines(exported),
        vcard: () => formatVcards(exported),
        xlsx: () => undefined,
      };
      const text = texts[format]();
      if (target === undefined) {
        if (text) await printText(text, session);
        return;
      }
      await writeTarget(target, text ?? formatSpreadsheet(exported, fields), session);
      // If the target is a pipe or device, it may be standard output, and the summary would end up in the export.
      if (isRegularFileTarget(target)) await session.output.item({ file, format, rows: progress.count });
      session.notes.note(`Exported ${formatCount(progress.count, noun, plural)} to ${file}`);
    },
  };
}

/** Yields only the rows of the group, because a service may ignore the request's filter. */
async function* filterByGroup(
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
