import { encryptPlanFlag, type PlanFileOptions, readPlanFileOptions } from "../../../cli/bulk/plan-file.js";
import { usageError } from "../../../cli/errors/errors.js";
import { parseDuration } from "../../../cli/session/globals.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";

const defaultMaxAge = "24h";

export const rehearseFlags: readonly Flag[] = [
  {
    name: "mirror",
    value: "name",
    description: "Mirror to use",
    default: "the profile's only mirror",
  },
  {
    name: "max-age",
    value: "duration",
    description: "Maximum age of the mirror",
    default: defaultMaxAge,
  },
  {
    name: "plan",
    value: "file",
    description: 'Save the changes to a plan file (compressed if the name ends with ".gz")',
  },
  { name: "force", description: "Overwrite an existing plan file" },
  encryptPlanFlag,
  {
    name: "diff",
    value: "how-much",
    description: "Which changes to print: the first 20, all or none",
    choices: ["summary", "full", "none"],
    strict: true,
    default: "summary",
  },
  { name: "unmasked", description: "Show complete phone numbers and email addresses" },
  {
    name: "clock",
    value: "mode",
    description:
      "Clock of the copy; for programs that compare the copy's times with the system clock, use `real`",
    choices: ["virtual", "real"],
    strict: true,
    default: "virtual",
  },
  {
    name: "serve",
    description:
      "Print the environment variables for other programs, and serve the copy until you press Ctrl-C",
  },
  {
    name: "guard",
    value: "mode",
    description:
      "Hosts that the proxy blocks for programs other than voxctl: `host` (the service), `strict` (all except this machine) or `off` (none)",
    choices: ["host", "strict", "off"],
    strict: true,
    default: "host",
  },
  { name: "keep", description: "Keep the copy after the rehearsal and print its path" },
];

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
  if (serve && input.arguments.length > 0) throw usageError("conflicting arguments: --serve and a command");
  if (!serve && input.arguments.length === 0)
    throw usageError("missing command", { hint: "specify a command after --, or use --serve" });
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

function selectChoice<const T extends string>(given: string | undefined, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === given) ?? choices[0];
}
