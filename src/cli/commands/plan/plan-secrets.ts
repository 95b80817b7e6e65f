import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { hasLostLetters, lostLettersReason, readUtf8, readUtf8Stream } from "../../../base/utf8.js";
import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";

export const planSecretFlag: Flag = {
  name: "secret",
  value: "name=source",
  repeatable: true,
  description:
    "a secret that the plan names: NAME=env:VARIABLE, NAME=file:PATH, or NAME=- for standard input; never its value",
};

/**
 * The secrets that the flags lead to, by their names. A line's end at their end is no part of them.
 * @throws usage error (2)
 */
export async function readPlanSecrets(
  input: Input,
  session: Pick<Session, "io" | "secrets">,
): Promise<Map<string, string>> {
  const secretValues = new Map<string, string>();
  let isStdinUsed = false;
  for (const given of input.texts("secret")) {
    const equals = given.indexOf("=");
    const name = given.slice(0, equals);
    const source = given.slice(equals + 1);
    if (equals < 1) throw usageError(`--secret: NAME=env:VARIABLE is meant; nothing was sent`);
    if (secretValues.has(name)) throw usageError(`--secret: ${name} is given twice`);
    if (source === "-" && isStdinUsed)
      throw usageError("--secret: standard input holds one secret; name another source for the others");
    isStdinUsed ||= source === "-";
    const text = (await readSource(name, source, session)).replace(/\r?\n$/, "");
    if (text === "") throw usageError(`--secret: ${name} is empty`);
    session.secrets.add(text);
    secretValues.set(name, text);
  }
  return secretValues;
}

async function readSource(name: string, source: string, { io }: Pick<Session, "io">): Promise<string> {
  if (source === "-") return readUtf8Stream(io.stdin, "--secret");
  const [, sourceType, location = ""] = /^(env|file):(.+)$/s.exec(source) ?? [];
  if (sourceType === "env") {
    const value = io.env[location];
    if (value === undefined) throw usageError(`--secret: ${location}, where ${name} is to be, is not set`);
    if (hasLostLetters(value)) throw usageError(`--secret: the variable ${location} ${lostLettersReason}`);
    return value;
  }
  // The source is not repeated: it may be the secret itself.
  if (sourceType !== "file")
    throw usageError(`--secret: ${name} has to come from env:VARIABLE, file:PATH or - (standard input)`, {
      hint: "a command line can be read by others on this machine, so a secret is never given in it",
    });
  try {
    return await readUtf8(resolve(io.cwd, location));
  } catch (error) {
    throw usageError(`--secret: ${location} can't be read: ${describeFsError(error)}`, { cause: error });
  }
}
