import type { Example } from "./session/input.js";
import { joined, type Paint, type Painted, styled } from "./terminal/paint.js";

/** What a help says, before it is known how wide it may be. */
export interface HelpParts {
  usage: string;
  description: string;
  /** Headings, and the terms beneath them with their descriptions. */
  blocks: readonly (readonly [heading: string, items: readonly (readonly [string, string])[]])[];
  /** Flags that every command takes, as far as they are named. */
  globals: readonly string[];
}

/** The heading of the flags that every command takes; they stand in one line. */
export const globalHeading = "Global options:";

/** The ones that a person asks for most. */
export const oftenMeant: readonly string[] = ["--profile", "--output", "--fields", "--yes"];

/** The one flag that is the parser's own. */
export const helpFlag = ["-h, --help", "show this help"] as const;

/** Descriptions beside their terms get no narrower than this; below it they stand under them. */
const narrowestDescription = 34;

/** In a narrower terminal nothing is wrapped. */
const narrowestText = 20;

/** A command's help: what it can do comes before how it can be told to. */
export function layOutHelp(
  { usage, description, blocks, globals }: HelpParts,
  { width, paint }: { width: number; paint: Paint },
): Painted {
  const shown = blocks.filter(([, items]) => items.length > 0);
  const terms = Math.max(0, ...shown.flatMap(([, items]) => items.map(([term]) => term.length)));
  const beside = width - terms - 4 >= narrowestDescription;
  const item = ([term, about]: readonly [string, string]) => {
    if (about === "") return [`  ${term}`];
    if (!beside) return [`  ${term}`, ...wrap(about, width - 6).map((line) => `      ${line}`)];
    const [first = "", ...more] = wrap(about, width - terms - 4);
    return [`  ${term.padEnd(terms)}  ${first}`, ...more.map((line) => `${" ".repeat(terms + 4)}${line}`)];
  };
  const [names = "", ...more] = wrap(
    `${globalHeading} ${globals.join(", ")} and more: voxctl help flags`,
    width,
  );
  const lines = [
    styled`${paint.bold("Usage:")} ${usage}`,
    "",
    ...(description === "" ? [] : [...wrap(description, width), ""]),
    ...shown.flatMap(([heading, items]) => [paint.bold(heading), ...items.flatMap(item), ""]),
    styled`${paint.bold(globalHeading)}${names.slice(globalHeading.length)}`,
    ...more,
    "",
  ];
  return joined(lines, "\n");
}

/** What stands below a help. */
export function layOutExamples(examples: readonly Example[], paint: Paint): Painted {
  const lines = examples.flatMap(({ command, note }) => [
    ...(note ? [styled`  ${paint.dim(`# ${note}`)}`] : []),
    `  ${command}`,
  ]);
  return joined(["", paint.bold("Examples:"), ...lines], "\n");
}

/** Lines that are set in stay as they are: a broken line of an example would be another one. */
function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (width < narrowestText || line.length <= width || line.startsWith("  ")) return [line];
    const lines: string[] = [];
    let current = "";
    for (const [chunk] of line.matchAll(/\s*\S+/g)) {
      if (current !== "" && current.length + chunk.length > width) {
        lines.push(current);
        current = chunk.trimStart();
      } else current += chunk;
    }
    return [...lines, current];
  });
}
