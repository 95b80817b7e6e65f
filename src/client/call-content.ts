import { type Fields, isFields } from "../base/fields.js";

/** For each list, the field that contains an entry's content. The service does not document the lists' formats. */
const entryField: Readonly<Record<string, string>> = { transcript: "text", analyses: "name", notes: "text" };

/** Returns whether a field's format is unknown. Such a field is shown verbatim. */
export function hasUnknownForm(name: string, call: Fields): boolean {
  const field = entryField[name];
  const value = call[name];
  if (field === undefined || value === undefined || value === null) return false;
  return !Array.isArray(value) || !value.every((entry) => isFields(entry) && entry[field] !== undefined);
}

/** Returns a list's entries; none if its format is unknown. */
export function listEntries(call: Fields, name: string): Fields[] {
  const entries = call[name];
  return Array.isArray(entries) && !hasUnknownForm(name, call) ? entries.filter(isFields) : [];
}

/** Returns a call's utterances in order. */
export function listUtterances(call: Fields): Fields[] {
  return listEntries(call, "transcript");
}
