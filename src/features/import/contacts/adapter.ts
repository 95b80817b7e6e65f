import { type Fields, fingerprintOf, normalizedText } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import { contactFields } from "./headers.js";
import {
  contactOf,
  findMatchKeys,
  hasDifferentName,
  identityOf,
  type MatchKey,
  nameText,
} from "./identity.js";
import { isProgramWord } from "./names.js";

export function contactAdapter(match: readonly MatchKey[]): ImportAdapter {
  return {
    type: "contacts",
    fields: contactFields,
    unlisted: [],
    keysOf(fields) {
      const { indexed, lookup } = findMatchKeys(contactOf(fields), match);
      if (lookup.length > 0) return { indexed, lookup: [lookup], ofRow: indexed };
      // For a contact without a phone number or email, the key consists of all fields, so that a second run
      // finds the contact.
      const whole = [`w${fingerprintOf(contactFields, fields)}`];
      return { indexed: whole, lookup: [whole], ofRow: whole };
    },
    identity: (fields) => identityOf(contactOf(fields), match),
    nameKey: (fields) => normalizedText(nameText(contactOf(fields))),
    mayBeNothing: isProgramWord,
    named: () => ({}),
    shown: (fields) => ({ contact: contactOf(fields) }),
    findDifferingName(row, existing) {
      const [name, existingName] = [contactOf(row), contactOf(existing)];
      return hasDifferentName(name, existingName) ? nameText(existingName) : undefined;
    },
    repeated: (_, fields, { number }) => ({
      outcome: "duplicate",
      detail: { of: number, contact: contactOf(fields) },
    }),
    kept: (_, { first_name, last_name }): Fields => ({ first_name, last_name }),
  };
}
