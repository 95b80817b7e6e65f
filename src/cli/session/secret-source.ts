import { resolve } from "node:path";
import { describeFsError } from "../../base/describe-fs-error.js";
import { hasLostLetters, lostLettersReason, readUtf8, readUtf8Stream } from "../../base/utf8.js";
import { findSourceProblem, findVariableProblem, isPlainVariable } from "../../client/key-test.js";
import { usageError } from "../errors/errors.js";
import type { Flag } from "./input.js";
import type { Session } from "./session.js";

/** Flag for a secret's source, never for the secret itself: other users can see flags in the process list. */
export const secretFlag: Flag = {
  name: "secret",
  value: "source",
  description: "Secret or password: env:VARIABLE, file:FILE, or - for standard input",
};

/** @throws usage error (2); it doesn't show the value, because users sometimes paste a secret instead of a name */
export function assertVariableName(name: string, flag: string): void {
  if (findVariableProblem(name) !== undefined)
    throw usageError(`invalid ${flag}: expected the name of an environment variable, not its value`);
}

/** Omits a name that doesn't look like a variable's name, because it may be a pasted secret. */
export function formatVariableProblem(name: string, flag: string, problem: string): string {
  if (isPlainVariable(name)) return `${flag}: the variable ${name} ${problem}`;
  return `the environment variable in ${flag} ${problem}; expected the name of a variable, such as VOXCTL_KEY`;
}

/**
 * Returns the secret from a source: `env:NAME`, `file:NAME` or `-`. A final line break is removed.
 * @param what name of the source in messages: `--secret`
 * @throws usage error (2). The message omits the value, because the value may be the secret
 */
export async function readSecretSource(
  { io, secrets }: Pick<Session, "io" | "secrets">,
  source: string,
  what: string,
): Promise<string> {
  const secret = await readSource(io, source, what);
  if (secret === "") throw usageError(`${what}: the secret is empty`);
  secrets.add(secret);
  return secret;
}

async function readSource(io: Session["io"], source: string, what: string): Promise<string> {
  const [sourceType = "", name = ""] = source.split(/:(.*)/s);
  if (source === "-") return (await readUtf8Stream(io.stdin, what)).replace(/\r?\n$/, "");
  const isValid = findSourceProblem(source) === undefined;
  if (sourceType === "env" && isValid) {
    const value = io.env[name];
    if (value === undefined || value === "")
      throw usageError(formatVariableProblem(name, what, value === "" ? "is empty" : "is not set"));
    if (hasLostLetters(value)) throw usageError(formatVariableProblem(name, what, lostLettersReason));
    return value;
  }
  if (sourceType === "file" && isValid) {
    try {
      return (await readUtf8(resolve(io.cwd, name))).replace(/\r?\n$/, "");
    } catch (error) {
      throw usageError(`${what}: ${name} can't be read: ${describeFsError(error)}`, { cause: error });
    }
  }
  // Don't print the value: it may be the secret.
  throw usageError(
    `invalid ${what}: expected env:VARIABLE, file:FILE or - (other users can read command lines)`,
  );
}
