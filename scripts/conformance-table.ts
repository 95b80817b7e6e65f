import { type JobName, jobNames, jobs } from "../test/conformance/jobs/index.js";
import { type SwitchName, switchNames, table } from "../test/conformance/server/switches.js";

/** The result of one cell. */
export interface Result {
  name: string;
  switches: readonly SwitchName[];
  job: JobName;
  /** On the test's clock, in process over sockets, or by the built command. */
  place: "clock" | "main" | "built";
  /** Undefined where all holds. */
  failure: string | undefined;
  /** The rule that is to mend it. */
  expected: string | undefined;
  /** The day on which it was run: 2026-03-02. */
  date: string;
  /** How long it took. */
  seconds: number;
}

/** docs/conformance.md. */
export function tableText(all: readonly Result[]): string {
  // A result of the built command says more than what was done in process.
  const best = new Map<string, Result>();
  for (const result of all) if (best.get(result.name)?.place !== "built") best.set(result.name, result);
  const results = [...best.values()];
  const rows = ["", ...switchNames].filter((row) => results.some(({ switches }) => isRow(switches, row)));
  const built = results.filter(({ place: target }) => target === "built");
  const mark = (row: string, job: JobName) => {
    const match = results.find((result) => result.job === job && isRow(result.switches, row));
    if (match === undefined) return " ";
    if (match.failure !== undefined) return `✗ ${match.expected ?? ""}`.trim();
    return match.place === "built" ? "✓" : "○";
  };
  return [
    "# Against any conforming deployment",
    "",
    "<!-- Written by `npm run proof -- conformance`. -->",
    "",
    "The documents of the service leave much open: how values are stored, how soon a list shows them, how limits are told, what undocumented",
    "answers look like. The emulator decides each of these in one way; a deployment may have decided otherwise. This table tells what voxctl was",
    "tried against: a server of its own in [test/conformance/](../test/conformance/), written from the documents and sharing no code with voxctl or its",
    "emulator, with a switch for each variation.",
    "",
    "A cell is a job of a person: ✓ done with the built command over HTTP, ○ in process on a clock of its own, empty where it was not tried. It",
    "holds where the server's contents are what the command said, nothing is there twice, nothing is lost, and what nobody can know is called",
    "unknown; where a run and its undo leave the server as it was, but for what others did meanwhile.",
    "",
    `${sentenceOf("By the built command", built)} ${sentenceOf(
      "In process",
      results.filter((result) => result.place !== "built"),
    )}`,
    "",
    "`npm test` runs a sample of these cells, one per job at least, in process on a clock of its own; `npm run proof -- conformance-clock` runs all of",
    "them so, and 200 combinations of two variations with lost answers and kills. `npm run proof -- conformance` writes this page.",
    "",
    "## Jobs",
    "",
    ...jobNames.map((job) => `- **${job}**: ${jobs[job].about}`),
    "",
    "## Variations",
    "",
    `| | ${jobNames.join(" | ")} |`,
    `|---|${jobNames.map(() => ":-:").join("|")}|`,
    ...rows.map((row) => {
      const about = table[row]?.about;
      const title = row === "" ? "**none**: as the emulator does it" : `**${row}**: ${about ?? ""}`;
      return `| ${title} | ${jobNames.map((job) => mark(row, job)).join(" | ")} |`;
    }),
    "",
  ].join("\n");
}

function isRow(switches: readonly SwitchName[], row: string): boolean {
  return switches.join(" + ") === row;
}

/** "In process, on 2026-03-02: **10 of 10 cells hold**." */
function sentenceOf(how: string, results: readonly Result[]): string {
  if (results.length === 0) return "";
  const dates = results.map(({ date }) => date).sort();
  const days = [...new Set([dates.at(0), dates.at(-1)])].join(" to ");
  const held = results.filter(({ failure }) => failure === undefined).length;
  return `${how}, on ${days}: **${held} of ${results.length} cells hold**.`;
}
