// The command line's YAML, loaded by the command that meets some.
import { Document, isPair, isScalar, Scalar, type ScalarTag, visit } from "yaml";
import { ExactNumber } from "../../base/exact-json.js";
import { escapeCharacter } from "../../base/text.js";
import { readYaml, startOf, type YamlTree } from "../../base/yaml.js";
import { holdsCommand } from "../terminal/workflow-commands.js";

/** T9: numbers keep their digits. */
const exactNumber: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => new ExactNumber(text),
  stringify: ({ value }) => String(value),
};

/**
 * Besides what YAML 1.1's own types take for something else (`12:00`, `on`, `1_000`, `2026-01-01`), which the library
 * knows: keys and values that readers of YAML 1.1 have a meaning for (`=`, `<<`, `1,000`, `:name`).
 */
const otherwise =
  /^(?:=|<<|:.*|[-+]?[\d.,:_]+|[-+]?\d[\d_,.]*e[-+]?\d*|(?:---|\.\.\.).*)$|[\t\r]|^\s|\n +(?:\n|$)/is;

/**
 * Characters that YAML 1.1 takes for line ends or allows nowhere, those that turn the direction of writing, and halves
 * of characters: they are escaped.
 */
const unprintable =
  /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
const halves = /\p{Surrogate}/u;

/**
 * A value as YAML that readers of version 1.1 (Ansible, PyYAML, Ruby) and of 1.2 read alike: texts that either would
 * take for a number, a time, a switch or nothing are quoted, keys included. No line is folded: people edit what this
 * writes, and half of a folded text that is taken out or left over changes its neighbour.
 * @param isRead the runner of a CI job reads it: texts that it would execute are quoted, in which an escape is possible
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
    // On one line: over several, the library writes what other readers take for a backslash.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  // They stand between double quotes only, where an escape is what they are.
  return text.replace(unprintable, escapeCharacter);
}

/** The parser's finding, in one line. */
export function describeYamlError(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return first.replace(/:$/, "");
}

/**
 * The value of a document.
 * @throws Error whose message says the line: the parser's, or of an alias that makes a value hold itself
 */
export function parseYaml(text: string): unknown {
  return parseYamlWithLines(text).value;
}

/**
 * The value of a document that a person edited, in which a text of several lines is a block. YAML takes a line without a
 * key for more of the text above it; here it is a mistake: its key was taken out, or it was meant to be a line.
 * @throws Error as parseYaml's, and for such a line
 */
export function parseEditedYaml(text: string): unknown {
  const { value, document, lines } = parse(text);
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
        `line ${stray} would become part of ${key ? `"${String(key.value)}"` : "the text"} above it: take it out, or begin a text of several lines with | behind its field's name`,
      );
    },
  });
  return value;
}

/**
 * A document and where in it things stand.
 * @throws Error as parseYaml's
 */
export function parseYamlWithLines(text: string): {
  value: unknown;
  /** The line, from 1, on which the value at a path begins. */
  lineOf(path: readonly (string | number)[]): number | undefined;
  /** The line of the key that a path ends with. */
  keyLineOf(path: readonly (string | number)[]): number | undefined;
} {
  const { value, lines, nodeAt, keyAt } = parse(text);
  const lineAt = (node: unknown): number | undefined => {
    const start = startOf(node);
    return start === undefined ? undefined : lines.linePos(start).line;
  };
  return {
    value,
    lineOf: (path) => lineAt(nodeAt(path)),
    keyLineOf: (path) => lineAt(keyAt(path)),
  };
}

function parse(text: string): YamlTree {
  const tree = readYaml(text);
  if (!("problem" in tree)) return tree;
  const { message, line, column } = tree.problem;
  throw new Error(`${message} at line ${line}, column ${column}`);
}
