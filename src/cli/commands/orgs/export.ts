import { createClient } from "../../../client/client.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { isRead } from "../../terminal/workflow-commands.js";
import { bulkFlags, readBulkFlags } from "../bulk/bulk-flags.js";
import { assertWholeExport } from "../bulk/export-options.js";
import { getSettleTime } from "../bulk/run.js";
import { createBulkTarget, getRunsFolder } from "../bulk/target.js";

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
    assertWholeExport(session, "orgs list --all");
    if (form !== undefined && form !== "json" && form !== "yaml" && !isOutputPreferred)
      throw usageError(`--output ${form}: a plan is YAML, or JSON with -o json`);
    const { settleMilliseconds } = readBulkFlags(input);
    const { spec: plan, left } = await readCurrentSpec(session, settleMilliseconds);
    for (const { externalId, reason } of left) session.notes.warn(`${externalId} is left out: it ${reason}`);
    if (session.flags.output === "json") await session.output.item({ ...plan });
    else {
      const { stringifyYaml } = await import("../../output/yaml.js");
      await session.output.document(stringifyYaml(plan, { isRead: isRead(session.io) }));
    }
  },
};

async function readCurrentSpec(session: Session, settleMilliseconds: number | undefined) {
  const { exportSpec } = await import("../../../bulk/provisioning/index.js");
  const { bulkClientOptions, createRequestStats } = await import("../../../bulk/index.js");
  const connection = await session.connect({ quiet: true });
  const target = createBulkTarget(session, connection, getRunsFolder(session), "distributor-v2");
  const { signal } = session;
  const { maxWaitMilliseconds } = session.flags;
  return exportSpec({
    // One read per MSP at 60 a minute: waiting for the limit is what it is for.
    client: createClient(
      bulkClientOptions(connection.clientOptions, createRequestStats(), { signal, maxWaitMilliseconds }),
    ),
    clock: connection.clock,
    signal,
    get settleMilliseconds() {
      return settleMilliseconds ?? getSettleTime(target);
    },
    listener: { rereading: (_, because) => session.notes.note(`${because}: what is there is read again`) },
  });
}
