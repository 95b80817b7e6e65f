/** Formats a caller's data as one HTML page without scripts. All strings are escaped. */

import { getDesign } from "../../base/assets.js";
import { ExactNumber } from "../../base/exact-json.js";
import { escapeMarkup } from "../../base/markup.js";
import { escapeLines } from "../../base/text.js";
import type { Fields } from "../../write/fields.js";
import { recordOf } from "../../write/values.js";
import type { Copy } from "./copy.js";
import type { Findings } from "./organization.js";

interface Page {
  service: string;
  /** Time in ISO 8601. */
  startedAt: string;
  copy: Copy;
  searched: Findings["searched"];
  notSearched: Findings["notSearched"];
  /** Paths of recordings by call ID, relative to the page. */
  recordings: ReadonlyMap<string, string>;
}

export function formatSubjectHtml({
  service,
  startedAt,
  copy,
  searched,
  notSearched,
  recordings,
}: Page): string {
  const { contacts, calls, mentions } = copy;
  const sections = [
    formatSection(
      "Contacts",
      contacts.map(({ id, record }) => formatArticle(`Contact ${id}`, formatFields(record, ["id"]))),
    ),
    formatSection(
      "Calls",
      calls.map(({ id, record }) => formatArticle(`Call ${id}`, formatCall(record, recordings.get(id)))),
    ),
    formatSection(
      "Passages that mention the person",
      mentions.map(({ where, id, field, excerpt }) =>
        formatArticle(`${where} ${id}`, list([[field, text(excerpt)]])),
      ),
    ),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Personal data</title><style>${getDesign()}</style></head>
<body class="document"><header><h1>Personal data of one person</h1>
<p class="faint">Retrieved from ${text(service)}, ${text(formatMinute(startedAt))}. The searched data is listed at the end; other data may exist elsewhere.</p></header>
<main>${sections.join("\n")}
<section><h2>Searched data</h2><table><thead><tr><th scope="col">Resource</th><th scope="col">Read</th><th scope="col">Matches</th></tr></thead>
<tbody>${searched.map(({ where, read, found }) => `<tr><td>${text(where)}</td><td>${read}</td><td>${found}</td></tr>`).join("")}</tbody></table>
${notSearched.map(({ where, id, reason }) => `<p class="faint">Not searched: ${text(where)}${id === null ? "" : ` ${text(id)}`}: ${text(reason)}</p>`).join("\n")}</section></main></body></html>
`;
}

const text = (value: string) => escapeMarkup(escapeLines(value));

function formatSection(title: string, parts: readonly string[]): string {
  const content = parts.length === 0 ? '<p class="faint">None found.</p>' : parts.join("\n");
  return `<section><h2>${text(title)}</h2>${content}</section>`;
}

function formatArticle(title: string, content: string): string {
  return `<article class="card"><h3>${text(title)}</h3>${content}</article>`;
}

/** @param pairs each name is plain text, and each value is HTML */
function list(pairs: readonly (readonly [name: string, value: string])[]): string {
  return `<dl>${pairs.map(([name, value]) => `<div><dt>${text(name.replaceAll("_", " "))}</dt><dd>${value}</dd></div>`).join("")}</dl>`;
}

function formatFields(record: Fields, without: readonly string[] = []): string {
  const shown = Object.entries(record).filter(([name]) => !without.includes(name));
  return list(shown.map(([name, value]) => [name, formatValue(value)]));
}

function formatCall(record: Fields, recording: string | undefined): string {
  const parts = ["transcript", "analyses", "notes"];
  const link =
    recording === undefined ? "" : `<p><a href="${escapeMarkup(encodeURI(recording))}">Recording</a></p>`;
  return [
    formatFields(record, ["id", ...parts]),
    link,
    ...parts.map((part) => formatPart(part, record[part])),
  ].join("");
}

/** Shows a part of unknown structure with all its fields. */
function formatPart(name: string, value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "";
  const title = `<h4>${text(`${name[0]?.toUpperCase()}${name.slice(1)}`)}</h4>`;
  if (!Array.isArray(value)) return `${title}${formatValue(value)}`;
  const pairs = value.map(recordOf).map((entry) => [entry["name"], entry["value"]] as const);
  if (pairs.every((pair): pair is [string, string] => pair.every((part) => typeof part === "string")))
    return `${title}${list(pairs.map(([key, pairValue]) => [key, text(pairValue)]))}`;
  if (name !== "transcript") return `${title}${formatValue(value)}`;
  const utterances = value.map((utterance) => {
    const { role, text: utteranceText, offset_seconds: at } = recordOf(utterance);
    if (typeof utteranceText !== "string") return ["", formatValue(utterance)] as const;
    const speaker = [typeof at === "number" ? `${at} s` : "", typeof role === "string" ? role : ""];
    return [speaker.filter((part) => part !== "").join(" "), text(utteranceText)] as const;
  });
  return `${title}${list(utterances)}`;
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "string") return text(isTime(value) ? formatMinute(value) : value);
  if (value instanceof ExactNumber || typeof value !== "object") return text(String(value));
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.map(formatValue).join("<br>");
  return formatFields(recordOf(value));
}

const isTime = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/.test(value);

function formatMinute(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, "$1 $2 UTC");
}
