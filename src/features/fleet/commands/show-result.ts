import { existsSync } from "node:fs";
import { join } from "node:path";
import { quoteWord } from "../../../base/shell-words.js";
import { formatCount, formatThousands } from "../../../base/text.js";
import { assertAllDone } from "../../../cli/bulk/outcome.js";
import { CliError, type Exit, exits } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { FleetAbout, FleetEvent, FleetReport, MemberReport, MemberRow } from "../index.js";
import { getLogFolder } from "./member-logs.js";

export function createEventPrinter(session: Session, id: string, about: FleetAbout) {
  const { output, notes } = session;
  let written: Promise<void> = Promise.resolve();
  return {
    print(event: FleetEvent): void {
      if (output.format === "ndjson") {
        const line = toJsonEvent(event);
        written = written.then(() => output.item(line));
        return;
      }
      const text = formatEvent(event, getLogFolder(session, id), about);
      if (text !== undefined) notes.note(text);
    },
    flush: () => written,
  };
}

function toJsonEvent(event: FleetEvent): object {
  switch (event.event) {
    case "ended": {
      const { state, exit, runs, error } = event.row;
      return { event: "ended", member: event.member, state, exit, run_id: runs.at(-1) ?? null, error };
    }
    case "retried":
      return { event: "retried", member: event.member, at: new Date(event.at).toISOString() };
    case "holding":
      return { event: "holding", until: new Date(event.until).toISOString() };
    case "stopped":
      return { event: "stopped", ...event.stop, running: event.running };
    case "started":
    case "taken_over":
    case "lost":
      return event;
  }
}

function formatEvent(event: FleetEvent, logFolder: string, { allowed }: FleetAbout): string | undefined {
  switch (event.event) {
    case "started":
      return undefined;
    case "ended":
      return `wave ${event.row.wave + 1}  ${formatMember(event.row, logFolder)}`;
    case "taken_over":
      return `${event.member}  taken over from ${event.from}`;
    case "lost":
      return `${event.member}  taken over by another worker; ignoring this worker's result`;
    case "retried":
      return `${event.member} could not be reached (exit code 9); trying again at ${formatTime(event.at)}…`;
    case "holding":
      return `Waiting until ${formatTime(event.until)} before the next wave…`;
    case "stopped": {
      const running =
        event.running === 0 ? "" : `; waiting for ${formatCount(event.running, "running member")}…`;
      return `Stopped: ${formatReason(event.stop, allowed)}${running}`;
    }
  }
}

function formatReason({ reason, member }: NonNullable<FleetReport["stopped"]>, allowed: number): string {
  switch (reason) {
    case "unknown":
      return `the changes of ${member} are unconfirmed`;
    case "canary":
      return `${member} failed, and no failures are allowed in a wave with a hold`;
    case "failures":
      return `${member} failed, and ${formatCount(allowed, "failure")} ${allowed === 1 ? "is" : "are"} allowed`;
    case "interrupted":
      return "interrupted";
  }
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

function formatMember(
  { name, state, exit, summary, error, worker, startedAt, endedAt }: MemberRow,
  logFolder: string,
): string {
  const changes = formatChanges(summary);
  const duration = startedAt === null || endedAt === null ? "" : durationText(endedAt - startedAt);
  const log = join(logFolder, `${name}.log`);
  // The log is on the machine that ran the member.
  const place = existsSync(log) ? `: ${log}` : worker === null ? "" : `: log on ${worker}`;
  const facts =
    state === "ok"
      ? [
          ...(changes === undefined ? [] : [changes]),
          ...(exit === exits.success ? [] : [error ?? `exit code ${exit}`]),
          duration,
        ]
      : [`${error === null || error === state ? "" : `${error} `}(exit code ${exit})${place}`];
  return `${name}  ${state}  ${facts.join(", ")}`;
}

const changeFields = ["created", "updated", "deleted", "restored", "recreated"];

function formatChanges(summary: unknown): string | undefined {
  if (typeof summary !== "object" || summary === null) return undefined;
  const counts = Object.entries(summary).flatMap(([field, value]) =>
    changeFields.includes(field) && typeof value === "number" ? [value] : [],
  );
  if (counts.length === 0) return "run" in summary ? formatChanges(summary.run) : undefined;
  const count = counts.reduce((sum, part) => sum + part, 0);
  // If the plan was already applied, the summary contains the earlier run's changes.
  if ("applied_before" in summary && summary.applied_before === true)
    return `0 changes (${formatThousands(count)} already applied)`;
  return formatCount(count, "change");
}

export function formatCounts(counts: FleetReport["counts"]): string {
  return Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(" · ");
}

export async function showReport({ output }: Session, report: FleetReport): Promise<void> {
  if (output.format === "ndjson") {
    const { run, counts, stopped } = report;
    await output.item({ event: "finished", run, counts, stopped });
  } else if (output.format === "table" || output.format === "csv") {
    const { listMembers } = await import("../index.js");
    await output.list(
      listMembers(report).map((member) => ({
        ...member,
        error: member.exit === exits.success ? null : member.error,
      })),
      {
        columns: [
          { header: "MEMBER", value: "name", keep: true },
          { header: "STATE", value: "state", as: "status", keep: true },
          { header: "EXIT", value: "exit", align: "right" },
          { header: "RUN", value: "run_id", optional: true },
          { header: "SECONDS", value: "seconds", align: "right", optional: true },
          { header: "ERROR", value: "error" },
        ],
        noun: "member",
      },
    );
  } else await output.item(report);
}

/**
 * @throws CliError with exit code 75 (unconfirmed), 68 (partly done), 130 (interrupted), or the exit code of
 * all members
 */
export async function assertFleetDone(session: Session, report: FleetReport): Promise<void> {
  const { listMembers } = await import("../index.js");
  const { run, counts } = report;
  const { ok = 0, failed = 0, interrupted = 0, unknown = 0, waiting = 0 } = counts;
  const notStarted = (counts["not started"] ?? 0) + waiting;
  const notUndoable = counts["can't be undone"] ?? 0;
  const members = listMembers(report).filter(({ state }) => state !== "no key");
  const hint = `to resume, run \`voxctl fleet resume ${run}${failed > 0 ? " --retry-failed" : ""}\`; to undo, run \`voxctl runs undo ${run}\``;
  if (session.signal.aborted && unknown === 0 && notStarted + interrupted > 0) {
    const reason: unknown = session.signal.reason;
    if (reason instanceof CliError)
      throw new CliError({ ...reason, message: reason.message, outcome: ok > 0 ? "done" : "none", hint });
  }
  const common = findCommonExit(members);
  if (common !== undefined && unknown === 0)
    throw new CliError({
      exit: common,
      code: "members_failed",
      message: `${formatCount(failed, "member")} failed with exit code ${common}`,
      hint,
    });
  assertAllDone(
    { failed: failed + interrupted, remaining: notStarted, unknown, skipped: notUndoable },
    {
      unconfirmed: formatCount(unknown, "member"),
      unconfirmedReason: describeUnknown(members),
      unconfirmedHint: `check ${listNames(members, "unknown")}, then run \`voxctl fleet resume ${run} --again NAME\``,
      reasons: [
        ["failed", `${failed + interrupted} failed`],
        ["remaining", `${notStarted} not started`],
        ["skipped", `${notUndoable} can't be undone`],
      ],
      message: (reasons) => `${formatCount(members.length, "member")}: ${ok} ok, ${reasons}`,
      isPartly: ok > 0,
      hint,
    },
  );
}

function describeUnknown(members: readonly MemberReport[]): string {
  const reasons = members.flatMap(({ state, error }) => (state === "unknown" && error ? [error] : []));
  return reasons[0] ?? "it is not known whether its command made changes";
}

function listNames(members: readonly MemberReport[], state: string): string {
  return members
    .filter((member) => member.state === state)
    .map(({ name }) => quoteWord(name))
    .join(", ");
}

function findCommonExit(members: readonly MemberReport[]): Exit | undefined {
  const [first] = members;
  const isCommon = members.every(({ state, exit }) => state === "failed" && exit === first?.exit);
  return isCommon ? Object.values(exits).find((exit) => exit === first?.exit) : undefined;
}
