/** Converts files to their canonical form. Only reorders lines, and checks that no value changes. */
import { isFields } from "../../base/fields.js";
import { canonical } from "./canonical.js";
import { type Folder, sourcesOf } from "./folder/open.js";
import type { SourceFile } from "./folder/source.js";
import { parseYamlText } from "./folder/yaml.js";

export function formatFolder(folder: Folder): Map<string, string> {
  const changed = new Map<string, string>();
  const raw = new Map(folder.files.map(({ path, text }) => [path, text]));
  for (const source of sourcesOf(folder)) {
    const before = raw.get(source.path);
    const text = formatted(source);
    // Keep the line endings if git converted all of them to CRLF.
    const isCheckout = before === source.text.replaceAll("\n", "\r\n");
    const kept = isCheckout ? text.replaceAll("\n", "\r\n") : text;
    if (kept !== before) changed.set(source.path, kept);
  }
  return changed;
}

function formatted(source: SourceFile): string {
  const { text, yaml, markdown, isGroupFile, resourceType } = source;
  const spec = isGroupFile
    ? resourceType.group
    : resourceType.layout === "items"
      ? resourceType.group
      : resourceType.item;
  const names = [
    ...(spec?.fields ?? []).map(({ name }) => name.split(".")[0] ?? ""),
    "items",
    "newline",
    "variables",
    "text",
    "extra",
    "exclude",
  ];
  const matter = inOrder(yaml.text, yaml.value, names);
  if (markdown === undefined)
    return matter === "" || matter.endsWith("\n") ? matter.replace(/\n+$/, "\n") : `${matter}\n`;
  const start = markdown.matterStart;
  // Never format the Markdown body, because it is the resource's own text.
  return `${text.slice(0, start)}${matter}${text.slice(start + markdown.matter.length)}`;
}

/** A comment moves with the member below it. */
function inOrder(text: string, value: unknown, names: readonly string[]): string {
  if (!isFields(value)) return text;
  const blocks = blocksOf(text);
  if (blocks === undefined) return text;
  const rank = (key: string) => {
    const index = names.indexOf(key);
    return index === -1 ? names.length : index;
  };
  const ordered = blocks.members.toSorted((left, right) => rank(left.key) - rank(right.key));
  const result = `${blocks.head}${ordered.map(({ lines }) => (lines.endsWith("\n") ? lines : `${lines}\n`)).join("")}${blocks.tail}`;
  const parsed = parseYamlText(result, "");
  if ("message" in parsed || canonical("exact", [parsed.value]) !== canonical("exact", [value])) return text;
  return result;
}

interface Blocks {
  head: string;
  members: { key: string; lines: string }[];
  tail: string;
}

/** Returns undefined for a document that is not in block style. */
function blocksOf(text: string): Blocks | undefined {
  const lines = text.split("\n").map((line, index, all) => (index === all.length - 1 ? line : `${line}\n`));
  const members: { key: string; lines: string }[] = [];
  let pending = "";
  let head = "";
  for (const line of lines) {
    const key = /^("(?:[^"\\]|\\.)*"|[A-Za-z_][\w-]*)\s*:(?:\s|$)/.exec(line)?.[1];
    if (key !== undefined) {
      members.push({ key: key.replace(/^"|"$/g, ""), lines: pending + line });
      pending = "";
      continue;
    }
    const isOutside = /^(?:#.*)?\s*$/.test(line);
    const last = members.at(-1);
    if (isOutside) {
      pending += line;
      // A comment at the top is about the whole file if an empty line follows.
      if (last === undefined && (line.trim() === "" || line.startsWith("# yaml-language-server"))) {
        head += pending;
        pending = "";
      }
    } else if (last === undefined) return undefined;
    else {
      last.lines += pending + line;
      pending = "";
    }
  }
  return { head, members, tail: pending };
}
