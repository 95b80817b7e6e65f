import { type Fields, isFields } from "../base/fields.js";

/** For each of these lists, the field that contains an entry's content. The lists' formats are not documented. */
const entryField: Readonly<Record<string, string>> = { transcript: "text", analyses: "name", notes: "text" };

/** Returns whether a field has an unknown format. Such a field is shown unchanged. */
export function hasUnknownForm(name: string, call: Fields): boolean {
  const field = entryField[name];
  const value = call[name];
  if (field === undefined || value === undefined || value === null) return false;
  return !Array.isArray(value) || !value.every((entry) => isFields(entry) && entry[field] !== undefined);
}

/** Returns the entries of a list in a call; empty if the list has an unknown format. */
export function listEntries(call: Fields, name: string): Fields[] {
  const entries = call[name];
  return Array.isArray(entries) && !hasUnknownForm(name, call) ? entries.filter(isFields) : [];
}

/** Returns the utterances in order. */
export function listUtterances(call: Fields): Fields[] {
  return listEntries(call, "transcript");
}
