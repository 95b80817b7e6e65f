import { distributorDecisions } from "./decisions-distributor.js";
import { generalDecisions } from "./decisions-general.js";
import { resourceDecisions } from "./decisions-resources.js";
import { distributorRules } from "./distributor.js";
import { emulatorRules } from "./emulator.js";
import { legacyRules } from "./legacy.js";
import { publicAccessRules } from "./public-access.js";
import { publicCallRules } from "./public-calls.js";
import { publicItemRules } from "./public-items.js";
import { publicOperationRules } from "./public-operations.js";
import { publicResourceRules } from "./public-resources.js";
import { publicWebhookRules } from "./public-webhook.js";
import { type Rule, type Rules, toRule } from "./rule.js";

export const ruleSections: readonly { title: string; kind: Rule["kind"]; rules: Rules }[] = [
  { title: "Public API: conventions, resources, states", kind: "specified", rules: publicResourceRules },
  {
    title: "Public API: operations",
    kind: "specified",
    rules: { ...publicOperationRules, ...publicWebhookRules, ...publicItemRules, ...publicCallRules },
  },
  { title: "Public API: keys, errors, limits", kind: "specified", rules: publicAccessRules },
  { title: "Distributor APIs", kind: "specified", rules: distributorRules },
  { title: "Legacy API", kind: "specified", rules: legacyRules },
  { title: "The emulator itself", kind: "promise", rules: emulatorRules },
  { title: "Decisions: the Public API as a whole", kind: "assumed", rules: generalDecisions },
  { title: "Decisions: the Public API's resources", kind: "assumed", rules: resourceDecisions },
  { title: "Decisions: distributor APIs and legacy API", kind: "assumed", rules: distributorDecisions },
];

export const catalog: ReadonlyMap<string, Rule> = new Map(
  ruleSections.flatMap(({ kind, rules }) =>
    Object.entries(rules).map(([id, facts]): [string, Rule] => [id, toRule(id, kind, facts)]),
  ),
);

export function toRuleView({ id, kind, text, namedBy }: Rule) {
  return { id, kind, text, refuses: namedBy.length > 0 };
}

/** The best match comes first. */
export function suggestRules(typed: string, count = 3): string[] {
  const lower = typed.toLowerCase();
  const scored = [...catalog.keys()].map((id) => {
    const name = id.toLowerCase();
    // Users often remember only a part of an ID.
    const within = lower.length > 2 && name.includes(lower);
    return { id, distance: within ? 1 - lower.length / name.length : editDistance(name, lower) };
  });
  const bound = Math.max(2, Math.ceil(lower.length / 3));
  return scored
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ id }) => id);
}

function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (before[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return before[b.length] ?? 0;
}
