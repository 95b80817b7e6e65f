import { getValueAt, isFields } from "../../../base/fields.js";
import { idText } from "../../../client/ids.js";
import { environmentName } from "../../../contract/environment-variables.js";
import type { Referable } from "../../session/references/references.js";
import type { Session } from "../../session/session.js";
import { type Remembered, remember } from "./cache.js";

const most = 500;

interface Listed {
  noun: string;
  referable?: Referable;
}

/**
 * Yields the rows unchanged. After the last row, stores them for completion.
 * @param isWhole called after the last row; returns whether the list contained all resources
 */
export async function* rememberRows(
  rows: AsyncIterable<unknown>,
  list: string,
  { referable, noun }: Listed,
  session: Session,
  isWhole: () => boolean,
): AsyncGenerator<unknown, void> {
  const seen: Remembered[] = [];
  let isEnded = false;
  try {
    for await (const row of rows) {
      if (seen.length < most) {
        const entry = toRemembered(row, referable, noun);
        if (entry) seen.push(entry);
      }
      yield row;
    }
    isEnded = true;
  } finally {
    const { name } = await session.profile();
    // Don't store rows for a profile from environment variables, because each command may use a different
    // service.
    if (name !== environmentName)
      remember(session.folders, name, list, seen, { isWhole: isEnded && isWhole() });
  }
}

function toRemembered(row: unknown, referable: Referable | undefined, noun: string): Remembered | undefined {
  const label = referable?.label ?? "name";
  if (!isFields(row)) return undefined;
  const own = referable?.idOf ? referable.idOf(row) : (row["id"] ?? row[toExternalIdField(noun)]);
  const id = idText(own) ?? text(getValueAt(row, label));
  if (id === undefined) return undefined;
  const person = [text(row["first_name"]), text(row["last_name"])].filter((part) => part !== undefined);
  const described = noun === "call" ? [text(row["created_at"]), text(row["status"])] : person;
  const name = text(row[label]) ?? described.filter((part) => part !== undefined).join(" ");
  const type = text(row["type"]) ?? text(row["kind"]);
  return { id, ...(name === "" ? {} : { name }), ...(type === undefined ? {} : { type }) };
}

const toExternalIdField = (noun: string) => `external${noun.charAt(0).toUpperCase()}${noun.slice(1)}Id`;

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
