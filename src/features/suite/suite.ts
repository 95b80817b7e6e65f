import * as z from "zod";
import { parseDurationText } from "../../base/duration.js";
import { isFields } from "../../base/fields.js";
import { InputError } from "../../base/input-error.js";
import {
  duration,
  fields,
  openStrictFile,
  type Problem,
  type StrictFile,
  scalar,
  several,
  text,
} from "../../base/strict-file.js";
import { parseSpeaker, Script } from "./offline-call.js";
import { parseFact } from "./transcript-facts.js";

export interface Phrase {
  text: string;
  /** The speaker; undefined means either. */
  role: "assistant" | "user" | undefined;
  pattern: RegExp | undefined;
}

/**
 * Schema for words or a pattern such as `/price/i`, optionally under the key `assistant:` or `user:`.
 * @param patterns whether plain text is also converted to a pattern
 */
function createPhraseSchema(patterns: boolean) {
  return z.unknown().transform((value, context): Phrase => {
    const [role, words] = parseSpeaker(value);
    const problem = (message: string): never => {
      context.issues.push({ code: "custom", input: value, message });
      return z.NEVER;
    };
    if (typeof words !== "string" || words.trim() === "")
      return problem("must be text, optionally under the key assistant: or user:");
    // Transcripts are compared in the same Unicode form.
    const composed = words.normalize("NFC");
    const written = /^\/(.+)\/([a-z]*)$/s.exec(composed);
    if (!written && !patterns) return { text: words, role, pattern: undefined };
    try {
      return { text: words, role, pattern: new RegExp(written?.[1] ?? composed, written?.[2] ?? "") };
    } catch (error) {
      return problem(`invalid pattern: ${error instanceof Error ? error.message : ""}`);
    }
  });
}

const Expectations = fields({
  status: several(text).optional(),
  duration: fields({ at_least: duration.optional(), at_most: duration.optional() })
    .refine(
      ({ at_least: least = 0, at_most: most = least }) => least <= most,
      "at_least is greater than at_most",
    )
    .optional(),
  transcript: fields({
    contains: several(createPhraseSchema(false)).optional(),
    matches: several(createPhraseSchema(true)).optional(),
    never: several(createPhraseSchema(false)).optional(),
  }).optional(),
  analyses: z.record(z.string(), scalar, "must be a mapping of names to values").optional(),
});
export type Expectations = z.output<typeof Expectations>;

/** A number whose form is valid in at least one country (D-normalize). */
const Destination = text.refine((value) => {
  const bare = value.replace(/[\s\-./()]/gu, "");
  return value === "" || /^((\+|00)\d{6,20}|\d{3,20})$/.test(bare);
}, "must be a phone number such as +4915112345678 or 030 1234567");

/** Schema for the number of calls that must pass, such as `2/3`: 2 of 3 calls. */
const Pass = z.unknown().transform((value, context) => {
  const [, passes, of] = /^\s*(\d{1,2})\s*\/\s*(\d{1,2})\s*$/.exec(String(value)) ?? [];
  if (passes !== undefined && Number(passes) >= 1 && Number(passes) <= Number(of))
    return { passes: Number(passes), of: Number(of) };
  context.issues.push({
    code: "custom",
    input: value,
    message: "must be two numbers such as 2/3 (2 of 3 calls)",
  });
  return z.NEVER;
});

/**
 * Schema for a fact: words or a pattern to find in the assistant's utterances. The match is compared with a
 * baseline.
 */
const FactText = scalar.transform((value, context): RegExp => {
  try {
    return parseFact(value);
  } catch (error) {
    const message = `invalid pattern: ${error instanceof Error ? error.message : ""}`;
    context.issues.push({ code: "custom", input: value, message });
    return z.NEVER;
  }
});

const mostRepeats = 20;
const defaultTimeout = "5m";
const shared = {
  assistant: text.optional(),
  to: Destination.optional(),
  details: z.string("must be text").optional(),
  timeout: duration.refine((milliseconds) => milliseconds > 0, "must be longer than 0 s").optional(),
  expect: Expectations.optional(),
  facts: z.record(z.string(), FactText, "must be a mapping of names to text").optional(),
  tags: several(text).optional(),
  repeat: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(mostRepeats, `must be at most ${mostRepeats}`)
    .optional(),
  pass: Pass.optional(),
};

export const SuiteFile = fields({
  name: text.optional(),
  defaults: fields(shared).optional(),
  scenarios: z
    .array(fields({ name: text, ...shared, offline: Script.optional() }), "must be a list")
    .min(1, "is empty"),
});

export interface Scenario {
  name: string;
  line: number;
  /** Name, ID or phone number of the assistant. */
  assistant: string;
  to: string;
  details: string | undefined;
  timeoutMilliseconds: number;
  expect: Expectations;
  /** Patterns by name. The matching words are compared with a baseline. */
  facts: Readonly<Record<string, RegExp>>;
  offline: Script | undefined;
  tags: readonly string[];
  /** Number of calls to place. At least `pass` of them must pass. */
  repeat: number;
  pass: number;
}

export interface Suite {
  name: string;
  /** Path as typed. */
  file: string;
  scenarios: readonly Scenario[];
}

/** @throws InputError with the scenario and field of each error */
export async function parseSuite(
  content: string,
  { file, env }: { file: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Suite> {
  const read = await openStrictFile(content, {
    file,
    env,
    describePath: formatLocation,
  });
  if (!isFields(read.value))
    throw new InputError(`${file}: missing list "scenarios"`, {
      hint: "see the example in `voxctl calls test --help`",
    });
  const parsed = read.parse(SuiteFile);
  read.problems.push(...findScenarioProblems(read.value));
  const suite = parsed && toSuite(parsed, file, read);
  if (suite !== undefined && read.problems.length === 0) return suite;
  throw read.failure();
}

function findScenarioProblems(value: unknown): Problem[] {
  const root = isFields(value) ? value : {};
  const defaults = isFields(root["defaults"]) ? root["defaults"] : {};
  const scenarios: unknown[] = Array.isArray(root["scenarios"]) ? root["scenarios"] : [];
  const names = new Set<unknown>();
  return scenarios.flatMap((scenario, index): Problem[] => {
    if (!isFields(scenario)) return [];
    const { name } = scenario;
    const isRepeated = name !== undefined && names.has(name);
    names.add(name);
    const missing = ["assistant", "to"].filter((field) => (scenario[field] ?? defaults[field]) === undefined);
    return [
      ...missing.map((field) => ({
        path: ["scenarios", index, field],
        message: "missing from the scenario and from defaults",
      })),
      ...(isRepeated
        ? [{ path: ["scenarios", index, "name"], message: "another scenario has the same name" }]
        : []),
    ];
  });
}

function toSuite(
  { defaults, scenarios, name }: z.output<typeof SuiteFile>,
  file: string,
  { problems, lineOf }: StrictFile,
): Suite {
  const complete = scenarios.map((scenario, index): Scenario => {
    const { assistant = "", to = "", details, timeout } = { ...defaults, ...scenario };
    const expect = { ...defaults?.expect, ...scenario.expect };
    const timeoutMilliseconds = timeout ?? parseDurationText(defaultTimeout) ?? 0;
    const least = expect.duration?.at_least ?? 0;
    const { tags = [], pass } = { ...defaults, ...scenario };
    const repeat = scenario.repeat ?? scenario.pass?.of ?? defaults?.repeat ?? pass?.of ?? 1;
    if (pass !== undefined && pass.of !== repeat)
      problems.push({
        path: ["scenarios", index, "pass"],
        message: `expects ${pass.of} calls, but repeat is ${repeat}`,
      });
    if (least > timeoutMilliseconds)
      problems.push({
        path: ["scenarios", index, "expect", "duration", "at_least"],
        message: `${least / 1_000} s is longer than the timeout of ${timeoutMilliseconds / 1_000} s`,
      });
    return {
      name: scenario.name,
      line: lineOf(["scenarios", index]) ?? 1,
      assistant,
      to,
      details,
      timeoutMilliseconds,
      expect,
      facts: { ...defaults?.facts, ...scenario.facts },
      offline: scenario.offline,
      tags,
      repeat,
      pass: pass?.passes ?? repeat,
    };
  });
  return { name: name ?? file, file, scenarios: complete };
}

/** Returns a location such as `scenario 2 "asks the price": expect.duration`. */
function formatLocation(path: readonly (string | number)[], document: unknown): string {
  const [first, index, ...tail] = path;
  if (first !== "scenarios" || typeof index !== "number") return path.join(".");
  const scenarios = isFields(document) ? document["scenarios"] : undefined;
  const scenario: unknown = Array.isArray(scenarios) ? scenarios[index] : undefined;
  const name = isFields(scenario) && typeof scenario["name"] === "string" ? ` "${scenario["name"]}"` : "";
  return [`scenario ${index + 1}${name}`, ...(tail.length > 0 ? [tail.join(".")] : [])].join(": ");
}
