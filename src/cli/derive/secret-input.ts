import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import { readSecret, secretFlags } from "./secret-source.js";

/** The flags for a field with a secret. None has the secret as its value: other users can read a command line. */
export function buildSecretFlags(field: string): Flag[] {
  return [
    { name: field, description: `ask for the ${field}; --no-${field} takes it away`, negatable: true },
    ...secretFlags,
  ];
}

/**
 * Returns the secret from the flags' source: undefined without a flag, null to remove it.
 * @throws usage error (2)
 */
export async function readSecretField(
  field: string,
  input: Input,
  session: Pick<Session, "io" | "prompts" | "secrets">,
): Promise<string | null | undefined> {
  const shouldPrompt = input.on(field);
  const given = secretFlags.find(({ name }) => input.has(name));
  if (shouldPrompt === undefined) return readSecret(input, session);
  if (given)
    throw usageError(`--${shouldPrompt ? "" : "no-"}${field} and --${given.name} exclude each other`);
  if (!shouldPrompt) return null;
  if (session.prompts.available) {
    const typed = await session.prompts.secret({ message: `${field}:` });
    session.secrets.add(typed);
    return typed;
  }
  throw usageError(`--${field} needs a terminal to ask at`, {
    hint: `elsewhere give one of ${secretFlags.map(({ name }) => `--${name}`).join(", ")}`,
  });
}
