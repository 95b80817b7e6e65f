import { type Fields, isFields, textIn } from "../../../output/fields.js";
import { clockText, isOfOtherForm, utterancesOf } from "./text.js";

/** The sentences of a call, a line each: `0:11 user: What does it cost?` T10: of another form it stands as it came. */
export function transcriptLines(call: Fields): string[] {
  if (isOfOtherForm("transcript", call)) return [JSON.stringify(call["transcript"])];
  return utterancesOf(call).map((utterance) => {
    const offset = utterance["offset_seconds"];
    const at = typeof offset === "number" ? `${clockText(offset)} ` : "";
    // Another line would be another sentence, whoever says it.
    return `${at}${textIn(utterance, "role")}: ${textIn(utterance, "text").replace(/\s*[\r\n]+\s*/g, " ")}`;
  });
}

/** `sentiment: positive`, a line each. */
export function analysesText(call: Fields): string[] {
  return entries(call, "analyses").map(({ name, value }) => `${plain(name)}: ${plain(value)}`);
}

export function notesText(call: Fields): string[] {
  return entries(call, "notes").map((note) => textIn(note, "text"));
}

function entries(call: Fields, name: string): Fields[] {
  const value = call[name];
  if (isOfOtherForm(name, call)) return [{ name, value, text: plain(value) }];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
