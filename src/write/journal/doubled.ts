import * as z from "zod";
import { recordOf } from "../values.js";
import type { Journal } from "./journal.js";

const Doubled = z.object({
  count: z.number(),
  /** The first pairs: the ID of the run's contact and the ID of its duplicate. */
  pairs: z.array(z.tuple([z.string(), z.string()])),
});
export type Doubled = z.output<typeof Doubled>;

const pairsShown = 10;

/** @param pairs number of the item that created a contact, and ID of the duplicate */
export function setDoubled(
  journal: Journal,
  pairs: readonly (readonly [number: number, id: string])[],
): void {
  if (pairs.length === 0) return;
  const byItem = new Map<number, string[]>();
  for (const [number, id] of pairs) byItem.set(number, [...(byItem.get(number) ?? []), id]);
  const shown: Doubled["pairs"] = [];
  journal.database.transaction(() => {
    for (const [number, doubled] of byItem) {
      const { body, detail, target = "" } = journal.item(number) ?? {};
      journal.amend(number, body, { ...recordOf(detail), doubled });
      for (const id of doubled) if (shown.length < pairsShown) shown.push([target, id]);
    }
    journal.setSetting("doubled", { count: pairs.length, pairs: shown } satisfies Doubled);
  });
}

export function doubledOf(journal: Journal): Doubled | undefined {
  return Doubled.safeParse(journal.setting("doubled")).data;
}
