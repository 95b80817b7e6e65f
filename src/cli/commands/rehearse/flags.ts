import { usageError } from "../../errors/errors.js";
import { parseDuration } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { encryptPlanFlag, type PlanFileOptions, readPlanFileOptions } from "../bulk/plan-file.js";

const defaultMaxAge = "24h";

export const rehearseFlags: readonly Flag[] = [
  {
    name: "mirror",
    value: "name",
    description: "The copy to rehearse on",
    default: "the only one of the profile",
  },
  {
    name: "max-age",
    value: "duration",
    description: "Refuse a mirror that is older (12)",
    default: defaultMaxAge,
  },
  { name: "plan", value: "file", description: "Seal the effect as a plan, for voxctl apply; .gz packs it" },
  { name: "force", description: "Overwrite an existing plan file" },
  encryptPlanFlag,
  {
    name: "diff",
    value: "how-much",
    description: "The first 20 changes, all of them, or none",
    choices: ["summary", "full", "none"],
    strict: true,
    default: "summary",
  },
  { name: "unmasked", description: "Show phone numbers and e-mails whole" },
  {
    name: "clock",
    value: "mode",
    description: "real: for programs that compare times with their own clock",
    choices: ["virtual", "real"],
    strict: true,
    default: "virtual",
  },
  { name: "serve", description: "Print the environment, serve until Ctrl-C, then report" },
  {
    name: "guard",
    value: "mode",
    description: "Hosts that the rehearsal's proxy blocks for other programs: the service's, all or none",
    choices: ["host", "strict", "off"],
    strict: true,
    default: "host",
  },
  { name: "keep", description: "Keep the copy and print its path" },
];

/** Options of a rehearsal and its summary. */
export interface RehearseOptions {
  mirror: string | undefined;
  maxAgeMilliseconds: number;
  plan: PlanFileOptions | undefined;
  diff: "summary" | "full" | "none";
  unmasked: boolean;
  clock: "virtual" | "real";
  serve: boolean;
  guard: "host" | "strict" | "off";
  keep: boolean;
}

/** @throws usage error (2) */
export function readRehearseOptions(session: Session, input: Input): RehearseOptions {
  const serve = input.on("serve") === true;
  if (serve && input.arguments.length > 0)
    throw usageError("--serve runs no command: it serves until Ctrl-C");
  if (!serve && input.arguments.length === 0)
    throw usageError("there is nothing to rehearse", { hint: "name a command after --, or give --serve" });
  return {
    mirror: input.text("mirror"),
    maxAgeMilliseconds: parseDuration(input.text("max-age") ?? defaultMaxAge, "--max-age"),
    plan: readPlanFileOptions(session, input),
    diff: selectChoice(input.text("diff"), ["summary", "full", "none"]),
    unmasked: input.on("unmasked") === true,
    clock: selectChoice(input.text("clock"), ["virtual", "real"]),
    serve,
    guard: selectChoice(input.text("guard"), ["host", "strict", "off"]),
    keep: input.on("keep") === true,
  };
}

/** The parser holds flags to their choices; the first is the default. */
function selectChoice<const T extends string>(given: string | undefined, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === given) ?? choices[0];
}
