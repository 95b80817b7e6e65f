import { withRefusals } from "../../../cli/bulk/refusals.js";
import { seenFileOf } from "../../../cli/bulk/store.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { View } from "../../../cli/output/output.js";
import type { Command } from "../../../cli/session/command.js";
import { confirmLocally } from "../../../cli/session/confirm.js";
import { requireStore, withStore } from "./connect.js";

const view: View = {
  columns: [
    { header: "CHECK", value: "check", keep: true },
    { header: "STATUS", value: "status", as: "status", keep: true },
    { header: "DETAIL", value: "detail" },
  ],
  fields: ["check", "status", "detail"],
  empty: "no checks",
};

export const checkStore: Command = {
  name: "check",
  summary: "Check the connection, permissions, key and state of a store",
  description: "Exits with code 10 if a check finds a problem.",
  flags: [
    {
      name: "accept-restored",
      description: "Accept a store that was restored from a backup or that replaced another store",
    },
  ],
  confirms: "accepting a restored store",
  confirmsLocally: true,
  examples: [{ command: "voxctl store check" }],
  verdict: true,
  run: (session, input) =>
    withRefusals(async () => {
      const settings = await requireStore(session);
      const { acceptRestored, checkStoreState } = await import("../../../store/index.js");
      if (input.on("accept-restored") === true) {
        await confirmLocally(
          session,
          "Accept the current state of the store? Runs that the store doesn't contain can't be resumed or undone.",
        );
        const { clock, random, holder, leaseMilliseconds, dataFolder } = settings;
        const uploaded = await withStore(
          settings,
          (store) =>
            acceptRestored(store, {
              ...{ seenFile: seenFileOf(settings), dataFolder, clock, random, leaseMilliseconds },
              holder: { ...holder, command: "store check --accept-restored" },
            }),
          { acceptsRestored: true },
        );
        for (const id of uploaded) session.notes.note(`Uploaded run ${id} from this machine`);
      }
      const checks = await withStore(settings, ({ connection, info }) =>
        checkStoreState(connection, info, session.clock.now()),
      );
      await session.output.list(checks, { ...view, more: () => "none" });
      const bad = checks.filter(({ status }) => status !== "ok");
      if (bad.length > 0)
        throw new CliError({
          exit: exits.differences,
          code: "store_needs_attention",
          message: `${bad.length} of ${checks.length} checks found a problem`,
        });
    }),
};
