import { addTo } from "../../base/lists.js";
import { idOf, labelOf, type Thing, texts } from "../organization.js";
import type { LintRule } from "../rule.js";

/** Names of contacts that one message lists. */
const mostNames = 3;

export const contactUnreachable: LintRule = {
  id: "contact-unreachable",
  severity: "note",
  summary: "A contact has a phone number or an e-mail address",
  resource: "contacts",
  isOfService: true,
  *check({ things }) {
    for (const thing of things("contacts")) {
      if (texts(thing, "phone_numbers").length + texts(thing, "emails").length > 0) continue;
      yield {
        thing,
        message: "has neither a phone number nor an e-mail address",
        help: `voxctl contacts update ${idOf(thing)} --phone-number +49…`,
      };
    }
  },
};

export const contactShared: LintRule = {
  id: "contact-shared-number",
  severity: "note",
  summary: "A phone number is one contact's",
  resource: "contacts",
  isOfService: true,
  *check({ things }) {
    const holders = new Map<string, Thing[]>();
    for (const thing of things("contacts")) {
      for (const number of new Set(texts(thing, "phone_numbers"))) addTo(holders, number, thing);
    }
    for (const [number, [thing, ...others]] of holders) {
      if (thing === undefined || others.length === 0) continue;
      const named = others.slice(0, mostNames).map(labelOf).join(", ");
      const more = others.length > mostNames ? ` and ${others.length - mostNames} more` : "";
      yield {
        thing,
        message: `shares ${number} with ${named}${more}`,
        help: "voxctl contacts dedupe --check",
      };
    }
  },
};
