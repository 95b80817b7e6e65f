import { addTo } from "../../../base/lists.js";
import type { LintRule } from "../lint-rule.js";
import { getId, getLabel, getTexts, type ResourceRecord } from "../organization.js";

const mostNames = 3;

export const contactUnreachable: LintRule = {
  id: "contact-unreachable",
  severity: "note",
  summary: "Every contact has a phone number or an email address",
  resource: "contacts",
  isOfService: true,
  *check({ records }) {
    for (const contact of records("contacts")) {
      if (getTexts(contact, "phone_numbers").length + getTexts(contact, "emails").length > 0) continue;
      yield {
        record: contact,
        message: "has no phone number and no email address",
        help: `voxctl contacts update ${getId(contact)} --phone-number +49…`,
      };
    }
  },
};

export const contactShared: LintRule = {
  id: "contact-shared-number",
  severity: "note",
  summary: "No two contacts share a phone number",
  resource: "contacts",
  isOfService: true,
  *check({ records }) {
    const holders = new Map<string, ResourceRecord[]>();
    for (const contact of records("contacts")) {
      for (const number of new Set(getTexts(contact, "phone_numbers"))) addTo(holders, number, contact);
    }
    for (const [number, [contact, ...otherContacts]] of holders) {
      if (contact === undefined || otherContacts.length === 0) continue;
      const named = otherContacts.slice(0, mostNames).map(getLabel).join(", ");
      const more = otherContacts.length > mostNames ? ` and ${otherContacts.length - mostNames} more` : "";
      yield {
        record: contact,
        message: `shares the phone number ${number} with ${named}${more}`,
        help: "voxctl contacts dedupe --check",
      };
    }
  },
};
