import { Option, type Command as Parser } from "commander";
import { InvalidValue } from "./errors/program-errors.js";
import type { Flag } from "./session/input.js";

/** A flag whose optional value is joined with `=`. The next word is never the value. */
export class JoinedOption extends Option {
  constructor(name: string, description: string, value: string) {
    super(`--${name} [${value}]`, description);
    this.flags = `--${name}[=<${value}>]`;
  }
}

export function addFlags(parser: Parser, flags: readonly Flag[], ungrouped: string): void {
  for (const flag of flags) {
    const heading = flag.group === undefined ? ungrouped : `${flag.group}:`;
    parser.addOption(option(flag, flag.name, flag.hidden === true).helpGroup(heading));
    if (!flag.negatable) continue;
    const { default: _, ...opposite } = { ...flag, description: `Opposite of --${flag.name}` };
    parser.addOption(option(opposite, `no-${flag.name}`, flag.hidden === true).helpGroup(heading));
  }
}

function describeGivenTwice(name: string, first: string, second: string): string {
  return `--${name} accepts one value, but was used with "${first}" and "${second}"`;
}

/**
 * The user of a short form of `--global-NAME` may have meant the command's own flag NAME, so the message
 * names that flag.
 */
function refused({ short }: Flag, name: string, value: string, choices: readonly string[]): string {
  const [, own] = /^global-(.+)$/.exec(name) ?? [];
  if (own === undefined || short === undefined)
    return `invalid --${name} "${value}": expected one of ${choices.join(", ")}`;
  return `invalid -${short} "${value}": expected one of ${choices.join(", ")}; the command's own flag is --${own} ${value}`;
}

function namesAll({ description }: Flag, choices: readonly string[]): boolean {
  return choices.every((choice) => description.includes(choice));
}

function option(flag: Flag, name: string, hidden: boolean): Option {
  const term = `${flag.short && name === flag.name ? `-${flag.short}, ` : ""}--${name}${flag.value ? ` <${flag.value}>` : ""}`;
  const notes = [
    ...(flag.required ? ["required"] : []),
    ...(flag.choices && !namesAll(flag, flag.choices) ? [`one of ${flag.choices.join(", ")}`] : []),
    ...(flag.default === undefined ? [] : [`default: ${flag.default}`]),
    ...(flag.repeatable ? ["repeatable"] : []),
  ];
  const description = notes.length > 0 ? `${flag.description} (${notes.join("; ")})` : flag.description;
  if (flag.joined === true) return new JoinedOption(name, description, flag.value ?? "value");
  const result = new Option(term, description);
  if (hidden) result.hideHelp();
  result.argParser((value: string, previous: unknown) => {
    if (flag.strict && flag.choices && !flag.choices.includes(value)) {
      throw new InvalidValue(refused(flag, name, value, flag.choices));
    }
    if (flag.repeatable) return Array.isArray(previous) ? [...previous, value] : [value];
    // Refuse a second value, because it is unclear which value the user intended.
    if (typeof previous === "string" && previous !== value && !flag.lastCounts)
      throw new InvalidValue(describeGivenTwice(name, previous, value));
    return value;
  });
  return result;
}
