/** Reads the rows of a synchronization with their keys, and the entries that are excluded from deletion. */

import type { InputRow, RowProblem } from "../../write/input-row.js";
import type { Journal } from "../../write/journal/journal.js";
import { positionsOf } from "../import/contacts/headers.js";
import { perShape } from "../import/sources/shapes.js";
import { isWholeGroup } from "./guards.js";
import type { KeyMap } from "./key-map.js";
import { type MarkedRows, protectMark } from "./protection.js";
import type { SyncTask } from "./task.js";
import { keyIn, type Workspace } from "./workspace.js";

/**
 * Yields the rows of the file, each with its key; the readable parts of invalid rows exclude contacts from
 * deletion.
 */
export async function* keyedRows(
  { subject, keyColumn = "", keyedImport, maxDelete }: SyncTask,
  column: number | undefined,
  {
    workspace,
    shield,
    named,
    keyMap,
  }: { workspace: Workspace; shield: MarkedRows; named: MarkedRows; keyMap: KeyMap },
): AsyncGenerator<InputRow, void> {
  // A row that may be truncated within its last cell is not written as a complete row (S1).
  const isAccepted = keyedImport !== undefined || isWholeGroup(maxDelete);
  // Objects and vCards may have their fields in any order.
  const positionIn = perShape((names) =>
    column === undefined ? undefined : positionsOf(names, keyColumn)[0],
  );
  const lacksEnd = !isAccepted && keyMap.header()?.line_end === true && !subject.endsWithLineEnd;
  for await (const { source, row, marks } of subject.rows()) {
    const position = positionIn(source.names);
    const key = position === undefined ? undefined : keyIn(source, position);
    const equals = workspace.addRow(source, key);
    const keyed = withProblem(equals === undefined ? row : { ...row, equals }, [
      ...(column !== undefined && key === undefined
        ? [
            {
              field: keyColumn,
              value: "",
              reason: source.unreadable?.get(position ?? column) ?? "the key is missing",
            },
          ]
        : []),
      ...(lacksEnd && row.number === subject.rowCount ? [noLineEnd] : []),
    ]);
    // An import does not delete contacts.
    if (keyedImport !== undefined) {
      yield keyed;
      continue;
    }
    if ("problems" in keyed.read || keyed.dropped !== undefined) shield.add(marks(), row.number);
    else {
      const { fields } = keyed.read;
      named.add(subject.namesOf(fields), row.number);
      const isKnown = key !== undefined && keyMap.byKey(key) !== undefined;
      // A contact whose number the row lacks is not matched by it, but is still in the file.
      if (!isKnown) shield.add(subject.namesAlone(fields), row.number);
    }
    yield keyed;
  }
  workspace.endFile();
}

const noLineEnd: RowProblem = {
  field: "row",
  value: "",
  reason: "is the last row, and may be cut: it has no line end, unlike the last file",
};

/** A row that can be read by itself, and yet is not to be used. */
function withProblem(row: InputRow, [problem, ...moreProblems]: RowProblem[]): InputRow {
  if (problem === undefined || "problems" in row.read) return row;
  return { ...row, read: { problems: [problem, ...moreProblems] } };
}

/** Marks the entries of the `--protect` file. */
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
