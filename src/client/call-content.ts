import { type Fields, isFields } from "../base/fields.js";

/**
 * For each list of a call, the field that contains an entry's text. The service doesn't document the
 * format of the entries.
 */
const entryField: Readonly<Record<string, string>> = { transcript: "text", analyses: "name", notes: "text" };

/** Returns whether a field has a format that voxctl doesn't know. voxctl shows such a field verbatim. */
export function hasUnknownForm(name: string, call: Fields): boolean {
  const field = entryField[name];
  const value = call[name];
  if (field === undefined || value === undefined || value === null) return false;
  return !Array.isArray(value) || !value.every((entry) => isFields(entry) && entry[field] !== undefined);
}

export function listEntries(call: Fields, name: string): Fields[] {
  const entries = call[name];
  return Array.isArray(entries) && !hasUnknownForm(name, call) ? entries.filter(isFields) : [];
}

export function listUtterances(call: Fields): Fields[] {
  return listEntries(call, "transcript");
}
