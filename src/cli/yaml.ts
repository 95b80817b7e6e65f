// The one door to the YAML library, loaded by the command that meets some.
import { type Document, LineCounter, parseDocument, type ScalarTag, stringify, visit } from "yaml";
import { ExactNumber } from "../base/exact-json.js";

/** T9: numbers keep their digits. */
const exactNumber: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => new ExactNumber(text),
  stringify: ({ value }) => String(value),
};

/** A value as YAML. */
export function stringifyYaml(value: unknown): string {
  return stringify(value, { customTags: [exactNumber] });
}

/** What the parser found, in one line: it draws the place below its message. */
export function yamlTrouble(error: unknown): string {
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
 * A document and where in it things stand.
 * @throws Error as parseYaml's
 */
export function parseYamlWithLines(text: string): {
  value: unknown;
  /** The line, from 1, on which the value at a path begins. */
  lineOf(path: readonly (string | number)[]): number | undefined;
} {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw error;
  refuseCircles(document, lines);
  return {
    value: document.toJS(),
    lineOf(path) {
      const node: unknown = document.getIn(path, true);
      const range =
        typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)
          ? node.range
          : [];
      const [start]: unknown[] = range;
      return typeof start === "number" ? lines.linePos(start).line : undefined;
    },
  };
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
