import type { Control } from "../control.js";
import { rowsOf, text } from "../rows.js";

export interface Named {
  resource: string;
  name: string;
}

/** Maximum number of IDs in one request, because a longer URL might be refused. */
const atOnce = 100;

export async function readNames(
  control: Control,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const names = new Map<string, Named>();
  const validIds = [...new Set(ids)].filter((id) => /^[a-f0-9]{24}$/.test(id));
  for (let from = 0; from < validIds.length; from += atOnce) {
    const rows = rowsOf(await control.get(`/names?ids=${validIds.slice(from, from + atOnce).join(",")}`));
    for (const row of rows)
      names.set(text(row, "id"), { resource: text(row, "resource"), name: text(row, "name") });
  }
  return names;
}
