import { formatClock } from "../../../../base/duration.js";
import type { Fields } from "../../../../base/fields.js";
import { getText } from "../../../../base/fields.js";
import { escapeControl } from "../../../../base/text.js";

/** Formats a call as Markdown. Escapes the call's text, so that it can't add headings or links. */
export function formatCallMarkdown(call: Fields): string {
  const seconds = call["duration_seconds"];
  const facts = [
    ["direction", getText(call, "direction")],
    ["status", getText(call, "status")],
    ["length", typeof seconds === "number" ? formatClock(seconds) : ""],
    ["from", getText(call, "from")],
    ["to", getText(call, "to")],
    ["assistant", getText(call, "assistant") || getText(call, "assistant_id")],
  ].filter(([, value]) => value !== "");
  return [
    `## ${getText(call, "created_at")} ${getText(call, "id")}\n`,
    facts.map(([name, value]) => `- ${name}: ${escapeMarkdown(value ?? "")}\n`).join(""),
    formatSection("Transcript", getText(call, "transcript")),
    formatSection("Analyses", getText(call, "analyses")),
    formatSection("Notes", getText(call, "notes")),
    "",
  ]
    .filter((part, index, all) => part !== "" || index === all.length - 1)
    .join("\n")
    .concat("\n");
}

function formatSection(title: string, text: string): string {
  if (text === "") return "";
  const lines = text.split("\n").map((line) => `> ${escapeMarkdown(line)}  \n`);
  return `### ${title}\n\n${lines.join("")}`;
}

function escapeMarkdown(text: string): string {
  return escapeControl(text).replace(/[\\`*_[\]<>#|~]/g, "\\$&");
}
