/** Edits values in YAML. Keeps all other text, including comments, and parses the result to check the edits. */

import { isFields } from "../../../base/fields.js";
import { splitMarkdown } from "../../../base/front-matter.js";
import { canonical } from "../canonical.js";
import { parseYamlText, type YamlPath, type YamlText, yamlKey, yamlOf } from "./yaml.js";

export type Edit =
  | { path: YamlPath; value: unknown }
  /** Adds an entry to the end of a list. */
  | { append: YamlPath; value: unknown }
  /** Removes an entry from a list. */
  | { remove: YamlPath };

/** @throws Error if an edit would change other values, which is a bug */
export function editYaml(text: string, edits: readonly Edit[]): string {
  let current = text;
  for (const edit of edits) {
    const before = parse(current);
    const expected = valueAfter(before.value ?? {}, edit);
    const next =
      "remove" in edit
        ? removed(before, edit.remove)
        : "append" in edit
          ? appended(before, edit.append, edit.value)
          : set(before, edit.path, edit.value);
    const after = parse(next);
    if (canonical("exact", [after.value]) !== canonical("exact", [expected]))
      throw new Error(`the edit ${JSON.stringify(edit)} would change other values; the file was not changed`);
    current = next;
  }
  return current;
}

/** `body` replaces the Markdown after the front matter; undefined keeps it. See `editYaml`. */
export function editMarkdown(text: string, edits: readonly Edit[], body: string | undefined): string {
  const parts = splitMarkdown(text);
  if (parts === undefined) throw new Error("the file has no front matter");
  const matter = editYaml(parts.matter, edits);
  const end = matter === "" || matter.endsWith("\n") ? "" : "\n";
  const closing = text.slice(parts.matterStart + parts.matter.length, parts.bodyStart);
  return `${text.slice(0, parts.matterStart)}${matter}${end}${closing.endsWith("\n") ? closing : `${closing}\n`}${body ?? parts.body}`;
}

function parse(text: string): YamlText {
  const parsed = parseYamlText(text, "");
  if ("message" in parsed) throw new Error(parsed.message);
  return parsed;
}

function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>((current, part) => {
    if (Array.isArray(current)) return current[Number(part)];
    return isFields(current) ? current[String(part)] : undefined;
  }, value);
}

function valueAfter(value: unknown, edit: Edit): unknown {
  const change = (current: unknown, path: YamlPath): unknown => {
    const [first, ...tail] = path;
    if (first === undefined) {
      if ("append" in edit) return [...(Array.isArray(current) ? current : []), edit.value];
      return "path" in edit ? edit.value : undefined;
    }
    if (Array.isArray(current)) {
      if ("remove" in edit && tail.length === 0) return current.filter((_, index) => index !== first);
      return current.map((entry, index) => (index === first ? change(entry, tail) : entry));
    }
    return {
      ...(isFields(current) ? current : {}),
      [String(first)]: change(isFields(current) ? current[String(first)] : undefined, tail),
    };
  };
  return change(value, "path" in edit ? edit.path : "append" in edit ? edit.append : edit.remove);
}

function rendered(value: unknown, column: number): string {
  const text = yamlOf({ k: value }).slice("k:".length);
  const indent = " ".repeat(column);
  // Don't trim spaces: they belong to the value.
  const [first = "", ...moreLines] = text.replace(/\n+$/, "").split("\n");
  const body =
    text.endsWith("\n\n") || / [|>]\+/.test(first)
      ? text
          .slice(first.length + 1)
          .replace(/\n$/, "")
          .split("\n")
      : moreLines;
  return [first, ...body.map((line) => (line === "" ? "" : `${indent}${line}`))].join("\n");
}

function set(yaml: YamlText, path: YamlPath, value: unknown): string {
  const { text } = yaml;
  const range = yaml.rangeOf(path);
  if (range === undefined) return inserted(yaml, path, value);
  if (range.isInFlow) return `${text.slice(0, range.start)}${JSON.stringify(value)}${text.slice(range.end)}`;
  const fresh = rendered(value, range.column);
  const isOldWhole = range.isBlock && text[range.end - 1] === "\n";
  if (!fresh.includes("\n") && !isOldWhole) {
    const isTight = range.start === range.colon;
    return `${text.slice(0, range.start)}${isTight ? fresh : fresh.trimStart()}${text.slice(range.end)}`;
  }
  const lineEnd = isOldWhole ? range.end : endOfLine(text, range.end);
  // Keep a comment on the key's line. In a block scalar, the comment comes after `|` or `>`.
  const gap = range.isBlock
    ? (text.slice(range.colon, range.end).split("\n")[0] ?? "")
    : text.slice(range.end, lineEnd).replace(/\n$/, "");
  const comment = /(\s+#.*)$/.exec(gap)?.[1] ?? "";
  const [first = "", ...moreLines] = fresh.split("\n");
  const hasBlock = / [|>][-+\d]*$/m.test(fresh);
  const behind = hasBlock ? outdented(text.slice(lineEnd), range.column) : text.slice(lineEnd);
  // Remove the empty lines after a block scalar with `|+`, because they would become part of its text.
  const after = / [|>]\+$/m.test(fresh) ? behind.replace(/^\n+/, "") : behind;
  return `${text.slice(0, range.colon)}${[`${first}${comment}`, ...moreLines].join("\n")}\n${after}`;
}

/** Comments that are indented more than the key would become text of the block scalar. */
function outdented(text: string, column: number): string {
  const comments = /^(?: *#[^\n]*\n)+/.exec(text)?.[0] ?? "";
  const lines = comments.split("\n").map((line) => {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    return indent > column ? `${" ".repeat(column)}${line.trimStart()}` : line;
  });
  return `${lines.join("\n")}${text.slice(comments.length)}`;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end + 1;
}

function inserted(yaml: YamlText, path: YamlPath, value: unknown): string {
  const { text } = yaml;
  const key = String(path.at(-1));
  const holder = yaml.endOfMap(path.slice(0, -1));
  if (holder === undefined) {
    if (path.length > 1) return set(yaml, path.slice(0, -1), { [key]: value });
    return `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${yamlKey(key)}:${rendered(value, 0)}\n`;
  }
  if (holder.isFlow) {
    const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return `${text.slice(0, holder.at)}${holder.isEmpty ? member : `, ${member}`}${text.slice(holder.at)}`;
  }
  const at = text[holder.at - 1] === "\n" ? holder.at : endOfLine(text, holder.at);
  const before = text.slice(0, at);
  const line = `${" ".repeat(holder.column)}${yamlKey(key)}:${rendered(value, holder.column)}\n`;
  return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}${text.slice(at)}`;
}

function appended(yaml: YamlText, path: YamlPath, value: unknown): string {
  const { text } = yaml;
  const list = valueAt(yaml.value, path);
  const last = Array.isArray(list) ? list.length - 1 : -1;
  const range = last < 0 ? undefined : yaml.entryRange([...path, last]);
  if (range === undefined) return set(yaml, path, [...(Array.isArray(list) ? list : []), value]);
  const indent = /^[ ]*/.exec(text.slice(range.start))?.[0] ?? "";
  const before = text.slice(0, range.end);
  // Add an empty map, because `yamlOf` would write a list of strings on one line. The next line removes the
  // map.
  const entry = yamlOf([value, {}])
    .replace(/\n- \{\}\n$/, "")
    .split("\n")
    .map((line) => (line === "" ? "" : `${indent}${line}`))
    .join("\n");
  return `${before}${before.endsWith("\n") ? "" : "\n"}${entry}\n${text.slice(range.end)}`;
}

function removed(yaml: YamlText, path: YamlPath): string {
  const { text } = yaml;
  const holder = path.slice(0, -1);
  const list = valueAt(yaml.value, holder);
  const range = yaml.entryRange(path);
  if (!Array.isArray(list) || range === undefined || list.length === 1)
    return set(yaml, holder, Array.isArray(list) ? list.filter((_, index) => index !== path.at(-1)) : []);
  return `${text.slice(0, range.start)}${text.slice(range.end)}`;
}
