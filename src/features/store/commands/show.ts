import { withRefusals } from "../../../cli/bulk/refusals.js";
import { withStoreConnection } from "../../../cli/bulk/store.js";
import type { Command } from "../../../cli/session/command.js";
import { requireStore } from "./connect.js";

export const showStore: Command = {
  name: "show",
  summary: "Show a store, its leases and its runs",
  description: "Requires no store key.",
  examples: [{ command: "voxctl store show" }],
  run: (session) =>
    withRefusals(async () => {
      const settings = await requireStore(session);
      const { describeStore } = await import("../../../store/index.js");
      await session.output.item(await withStoreConnection(settings, describeStore));
    }),
};
