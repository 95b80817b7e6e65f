/** `${NAME}`, `${NAME:-what else}`; `$${` stands for `${`. */
const variable = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * The same value with variables of the environment in its texts. Put in after parsing, so that what they hold is never
 * read as YAML.
 * @param missing told of each variable that is not set
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
  if (Array.isArray(value))
    return value.map((entry, index) => replaceVariables(entry, env, missing, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceVariables(inner, env, missing, [...path, key])]),
  );
}
