import type { RunContext } from "../engine/context.js";
import { listResources } from "../remote.js";
import type { PlanHeader } from "./format.js";

/** This number per type suffices to identify an organization, even if some are deleted. */
const anchorsOfEach = 3;

/**
 * Returns the target of a plan: the service, and the organization by its oldest groups and assistants (A1).
 * @throws ClientError; the signal's reason
 */
export async function planTarget(
  context: Pick<RunContext, "client" | "signal" | "baseUrl">,
): Promise<PlanHeader["target"]> {
  const anchors: string[] = [];
  for (const resource of ["groups", "assistants"]) {
    const resources: { id: string; madeAt: string }[] = [];
    for await (const { id, record } of listResources(context, resource, {}))
      resources.push({ id, madeAt: String(record["created_at"] ?? "") });
    // If their responses have no times, services list resources in the order of their creation.
    const oldest = resources.toSorted((left, right) => (left.madeAt < right.madeAt ? -1 : 1));
    anchors.push(...oldest.slice(0, anchorsOfEach).map(({ id }) => id));
  }
  return { base_url: context.baseUrl, anchors };
}
