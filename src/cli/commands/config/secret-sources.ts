/** S1: where the secrets of a configuration come from. */
import type { Access } from "../../../config/access.js";
import type { SecretReader } from "../../../config/secret-changes.js";
import type { Session } from "../../session/session.js";
import type { TargetPlace } from "./place.js";

/** Reads each source once; what is read is masked wherever it would be printed. */
export async function secretReader({
  session,
  folder,
  connection,
  access,
}: TargetPlace): Promise<SecretReader> {
  const { fingerprintsOf } = await import("../../../config/index.js");
  const key = connection.clientOptions.targets.public?.key ?? "";
  return {
    read: await sessionSources(session, folder.root, access),
    fingerprints: fingerprintsOf(key, folder.project.project),
  };
}

/** The same for a folder without an organization. */
export async function sessionSources(
  { io, keychain }: Pick<Session, "io" | "keychain">,
  root: string,
  access: Access | undefined,
): Promise<SecretReader["read"]> {
  const { sourceReader } = await import("../../../config/index.js");
  const places = { env: io.env, keychain: async (account: string) => (await keychain.read([account]))[0] };
  return sourceReader(places, root, access);
}
