// Generates manual pages from the commands, one per resource, such as `man voxctl-contacts`.

import { type CommandTree, leavesOf } from "../src/cli/session/command-tree.js";
import { globalFlags } from "../src/cli/session/globals.js";
import type { Argument, Example, Flag } from "../src/cli/session/input.js";
import { additionalTopics, capital, flagForm, flagNotes, usage } from "./generate-reference.js";

export interface Edition {
  version: string;
  /** `2026-03-02` */
  date: string;
}

export function manualPages(tree: CommandTree, edition: Edition): Map<string, string> {
  return new Map([
    ["voxctl.1", mainPage(tree, edition)],
    ...shown(tree.commands).map(
      (command) => [`${pageName(command)}.1`, resourcePage(command, edition)] as const,
    ),
  ]);
}

const pageName = ({ path }: CommandTree) => ["voxctl", ...path].join("-");
const shown = (commands: readonly CommandTree[]) => commands.filter(({ hidden }) => !hidden);

function mainPage(tree: CommandTree, edition: Edition): string {
  const sections = new Map<string, CommandTree[]>();
  for (const command of shown(tree.commands)) {
    const section = command.section ?? "Commands";
    sections.set(section, [...(sections.get(section) ?? []), command]);
  }
  return page("voxctl", tree.summary, edition, [
    ".SH SYNOPSIS",
    ".B voxctl",
    "\\fIresource verb\\fR [\\fIarguments\\fR] [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    roff(tree.description ?? tree.summary),
    ".PP",
    "Each resource has its own page, such as \\fBman voxctl-contacts\\fR.",
    ".SH COMMANDS",
    ...[...sections].flatMap(([section, commands]) => [`.SS ${roff(section)}`, ...commands.flatMap(listed)]),
    ".SH OPTIONS OF EVERY COMMAND",
    ...options(globalFlags),
    ...additionalTopics.flatMap((text) => {
      const [heading = "", ...bodyLines] = text.trimEnd().split("\n");
      const lines = bodyLines.filter((line, at) => at > 0 || line !== "");
      return [`.SH ${roff(heading.toUpperCase())}`, ...verbatim(lines)];
    }),
  ]);
}

function listed(command: CommandTree): string[] {
  const inner = shown(command.commands).map(({ name }) => name);
  const verbs = inner.length === 0 ? "" : ` (${inner.join(", ")})`;
  return [
    ".TP",
    `\\fB${roff(["voxctl", ...command.path].join(" "))}\\fR`,
    roff(`${capital(command.summary)}${verbs}.`),
  ];
}

function resourcePage(command: CommandTree, edition: Edition): string {
  const leaves = leavesOf(command).filter(({ hidden }) => !hidden);
  const isLeaf = leaves.length === 1 && leaves[0] === command;
  return page(pageName(command), command.summary, edition, [
    ".SH SYNOPSIS",
    isLeaf ? roff(usage(command)) : roff(`${["voxctl", ...command.path].join(" ")} <command> [flags]`),
    ".SH DESCRIPTION",
    roff(command.description ?? `${capital(command.summary)}.`),
    ...(isLeaf ? details(command, ".SH") : [".SH COMMANDS", ...leaves.flatMap(leafLines)]),
    ".SH SEE ALSO",
    ".BR voxctl (1)",
    ".PP",
    "\\fBvoxctl\\fR(1) describes global options, variables, files and exit codes.",
  ]);
}

function leafLines(leaf: CommandTree): string[] {
  return [
    `.SS ${roff(usage(leaf))}`,
    roff(`${capital(leaf.summary)}.`),
    ...(leaf.description ? [".PP", roff(leaf.description)] : []),
    ...details(leaf, ".SB"),
  ];
}

function details(command: CommandTree, heading: ".SH" | ".SB"): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [...(heading === ".SB" ? [".PP"] : []), `${heading} ${title}`, ...lines];
  return [
    ...section("ARGUMENTS", command.arguments.flatMap(positional)),
    ...section("OPTIONS", options(command.flags)),
    ...section("EXAMPLES", command.examples.flatMap(example).slice(heading === ".SH" ? 1 : 0)),
  ];
}

function page(name: string, summary: string, { version, date }: Edition, lines: readonly string[]): string {
  return [
    `.TH ${roff(name.toUpperCase())} 1 "${date}" "voxctl ${roff(version)}" "User Commands"`,
    // Don't justify: long lists of values would get wide gaps.
    ".ad l",
    ".SH NAME",
    `${roff(name)} - ${roff(summary)}`,
    ...lines,
    "",
  ].join("\n");
}

const positional = ({ name, description }: Argument) => [".TP", `\\fI${roff(name)}\\fR`, roff(description)];
const verbatim = (lines: readonly string[]) => [".nf", ...lines.map(roff), ".fi"];

function example({ command, note }: Example): string[] {
  return [".PP", ...(note ? [roff(`${capital(note)}:`)] : []), ".RS", ...verbatim([command]), ".RE"];
}

function options(flags: readonly Flag[]): string[] {
  return flags
    .filter(({ hidden }) => !hidden)
    .flatMap((flag) => {
      const notes = flagNotes(flag);
      return [
        ".TP",
        `\\fB${roff(flagForm(flag))}\\fR`,
        roff(`${flag.description}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`),
      ];
    });
}

/** Escapes text for roff, so that no line starts with a control character. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll(/\n(\n*)(?=(.?))/g, (_, empty, next) => (empty ? "\n.PP\n" : next === " " ? "\n" : "\n.br\n"))
    .replace(
      /[^\u0000-\u007f]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replace(/^([.'])/gm, (start, _, at, whole) =>
      /^\.(br|PP)\n/.test(whole.slice(at, at + 4)) ? start : `\\&${start}`,
    );
}
