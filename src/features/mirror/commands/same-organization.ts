import { refusedError } from "../../../cli/errors/errors.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import type { MirrorApi } from "../../../contract/mirror.js";

/**
 * @param mirror.anchors IDs of copied resources that identify the mirror's organization
 * @throws refused error (12) if the profile's key belongs to a different organization than the mirror
 */
export async function assertSameOrganization(
  { signal }: Session,
  { client }: Connection,
  { name, surface: api, anchors }: { name: string; surface: MirrorApi; anchors: readonly string[] },
): Promise<void> {
  const { hasOrganization, hasResource } = await import("../index.js");
  const isDistributor = api === "distributor-v2";
  if (anchors.length === 0) return;
  if (isDistributor && (await hasOrganization(client, anchors, signal))) return;
  if (!isDistributor) for (const id of anchors) if (await hasResource(client, id, signal)) return;
  throw refusedError(
    "wrong_target",
    isDistributor
      ? `the profile's distributor has none of the organizations in mirror "${name}"`
      : `the profile's organization has none of the groups and assistants in mirror "${name}"`,
    "to copy this organization, run `voxctl mirror create` with a different name",
  );
}
