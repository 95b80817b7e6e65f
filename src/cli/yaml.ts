// The one door to the YAML library, loaded by the command that meets some.
import { LineCounter, parseDocument } from "yaml";

export { parse as parseYaml, stringify as stringifyYaml } from "yaml";

/** What the parser found, in one line: it draws the place below its message. */
export function yamlTrouble(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return first.replace(/:$/, "");
}

/**
 * A document and where in it things stand.
 * @throws Error of the parser, whose message says the line
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
