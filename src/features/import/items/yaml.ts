import { readYaml } from "../../../base/yaml.js";

/**
 * Parses a document in which each scalar is a text, as written: `007`, `1.10`, `true`. A single named
 * function, because a bundle gives the `import()` of a CommonJS library no named exports.
 */
export function readTexts(text: string): { value: unknown } | { error: string; line: number } {
  const tree = readYaml(text, { schema: "failsafe", logLevel: "silent" });
  return "problem" in tree ? { error: tree.problem.message, line: tree.problem.line } : { value: tree.value };
}
