import { mapInner } from "./fields.js";

/** Matches `${NAME}`, `${NAME:-default}`, and `$${`, which is a literal `${`. */
const variable = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces environment variables in a value's strings. Call it for parsed YAML, so that a variable's content
 * is never parsed as YAML.
 * @param missing called for each unset variable
 */
export function replaceVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  missing: (path: readonly (string | number)[], message: string) => void,
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value === "string") {
    return value.replace(variable, (whole, name?: string, otherwise?: string) => {
      if (name === undefined) return "${";
      const variableValue = env[name];
      if (variableValue !== undefined && variableValue !== "") return variableValue;
      if (otherwise !== undefined) return otherwise;
      missing(path, `the variable ${name} is ${variableValue === "" ? "empty" : "not set"}`);
      return whole;
    });
  }
  return mapInner(value, (inner, key) => replaceVariables(inner, env, missing, [...path, key]));
}
