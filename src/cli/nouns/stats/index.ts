import { type Fields, getText, isFields } from "../../../base/fields.js";
import { statistics } from "../../../contract/public/statistics.js";
import { getCommand } from "../../derive/get.js";
import type { Noun } from "../../derive/noun.js";
import { formatWeek } from "./usage-text.js";

function formatSummaryDetail(summary: Fields): Fields {
  const { weeks, assistants } = summary;
  return {
    ...summary,
    ...(areAllKnown(weeks, (week) => formatWeek(week) !== undefined) ? { weeks: weeks.map(formatWeek) } : {}),
    ...(areAllKnown(assistants, (assistant) => getText(assistant, "name") !== "")
      ? { assistants: assistants.map((assistant) => getText(assistant, "name")) }
      : {}),
  };
}

function areAllKnown(list: unknown, isKnown: (entry: Fields) => boolean): list is Fields[] {
  return Array.isArray(list) && list.every((entry) => isFields(entry) && isKnown(entry));
}

/** Returns undefined for an unknown format, which is shown unchanged. */
function toSummaryRows({ weeks, assistants }: Fields): Fields[] | undefined {
  if (!Array.isArray(weeks) && !Array.isArray(assistants)) return undefined;
  if (weeks !== undefined && !areAllKnown(weeks, (week) => formatWeek(week) !== undefined)) return undefined;
  if (assistants !== undefined && !areAllKnown(assistants, ({ id }) => id !== undefined)) return undefined;
  const rows = (list: unknown) => (Array.isArray(list) ? list.filter(isFields) : []);
  return [
    ...rows(weeks).map((week) => ({ kind: "week", id: formatWeek(week), name: "" })),
    ...rows(assistants).map(({ id, name }) => ({ kind: "assistant", id, name })),
  ];
}

export const stats: Noun = {
  name: "stats",
  noun: "statistic",
  plural: "statistics",
  summary: "Show call statistics",
  description:
    "Counts only completed calls, each as at least one minute. Days are in UTC; weeks follow ISO 8601.",
  operations: statistics,
  columns: [],
  detail: formatSummaryDetail,
  commands: [
    {
      name: "usage",
      summary: statistics["statistics.usage"].summary,
      load: async () => (await import("./usage.js")).usageCommand,
    },
  ],
  verbs: {
    "statistics.summary": {
      examples: [{ command: "voxctl stats summary" }],
      command: (derivation) => getCommand(derivation, toSummaryRows),
    },
  },
};
