import { InputError } from "../../base/input-error.js";
import type { Labels, Selection } from "./selection.js";

export interface WaveRule {
  takes:
    | { type: "select"; selection: Selection }
    | { type: "percent"; percent: number }
    | { type: "count"; count: number }
    | { type: "rest" };
  /** Milliseconds between the end of the wave and the start of the next one. */
  hold: number;
}

interface Wave {
  name: string;
  hold: number;
  members: readonly string[];
}

interface Divided {
  waves: Wave[];
  empty: string[];
  remaining: string[];
}

export const singleWave: readonly WaveRule[] = [{ takes: { type: "rest" }, hold: 0 }];

export function divideIntoWaves(
  members: readonly { name: string; labels: Labels }[],
  rules: readonly WaveRule[],
): Divided {
  let open = [...members].sort((left, right) => (left.name < right.name ? -1 : 1));
  const divided: Divided = { waves: [], empty: [], remaining: [] };
  for (const rule of rules) {
    const taken = takeMembers(open, rule, members.length);
    const name = formatRule(rule);
    if (taken.length === 0) divided.empty.push(name);
    else divided.waves.push({ name, hold: rule.hold, members: taken.map((member) => member.name) });
    open = open.filter((member) => !taken.includes(member));
  }
  return { ...divided, remaining: open.map(({ name }) => name) };
}

function takeMembers<Member extends { labels: Labels }>(
  open: readonly Member[],
  { takes }: WaveRule,
  selected: number,
): Member[] {
  switch (takes.type) {
    case "select":
      return open.filter(({ labels }) => takes.selection.matches(labels));
    case "percent":
      return open.slice(0, Math.ceil((selected * takes.percent) / 100));
    case "count":
      return open.slice(0, takes.count);
    case "rest":
      return [...open];
  }
}

function formatRule({ takes }: WaveRule): string {
  switch (takes.type) {
    case "select":
      return takes.selection.text;
    case "percent":
      return `${takes.percent}%`;
    case "count":
      return String(takes.count);
    case "rest":
      return "rest";
  }
}

/** Parses waves such as `1,10%,rest`. @throws InputError */
export function parseWaves(text: string): WaveRule[] {
  return text.split(",").map((part): WaveRule => {
    const word = part.trim();
    if (word === "rest") return { takes: { type: "rest" }, hold: 0 };
    const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(word) ?? [];
    const number = Number(digits);
    if (percent === "%" && number > 0 && number <= 100)
      return { takes: { type: "percent", percent: number }, hold: 0 };
    if (percent === "" && Number.isInteger(number) && number > 0)
      return { takes: { type: "count", count: number }, hold: 0 };
    throw new InputError(
      `invalid --waves "${text}": expected numbers, percentages or the word rest, such as 1,10%,rest`,
    );
  });
}

/**
 * Returns a function that computes how many of the selected members may fail, rounded down. Returns undefined
 * for an invalid text.
 */
export function parseAllowedFailures(text: string): ((selected: number) => number) | undefined {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined || (percent === "%" && Number(digits) > 100)) return undefined;
  const number = Number(digits);
  // Avoid a rounding error: 9.2% of 750 is 69, but is computed as 68.99999999999999.
  return (selected) => Math.floor(percent === "%" ? Number(((selected * number) / 100).toFixed(9)) : number);
}
