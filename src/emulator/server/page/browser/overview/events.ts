import { clockEventText } from "../../../../../contract/control/clock-events.js";
import type { Control } from "../control.js";
import { decodeAddress, shorten } from "../format.js";
import { formatHref } from "../route.js";
import { number, type Row, rowsOf, text } from "../rows.js";
import type { TimelineEvent } from "./marks.js";

export interface Lane {
  name: string;
  events: readonly TimelineEvent[];
}

const limit = 200;

export async function readLanes(control: Control, organization: string): Promise<Lane[]> {
  const [calls, requests, items, due] = await Promise.all([
    organization === "" ? [] : control.get(`/calls?limit=${limit}&organization_id=${organization}`),
    control.get(`/requests?brief=true&page=false&limit=${limit}`),
    control.get(`/tables/knowledge_items?limit=${limit}`),
    control.get("/clock/due"),
  ]);
  return [
    { name: "Calls", events: rowsOf(calls).map(toCallEvent) },
    { name: "Requests", events: rowsOf(requests).map(toRequestEvent) },
    { name: "Indexing", events: rowsOf(items).map(toIndexingEvent) },
    {
      name: "Clock",
      events: rowsOf(due).map((row) => {
        const count = number(row, "count");
        const title = clockEventText(text(row, "event")) + (count > 1 ? ` (${count} times)` : "");
        return { at: text(row, "at"), title, href: undefined, tone: "neutral" };
      }),
    },
  ];
}

function toCallEvent(row: Row): TimelineEvent {
  const status = text(row, "status");
  const isOver = row["ended_at"] !== null;
  return {
    at: text(row, "created_at"),
    title: `${text(row, "from") || "?"} → ${text(row, "to") || "?"}, ${status.replaceAll("_", " ")}`,
    href: formatHref("calls", [text(row, "id")]),
    tone: !isOver ? "accent" : status === "completed" ? "good" : "warning",
  };
}

function toRequestEvent(row: Row): TimelineEvent {
  const status = number(row, "status");
  return {
    at: text(row, "at"),
    title: `${text(row, "method")} ${shorten(decodeAddress(text(row, "path")), 60)}, ${status}`,
    href: formatHref("requests", [text(row, "id")]),
    tone: status >= 500 ? "bad" : status >= 400 ? "warning" : "good",
  };
}

function toIndexingEvent(row: Row): TimelineEvent {
  return {
    at: text(row, "indexing_asked_at"),
    title: `Indexing of ${shorten(text(row, "name"), 60)}`,
    href: formatHref("resources", ["knowledge", text(row, "id")]),
    tone: text(row, "indexing_ends") === "synced" ? "good" : "warning",
  };
}
