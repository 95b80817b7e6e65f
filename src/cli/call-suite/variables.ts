/** `${NAME}`, `${NAME:-what else}`; `$${` stands for `${`. */
const variable = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

type Path = readonly (string | number)[];

interface Told {
  env: Readonly<Record<string, string | undefined>>;
  problem(path: Path, message: string): void;
}

/**
 * The same value with variables of the environment in its texts. Put in after parsing, so that what they hold is never
 * read as YAML.
 * @param problem told of each variable that is not set, and of what holds itself, as a YAML alias can make it
 */
export function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  problem: (path: Path, message: string) => void,
): unknown {
  return replaced(value, { env, problem }, [], []);
}

function replaced(value: unknown, told: Told, path: Path, holders: readonly object[]): unknown {
  if (typeof value === "string") {
    return value.replace(variable, (whole, name?: string, otherwise?: string) => {
      if (name === undefined) return "${";
      const found = told.env[name];
      if (found !== undefined && found !== "") return found;
      if (otherwise !== undefined) return otherwise;
      told.problem(path, `the variable ${name} is ${found === "" ? "empty" : "not set"}`);
      return whole;
    });
  }
  if (typeof value !== "object" || value === null) return value;
  if (holders.includes(value)) {
    told.problem(path, "holds itself");
    return null;
  }
  const within = [...holders, value];
  const inner = (key: string | number, entry: unknown) => replaced(entry, told, [...path, key], within);
  if (Array.isArray(value)) return value.map((entry, index) => inner(index, entry));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, inner(key, entry)]));
}
