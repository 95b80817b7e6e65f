import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import { readSecretSource, secretFlag } from "../session/secret-source.js";
import type { Session } from "../session/session.js";

export const secretFieldFlag: Flag = {
  ...secretFlag,
  description: `${secretFlag.description}; "ask" prompts for the secret, "none" removes the secret`,
};

/**
 * Returns the secret; undefined without the flag, null to remove the secret.
 * @throws usage error (2)
 */
export async function readSecretField(
  input: Input,
  session: Pick<Session, "io" | "prompts" | "secrets">,
): Promise<string | null | undefined> {
  const source = input.text("secret");
  if (source === undefined) return undefined;
  if (source === "none") return null;
  if (source !== "ask") return readSecretSource(session, source, "--secret");
  if (!session.prompts.available)
    throw usageError("--secret ask requires a terminal", {
      hint: "in a script, use --secret env:VARIABLE, file:FILE or -",
    });
  const typed = await session.prompts.secret({ message: "secret:" });
  session.secrets.add(typed);
  return typed;
}
