import { readYaml } from "../../../base/yaml.js";

/**
 * Parses YAML and returns every scalar as written: `007`, `1.10`, `true`. Callers load this module with
 * `import()`. They can't load the CommonJS library itself in this way, because it has no named exports in a
 * bundle.
 */
export function readTexts(text: string): { value: unknown } | { error: string; line: number } {
  const tree = readYaml(text, { schema: "failsafe", logLevel: "silent" });
  return "problem" in tree ? { error: tree.problem.message, line: tree.problem.line } : { value: tree.value };
}
