import { positionsOf } from "../import/contacts/headers.js";
import { otherColumnError } from "./guards.js";
import { type KeyMap, openKeyMap } from "./key-map.js";
import type { SyncTask } from "./task.js";

/** Keys that a run without `--key` doesn't use, but keeps for later runs. */
export interface LaterKeys {
  column: string;
  keyOf(id: string): string | undefined;
}

export interface KnownKeyMap {
  keyMap: KeyMap;
  laterKeys?: LaterKeys;
}

/**
 * Returns the known keys that a run uses. If the file lacks the column of these keys, the column was probably
 * renamed. `assertKeys` checks this later.
 * @throws BulkError `keys_reassigned` for a different column without --accept-rekey; `unknown_column`
 */
export async function findKnownKeys(
  kept: KeyMap,
  { keyColumn, subject, file, acceptRekey }: Pick<SyncTask, "keyColumn" | "subject" | "file" | "acceptRekey">,
  remark: (text: string) => void,
): Promise<KnownKeyMap> {
  const former = kept.header()?.key ?? null;
  if (former === (keyColumn ?? null) || former === null) return { keyMap: kept };
  if (keyColumn !== undefined && positionsOf(subject.names, former).length === 0) {
    remark(
      `${file} has no column "${former}"; comparing column "${keyColumn}" with the keys of earlier runs`,
    );
    return { keyMap: kept };
  }
  if (keyColumn !== undefined && !acceptRekey && kept.hasKeys()) throw otherColumnError(former, keyColumn);
  const keyMap = await copyWithoutKeys(kept);
  if (keyColumn !== undefined) {
    remark(`Replacing the known keys from column "${former}" with keys from "${keyColumn}"`);
    return { keyMap };
  }
  remark(`Without --key, column "${former}" is not used to match rows; its keys are kept`);
  return { keyMap, laterKeys: { column: former, keyOf: (id) => kept.byId(id)?.key ?? undefined } };
}

/** Reports fields that had a column in earlier files but have none in this file: their changes would be lost. */
export function reportLostColumns(
  kept: KeyMap,
  { subject }: Pick<SyncTask, "subject">,
  remark: (text: string) => void,
): void {
  const missing = new Set(subject.unmapped);
  for (const { sent } of missing.size === 0 ? [] : kept.all()) {
    for (const field of missing) {
      if (isEmpty(sent[field])) continue;
      missing.delete(field);
      remark(
        `unlike earlier files, this file has no column for ${field}: contacts keep their ${field}, and new contacts get none; to select a column, use --map ${field}=COLUMN`,
      );
    }
    if (missing.size === 0) break;
  }
}

const isEmpty = (value: unknown) =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

export async function copyWithoutKeys(kept: KeyMap): Promise<KeyMap> {
  const keyMap = await openKeyMap(":memory:");
  keyMap.replaceWith(kept);
  keyMap.dropKeys();
  return keyMap;
}

export function reportRenamedKeys(
  renamed: Iterable<{ former: string; key: string }>,
  remark: (text: string) => void,
): void {
  let count = 0;
  let example = "";
  for (const { former, key } of renamed) {
    count += 1;
    if (count === 1) example = `"${former}" is now "${key}"`;
  }
  if (count === 1) remark(`1 contact has a new key: ${example}`);
  else if (count > 1) remark(`${count} contacts have new keys, such as ${example}`);
}
