/** How the calls of a suite went before, and what may go badly for a while. */
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { fileTarget, writeTarget } from "../../../../base/file-target.js";
import { counted } from "../../../../base/text.js";
import { CliError, usageError } from "../../../errors/errors.js";
import type { Input } from "../../../session/input.js";
import type { Session } from "../../../session/session.js";
import { isNameOf } from "./attempts.js";
import { parseQuarantine, withQuarantine } from "./quarantine.js";
import { type CallRecord, checksOf, differencesOf, parseRecord, recordOf } from "./record.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

export interface History {
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
  const quarantine = quarantined && parseQuarantine(quarantined.text, quarantined.file);
  const recordFile = input.text("record");
  const target = recordFile === undefined ? undefined : await recordTarget(recordFile, session);
  const { notes, clock, signal } = session;
  const former = recordFile === undefined ? undefined : await formerRecord(recordFile, session);
  const names = new Set(planned.scenarios.map(({ name }) => name));
  warnOfLoss(session, recordFile, former, (name) => !names.has(name), "that this run does not call");
  return {
    async judge(suite, results) {
      const record = recordOf(suite.name, clock.now(), results);
      const made = new Set(record.scenarios.map(({ scenario }) => scenario));
      const isLost = (name: string) => names.has(name) && !made.has(name);
      warnOfLoss(session, recordFile, former, isLost, "that had no call in this run");
      if (target) await writeTarget(target, [`${JSON.stringify(record, null, 2)}\n`], { clock, signal });
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
    return parseRecord(await readFile(path, "utf8"), file);
  } catch {
    return undefined;
  }
}

/** A record of some scenarios replaces one of more: what vanishes is compared with nothing from then on. */
function warnOfLoss(
  { notes }: Pick<Session, "notes">,
  file: string | undefined,
  former: CallRecord | undefined,
  isLost: (scenario: string) => boolean,
  why: string,
): void {
  const lost = (former?.scenarios ?? []).map(({ scenario }) => scenario).filter(isLost);
  if (lost.length === 0) return;
  const quoted = lost.map((name) => `"${name}"`).join(", ");
  notes.warn(`--record: ${file} loses ${counted(lost.length, "scenario")} ${why}: ${quoted}`);
}

/** @throws usage error (2) */
export async function readText(file: string, flag: string, { io }: Pick<Session, "io">): Promise<string> {
  return readFile(resolve(io.cwd, file), "utf8").catch((cause: unknown) => {
    throw usageError(`${flag}: ${file} can't be read: ${describeFsError(cause)}`, { cause });
  });
}
