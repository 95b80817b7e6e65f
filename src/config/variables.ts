/** F6: `${var.NAME}`, `${env.NAME}`, and `$${` for `${`. Replaced after parsing, so a value can't change structure. */

import type { YamlPath } from "./folder/yaml.js";
import { projectFile } from "./project.js";

export interface Variables {
  /** Whose variables they are, for messages. */
  readonly target?: string;
  readonly var: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const pattern = /\$\$\{|\$\{([^}]*)\}?/g;

/**
 * A text with its variables filled in.
 * @param unset told of what has no value
 */
export function filledText(text: string, variables: Variables, unset: (message: string) => void): string {
  return text.replace(pattern, (found, name: string | undefined) => {
    if (name === undefined) return "${";
    const [, area = "", variable = ""] = /^(var|env)\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(name.trim()) ?? [];
    const values: Readonly<Record<string, string | undefined>> =
      area === "env" ? variables.env : variables.var;
    if (area === "" || !found.endsWith("}")) {
      unset(`${found} is no variable: \${var.NAME} or \${env.NAME} is; $\${ stands for \${`);
      return found;
    }
    const value = Object.hasOwn(values, variable) ? values[variable] : undefined;
    if (value === undefined) {
      unset(
        area === "env"
          ? `the environment variable ${variable} is not set`
          : lacksVariable(variables.target, variable),
      );
      return found;
    }
    return value;
  });
}

function lacksVariable(target: string | undefined, variable: string): string {
  if (target === undefined) return `the target has no variable ${variable}`;
  return `the target ${target} has no variable ${variable}, under targets.${target}.variables of ${projectFile}`;
}

/** Does a text take any of its content from a variable? */
export function hasVariables(text: string): boolean {
  return [...text.matchAll(pattern)].some(([, name]) => name !== undefined);
}

/** The first variable of a text, as it stands there: `${var.company}`. */
export function firstVariable(text: string): string | undefined {
  return [...text.matchAll(pattern)].find(([, name]) => name !== undefined)?.[0];
}

/** A text as it is written where variables are filled in. */
export function escapedText(text: string): string {
  // A function: in a replacement's text $$ would be one sign.
  return text.replaceAll("${", () => "$${");
}

/** A value with the variables of all its texts filled in; keys stay as they are. */
export function filledValue(
  value: unknown,
  fill: (text: string, path: YamlPath) => string,
  path: YamlPath = [],
): unknown {
  if (typeof value === "string") return fill(value, path);
  if (Array.isArray(value)) return value.map((entry, index) => filledValue(entry, fill, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, filledValue(inner, fill, [...path, name])]),
  );
}
