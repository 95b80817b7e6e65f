import { createClient } from "../../../client/client.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { isRead } from "../../terminal/workflow-commands.js";
import { bulkFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { refuseParts } from "../bulk/export-place.js";
import { settleTime } from "../bulk/run.js";
import { bulkTarget, runsFolder } from "../bulk/target.js";

export const exportOrganizations: Command = {
  name: "export",
  summary: "Write what is there as a plan for orgs provision",
  description:
    "MSPs with their licenses and customers, as YAML (-o json: as JSON). Provisioned again, the plan does nothing. An " +
    "organization without a license can't stand in a plan; it is named on stderr.",
  flags: bulkFlags,
  examples: [
    { command: "voxctl orgs export > organizations.yaml" },
    { command: "voxctl orgs export -o json" },
  ],
  async run(session, input) {
    const { output: form, isOutputPreferred } = session.flags;
    refuseParts(session, "orgs list --all");
    if (form !== undefined && form !== "json" && form !== "yaml" && !isOutputPreferred)
      throw usageError(`--output ${form}: a plan is YAML, or JSON with -o json`);
    const { settleMilliseconds } = readBulkFlags(input);
    const { plan, left } = await readPlan(session, settleMilliseconds);
    for (const { externalId, reason } of left) session.notes.warn(`${externalId} is left out: it ${reason}`);
    if (session.flags.output === "json") await session.output.item({ ...plan });
    else {
      const { stringifyYaml } = await import("../../output/yaml.js");
      await session.output.document(stringifyYaml(plan, { isRead: isRead(session.io) }));
    }
  },
};

async function readPlan(session: Session, settleMilliseconds: number | undefined) {
  const { exportPlan } = await import("../../../bulk/provisioning/index.js");
  const { bulkClientOptions, createRequestStats } = await import("../../../bulk/index.js");
  const connection = await session.connect({ quiet: true });
  const target = bulkTarget(session, connection, runsFolder(session), "distributor-v2");
  const { signal } = session;
  const { maxWaitMilliseconds } = session.flags;
  return exportPlan({
    // One read per MSP at 60 a minute: waiting for the limit is what it is for.
    client: createClient(
      bulkClientOptions(connection.clientOptions, createRequestStats(), { signal, maxWaitMilliseconds }),
    ),
    clock: connection.clock,
    signal,
    get settleMilliseconds() {
      return settleMilliseconds ?? settleTime(target);
    },
    listener: { rereading: (_, because) => session.notes.note(`${because}: what is there is read again`) },
  });
}
