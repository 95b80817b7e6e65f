import { type Example, flagGroups } from "./session/input.js";
import { joined, type Paint, type Painted, styled } from "./terminal/paint.js";

type HelpItem = readonly [term: string, description: string];

type HelpBlock = readonly [heading: string, items: readonly HelpItem[]];

export interface HelpParts {
  usage: string;
  description: string;
  examples: readonly Example[];
  blocks: readonly HelpBlock[];
  globals: readonly string[];
}

export const globalHeading = "Global flags:";

export const commonFlags: readonly string[] = ["--profile", "--output", "--fields", "--yes"];

export const helpFlag = ["-h, --help", "Show this help"] as const;

/** With less space, a description starts on the line after its term. */
const narrowestDescription = 34;

const narrowestText = 20;

/** With this many flags, the examples come first, because users would not find examples after a long list. */
const manyFlags = 10;

export const flagsHeading = "Flags:";

function orderBlocks(blocks: readonly HelpBlock[]): HelpBlock[] {
  const rank = ([heading]: HelpBlock) =>
    heading === flagsHeading ? flagGroups.length : flagGroups.findIndex((group) => heading === `${group}:`);
  return [...blocks].sort((left, right) => rank(left) - rank(right));
}

const isFlags = ([, [item]]: HelpBlock) => item?.[0].trimStart().startsWith("-");

export function layOutHelp(
  { usage, description, examples, blocks, globals }: HelpParts,
  { width, paint }: { width: number; paint: Paint },
): Painted {
  const shown = orderBlocks(blocks.filter(([, items]) => items.length > 0));
  const flagCount = shown.filter(isFlags).reduce((sum, [, items]) => sum + items.length, 0);
  const exampleLines = examples.length === 0 ? [] : [layOutExamples(examples, paint), ""];
  const isExamplesFirst = flagCount >= manyFlags;
  const longest = Math.max(0, ...shown.flatMap(([, items]) => items.map(([term]) => term.length)));
  const item = (entry: HelpItem) => layOutItem(entry, longest, width);
  const [names = "", ...more] = wrap(
    `${globalHeading} ${globals.join(", ")}; see \`voxctl help flags\``,
    width,
  );
  const lines = [
    styled`${paint.bold("Usage:")} ${usage}`,
    "",
    ...(description === "" ? [] : [...wrap(description, width), ""]),
    ...(isExamplesFirst ? exampleLines : []),
    ...shown.flatMap(([heading, items]) => [paint.bold(heading), ...items.flatMap(item), ""]),
    ...(isExamplesFirst ? [] : exampleLines),
    styled`${paint.bold(globalHeading)}${names.slice(globalHeading.length)}`,
    ...more,
    "",
  ];
  return joined(lines, "\n");
}

/** @param longest length of the longest term, after which all descriptions are aligned */
export function layOutItem([term, description]: HelpItem, longest: number, width: number): string[] {
  if (description === "") return [`  ${term}`];
  if (width - longest - 4 < narrowestDescription)
    return [`  ${term}`, ...wrap(description, width - 6).map((line) => `      ${line}`)];
  const [first = "", ...more] = wrap(description, width - longest - 4);
  return [`  ${term.padEnd(longest)}  ${first}`, ...more.map((line) => `${" ".repeat(longest + 4)}${line}`)];
}

export function layOutExamples(examples: readonly Example[], paint: Paint): Painted {
  const lines = examples.flatMap(({ command, note }) => [
    ...(note ? [styled`  ${paint.dim(`# ${note}`)}`] : []),
    `  ${command}`,
  ]);
  return joined([paint.bold("Examples:"), ...lines], "\n");
}

/** Without `indent`, doesn't wrap indented lines, because users copy commands from such lines. */
export function wrap(text: string, width: number, indent = ""): string[] {
  return text.split("\n").flatMap((line) => {
    if (width < narrowestText || line.length <= width) return [line];
    if (indent === "" && line.startsWith("  ")) return [line];
    const lines: string[] = [];
    let current = "";
    // If a word is longer than a line, such as a list of names, break it after commas.
    const chunks = [...line.matchAll(/\s*\S+/g)].flatMap(([word]) =>
      word.trim().length > width ? word.split(/(?<=,)/) : [word],
    );
    for (const chunk of chunks) {
      if (current !== "" && current.length + chunk.length > width) {
        lines.push(current);
        current = indent + chunk.trimStart();
      } else current += chunk;
    }
    return [...lines, current];
  });
}
