import { splitMarkdown } from "../../../base/front-matter.js";
import { usageError } from "../../errors/errors.js";
import { type Fields, isFields } from "../../output/fields.js";
import { describeYamlError, parseEditedYaml, stringifyYaml } from "../../output/yaml.js";

/** How a thing stands in the file that is edited. */
export interface DocumentForm {
  /** Markdown: this field is the file's text, the others stand in front of it. Without one the file is YAML. */
  textField: string | undefined;
  /** A comment at the beginning. */
  comment: string;
}

const separator = "---\n";

/** The file of a thing. Its line ends are alike, so that an editor shows none of them; those of the text come back as they were. */
export function formatEdited(fields: Fields, { textField, comment }: DocumentForm): string {
  if (textField === undefined) return `# ${comment}\n${stringifyYaml(fields)}`;
  const { [textField]: text, ...otherFields } = fields;
  const written = typeof text === "string" ? normalizeLineEnds(text) : "";
  return `${separator}# ${comment}\n${stringifyYaml(otherFields)}${separator}\n${written}${written.endsWith("\n") ? "" : "\n"}`;
}

/**
 * The fields in an edited file.
 * @param before as they were written: an editor's newline at the end is no change
 * @throws usage error (2)
 */
export function parseEdited(content: string, before: Fields, { textField }: DocumentForm): Fields {
  const text = normalizeLineEnds(content.replace(/^\ufeff/, ""));
  if (textField === undefined) return parseFields(text);
  const parts = splitMarkdown(text);
  if (parts === undefined)
    throw usageError(
      "the file must begin with its fields between two lines of three dashes, as it was written",
    );
  const body = parts.body.replace(/^\n/, "");
  const storedText = before[textField];
  const former = typeof storedText === "string" ? storedText : "";
  const isOpen = typeof storedText === "string" && !former.endsWith("\n");
  // With a line for the first separator, so that a complaint's line is the file's.
  const otherFields = parseFields(`\n${parts.matter}`);
  if (Object.hasOwn(otherFields, textField))
    throw usageError(
      `${textField} stands below the fields, and not among them: one of the two would be lost`,
    );
  return {
    ...otherFields,
    [textField]: restoreLineEnds(former, isOpen ? body.replace(/\n$/, "") : body),
  };
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r+\n/g, "\n");
}

/**
 * An edited text with the line ends that it had, as one typed into a web form has CRLF: what nobody changed is no
 * change. In a text of both kinds the lines before and behind what was edited keep theirs.
 */
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
    throw usageError(`it is no valid YAML: ${describeYamlError(error)}`, { cause: error });
  }
  if (value === null || value === undefined) return {};
  if (isFields(value)) return value;
  throw usageError("it must be fields with their values, as it was written");
}
