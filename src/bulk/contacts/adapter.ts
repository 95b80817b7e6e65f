import { type Fields, fingerprintOf } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { contactFields } from "./headers.js";
import { contactOf, hasOtherName, identityOf, keysOf, type MatchKey, nameText } from "./identity.js";
import { isProgramWord } from "./names.js";

/** The adapter of contacts, for their import and its undo. */
export function contactAdapter(match: readonly MatchKey[]): ImportAdapter {
  return {
    type: "contacts",
    operations: {
      list: "contacts.list",
      create: "contacts.create",
      get: "contacts.get",
      update: "contacts.update",
      delete: "contacts.delete",
    },
    parameter: "contact_id",
    fields: contactFields,
    unlisted: [],
    keysOf(fields) {
      const { indexed, wanted } = keysOf(contactOf(fields), match);
      if (wanted.length > 0) return { indexed, wanted: [wanted], ofRow: indexed };
      // Without number and e-mail it is known by all it has.
      const whole = [`w${fingerprintOf(contactFields, fields)}`];
      return { indexed: whole, wanted: [whole], ofRow: whole };
    },
    identity: (fields) => identityOf(contactOf(fields), match),
    mayBeNothing: isProgramWord,
    named: () => ({}),
    shown: (fields) => ({ contact: contactOf(fields) }),
    otherName(row, other) {
      const [name, otherName] = [contactOf(row), contactOf(other)];
      return hasOtherName(name, otherName) ? nameText(otherName) : undefined;
    },
    repeated: (_, fields, { number }) => ({
      outcome: "duplicate",
      detail: { of: number, contact: contactOf(fields) },
    }),
    kept: (_, { first_name, last_name }): Fields => ({ first_name, last_name }),
  };
}
