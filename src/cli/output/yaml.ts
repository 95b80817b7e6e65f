// Load this module only when it is needed.
import { Document, isPair, isScalar, Scalar, type ScalarTag, visit } from "yaml";
import { ExactNumber } from "../../base/exact-json.js";
import { escapeCharacter } from "../../base/text.js";
import { parseYamlTree } from "../../base/yaml-text.js";
import { holdsCommand } from "../terminal/workflow-commands.js";

const exactNumber: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => new ExactNumber(text),
  stringify: ({ value }) => String(value),
};

/**
 * Strings to quote because YAML 1.1 parsers give them a special meaning (`=`, `<<`, `1,000`, `:name`). The
 * library itself quotes YAML 1.1 types, such as `12:00`, `on`, `1_000` and `2026-01-01`.
 */
const otherwise =
  /^(?:=|<<|:.*|[-+]?[\d.,:_]+|[-+]?\d[\d_,.]*e[-+]?\d*|(?:---|\.\.\.).*)$|[\t\r]|^\s|\n +(?:\n|$)/is;

/**
 * Characters that YAML 1.1 forbids or treats as line breaks, characters that change the writing direction,
 * and lone surrogates.
 */
const unprintable =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
const halves = /\p{Surrogate}/u;

/**
 * Writes YAML that parsers of version 1.1 (Ansible, PyYAML, Ruby) and 1.2 read the same way. Never folds
 * lines, because an edit in folded text would change other lines.
 * @param isRead whether a CI runner reads the output. For a CI runner, quotes strings that the runner would
 * execute
 */
export function stringifyYaml(value: unknown, { isRead = false } = {}): string {
  const document = new Document(value, {
    compat: "yaml-1.1",
    customTags: [exactNumber],
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(_, scalar) {
      const text = scalar.value;
      if (typeof text !== "string") return;
      if (
        otherwise.test(text) ||
        text.search(unprintable) !== -1 ||
        halves.test(text) ||
        (isRead && holdsCommand(text))
      )
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({
    lineWidth: 0,
    blockQuote: "literal",
    // Keep text on one line: other parsers don't understand the backslashes in the library's multi-line
    // format.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  // The library writes these characters only in double quotes, and escapes are valid there.
  return text.replace(unprintable, escapeCharacter);
}

/**
 * Refuses a line without a key, except in a block (`|` or `>`): YAML would append the line to the value
 * above, which is usually a mistake.
 * @throws the errors of `parseYaml`, and an error for a line without a key
 */
export function parseEditedYaml(text: string): unknown {
  const { value, document, lines } = parseYamlTree(text);
  visit(document, {
    Scalar(role, scalar, holders) {
      if (!scalar.range || !scalar.source) return;
      if (scalar.type === Scalar.BLOCK_LITERAL || scalar.type === Scalar.BLOCK_FOLDED) return;
      const [start, end] = scalar.range;
      const first = lines.linePos(start).line;
      const last = lines.linePos(end).line;
      const holder = holders.at(-1);
      const key = role === "value" && isPair(holder) && isScalar(holder.key) ? holder.key : undefined;
      const keyLine = key?.range ? lines.linePos(key.range[0]).line : first;
      if (keyLine === last) return;
      const stray = first === keyLine ? first + 1 : first;
      throw new Error(
        `line ${stray} would become part of ${key ? `"${String(key.value)}"` : "the text"} above it: remove the line, or start multi-line text with | after the field name`,
      );
    },
  });
  return value;
}
