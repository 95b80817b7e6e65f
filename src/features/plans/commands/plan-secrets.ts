import { usageError } from "../../../cli/errors/errors.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import { readSecretSource } from "../../../cli/session/secret-source.js";
import type { Session } from "../../../cli/session/session.js";

export const planSecretFlag: Flag = {
  name: "secret",
  value: "name=source",
  repeatable: true,
  description:
    "Source of a secret that the plan requires: NAME=env:VARIABLE, NAME=file:PATH, or NAME=- for standard input",
};

/**
 * Returns the secrets by name, without a trailing line break.
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
    if (equals < 1) throw usageError("invalid --secret: expected NAME=env:VARIABLE or NAME=file:PATH");
    if (secretValues.has(name)) throw usageError(`secret ${name} is specified twice with --secret`);
    if (source === "-" && isStdinUsed)
      throw usageError("--secret: only one secret can be read from standard input");
    isStdinUsed ||= source === "-";
    secretValues.set(name, await readSecretSource(session, source, `--secret ${name}`));
  }
  return secretValues;
}
