import * as z from "zod";
import type { Command } from "../../session/command.js";
import { parseCount } from "../../session/globals.js";
import { controlCommand, readWorld, segment, worldFlags } from "./control.js";

const limits = controlCommand({
  name: "limits",
  reads: true,
  summary: "Show what is left of every limit now, by key and bucket",
  examples: [{ command: "voxctl emulator limits" }],
  list: true,
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
  call: () => ({ method: "GET", path: "/limits" }),
});

const Rows = z.array(z.looseObject({}));

const rows: Command = {
  name: "rows",
  summary: "Look into a table of the world's file, newest rows first",
  description: "What no interface shows. Secrets are masked. See voxctl emulator status for the tables.",
  arguments: [{ name: "table", description: "like contacts, calls or windows" }],
  flags: [{ name: "limit", value: "n", description: "how many", default: "20" }, ...worldFlags],
  examples: [{ command: "voxctl emulator rows groups --limit 5" }],
  run: (session, input) =>
    readWorld(session, input, async (control) => {
      const limit = parseCount(input.text("limit") ?? "20", "--limit");
      const found = Rows.parse(await control("GET", `/tables/${segment(input)}?limit=${limit}`));
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

export const inspectCommands: readonly Command[] = [limits, rows];
