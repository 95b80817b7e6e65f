/** How the calls of a suite went before, and what may go badly for a while. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { type FileTarget, fileTarget, writeTarget } from "../../../../base/file-target.js";
import { counted } from "../../../../base/text.js";
import { readUtf8 } from "../../../../base/utf8.js";
import { CliError, usageError } from "../../../errors/errors.js";
import type { Input } from "../../../session/input.js";
import type { Session } from "../../../session/session.js";
import { isNameOf } from "./attempts.js";
import { parseQuarantine, withQuarantine } from "./quarantine.js";
import { type CallRecord, checksOf, differencesOf, parseRecord, recordOf, withFormer } from "./record.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

export interface History {
  /** Did the call of a scenario go otherwise than the baseline's, in more than a warning? */
  differs(result: ScenarioResult): boolean;
  /** The results, held against the baseline and the quarantine; writes the record. */
  judge(suite: Suite, results: readonly ScenarioResult[]): Promise<ScenarioResult[]>;
}

/**
 * @param whole all scenarios of the suite
 * @param planned those of them that are to be called
 * @throws usage error (2) for a file that can't be read, before any call is made
 */
export async function openHistory(
  session: Session,
  input: Input,
  whole: Suite,
  planned: Suite,
): Promise<History> {
  const read = async (flag: string) => {
    const file = input.text(flag);
    return file === undefined ? undefined : { file, text: await readText(file, `--${flag}`, session) };
  };
  const [before, quarantined] = [await read("baseline"), await read("quarantine")];
  const baseline = before && parseRecord(before.text, before.file);
  if (baseline) assertComparable(baseline, before.file, planned);
  const quarantine = quarantined && parseQuarantine(quarantined.text, quarantined.file);
  const recordFile = input.text("record");
  const target = recordFile === undefined ? undefined : await recordTarget(recordFile, session);
  const { notes, clock, signal } = session;
  const former = recordFile === undefined ? undefined : await formerRecord(recordFile, session);
  const names = new Set(planned.scenarios.map(({ name }) => name));
  warnOfLoss(session, recordFile, former, names);
  /** A run replaces only what it came to know: an interrupted one would leave a record that guards nothing. */
  const write = async (place: FileTarget, record: CallRecord) => {
    if (record.scenarios.length === 0) {
      const becomes = former ? "stays as it was" : "is not written";
      notes.warn(`--record: no call came to its end, so ${recordFile} ${becomes}`);
      return;
    }
    const { merged, kept } = withFormer(record, former, names);
    if (kept.length > 0)
      notes.warn(
        `--record: ${recordFile} keeps ${namedScenarios(kept, "as before, without a call that came to its end")}`,
      );
    await writeTarget(place, [`${JSON.stringify(merged, null, 2)}\n`], { clock, signal });
  };
  return {
    differs: (result) =>
      baseline !== undefined &&
      checksOf(differencesOf(baseline, recordOf(planned.name, clock.now(), [result])), result.scenario.name)
        .length > 0,
    async judge(suite, results) {
      const record = recordOf(suite.name, clock.now(), results);
      if (target) await write(target, record);
      let judged = [...results];
      if (baseline) {
        const called = new Set(judged.map(({ scenario }) => scenario.name));
        const found = differencesOf(baseline, record).filter(({ scenario }) => called.has(scenario));
        for (const { scenario, field, before: was, after, isWarning } of found) {
          const text = `"${scenario}": ${field} was ${was} in the baseline, and is ${after}`;
          notes.note(isWarning ? `${text} (a warning)` : `✗ ${text}`);
        }
        for (const { scenario, result } of baseline.scenarios)
          if (!whole.scenarios.some((one) => isNameOf(scenario, one)))
            notes.note(
              `"${scenario}": scenario was ${result} in the baseline, and is not in the suite (a warning)`,
            );
        judged = judged.map((one) => {
          const checks = checksOf(found, one.scenario.name);
          if (checks.length === 0) return one;
          const result = one.result === "passed" ? "failed" : one.result;
          return { ...one, result, checks: [...one.checks, ...checks] };
        });
      }
      if (!quarantine) return judged;
      const marked = withQuarantine(judged, quarantine, clock.now());
      for (const text of marked.notes) notes.note(text);
      return marked.results;
    },
  };
}

/** A baseline of other scenarios would let everything pass. @throws usage error (2) */
function assertComparable({ scenarios }: CallRecord, file: string, planned: Suite): void {
  const recorded = new Set(scenarios.map(({ scenario }) => scenario));
  if (planned.scenarios.some(({ name }) => recorded.has(name))) return;
  const has =
    scenarios.length === 0 ? "no scenario" : `${namedScenarios([...recorded])} and none that is called`;
  throw usageError(`--baseline: ${file} has ${has}`, {
    hint: "--record FILE, with the same --only, --tag and --matrix, writes one to compare with",
  });
}

/** Where the record goes; tried before any call, since a record that can't be written must not cost calls. @throws usage error (2) */
async function recordTarget(file: string, { io }: Pick<Session, "io">): ReturnType<typeof fileTarget> {
  const path = resolve(io.cwd, file);
  try {
    await access(dirname(path), constants.W_OK);
    const target = await fileTarget(path);
    if (target.kind === "folder") throw usageError(`--record: ${file} is a folder`);
    if (target.kind === "other") throw usageError(`--record: ${file} is neither a file nor a pipe`);
    return target;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`--record: ${file} can't be written: ${describeFsError(error, "write")}`, {
      cause: error,
    });
  }
}

/** The record that the new one replaces; undefined where none is there. */
async function formerRecord(file: string, { io }: Pick<Session, "io">): Promise<CallRecord | undefined> {
  const path = resolve(io.cwd, file);
  try {
    // A FIFO's reader waits for this run: it is not read.
    if ((await fileTarget(path)).kind !== "file") return undefined;
    return parseRecord(await readUtf8(path), file);
  } catch {
    return undefined;
  }
}

/** A record of some scenarios replaces one of more: what vanishes is compared with nothing from then on. */
function warnOfLoss(
  { notes }: Pick<Session, "notes">,
  file: string | undefined,
  former: CallRecord | undefined,
  called: ReadonlySet<string>,
): void {
  const lost = (former?.scenarios ?? []).map(({ scenario }) => scenario).filter((name) => !called.has(name));
  if (lost.length === 0) return;
  notes.warn(`--record: ${file} loses ${namedScenarios(lost, "that this run does not call")}`);
}

/** `2 scenarios: "a", "b"` */
function namedScenarios(names: readonly string[], which = ""): string {
  const quoted = names.map((name) => `"${name}"`).join(", ");
  return `${[counted(names.length, "scenario"), which].filter((part) => part !== "").join(" ")}: ${quoted}`;
}

/** @throws usage error (2) */
export async function readText(file: string, flag: string, { io }: Pick<Session, "io">): Promise<string> {
  return readUtf8(resolve(io.cwd, file)).catch((cause: unknown) => {
    throw usageError(`${flag}: ${file} can't be read: ${describeFsError(cause)}`, { cause });
  });
}
