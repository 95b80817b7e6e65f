import { readYaml } from "../../base/yaml.js";

/**
 * The value of a document in which each scalar is a text, as it is written: `007`, `1.10`, `true`.
 * One function with a name: the library is CommonJS, and a bundle gives an import() of such a thing no names.
 */
export function readTexts(text: string): { value: unknown } | { error: string; line: number } {
  const tree = readYaml(text, { schema: "failsafe", logLevel: "silent" });
  return "problem" in tree ? { error: tree.problem.message, line: tree.problem.line } : { value: tree.value };
}
