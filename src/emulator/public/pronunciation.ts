import type { Pronunciation, pronunciation } from "../../contract/public/pronunciation.js";
import { type Handlers, markSingleStatement, type PublicContext } from "../context.js";
import { Table } from "../kernel/table.js";
import { invalid } from "../refusal.js";
import { requireGroup } from "./groups.js";

const table = new Table<Pronunciation>("pronunciation_items", "the pronunciation rule", {
  columns: ["group_id"],
  members: ["token", "replacement", "spell_out", "speaking_rate", "ipa"],
});

export { table as pronunciationTable };

type Rules = Pick<Pronunciation, "replacement" | "spell_out" | "speaking_rate" | "ipa">;

/** For a PATCH, pass the merged rule (D-pronunciation). */
function refuseNoRule(context: PublicContext, { replacement, spell_out, speaking_rate, ipa }: Rules): void {
  if (context.state.mirror.isOff("D-pronunciation")) return;
  if (replacement !== null || spell_out || speaking_rate !== null || ipa !== null) return;
  throw invalid("D-pronunciation", [
    { path: [], message: "at least one of replacement, spell_out, speaking_rate and ipa is required" },
  ]);
}

export const pronunciationHandlers: Handlers<typeof pronunciation> = {
  "pronunciation.list": (context, { query }) => table.page(context, query, { group_id: query.group_id }),

  "pronunciation.create": markSingleStatement((context, { body }) => {
    refuseNoRule(context, body);
    requireGroup(context, body.group_id, "pronunciations", "public.operations.10");
    return table.insert(context, body);
  }),

  "pronunciation.get": (context, { path }) => table.get(context, path.pronunciation_id),

  "pronunciation.update": markSingleStatement((context, { path, body }) => {
    const before = table.require(context, path.pronunciation_id);
    refuseNoRule(context, {
      replacement: body.replacement === undefined ? before.replacement : body.replacement,
      spell_out: body.spell_out ?? before.spell_out,
      speaking_rate: body.speaking_rate === undefined ? before.speaking_rate : body.speaking_rate,
      ipa: body.ipa === undefined ? before.ipa : body.ipa,
    });
    return table.update(context, before, body);
  }),

  "pronunciation.delete": markSingleStatement((context, { path }) =>
    table.delete(context, path.pronunciation_id),
  ),
};
