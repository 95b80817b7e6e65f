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

export function writeEdited(fields: Fields, { textField, comment }: DocumentForm): string {
  if (textField === undefined) return `# ${comment}\n${stringifyYaml(fields)}`;
  const { [textField]: text, ...others } = fields;
  const written = typeof text === "string" ? text : "";
  return `${separator}# ${comment}\n${stringifyYaml(others)}${separator}\n${written}${written.endsWith("\n") ? "" : "\n"}`;
}

/**
 * The fields in an edited file.
 * @param before as they were written: an editor's newline at the end is no change
 * @throws usage error (2)
 */
export function readEdited(content: string, before: Fields, { textField }: DocumentForm): Fields {
  const text = content.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  if (textField === undefined) return parsed(text);
  const parts = splitMarkdown(text);
  if (parts === undefined)
    throw usageError(
      "the file must begin with its fields between two lines of three dashes, as it was written",
    );
  const body = parts.body.replace(/^\n/, "");
  const former = before[textField];
  const isOpen = typeof former === "string" && !former.endsWith("\n");
  return {
    // With a line for the first separator, so that a complaint's line is the file's.
    ...parsed(`\n${parts.matter}`),
    [textField]: isOpen ? body.replace(/\n$/, "") : body,
  };
}

function parsed(text: string): Fields {
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
