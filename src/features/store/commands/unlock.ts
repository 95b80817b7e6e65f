import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withStoreConnection } from "../../../cli/bulk/store.js";
import { notFoundError, refusedError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";
import type { ListedLease } from "../../../store/leases.js";
import { requireStore } from "./connect.js";

/** A process that was active within this time may still be running. */
const recentMilliseconds = 60_000;

export const unlockStore: Command = {
  name: "unlock",
  summary: "End the lease of a killed process",
  description:
    "A lease expires about a minute after its process ends. This command ends the lease immediately. If the process is still running, it stops before its next request.",
  arguments: [{ name: "lease", description: "Lease name or run ID; see `voxctl store show`" }],
  flags: [
    { name: "force", description: "End the lease even if its process was active within the last minute" },
  ],
  confirms: true,
  confirmsLocally: true,
  examples: [{ command: "voxctl store unlock 2aa82de186e4" }],
  run: (session, input) =>
    withRefusals(async () => {
      const settings = await requireStore(session);
      const [name = ""] = input.arguments;
      const { endLeases, formatOwner, listLeases } = await import("../../../store/index.js");
      await withStoreConnection(settings, async (connection) => {
        const leases = await listLeases(connection);
        const lease = leases.find((held) => held.name === name || held.name === `run/${name}`);
        if (lease === undefined)
          throw notFoundError(`lease "${name}" not found`, "list leases: `voxctl store show`");
        assertNotRecent(lease, input.on("force") === true, formatOwner(lease));
        await confirmLocally(session, `End all leases of ${formatOwner(lease)}?`);
        await session.output.item({ ended: await endLeases(connection, lease.fence) });
      });
    }),
};

function assertNotRecent({ seenAgo }: ListedLease, isForced: boolean, owner: string): void {
  if (isForced || seenAgo >= recentMilliseconds) return;
  throw refusedError("lease_in_use", `this lease belongs to ${owner}`, "stop that process, or use --force");
}
