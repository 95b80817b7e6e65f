import { createClient } from "../../../client/client.js";
import { readBulkFlags, settleFlag } from "../../bulk/bulk-flags.js";
import { assertWholeExport } from "../../bulk/export-options.js";
import { getSettleTime } from "../../bulk/run.js";
import { createBulkTarget, getRunsFolder } from "../../bulk/target.js";
import { usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { isRead } from "../../terminal/workflow-commands.js";

export const exportOrganizations: Command = {
  name: "export",
  summary: "Export all organizations as an organization spec",
  description:
    "Prints MSPs with their licenses and customers as YAML, or as JSON with -o json. `voxctl orgs provision` reads this " +
    "spec. Organizations without a license can't be part of a spec; they are listed on stderr.",
  flags: [
    {
      ...settleFlag,
      description: "How long the list of organizations can take to show a change",
    },
  ],
  examples: [
    { command: "voxctl orgs export > organizations.yaml" },
    { command: "voxctl orgs export -o json" },
  ],
  async run(session, input) {
    const { output: form, isOutputPreferred } = session.flags;
    assertWholeExport(session, "orgs list --all");
    if (form !== undefined && form !== "json" && form !== "yaml" && !isOutputPreferred)
      throw usageError(`invalid --output ${form}: expected yaml or json`);
    const { settleMilliseconds } = readBulkFlags(input);
    const { spec: plan, left } = await readCurrentSpec(session, settleMilliseconds);
    for (const { externalId, reason } of left) session.notes.warn(`skipping ${externalId}: ${reason}`);
    if (session.flags.output === "json") await session.output.item({ ...plan });
    else {
      const { stringifyYaml } = await import("../../output/yaml.js");
      await session.output.document(stringifyYaml(plan, { isRead: isRead(session.io) }));
    }
  },
};

async function readCurrentSpec(session: Session, settleMilliseconds: number | undefined) {
  const { exportSpec } = await import("../../../features/provision/index.js");
  const { bulkClientOptions, createRequestStats } = await import("../../../write/index.js");
  const connection = await session.connect({ quiet: true });
  const target = await createBulkTarget(session, connection, getRunsFolder(session), "distributor-v2", {
    isSending: false,
  });
  const { signal } = session;
  const { maxWaitMilliseconds } = session.flags;
  return exportSpec({
    // Always wait for the rate limit, because each MSP needs one read and the limit is 60 per minute.
    client: createClient(
      bulkClientOptions(connection.clientOptions, createRequestStats(), { signal, maxWaitMilliseconds }),
    ),
    clock: connection.clock,
    signal,
    get settleMilliseconds() {
      return settleMilliseconds ?? getSettleTime(target);
    },
    listener: {
      rereading: (_, because) => session.notes.note(`Reading the organizations again (${because})…`),
    },
  });
}
