import { type JobName, jobNames, jobs } from "./jobs/index.js";
import { type SwitchName, switchNames, table } from "./server/switches.js";

export interface Result {
  name: string;
  switches: readonly SwitchName[];
  job: JobName;
  /** On the test's clock, over sockets in this process, or with the built command. */
  place: "clock" | "main" | "built";
  /** Undefined if the cell passed. */
  failure: string | undefined;
  /** Day of the run: 2026-03-02. */
  date: string;
  /** Duration in seconds. */
  seconds: number;
}

/** Builds docs/conformance.md. */
export function tableText(all: readonly Result[]): string {
  // A result of the built command takes precedence over one in process.
  const best = new Map<string, Result>();
  for (const result of all) if (best.get(result.name)?.place !== "built") best.set(result.name, result);
  const results = [...best.values()];
  const rows = ["", ...switchNames].filter((row) => results.some(({ switches }) => isRow(switches, row)));
  const built = results.filter(({ place: target }) => target === "built");
  const mark = (row: string, job: JobName) => {
    const match = results.find((result) => result.job === job && isRow(result.switches, row));
    if (match === undefined) return " ";
    if (match.failure !== undefined) return "✗";
    return match.place === "built" ? "✓" : "○";
  };
  return [
    "# Conformance",
    "",
    "<!-- Written by `npm run proof -- conformance`. -->",
    "",
    "The service's documents don't specify everything. For example, they don't specify how values are stored, how soon a list shows them, how limits are",
    "reported and what undocumented responses contain. The emulator behaves in one conforming way; a deployment may behave differently. The following table",
    "lists the variations that voxctl was tested with. The tests use a separate server in [test/conformance/](../test/conformance/), which was written from the",
    "documents, shares no code with voxctl or its emulator, and has a switch for each variation.",
    "",
    "Each column is a user's task. ✓ means that the task passed with the built command over HTTP; ○ means that it passed with the command and the server in",
    "one process, at a simulated time. An empty cell was not tested, because the server never reads the variation's setting during the task. A cell passes if",
    "the server's contents match the command's output, no resource is duplicated or lost, and every unconfirmed result is reported as unknown. A run and its",
    "undo must restore the server's contents, except for concurrent changes by others.",
    "",
    [
      ...sentencesOf("With the built command", built),
      ...sentencesOf(
        "In process",
        results.filter((result) => result.place !== "built"),
      ),
    ].join(" "),
    "",
    "`npm test` runs a sample of these cells, at least one per task, in one process at a simulated time. `npm run proof -- conformance-clock` runs all cells",
    "in this way. It also runs 200 combinations of two variations, in which responses are lost and processes are killed. `npm run proof -- conformance`",
    "writes this page.",
    "",
    "## Tasks",
    "",
    ...jobNames.map((job) => `- **${job}**: ${jobs[job].about}`),
    "",
    "## Variations",
    "",
    `| | ${jobNames.join(" | ")} |`,
    `|---|${jobNames.map(() => ":-:").join("|")}|`,
    ...rows.map((row) => {
      const about = table[row]?.about;
      const title = row === "" ? "**none**: same behavior as the emulator" : `**${row}**: ${about ?? ""}`;
      return `| ${title} | ${jobNames.map((job) => mark(row, job)).join(" | ")} |`;
    }),
    "",
  ].join("\n");
}

function isRow(switches: readonly SwitchName[], row: string): boolean {
  return switches.join(" + ") === row;
}

/** Returns a sentence such as "In process, on 2026-03-02: **10 of 10 cells pass**."; none without results. */
function sentencesOf(how: string, results: readonly Result[]): string[] {
  if (results.length === 0) return [];
  const dates = results.map(({ date }) => date).sort();
  const days = [...new Set([dates.at(0), dates.at(-1)])].join(" to ");
  const held = results.filter(({ failure }) => failure === undefined).length;
  return [`${how}, on ${days}: **${held} of ${results.length} cells pass**.`];
}
