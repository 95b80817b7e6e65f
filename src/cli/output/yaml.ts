// The one door to the YAML library, loaded by the command that meets some.
import {
  Document,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  Scalar,
  type ScalarTag,
  visit,
} from "yaml";
import { ExactNumber } from "../../base/exact-json.js";

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

/** Characters that YAML 1.1 takes for line ends or allows nowhere, and halves of characters: they are escaped. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const halves = /\p{Surrogate}/u;

/**
 * A value as YAML that readers of version 1.1 (Ansible, PyYAML, Ruby) and of 1.2 read alike: texts that either would
 * take for a number, a time, a switch or nothing are quoted, keys included. No line is folded: people edit what this
 * writes, and half of a folded text that is taken out or left over changes its neighbour.
 */
export function stringifyYaml(value: unknown): string {
  const document = new Document(value, {
    compat: "yaml-1.1",
    customTags: [exactNumber],
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(_, scalar) {
      const text = scalar.value;
      if (typeof text !== "string") return;
      if (otherwise.test(text) || text.search(unprintable) !== -1 || halves.test(text))
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
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The parser's finding, in one line: it draws the position below its message. */
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
  const { value, document, lines } = parseDocumentOf(text);
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
  const { value, document, lines } = parseDocumentOf(text);
  const lineAt = (node: unknown): number | undefined => {
    const range =
      typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)
        ? node.range
        : [];
    const [start]: unknown[] = range;
    return typeof start === "number" ? lines.linePos(start).line : undefined;
  };
  return {
    value,
    lineOf: (path) => lineAt(document.getIn(path, true)),
    keyLineOf(path) {
      const holder: unknown = document.getIn(path.slice(0, -1), true);
      const pairs = isMap(holder) ? holder.items : [];
      return lineAt(pairs.find(({ key }) => isScalar(key) && key.value === path.at(-1))?.key);
    },
  };
}

function parseDocumentOf(text: string): { value: unknown; document: Document.Parsed; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw error;
  refuseCircles(document, lines);
  return { value: document.toJS(), document, lines };
}

/** JSON has no form for what holds itself, and whoever walks it never ends. */
function refuseCircles(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Alias(_, alias, holders) {
      const target = alias.resolve(document);
      if (!holders.some((holder) => holder === target)) return;
      const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
      throw new Error(`the alias *${alias.source} makes a value hold itself at line ${line}, column ${col}`);
    },
  });
}
