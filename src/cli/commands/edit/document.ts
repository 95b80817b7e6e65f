import { type Fields, isFields } from "../../../base/fields.js";
import { splitMarkdown } from "../../../base/front-matter.js";
import { describeYamlError } from "../../../base/yaml-text.js";
import { usageError } from "../../errors/errors.js";
import { parseEditedYaml, stringifyYaml } from "../../output/yaml.js";

export interface DocumentForm {
  /** The field that becomes the body of a Markdown file. Without it, the file is YAML. */
  textField: string | undefined;
  comment: string;
}

const separator = "---\n";

/** Returns uniform line endings; `parseEdited` restores the original ones. */
export function formatEdited(fields: Fields, { textField, comment }: DocumentForm): string {
  if (textField === undefined) return `# ${comment}\n${stringifyYaml(fields)}`;
  const { [textField]: text, ...otherFields } = fields;
  const written = typeof text === "string" ? normalizeLineEnds(text) : "";
  return `${separator}# ${comment}\n${stringifyYaml(otherFields)}${separator}\n${written}${written.endsWith("\n") ? "" : "\n"}`;
}

/**
 * Ignores a final newline that the editor added.
 * @throws usage error (2)
 */
export function parseEdited(content: string, before: Fields, { textField }: DocumentForm): Fields {
  const text = normalizeLineEnds(content.replace(/^\ufeff/, ""));
  if (textField === undefined) return parseFields(text);
  const parts = splitMarkdown(text);
  if (parts === undefined)
    throw usageError("invalid file: it must start with the fields, between two lines with only ---");
  const body = parts.body.replace(/^\n/, "");
  const storedText = before[textField];
  const former = typeof storedText === "string" ? storedText : "";
  const isOpen = typeof storedText === "string" && !former.endsWith("\n");
  // Replace the first separator with an empty line, so that errors contain the file's line numbers.
  const otherFields = parseFields(`\n${parts.matter}`);
  if (Object.hasOwn(otherFields, textField))
    throw usageError(`invalid field ${textField}: write this text in the body of the file, below the fields`);
  return {
    ...otherFields,
    [textField]: restoreLineEnds(former, isOpen ? body.replace(/\n$/, "") : body),
  };
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r+\n/g, "\n");
}

/** Restores the original line endings, such as CRLF, so that unedited lines don't change. */
function restoreLineEnds(former: string, edited: string): string {
  if (!former.includes("\r")) return edited;
  if (!/(?<!\r)\n|\r(?!\n)/.test(former)) return edited.replaceAll("\n", "\r\n");
  const before = former.split("\n");
  const now = edited.split("\n");
  const most = Math.min(before.length, now.length);
  const isUnchanged = (line: string | undefined, editedLine: string | undefined) =>
    line?.replace(/\r+$/, "") === editedLine;
  let head = 0;
  while (head < most && isUnchanged(before[head], now[head])) head += 1;
  let tail = 0;
  while (tail < most - head && isUnchanged(before.at(-1 - tail), now.at(-1 - tail))) tail += 1;
  return [
    ...before.slice(0, head),
    ...now.slice(head, now.length - tail),
    ...before.slice(before.length - tail),
  ].join("\n");
}

function parseFields(text: string): Fields {
  let value: unknown;
  try {
    value = parseEditedYaml(text);
  } catch (error) {
    throw usageError(`invalid YAML: ${describeYamlError(error)}`, { cause: error });
  }
  if (value === null || value === undefined) return {};
  if (isFields(value)) return value;
  throw usageError("invalid file: expected a mapping of field names to values");
}
