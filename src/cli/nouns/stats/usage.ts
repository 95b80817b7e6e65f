import { type Fields, getText, isFields } from "../../../base/fields.js";
import { type IsoWeek, weekOf } from "../../../base/iso-week.js";
import { statistics } from "../../../contract/public/statistics.js";
import { usageError } from "../../errors/errors.js";
import { FlaggedError } from "../../errors/exit-codes.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { assistant as referable } from "../../session/references/assistant.js";
import { resolveReference } from "../../session/references/references.js";
import { getCallStyle } from "../calls/call/text.js";
import { listAtServiceTime } from "../usage/days.js";
import { formatUsage, formatWeek, splitUsage } from "./usage-text.js";

const flagByField: Readonly<Record<string, string>> = {
  week: "--week",
  year: "--week",
  assistant_id: "--assistant",
};

export const usageCommand: Command = {
  name: "usage",
  summary: statistics["statistics.usage"].summary,
  description:
    "Without --week, shows the current week. The monthly statistics are for the month that contains the week's Thursday. The last 24 hours always end now, regardless of --week.",
  flags: [
    { name: "week", value: "week", description: "Week such as 2026-W47, or 47 for the current year" },
    {
      name: "assistant",
      value: "all|name|id",
      description: "Assistant whose calls are counted",
      default: "all",
    },
    { name: "chart", description: "Show bar charts" },
  ],
  examples: [
    { command: "voxctl stats usage" },
    { command: "voxctl stats usage --week 2026-W47 --assistant Empfang --chart" },
    { command: "voxctl stats usage --week 2026-W47 -o json" },
  ],
  async run(session, input) {
    const chart = input.on("chart") === true;
    if (chart && session.flags.output !== undefined && session.flags.output !== "table")
      throw usageError(`conflicting flags: --chart and -o ${session.flags.output}`);
    if (chart && session.flags.plain) throw usageError("conflicting flags: --chart and --plain");
    const given = readWeek(input);
    const { client } = await session.connect();
    const readRequested = () => {
      const current = weekOf(session.serviceNow());
      return given ? { week: given.week, year: given.year ?? current.year } : current;
    };
    const whose = input.text("assistant") ?? "all";
    const assistantId =
      whose === "all" ? whose : await resolveReference(client, referable, whose, "--assistant", session);
    const read = async function* (week: IsoWeek) {
      const query = { ...week, assistant_id: assistantId };
      yield (await client.call("statistics.usage", { query }, { signal: session.signal })).data;
    };
    const { value: data } = await listAtServiceTime(readRequested, read)
      .next()
      .catch((error: unknown) => {
        throw new FlaggedError(error, ([field]) => flagByField[String(field)]);
      });
    const { week, year } = readRequested();
    const asText = session.output.format === "table" && session.flags.fields === undefined;
    const { drawn, remaining } = isFields(data) ? splitUsage(data) : {};
    if (session.output.format === "csv" && !session.flags.fields && drawn && !remaining) {
      await session.output.list(toUsageRows(drawn), { columns: [] });
      return;
    }
    if ((chart || asText) && drawn) {
      const title = whose === "all" ? "all assistants" : (session.names.get(assistantId) ?? whose);
      await session.output.text(
        formatUsage(drawn, { whose: title, requestedWeek: { week, year } }, getCallStyle(session), chart),
      );
      if (remaining) {
        await session.output.text("\n");
        await session.output.item(remaining);
      }
    } else {
      await session.output.item(data);
    }
  },
};

function toUsageRows(usage: Fields): Fields[] {
  const rows = (part: string, list: string): Fields[] => {
    const of = usage[part];
    const entries = isFields(of) ? of[list] : undefined;
    return Array.isArray(entries) ? entries.filter(isFields) : [];
  };
  const line = (period: string, begins: string, row: Fields): Fields => ({
    period,
    begins,
    calls: row["calls"],
    duration_seconds: row["duration_seconds"],
  });
  const hours = usage["hourly_call_counts_last_24h"];
  const counts: unknown[] = Array.isArray(hours) ? hours : [];
  return [
    ...rows("weekly", "days").map((day) => line("day", getText(day, "date"), day)),
    ...rows("monthly", "weeks").map((week) => line("week", formatWeek(week) ?? "", week)),
    ...counts.map((calls, index) => line("hour", `-${counts.length - index} h`, { calls })),
  ];
}

/** @throws usage error (2) for a week outside the documented range (public.operations.16a) */
function readWeek(input: Input): { week: number; year: number | undefined } | undefined {
  const text = input.text("week");
  if (text === undefined) return undefined;
  const match = /^(?:(\d{4})-?W)?(\d{1,2})$/i.exec(text.trim());
  const week = Number(match?.[2]);
  if (!match || week < 1 || week > 53)
    throw usageError(`invalid --week "${text}": expected a week such as 2026-W47, or 1 to 53`);
  return { week, year: readYear(match[1]) };
}

function readYear(text: string | undefined): IsoWeek["year"] | undefined {
  if (text === undefined) return undefined;
  const year = Number(text);
  if (!/^\d{4}$/.test(text) || year < 2020 || year > 2100)
    throw usageError(`invalid year in --week "${text}": expected 2020 to 2100`);
  return year;
}
