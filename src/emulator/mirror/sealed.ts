import type { MirrorResource } from "../../contract/mirror.js";
import { decryptSecret, encryptSecret, type Sealing } from "../kernel/secrets.js";

/** Resource types with headers. Headers may contain tokens, so these resources are encrypted as a whole. */
const withHeaders: ReadonlySet<MirrorResource> = new Set(["tools", "assistants"]);

export function sealText(sealing: Sealing, resource: MirrorResource, text: string): string {
  return withHeaders.has(resource) ? encryptSecret(sealing, text) : text;
}

/** Decrypts a resource's text; undefined if the file was copied without its key. */
export function unsealText(
  sealing: Pick<Sealing, "fileKey">,
  resource: MirrorResource,
  stored: string,
): string | undefined {
  return withHeaders.has(resource) ? decryptSecret(sealing, stored) : stored;
}
