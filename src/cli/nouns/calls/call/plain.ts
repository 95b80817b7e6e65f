import { formatClock } from "../../../../base/duration.js";
import { type Fields, getText, isFields } from "../../../../base/fields.js";
import { hasUnknownForm, listUtterances } from "../../../../client/call-content.js";

/** An unknown format stays unchanged. */
export function formatTranscriptLines(call: Fields): string[] {
  if (hasUnknownForm("transcript", call)) return [JSON.stringify(call["transcript"])];
  return listUtterances(call).map((utterance) => {
    const offset = utterance["offset_seconds"];
    const at = typeof offset === "number" ? `${formatClock(offset)} ` : "";
    // A line break in an utterance would look like a change of speaker.
    return `${at}${getText(utterance, "role")}: ${getText(utterance, "text").replace(/\s*[\r\n]+\s*/g, " ")}`;
  });
}

export function formatAnalyses(call: Fields): string[] {
  return listEntries(call, "analyses").map(
    ({ name, value }) => `${toPlainText(name)}: ${toPlainText(value)}`,
  );
}

export function formatNotes(call: Fields): string[] {
  return listEntries(call, "notes").map((note) => getText(note, "text"));
}

function listEntries(call: Fields, name: string): Fields[] {
  const value = call[name];
  if (hasUnknownForm(name, call)) return [{ name, value, text: toPlainText(value) }];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function toPlainText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
