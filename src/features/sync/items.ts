import { BulkError } from "../../write/errors.js";
import { type Fields, normalizedText } from "../../write/fields.js";
import type { InputRow } from "../../write/input-row.js";
import type { Folder } from "../import/items/folder.js";
import { type ItemType, itemAdapter } from "../import/items/item-type.js";
import { knowledgeType } from "../import/items/item-types.js";
import type { TableInput } from "../import/items/table.js";
import type { Source, SourceRow } from "../import/sources/types.js";
import type { SyncSubject } from "./task.js";

interface Nouns {
  noun: string;
  plural: string;
}

/** @param table its survey must contain the number of rows */
export function tableSubject(type: ItemType, source: Source, table: TableInput, nouns: Nouns): SyncSubject {
  const { names, survey, rowsWithSource } = table;
  return {
    ...commonOf(type, nouns),
    ...{ digest: source.digest, names, rowCount: survey?.rows ?? 0, incomplete: survey?.incomplete },
    endsWithLineEnd: source.format !== "csv" || source.endsWithLineEnd,
    canBeCut: true,
    unnamed: [],
    unmapped: [],
    async *rows() {
      for await (const { source: row, row: read } of rowsWithSource())
        yield { source: row, row: read, marks: () => marksOfRow(type, row, read) };
    },
  };
}

/**
 * @throws BulkError `file_incomplete` if items may be deleted and a file can't be read, because the file may
 * contain any item. Empty files are checked later, when the deletions are known.
 */
export async function folderSubject(
  folder: Folder,
  nouns: Nouns,
  { name, isDeleting }: { name: string; isDeleting: boolean },
): Promise<SyncSubject> {
  const { digest, files, rows, empty } = folder;
  for await (const { read, detail } of rows()) {
    if (!isDeleting || "fields" in read) continue;
    const { reason } = read.problems[0];
    throw new BulkError(
      "file_incomplete",
      `${name}: ${String(detail?.["file"])} ${reason}, so its item can't be identified`,
      "fix the file; no flag skips this check",
    );
  }
  return {
    ...commonOf(knowledgeType, nouns),
    ...{ digest, names: [], rowCount: files, incomplete: undefined },
    endsWithLineEnd: true,
    canBeCut: false,
    unnamed: empty,
    unmapped: [],
    async *rows() {
      for await (const row of rows()) {
        const source: SourceRow = {
          ...{ number: row.number, line: row.line, names: [] },
          values: [row.detail?.["file"], "fields" in row.read ? row.read.fields : null],
        };
        yield {
          source,
          // If the file contains only a title, keep the text of the existing item.
          row: { ...row, rules: { keeps: { text: 1 }, empties: [] } },
          marks: () => marksOfRow(knowledgeType, source, row),
        };
      }
    },
  };
}

function commonOf(type: ItemType, { noun, plural }: Nouns) {
  const textOf = (record: Fields) => {
    const shown = type.fields.filter((field) => !type.unlisted.includes(field));
    return shown.flatMap((field) => (typeof record[field] === "string" ? [record[field]] : [])).join("  ");
  };
  const marksOf = (record: Fields) => [normalizedText(String(record[type.key] ?? ""))];
  return {
    adapter: itemAdapter(type),
    noun,
    plural,
    textOf,
    marksOf,
    namesOf: () => [],
    namesAlone: () => [],
  };
}

/** In an invalid row, every cell may be the name. */
function marksOfRow(type: ItemType, { values }: SourceRow, { read }: InputRow): string[] {
  if ("fields" in read) return [normalizedText(String(read.fields[type.key] ?? ""))];
  return values.flatMap((value) =>
    typeof value === "string" && value.trim() !== "" ? value.split("\n").map(normalizedText) : [],
  );
}
