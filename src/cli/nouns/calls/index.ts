import { formatClock } from "../../../base/duration.js";
import type { Fields } from "../../../base/fields.js";
import { createCallEnds } from "../../../client/call-status.js";
import { calls as callOperations } from "../../../contract/public/calls.js";
import { listCommand } from "../../derive/list.js";
import type { Noun } from "../../derive/noun.js";
import { withTimes } from "../../derive/query-times.js";
import { showIfPresent } from "../../output/fields.js";
import { assistant } from "../../session/references/assistant.js";
import { readEnd, readTime } from "../../session/times.js";
import { formatRecording } from "./call/text.js";
import { callFilters } from "./filters.js";

function formatDuration(call: Fields): string {
  const seconds = call["duration_seconds"];
  return typeof seconds === "number" ? formatClock(seconds) : "";
}

export const calls: Noun = {
  name: "calls",
  noun: "call",
  plural: "calls",
  summary: "Trigger, list, export and test calls",
  description: "Trigger, list, export and test calls. Lists show the newest call first.",
  operations: {
    "calls.list": callOperations["calls.list"],
    "calls.get": callOperations["calls.get"],
  },
  columns: [
    { header: "ID", value: "id", keep: true },
    { header: "CREATED", value: "created_at", as: "time", keep: true },
    { header: "DIRECTION", value: "direction", optional: true },
    { header: "STATUS", value: "status", as: "status", keep: true },
    { header: "LENGTH", value: showIfPresent(["duration_seconds"], formatDuration), align: "right" },
    { header: "FROM", value: "from", optional: true },
    { header: "TO", value: "to", optional: true },
    { header: "RECORDING", value: showIfPresent(["recording"], formatRecording), optional: true },
    { header: "ASSISTANT", value: "assistant_id", optional: true },
  ],
  references: { assistant_id: assistant },
  commands: [
    {
      name: "get",
      summary: callOperations["calls.get"].summary,
      load: async () => (await import("./get.js")).getCallCommand,
    },
    {
      name: "trigger",
      // Other resources call this action `create`.
      aliases: ["create"],
      summary: "Place a call from an assistant to a number",
      load: async () => (await import("./trigger.js")).triggerCommand,
    },
    {
      name: "test",
      summary: "Run a test suite: place its calls and check the results",
      load: async () => (await import("../../../features/suite/commands/test.js")).testCalls,
    },
    {
      name: "compare",
      summary: "Compare the baselines from two runs of a test suite",
      load: async () => (await import("../../../features/suite/commands/compare.js")).compareCalls,
    },
    {
      name: "export",
      summary: "Export the calls in a period as CSV, JSONL or Markdown",
      load: async () => (await import("./export.js")).exportCalls,
    },
    {
      name: "recording",
      summary: "Download or delete a call's recording",
      load: async () => (await import("./recording/index.js")).recordingCommands(calls),
    },
  ],
  verbs: {
    "calls.list": {
      examples: [
        { command: "voxctl calls list" },
        { command: "voxctl calls list --assistant Empfang --from 2026-11-01T00:00:00+01:00" },
        { command: "voxctl calls list --from 7d --all" },
        { command: "voxctl calls list --status failed,no_answer --direction outbound" },
        { command: "voxctl calls list --from-number +4930 --min-length 2m" },
        { command: "voxctl calls list --assistant-phone +4932221000001 --all -o csv" },
      ],
      isFinal: createCallEnds().isOver,
      rowFilters: callFilters,
      command: (derivation) =>
        listCommand(derivation, (given, filters, session) =>
          withTimes(
            given,
            (text, flag, now) => (flag === "--to" ? readEnd : readTime)(text, flag, now),
            filters.filter(({ field }) => field.name.startsWith("created_")),
            session,
          ),
        ),
      flagNames: { created_from: "from", created_to: "to" },
      flagHelp: {
        assistant_id: "Only this assistant's calls",
        assistant_phone: "Only the calls of the assistant with this number",
        created_from:
          "Only calls created at or after this time, such as 2026-11-01 (UTC), 2026-11-01T09:30:00+01:00, or 7d for the last 7 days",
        created_to: "Only calls created up to this time; a date includes the whole day (UTC)",
      },
    },
  },
};
