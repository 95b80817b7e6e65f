import { formatClock } from "../../../../base/duration.js";
import { type Fields, getText, isFields } from "../../../../base/fields.js";
import { escapeControl } from "../../../../base/text.js";
import { hasUnknownForm, listEntries, listUtterances } from "../../../../client/call-content.js";
import { showIfPresent } from "../../../output/fields.js";
import { paintStatus } from "../../../output/status.js";
import type { Session } from "../../../session/session.js";
import { foldToCells } from "../../../terminal/cells.js";
import { columnsOf } from "../../../terminal/columns.js";
import {
  createPaint,
  joined,
  type Paint,
  type Painted,
  styled,
  type Text,
  toLines,
  wantsColor,
} from "../../../terminal/paint.js";

export interface CallStyle {
  paint: Paint;
  columns: number | undefined;
  /** For screen readers: no alignment or wrapping. */
  plain?: boolean | undefined;
}

export function getCallStyle({ io, flags }: Session): CallStyle {
  return {
    paint: createPaint(wantsColor(io, io.stdout, flags.color)),
    columns: io.stdout.isTTY === true && !flags.plain ? columnsOf(io, io.stdout) : undefined,
    plain: flags.plain,
  };
}

export function formatPlacedCall(call: Fields): string {
  return `Calling ${getText(call, "to")} (call ${getText(call, "call_id")})…`;
}

const separateFields = new Set([
  "id",
  "direction",
  "status",
  "created_at",
  "started_at",
  "ended_at",
  "updated_at",
  "duration_seconds",
  "transcript",
  "analyses",
  "notes",
  "recording",
]);

export function formatCall(call: Fields, style: CallStyle): Painted {
  return joined([
    formatCallHead(call, style),
    formatSection("Transcript", formatTranscript(call, style), style),
    formatSection("Analyses", formatPairs(listAnalyses(call), "  ", style), style),
    formatSection("Notes", formatNotes(call, style), style),
  ]);
}

function formatCallHead(call: Fields, style: CallStyle): Painted {
  const { paint } = style;
  const seconds = call["duration_seconds"];
  const facts = [
    getText(call, "direction"),
    formatStatus(getText(call, "status"), paint),
    formatMinute(getText(call, "created_at")),
    typeof seconds === "number" ? formatClock(seconds) : "",
  ].filter((fact) => String(fact) !== "");
  const otherFields = Object.entries(call).filter(
    ([name]) => !separateFields.has(name) || hasUnknownForm(name, call),
  );
  const pairs = [
    ...otherFields,
    ["recording", showIfPresent(["recording"], formatRecording)(call)] as const,
  ].map(([name, value]) => [name, plain(value)] as const);
  const title = paint.bold(`Call ${getText(call, "id")}`);
  return joined([toLines([title, joined(facts, ", "), ""]), formatPairs(pairs, "", style)]);
}

export function formatStatus(status: string, paint: Paint): Text {
  return paintStatus(status.replaceAll("_", " "), paint);
}

export function formatRecording(call: Fields): string {
  const recording = call["recording"];
  if (!isFields(recording) || recording["available"] !== true) return "none";
  return getText(recording, "content_type") || "available";
}

function formatTranscript(call: Fields, style: CallStyle): Painted {
  return joined(listUtterances(call).map((utterance) => formatTranscriptLine(utterance, style)));
}

export function formatTranscriptLine(
  utterance: Fields,
  { paint, columns, plain: isPlain }: CallStyle,
): Painted {
  const offset = utterance["offset_seconds"];
  const at = typeof offset === "number" ? formatClock(offset) : "";
  if (isPlain) {
    const who = [getText(utterance, "role"), at].filter((part) => part !== "").join(", ");
    return styled`${who}: ${getText(utterance, "text")}\n`;
  }
  const time = at.padStart(6);
  const role = escapeControl(getText(utterance, "role")).padEnd(9);
  const indent = time.length + 2 + role.length + 2;
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - indent);
  const lines = getText(utterance, "text")
    .split("\n")
    .flatMap((line) => foldToCells(line, width));
  const painted = role.startsWith("assistant") ? paint.cyan(role) : paint.bold(role);
  return styled`${paint.dim(time)}  ${painted}  ${joined(lines, `\n${" ".repeat(indent)}`)}\n`;
}

function listAnalyses(call: Fields): (readonly [string, string])[] {
  return listEntries(call, "analyses").map(({ name, value }) => [plain(name), plain(value)]);
}

function formatNotes(call: Fields, { paint, plain: isPlain }: CallStyle): Painted {
  const indent = isPlain ? "" : "  ";
  const lines = listEntries(call, "notes").flatMap((note) => {
    const head = [formatMinute(getText(note, "created_at")), getText(note, "author")];
    const title = head.filter((part) => part !== "").join(isPlain ? ", " : "  ");
    return [paint.dim(title), ...getText(note, "text").split("\n")];
  });
  return toLines(lines.map((line) => joined([indent, line])));
}

function formatSection(title: string, text: Painted, { paint }: CallStyle): Painted {
  return String(text) === "" ? text : styled`\n${paint.bold(title)}\n${text}`;
}

function formatPairs(
  pairs: readonly (readonly [string, string])[],
  indent: string,
  { plain: isPlain, paint }: CallStyle,
): Painted {
  if (isPlain) return toLines(pairs.map(([name, value]) => `${name}: ${value}`));
  const shown = pairs.map(([name, value]) => [escapeControl(name), value] as const);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return toLines(
    shown.map(([name, value]) => styled`${indent}${paint.dim(name.padEnd(width))}  ${escapeControl(value)}`),
  );
}

function plain(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function formatMinute(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, "$1 $2 UTC");
}
