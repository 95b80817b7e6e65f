import type { Voice, voices } from "../../contract/public/voices.js";
import type { Handlers, PublicContext } from "../context.js";
import { ColumnTable } from "../kernel/column-table.js";
import { notFound } from "../refusal.js";

/**
 * Table that only converts rows: its other methods require an organization, but voices don't belong to one.
 */
const table = new ColumnTable<Voice>("voices", "the voice", {
  name: "text",
  languages: "json",
  gender: "text",
  generation: "text", // public.voice.generations
});

/** @throws Refusal not_found if the voice is unknown, legacy or reserved (D-voice) */
export function requireSelectableVoice(context: PublicContext, id: string): void {
  const row = context.database.prepare("SELECT selectable FROM voices WHERE id = ?").get(id);
  if (!row) throw notFound(`the voice ${id}`, "public.assistant.refs");
  if (row["selectable"] !== 1) throw notFound(`a selectable voice ${id}`, "D-voice");
}

export const voiceHandlers: Handlers<typeof voices> = {
  // Legacy and reserved voices are not listed (public.operations.17).
  "voices.list": (context) =>
    context.database
      .prepare("SELECT * FROM voices WHERE selectable = 1 ORDER BY id")
      .all()
      .map((row) => table.fromRow(row)),
};
