import { resolve } from "node:path";
import { describeFsError } from "../../base/describe-fs-error.js";
import { hasLostLetters, lostLettersReason, readUtf8, readUtf8Stream } from "../../base/utf8.js";
import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import type { Session } from "../session/session.js";

/** Sources of a secret; never a flag's own value, which other users see in the process list. */
export const secretFlags: readonly Flag[] = [
  { name: "secret-stdin", description: "read the secret or password from standard input" },
  { name: "secret-file", value: "file", description: "read it from this file" },
  { name: "secret-env", value: "variable", description: "read it from this environment variable" },
];

/**
 * Returns the secret from the flags' source, or undefined without a flag. A final line break is removed.
 * @throws usage error (2) for two sources, an empty one or an unreadable one
 */
export async function readSecret(
  input: Input,
  session: Pick<Session, "io" | "secrets">,
): Promise<string | undefined> {
  const given = secretFlags.filter(({ name }) => input.has(name)).map(({ name }) => `--${name}`);
  const [source] = given;
  if (source === undefined) return undefined;
  if (given.length > 1) throw usageError(`give one of ${given.join(" and ")}`);
  const text = (await readSource(input, session)).replace(/\r?\n$/, "");
  if (text === "") throw usageError(`${source}: the secret is empty`);
  session.secrets.add(text);
  return text;
}

async function readSource(input: Input, { io }: Pick<Session, "io">): Promise<string> {
  const file = input.text("secret-file");
  const variable = input.text("secret-env");
  if (variable !== undefined) {
    const value = io.env[variable];
    if (value === undefined) throw usageError(`--secret-env: ${variable} is not set`);
    if (hasLostLetters(value)) throw usageError(`--secret-env: ${variable} ${lostLettersReason}`);
    return value;
  }
  if (file === undefined) return readUtf8Stream(io.stdin, "--secret-stdin");
  try {
    return await readUtf8(resolve(io.cwd, file));
  } catch (error) {
    throw usageError(`--secret-file: ${file} can't be read: ${describeFsError(error)}`, { cause: error });
  }
}
