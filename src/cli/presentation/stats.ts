import { statistics } from "../../contract/public/statistics.js";
import { type Fields, isFields } from "../output/fields.js";
import { type ResourcePresentation, textIn } from "./presentation.js";
import { weekText } from "./usage-text.js";

function summaryDetail(summary: Fields): Fields {
  const { weeks, assistants } = summary;
  return {
    ...summary,
    ...(Array.isArray(weeks) ? { weeks: weeks.filter(isFields).map(weekText) } : {}),
    ...(Array.isArray(assistants)
      ? { assistants: assistants.filter(isFields).map((assistant) => textIn(assistant, "name")) }
      : {}),
  };
}

export const stats: ResourcePresentation = {
  name: "stats",
  noun: "statistic",
  plural: "statistics",
  summary: "Statistics: how much was called",
  description:
    "Only completed calls count, each with at least a minute. Days and weeks are UTC and ISO 8601.",
  operations: statistics,
  columns: [],
  detail: summaryDetail,
  commands: [
    {
      name: "usage",
      summary: statistics["statistics.usage"].summary,
      load: async () => (await import("../commands/stats-usage.js")).usageCommand,
    },
  ],
  verbs: {
    "statistics.summary": { examples: [{ command: "voxctl stats summary" }] },
  },
};
