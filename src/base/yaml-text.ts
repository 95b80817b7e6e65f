// To save time, load this module only for YAML.
import { messageOf } from "./error-code.js";
import { readYaml, startOf, type YamlTree } from "./yaml.js";

/** Line and column, both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

export function describeYamlError(error: unknown): string {
  const [first = ""] = messageOf(error).split("\n");
  return first.replace(/:$/, "");
}

/** @throws Error with the line number for invalid YAML */
export function parseYaml(text: string): unknown {
  return parseYamlWithLines(text).value;
}

/** @throws Error with the line number for invalid YAML */
export function parseYamlWithLines(text: string): {
  value: unknown;
  lineOf(path: readonly (string | number)[]): number | undefined;
  keyLineOf(path: readonly (string | number)[]): number | undefined;
  positionOf(path: readonly (string | number)[]): Position | undefined;
  keyPositionOf(path: readonly (string | number)[]): Position | undefined;
} {
  const { value, lines, nodeAt, keyAt } = parseYamlTree(text);
  const positionAt = (node: unknown): Position | undefined => {
    const start = startOf(node);
    if (start === undefined) return undefined;
    const { line, col: column } = lines.linePos(start);
    return { line, column };
  };
  return {
    value,
    lineOf: (path) => positionAt(nodeAt(path))?.line,
    keyLineOf: (path) => positionAt(keyAt(path))?.line,
    positionOf: (path) => positionAt(nodeAt(path)),
    keyPositionOf: (path) => positionAt(keyAt(path)),
  };
}

/** @throws Error with the line number for invalid YAML */
export function parseYamlTree(text: string): YamlTree {
  const tree = readYaml(text);
  if (!("problem" in tree)) return tree;
  const { message, line, column } = tree.problem;
  throw new Error(`${message} at line ${line}, column ${column}`);
}
