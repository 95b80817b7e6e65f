import type { InputRow, RowProblem } from "../../write/input-row.js";
import type { Journal } from "../../write/journal/journal.js";
import { positionsOf } from "../import/contacts/headers.js";
import { perShape } from "../import/sources/shapes.js";
import { isWholeGroup } from "./guards.js";
import type { KeyMap } from "./key-map.js";
import { type MarkedRows, protectMark } from "./protection.js";
import type { SyncSubject, SyncTask } from "./task.js";
import { keyIn, type Workspace } from "./workspace.js";

interface KeyedFile {
  subject: SyncSubject;
  keyColumn: string | undefined;
  column: number | undefined;
}

/**
 * Yields the rows of the file with their keys. If there is a key column, a row without a key is invalid.
 * @throws BulkError `duplicate_key` after the last row
 */
export async function* rowsWithKeys(
  { subject, keyColumn = "", column }: KeyedFile,
  workspace: Workspace,
): AsyncGenerator<KeyedRow, void> {
  // Find the column for each row: the fields of JSON objects and vCards can be in any order.
  const positionIn = perShape((names) =>
    column === undefined ? undefined : positionsOf(names, keyColumn)[0],
  );
  for await (const { source, row, marks } of subject.rows()) {
    const position = positionIn(source.names);
    const key = position === undefined ? undefined : keyIn(source, position);
    const equals = workspace.addRow(source, key);
    const keyed: InputRow = equals === undefined ? row : { ...row, equals };
    if (column === undefined || key !== undefined) yield { row: keyed, key, marks };
    else {
      const reason = source.unreadable?.get(position ?? column) ?? "has no key";
      yield { row: withProblem(keyed, { field: keyColumn, value: "", reason }), key, marks };
    }
  }
  workspace.endFile();
}

interface KeyedRow {
  row: InputRow;
  key: string | undefined;
  marks(): string[];
}

/**
 * Adds the numbers, names and other identifying values of invalid rows to `shield`, so that contacts with
 * these values are not deleted.
 */
export async function* protectingRows(
  { subject, keyColumn, maxDelete }: SyncTask,
  column: number | undefined,
  {
    workspace,
    shield,
    named,
    keyMap,
  }: { workspace: Workspace; shield: MarkedRows; named: MarkedRows; keyMap: KeyMap },
): AsyncGenerator<InputRow, void> {
  // If the previous file ended with a line break but this file doesn't, the last row may be truncated. Treat
  // it as invalid.
  const isAccepted = isWholeGroup(maxDelete);
  const lacksEnd = !isAccepted && keyMap.header()?.line_end === true && !subject.endsWithLineEnd;
  for await (const { row, key, marks } of rowsWithKeys({ subject, keyColumn, column }, workspace)) {
    const keyed = lacksEnd && row.number === subject.rowCount ? withProblem(row, noLineEnd) : row;
    if ("problems" in keyed.read || keyed.dropped !== undefined) shield.add(marks(), row.number);
    else {
      const { fields } = keyed.read;
      named.add(subject.namesOf(fields), row.number);
      const isKnown = key !== undefined && keyMap.byKey(key) !== undefined;
      // A row with only a name doesn't match a contact with a number, but may refer to this contact.
      if (!isKnown) shield.add(subject.namesAlone(fields), row.number);
    }
    yield keyed;
  }
}

const noLineEnd: RowProblem = {
  field: "row",
  value: "",
  reason:
    "is the last row and may be truncated: unlike the previous file, this one does not end with a line break",
};

function withProblem(row: InputRow, problem: RowProblem): InputRow {
  return "problems" in row.read ? row : { ...row, read: { problems: [problem] } };
}

export async function readProtected(
  { protectFile, keyColumn }: SyncTask,
  { shield, keyMap, journal }: { shield: MarkedRows; keyMap: KeyMap; journal: Journal },
): Promise<void> {
  journal.database.exec("CREATE TABLE protected (id TEXT PRIMARY KEY) WITHOUT ROWID");
  if (protectFile === undefined) return;
  const positionIn = perShape((names) =>
    keyColumn === undefined ? undefined : positionsOf(names, keyColumn)[0],
  );
  const protect = journal.database.prepare("INSERT OR IGNORE INTO protected VALUES (?)");
  for await (const { source, marks } of protectFile.rows()) {
    const position = positionIn(source.names);
    const key = position === undefined ? undefined : keyIn(source, position);
    const id = key === undefined ? undefined : keyMap.byKey(key)?.id;
    if (id !== undefined && id !== null) protect.run(id);
    shield.add(marks(), protectMark);
  }
}
