import { escapeControl } from "../../../../base/text.js";
import type { Fields } from "../../../output/fields.js";
import { textIn } from "../../../output/fields.js";
import { clockText } from "./text.js";

/** A call as a chapter to read. Its texts are quoted, so that nothing said in it is a heading or a link. */
export function callMarkdown(call: Fields): string {
  const seconds = call["duration_seconds"];
  const facts = [
    ["direction", textIn(call, "direction")],
    ["status", textIn(call, "status")],
    ["length", typeof seconds === "number" ? clockText(seconds) : ""],
    ["from", textIn(call, "from")],
    ["to", textIn(call, "to")],
    ["assistant", textIn(call, "assistant") || textIn(call, "assistant_id")],
  ].filter(([, value]) => value !== "");
  return [
    `## ${textIn(call, "created_at")} ${textIn(call, "id")}\n`,
    facts.map(([name, value]) => `- ${name}: ${escaped(value ?? "")}\n`).join(""),
    section("Transcript", textIn(call, "transcript")),
    section("Analyses", textIn(call, "analyses")),
    section("Notes", textIn(call, "notes")),
    "",
  ]
    .filter((part, index, all) => part !== "" || index === all.length - 1)
    .join("\n")
    .concat("\n");
}

function section(title: string, text: string): string {
  if (text === "") return "";
  const lines = text.split("\n").map((line) => `> ${escaped(line)}  \n`);
  return `### ${title}\n\n${lines.join("")}`;
}

function escaped(text: string): string {
  return escapeControl(text).replace(/[\\`*_[\]<>#|~]/g, "\\$&");
}
