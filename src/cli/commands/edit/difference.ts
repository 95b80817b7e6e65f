import { createPatch } from "diff";
import type { Fields } from "../../../base/fields.js";
import { stringifyYaml } from "../../output/yaml.js";
import type { Session } from "../../session/session.js";

const contextLines = 2;

export function showDifference({ notes }: Session, before: Fields, changes: Fields): void {
  const names = Object.keys(changes);
  const isText = (name: string) => [before[name], changes[name]].some(isMultiline);
  const fields = names.filter((name) => !isText(name));
  const formatFields = (record: Fields) =>
    stringifyYaml(Object.fromEntries(fields.map((name) => [name, record[name]])));
  const lines = [
    ...(fields.length > 0 ? formatPatch(formatFields(before), formatFields(changes)) : []),
    ...names
      .filter(isText)
      .flatMap((name) => [
        `${name}:`,
        ...formatPatch(...unifyLineEnds(toText(before[name]), toText(changes[name]))),
      ]),
  ];
  for (const line of lines) {
    const { green, red } = notes.paint;
    notes.note(line.startsWith("+") ? green(line) : line.startsWith("-") ? red(line) : line);
  }
}

/** Multi-line text is shown as a line diff, because a small change can affect every line of its YAML. */
function isMultiline(value: unknown): boolean {
  return typeof value === "string" && value.includes("\n");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Hides differences in line endings, unless nothing else differs. */
function unifyLineEnds(before: string, after: string): [string, string] {
  const [plainBefore, plainAfter] = [before, after].map((text) => text.replaceAll("\r\n", "\n"));
  return plainBefore === undefined || plainAfter === undefined || plainBefore === plainAfter
    ? [before, after]
    : [plainBefore, plainAfter];
}

function withFinalNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function formatPatch(before: string, after: string): string[] {
  // Add final newlines. Otherwise, a new line at the end would mark the previous line as changed.
  const [oldText, newText] =
    withFinalNewline(before) === withFinalNewline(after)
      ? [before, after]
      : [withFinalNewline(before), withFinalNewline(after)];
  return (
    createPatch("it", oldText, newText, "", "", { context: contextLines })
      .split("\n")
      // Omit the header with the file names.
      .slice(4)
      .filter((line) => line !== "" && !line.startsWith("\\"))
  );
}
