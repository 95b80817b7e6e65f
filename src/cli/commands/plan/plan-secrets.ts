import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import { readSecretSource } from "../../session/secret-source.js";
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
    secretValues.set(name, await readSecretSource(session, source, `--secret ${name}`));
  }
  return secretValues;
}
