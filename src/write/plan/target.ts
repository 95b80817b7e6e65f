import type { RunContext } from "../engine/context.js";
import { listResources } from "../remote.js";
import type { PlanHeader } from "./format.js";

/**
 * Number of resources of each type that identify an organization. One is not enough, because it may be
 * deleted.
 */
const anchorsOfEach = 3;

/**
 * The oldest groups and assistants identify the organization.
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
    // Without creation times, keep the order of the list, which is the order of creation.
    const oldest = resources.toSorted((left, right) => (left.madeAt < right.madeAt ? -1 : 1));
    anchors.push(...oldest.slice(0, anchorsOfEach).map(({ id }) => id));
  }
  return { base_url: context.baseUrl, anchors };
}
