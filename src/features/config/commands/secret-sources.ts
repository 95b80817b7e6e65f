import type { Session } from "../../../cli/session/session.js";
import type { Access } from "../access.js";
import type { SecretReader } from "../secret-changes.js";
import type { TargetContext } from "./target-context.js";

/** Reads each source only once, and masks the value in all output. */
export async function createSecretReader({
  session,
  folder,
  connection,
  access,
}: TargetContext): Promise<SecretReader> {
  const { fingerprintsOf } = await import("../index.js");
  const key = connection.clientOptions.targets.public?.key ?? "";
  return {
    read: await createSourceReader(session, folder.root, access),
    fingerprints: fingerprintsOf(key, folder.project.project),
  };
}

export async function createSourceReader(
  { io, keychain }: Pick<Session, "io" | "keychain">,
  root: string,
  access: Access | undefined,
): Promise<SecretReader["read"]> {
  const { sourceReader } = await import("../index.js");
  const sources = { env: io.env, keychain: async (account: string) => (await keychain.read([account]))[0] };
  return sourceReader(sources, root, access);
}
