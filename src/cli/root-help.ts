import type { Io } from "../base/io.js";
import { catalogue } from "./catalogue.js";
import { type HelpParts, helpFlag, layOutExamples, layOutHelp, oftenMeant } from "./help-layout.js";
import type { CommandNode } from "./session/command.js";
import { columnsOf } from "./terminal/columns.js";
import { createPaint, type Painted, styled, wantsColor } from "./terminal/paint.js";

/** How wide a help may be. */
export function helpWidth(io: Io): number {
  return Math.min(columnsOf(io, io.stdout), 120);
}

/** `voxctl`, `voxctl help` and `voxctl --help`: what the parser would make of the catalogue, without it. */
export function rootHelp(io: Io): Painted {
  const sections = new Map<string, CommandNode[]>();
  for (const node of catalogue.commands) {
    const heading = "section" in node && node.section ? `${node.section}:` : "Commands:";
    sections.set(heading, [...(sections.get(heading) ?? []), node]);
  }
  const parts: HelpParts = {
    usage: `${catalogue.name} [options] [command]`,
    description: catalogue.description ?? catalogue.summary,
    blocks: [
      ...[...sections].map(
        ([heading, nodes]) => [heading, nodes.map(({ name, summary }) => [name, summary] as const)] as const,
      ),
      ["Options:", [helpFlag]],
    ],
    globals: oftenMeant,
  };
  const paint = createPaint(wantsColor(io, io.stdout, true));
  const examples = layOutExamples(catalogue.examples ?? [], paint);
  return styled`${layOutHelp(parts, { width: helpWidth(io), paint })}${examples}\n`;
}

/** @returns whether a line asks for the help of the whole, and for nothing else */
export function asksForRootHelp(argv: readonly string[]): boolean {
  const [first = "help"] = argv;
  return argv.length < 2 && ["--help", "-h", "help"].includes(first);
}
