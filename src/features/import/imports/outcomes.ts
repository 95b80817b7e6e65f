import { countForeignChanges } from "../../../write/answered.js";
import { countOutcomes, type Outcomes } from "../../../write/engine/summary.js";
import { normalized } from "../../../write/fields.js";
import type { Journal } from "../../../write/journal/journal.js";
import { countItems } from "../../../write/journal/outcome.js";
import { recordOf } from "../../../write/values.js";

export function countRowOutcomes(journal: Journal): Outcomes {
  return {
    ...countOutcomes(journal),
    ...countKept(journal),
    partly: countPartly(journal),
    differing: countItems(journal, "outcome = 'unchanged' AND json_extract(detail, '$.differs') IS NOT NULL"),
    changed_elsewhere: countForeignChanges(journal),
  };
}

/** Counts the imported rows whose invalid cells were omitted. */
export function countPartly(journal: Journal): number {
  return countItems(
    journal,
    "json_extract(detail, '$.dropped') IS NOT NULL AND outcome <> 'invalid' AND state <> 'rejected'",
  );
}

/** Counts the old phone numbers and emails that updates kept in addition to the new ones. */
function countKept({ database }: Journal): Outcomes {
  const kept = { phone_numbers: 0, emails: 0 };
  const rows = database
    .prepare("SELECT body, input FROM items WHERE action = 'update' AND state IN ('planned', 'done')")
    .iterate();
  for (const row of rows) {
    const [body, input] = [row["body"], row["input"]].map((text) =>
      recordOf(typeof text === "string" ? JSON.parse(text) : {}),
    );
    if (input?.["replace_rules"] !== undefined) return {};
    for (const field of ["phone_numbers", "emails"] as const) {
      const list: unknown = body?.[field];
      const own: unknown = input?.[field];
      if (!Array.isArray(list) || !Array.isArray(own)) continue;
      const forms = new Set(own.map((entry) => normalized(field, entry)));
      kept[field] += list.filter((entry) => !forms.has(normalized(field, entry))).length;
    }
  }
  return { kept_phone_numbers: kept.phone_numbers, kept_emails: kept.emails };
}
