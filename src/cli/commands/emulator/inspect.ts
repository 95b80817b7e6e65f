import type { Command } from "../../session/command.js";
import { parseCount } from "../../session/globals.js";
import { controlCommand, readWorld, worldFlags } from "./control.js";

export const limits = controlCommand({
  name: "limits",
  call: "limits.list",
  examples: [{ command: "voxctl emulator limits" }],
  view: {
    columns: [
      { header: "WHO", value: "name", keep: true },
      { header: "KIND", value: "kind" },
      { header: "BUCKET", value: "bucket" },
      { header: "LEFT", value: "remaining", align: "right" },
      { header: "LIMIT", value: "limit", align: "right" },
      { header: "WINDOW ENDS", value: "resets_at", as: "time" },
    ],
    empty: "no keys",
  },
});

export const rows: Command = {
  name: "rows",
  summary: "Look into a table of the world's file, newest rows first",
  description: "What no interface shows. Secrets are masked. See voxctl emulator status for the tables.",
  arguments: [{ name: "table", description: "like contacts, calls or windows" }],
  flags: [{ name: "limit", value: "n", description: "how many", default: "20" }, ...worldFlags],
  examples: [{ command: "voxctl emulator rows groups --limit 5" }],
  run: (session, input) =>
    readWorld(session, input, async (control) => {
      const limit = parseCount(input.text("limit") ?? "20", "--limit");
      const found = await control("tables.rows", {
        path: { name: input.arguments[0] ?? "" },
        query: { limit },
      });
      await session.output.list(found, {
        columns: Object.keys(found[0] ?? {}).map((name) => ({
          header: name.toUpperCase(),
          value: name,
          keep: name === "id",
          optional: true,
        })),
        empty: "no rows",
      });
    }),
};
