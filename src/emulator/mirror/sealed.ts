import type { MirrorResource } from "../../contract/mirror.js";
import { decryptSecret, encryptSecret, type Sealing } from "../kernel/secrets.js";

/** Resources whose things show headers, into which people put tokens: as in the tables, no such value lies in clear. */
const withHeaders: ReadonlySet<MirrorResource> = new Set(["tools", "assistants"]);

/** A thing's text as it may lie in the file. */
export function sealText(sealing: Sealing, resource: MirrorResource, text: string): string {
  return withHeaders.has(resource) ? encryptSecret(sealing, text) : text;
}

/** The text again; undefined where the file came without its key. */
export function unsealText(
  sealing: Pick<Sealing, "fileKey">,
  resource: MirrorResource,
  stored: string,
): string | undefined {
  return withHeaders.has(resource) ? decryptSecret(sealing, stored) : stored;
}
