/** How the calls of a suite went before, and what may go badly for a while. */
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { describeFsError } from "../../../../base/describe-fs-error.js";
import { fileTarget, writeTarget } from "../../../../base/file-target.js";
import { usageError } from "../../../errors/errors.js";
import type { Input } from "../../../session/input.js";
import type { Session } from "../../../session/session.js";
import { parseQuarantine, withQuarantine } from "./quarantine.js";
import { checksOf, differencesOf, parseRecord, recordOf } from "./record.js";
import type { ScenarioResult } from "./results.js";
import type { Suite } from "./suite.js";

export interface History {
  /** The results, held against the baseline and the quarantine; writes the record. */
  judge(suite: Suite, results: readonly ScenarioResult[]): Promise<ScenarioResult[]>;
}

/** @throws usage error (2) for a file that can't be read, before any call is made */
export async function openHistory(session: Session, input: Input): Promise<History> {
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
  return {
    async judge(suite, results) {
      const record = recordOf(suite.name, clock.now(), results);
      if (target) await writeTarget(target, once(`${JSON.stringify(record, null, 2)}\n`), { clock, signal });
      let judged = [...results];
      if (baseline) {
        const called = new Set(judged.map(({ scenario }) => scenario.name));
        const found = differencesOf(baseline, record).filter(({ scenario }) => called.has(scenario));
        for (const { scenario, field, before: was, after, isWarning } of found) {
          const text = `"${scenario}": ${field} was ${was} in the baseline, and is ${after}`;
          notes.note(isWarning ? `${text} (a warning)` : `✗ ${text}`);
        }
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
    return await fileTarget(path);
  } catch (error) {
    throw usageError(`--record: ${file} can't be written: ${describeFsError(error, "write")}`, {
      cause: error,
    });
  }
}

/** @throws usage error (2) */
export async function readText(file: string, flag: string, { io }: Pick<Session, "io">): Promise<string> {
  return readFile(resolve(io.cwd, file), "utf8").catch((cause: unknown) => {
    throw usageError(`${flag}: ${file} can't be read: ${describeFsError(cause)}`, { cause });
  });
}

async function* once(text: string): AsyncGenerator<string, void> {
  yield text;
}
