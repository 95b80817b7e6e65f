import { usageError } from "../../../cli/errors/errors.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import { readSecretSource, secretFlag } from "../../../cli/session/secret-source.js";
import type { Session } from "../../../cli/session/session.js";
import type { Auth } from "../checks.js";

const authTypes = ["bearer", "basic", "api_key", "none"] as const;

/** Flags for authentication. They contain the sources of secrets, never the secrets. */
export const authFlags: readonly Flag[] = [
  {
    name: "auth",
    value: "type",
    description: "Authentication of requests",
    choices: authTypes,
    strict: true,
  },
  secretFlag,
  { name: "username", value: "name", description: "With --auth basic: user name" },
  {
    name: "header-name",
    value: "name",
    description: "With --auth api_key: header with the key (default: X-Api-Key)",
  },
];

/**
 * Returns undefined without --auth.
 * @throws usage error (2)
 */
export async function readAuth(
  session: Pick<Session, "io" | "secrets">,
  input: Input,
): Promise<Auth | undefined> {
  const type = authTypes.find((name) => name === input.text("auth"));
  const source = input.text("secret");
  if (type === undefined) {
    const stray = ["secret", "username", "header-name"].find((name) => input.has(name));
    if (stray !== undefined) throw usageError(`--${stray} requires --auth bearer, basic or api_key`);
    return undefined;
  }
  if (type === "none") {
    if (source !== undefined) throw usageError("conflicting flags: --auth none and --secret");
    return { type };
  }
  const secret = source === undefined ? "" : await readSecretSource(session, source, "--secret");
  if (secret === "")
    throw usageError(`--auth ${type} requires a ${type === "basic" ? "password" : "secret"}`, {
      hint: "use --secret env:VARIABLE, --secret file:FILE or --secret -",
    });
  if (type === "bearer") return { type, secret };
  if (type === "api_key") return { type, secret, headerName: input.text("header-name") ?? "X-Api-Key" };
  const username = input.text("username");
  if (username === undefined) throw usageError("--auth basic requires --username");
  session.secrets.add(Buffer.from(`${username}:${secret}`).toString("base64"));
  return { type, username, secret };
}
