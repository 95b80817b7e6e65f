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
  description:
    "Shows the world's file, which holds more than the interfaces do. Secrets are masked. voxctl emulator status names the tables.",
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

export const errors = controlCommand({
  name: "errors",
  call: "requests.errors",
  examples: [{ command: "voxctl emulator errors" }],
  view: {
    columns: [
      { header: "COUNT", value: "count", align: "right", keep: true },
      { header: "STATUS", value: "status", as: "status" },
      { header: "OPERATION", value: "operation", keep: true },
      { header: "CODE", value: "code" },
      { header: "RULE", value: "rule" },
      { header: "LAST", value: "last_at", as: "time" },
      { header: "LAST ID", value: "last_id", align: "right", keep: true },
    ],
    empty: "nothing in the log was refused",
  },
});

export const request = controlCommand({
  name: "request",
  call: "requests.get",
  summary: "Show a request of the log with headers and bodies, secrets masked",
  arguments: [{ name: "id", description: "its number, as emulator logs and emulator errors show it" }],
  examples: [{ command: "voxctl emulator request 1" }],
});

export const webhooks = controlCommand({
  name: "webhooks",
  call: "incomingCalls.list",
  flags: [{ name: "limit", value: "n", description: "how many", default: "50" }],
  examples: [{ command: "voxctl emulator webhooks" }],
  input: (input) => ({ query: { limit: parseCount(input.text("limit") ?? "50", "--limit") } }),
  view: {
    columns: [
      { header: "AT", value: "at", as: "time", keep: true },
      { header: "STATUS", value: "status", as: "status" },
      { header: "URL", value: "url", keep: true },
      { header: "ASSISTANT", value: "assistant_name" },
      { header: "ERROR", value: "error" },
      { header: "CALL", value: "call_id", keep: true },
    ],
    empty: "no webhook was asked",
  },
});
