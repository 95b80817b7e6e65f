import { mapInner } from "../../base/fields.js";
/**
 * Expands `${var.NAME}` and `${env.NAME}`; `$${` is a literal `${`. Runs after parsing, so that values can't
 * change the file's structure.
 */

import { type Access, isKeyText, refusalOf } from "./access.js";
import type { Problem } from "./errors.js";
import type { YamlPath } from "./folder/yaml.js";
import { projectFile } from "./project.js";
import { sourceText } from "./secret-sources.js";

export interface Variables {
  readonly target?: string;
  readonly var: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The allowed environment variables; undefined means all. */
  readonly access?: Access | undefined;
}

const pattern = /\$\$\{|\$\{([^}]*)\}?/g;

type AddProblem = (message: string, refused?: Problem["refused"]) => void;

/** `source` is set if this part of a string comes from the environment. */
interface Part {
  text: string;
  source?: string;
}

/** @param addProblem called for variables that are not set or not allowed */
export function filledText(text: string, variables: Variables, addProblem: AddProblem): string {
  const filled = partsOf(text, variables, addProblem)
    .map((part) => part.text)
    .join("");
  if (variables.access?.holdsKey(filled) === true) addProblem(isKeyText, {});
  return filled;
}

/** Replaces environment values with `$secret` references, which voxctl resolves when it applies the plan. */
export function sealedText(text: string, variables: Variables): unknown {
  const parts: unknown[] = [];
  for (const { text: part, source } of partsOf(text, variables, () => {})) {
    const last = parts.at(-1);
    if (source !== undefined) parts.push({ $secret: source });
    else if (typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "") parts.push(part);
  }
  if (parts.length === 1) return parts[0];
  return parts.length === 0 ? "" : { $text: parts };
}

function partsOf(text: string, variables: Variables, addProblem: AddProblem): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push({ text: text.slice(end, match.index) }, partOf(match[0], match[1], variables, addProblem));
    end = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(end) }];
}

function partOf(
  placeholder: string,
  name: string | undefined,
  variables: Variables,
  addProblem: AddProblem,
): Part {
  if (name === undefined) return { text: "${" };
  const [, area = "", variable = ""] = /^(var|env)\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(name.trim()) ?? [];
  if (area === "" || !placeholder.endsWith("}")) {
    addProblem(
      `invalid variable ${placeholder}: expected \${var.NAME} or \${env.NAME}; for a literal \${, use $\${`,
    );
    return { text: placeholder };
  }
  if (area === "env") return environmentPart(variable, variables, addProblem);
  const value = Object.hasOwn(variables.var, variable) ? variables.var[variable] : undefined;
  if (value === undefined) addProblem(lacksVariable(variables.target, variable));
  return { text: value ?? placeholder };
}

function environmentPart(variable: string, { env, access }: Variables, addProblem: AddProblem): Part {
  const source = `env:${variable}`;
  const refusal = access === undefined ? undefined : refusalOf(source, access);
  if (refusal !== undefined) addProblem(refusal.message, refusal.refused);
  const value = refusal === undefined && Object.hasOwn(env, variable) ? sourceText(env[variable]) : undefined;
  if (value === undefined) {
    if (refusal === undefined) addProblem(`the environment variable ${variable} is not set`);
    return { text: "", source };
  }
  access?.registerValue(value);
  return { text: value, source };
}

/** Returns the sources, such as `env:NAME`, that a value of a plan file contains. */
export function environmentSources(sealed: unknown): string[] {
  if (typeof sealed !== "object" || sealed === null) return [];
  if ("$secret" in sealed && typeof sealed.$secret === "string") return [sealed.$secret];
  return [...new Set(Object.values(sealed).flatMap(environmentSources))];
}

function lacksVariable(target: string | undefined, variable: string): string {
  if (target === undefined) return `the target has no variable ${variable}`;
  return `variable ${variable} not found in targets.${target}.variables of ${projectFile}`;
}

export function hasVariables(text: string): boolean {
  return [...text.matchAll(pattern)].some(([, name]) => name !== undefined);
}

export function firstVariable(text: string): string | undefined {
  return [...text.matchAll(pattern)].find(([, name]) => name !== undefined)?.[0];
}

/** Escapes `$`, so that a file's reader doesn't expand variables in the string. */
export function escapedText(text: string): string {
  // Use a function, because `$$` in a replacement string means `$`.
  return text.replaceAll("${", () => "$${");
}

/** Expands variables in all strings of a value, but not in its keys. */
export function filledValue(
  value: unknown,
  fill: (text: string, path: YamlPath) => unknown,
  path: YamlPath = [],
): unknown {
  if (typeof value === "string") return fill(value, path);
  return mapInner(value, (inner, key) => filledValue(inner, fill, [...path, key]));
}
