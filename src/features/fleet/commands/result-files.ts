import { resolve } from "node:path";
import { resolveFileTarget } from "../../../base/file-target.js";
import { parseTime } from "../../../base/time-text.js";
import { formatJunit, type JunitCase, openJunit } from "../../../cli/output/junit.js";
import { assertReplaceable, type Own } from "../../../cli/output/replaceable.js";
import { writeResultFile } from "../../../cli/output/result-file.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetReport, MemberReport } from "../index.js";

const reportFile: Own = {
  flag: "report",
  otherwise: "is not a fleet report",
  isOwn: (head) => /^\{\s*"run":/.test(head),
};

export type ResultFiles = (report: FleetReport) => (() => Promise<void>)[];

/**
 * Checks the files before anything is sent.
 * @throws usage error (2); refused error (12) if an existing file is not a results file
 */
export async function openResultFiles(session: Session, input: Input): Promise<ResultFiles> {
  const { cwd } = session.io;
  const report = input.text("report");
  const replaces = input.on("force") === true;
  const path = report === undefined ? undefined : resolve(cwd, report);
  const target = path === undefined ? undefined : await resolveFileTarget(path);
  if (target !== undefined && report !== undefined && !replaces)
    await assertReplaceable(target, reportFile, report, "nothing was sent");
  const junit = await openJunit(input.text("junit"), "-", session, { replaces });
  return (results) => [
    async () => {
      if (target === undefined) return;
      const text = `${JSON.stringify(results, null, 2)}\n`;
      await writeResultFile(target, `--report: ${report}`, text, session);
    },
    async () => {
      const { listMembers } = await import("../index.js");
      const suite = {
        name: `fleet ${results.run}`,
        file: results.command.join(" "),
        begun: parseTime(results.started_at),
      };
      await junit?.write(formatJunit(suite, listMembers(results).map(toCase)));
    },
  ];
}

const resultByState: Readonly<Record<string, JunitCase["result"]>> = {
  ok: "passed",
  failed: "failed",
  unknown: "error",
  interrupted: "error",
};

function toCase({ name, state, exit, seconds, error }: MemberReport): JunitCase {
  const message = error ?? (exit === null ? state : `exit code ${exit}`);
  return {
    name,
    milliseconds: (seconds ?? 0) * 1_000,
    result: resultByState[state] ?? "skipped",
    ...{ message, text: message },
  };
}
