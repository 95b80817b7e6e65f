import { readYaml } from "../../../base/yaml.js";

/**
 * Parses YAML and returns every scalar as written: `007`, `1.10`, `true`. A separate module, because in a
 * bundle `import()` of a CommonJS library has no named exports.
 */
export function readTexts(text: string): { value: unknown } | { error: string; line: number } {
  const tree = readYaml(text, { schema: "failsafe", logLevel: "silent" });
  return "problem" in tree ? { error: tree.problem.message, line: tree.problem.line } : { value: tree.value };
}
