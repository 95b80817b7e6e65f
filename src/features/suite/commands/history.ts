import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type FileTarget, resolveFileTarget } from "../../../base/file-target.js";
import { readInputText, unwritableFile } from "../../../base/input-file.js";
import { formatCount } from "../../../base/text.js";
import { readUtf8 } from "../../../base/utf8.js";
import { CliError, usageError } from "../../../cli/errors/errors.js";
import { writeNamedFile } from "../../../cli/output/result-file.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { addPreviousScenarios, type Baseline, buildBaseline, parseBaseline } from "../baseline.js";
import { applyBaseline } from "../baseline-checks.js";
import { applyQuarantine, parseQuarantine } from "../quarantine.js";
import type { ScenarioResult } from "../results.js";
import type { Suite } from "../suite.js";

export interface History {
  /** Describes the comparison with the baseline if all scenarios passed; undefined without a baseline. */
  describeComparison(): string | undefined;
  compare(result: ScenarioResult): ScenarioResult;
  judge(results: readonly ScenarioResult[]): ScenarioResult[];
  /** @param results the results without the changes of `judge` */
  save(results: readonly ScenarioResult[]): Promise<void>;
}

/**
 * @param whole all scenarios of the suite
 * @param planned the scenarios to call
 * @throws usage error (2) if a file can't be read
 */
export async function openHistory(
  session: Session,
  input: Input,
  whole: Suite,
  planned: Suite,
): Promise<History> {
  const read = async (flag: string) => {
    const file = input.text(flag);
    return file === undefined
      ? undefined
      : { file, text: await readInputText(resolve(session.io.cwd, file), `--${flag}: ${file}`) };
  };
  const [before, quarantined] = [await read("baseline"), await read("quarantine")];
  const baseline = before && parseBaseline(before.text, before.file);
  if (baseline) assertComparable(baseline, before.file, planned);
  const quarantine = quarantined && parseQuarantine(quarantined.text, quarantined.file);
  const outputFile = input.text("record");
  const target = outputFile === undefined ? undefined : await openBaselineTarget(outputFile, session);
  const { notes, clock, signal } = session;
  const previous = outputFile === undefined ? undefined : await readPreviousBaseline(outputFile, session);
  const names = new Set(planned.scenarios.map(({ name }) => name));
  warnOfLostScenarios(session, outputFile, previous, names);
  /**
   * Keeps the previous result of a scenario that has no new result, so that an interrupted run doesn't remove
   * it.
   */
  const writeBaseline = async (
    destination: FileTarget,
    newBaseline: Baseline,
    results: readonly ScenarioResult[],
  ) => {
    if (newBaseline.scenarios.length === 0) {
      const result = previous ? "kept" : "not written";
      notes.warn(`--record: ${outputFile} was ${result} because no call was completed`);
      return;
    }
    const { merged, kept } = addPreviousScenarios(newBaseline, previous, names);
    if (kept.length > 0)
      notes.warn(
        `--record: kept the previous results of ${formatScenarioNames(kept, "without a completed call")}`,
      );
    const text = `${JSON.stringify(merged, null, 2)}\n`;
    await writeNamedFile(destination, `--record: ${outputFile}`, text, { clock, signal });
    const failed = results.filter(({ result }) => result === "failed").length;
    const including = failed === 0 ? "" : `, including ${formatCount(failed, "failed scenario")}`;
    notes.note(`Saved the results to ${outputFile}${including}.`);
  };
  const toBaseline = (results: readonly ScenarioResult[]) =>
    buildBaseline(planned.name, clock.now(), results);
  let warnings = 0;
  return {
    describeComparison() {
      if (before === undefined) return undefined;
      const warned = warnings === 0 ? "" : `, ${formatCount(warnings, "warning")}`;
      return `no differences from ${before.file}${warned}`;
    },
    compare(result) {
      if (!baseline) return result;
      const after = toBaseline([result]);
      return applyBaseline([result], { before: baseline, after, whole }).results[0] ?? result;
    },
    save: async (results) => target && writeBaseline(target, toBaseline(results), results),
    judge(results) {
      const compared = baseline
        ? applyBaseline(results, { before: baseline, after: toBaseline(results), whole })
        : { results: [...results], notes: [] };
      warnings = compared.notes.length;
      const marked = quarantine
        ? applyQuarantine(compared.results, quarantine, clock.now())
        : { ...compared, notes: [] };
      for (const text of [...compared.notes, ...marked.notes]) notes.note(text);
      return marked.results;
    },
  };
}

/** @throws usage error (2) if the baseline contains none of the planned scenarios */
function assertComparable({ scenarios }: Baseline, file: string, planned: Suite): void {
  const recorded = new Set(scenarios.map(({ scenario }) => scenario));
  if (planned.scenarios.some(({ name }) => recorded.has(name))) return;
  const has = scenarios.length === 0 ? "no scenarios" : formatScenarioNames([...recorded]);
  throw usageError(`--baseline: ${file} contains no scenario of this run; it contains ${has}`, {
    hint: "to write a baseline, use --record FILE with the same --only, --tag and --matrix",
  });
}

/**
 * Runs before the first call, because calls cost money.
 * @throws usage error (2)
 */
async function openBaselineTarget(
  file: string,
  { io }: Pick<Session, "io">,
): ReturnType<typeof resolveFileTarget> {
  const path = resolve(io.cwd, file);
  try {
    await access(dirname(path), constants.W_OK);
    const target = await resolveFileTarget(path);
    if (target.type === "folder") throw usageError(`--record: ${file} is a directory`);
    if (target.type === "other") throw usageError(`--record: ${file} is not a file or pipe`);
    return target;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unwritableFile(`--record: ${file}`, error);
  }
}

/** Returns the baseline that will be replaced; undefined if the file doesn't exist or isn't a baseline. */
async function readPreviousBaseline(
  file: string,
  { io }: Pick<Session, "io">,
): Promise<Baseline | undefined> {
  const path = resolve(io.cwd, file);
  try {
    // Don't read from a pipe that another process reads.
    if ((await resolveFileTarget(path)).type !== "file") return undefined;
    return parseBaseline(await readUtf8(path), file);
  } catch {
    return undefined;
  }
}

function warnOfLostScenarios(
  { notes }: Pick<Session, "notes">,
  file: string | undefined,
  previous: Baseline | undefined,
  called: ReadonlySet<string>,
): void {
  const lost = (previous?.scenarios ?? [])
    .map(({ scenario }) => scenario)
    .filter((name) => !called.has(name));
  if (lost.length === 0) return;
  notes.warn(`--record: ${file} will lose ${formatScenarioNames(lost, "that this run doesn't call")}`);
}

function formatScenarioNames(names: readonly string[], which = ""): string {
  const quoted = names.map((name) => `"${name}"`).join(", ");
  return `${[formatCount(names.length, "scenario"), which].filter((part) => part !== "").join(" ")}: ${quoted}`;
}
