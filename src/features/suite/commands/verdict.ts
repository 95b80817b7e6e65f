import { getText } from "../../../base/fields.js";
import { formatCount, inflect } from "../../../base/text.js";
import { CliError, exits } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import { formatSuggestedCommand } from "../../../cli/session/suggested-command.js";
import { isOnlyDifferent } from "../baseline-checks.js";
import type { ScenarioResult } from "../results.js";
import { findExit } from "./call-failure.js";

/** The message lists the calls that continue and the calls without a response. */
export function toInterruptionError(
  error: unknown,
  results: readonly ScenarioResult[],
  session: Pick<Session, "signal" | "flags">,
): unknown {
  const { reason } = session.signal;
  if (!(reason instanceof CliError)) return error;
  const running = results.filter(({ error: failure, call }) => failure?.type === "running" && call);
  const unsure = results.filter(({ error: failure }) => failure?.type === "unconfirmed");
  if (running.length + unsure.length === 0) return error;
  const formatCall = ({ scenario, call }: ScenarioResult) =>
    `${getText(call ?? {}, "id") || getText(call ?? {}, "call_id")} ("${scenario.name}")`;
  const parts = [
    ...(running.length > 0
      ? [
          `${formatCount(running.length, "running call")} ${inflect(running.length, "continues", "continue")}: ${running.map(formatCall).join(", ")}`,
        ]
      : []),
    ...(unsure.length > 0
      ? [`calls without a response: ${unsure.map(({ scenario }) => `"${scenario.name}"`).join(", ")}`]
      : []),
  ];
  const [first] = running;
  return new CliError({
    exit: reason.exit,
    code: reason.code,
    message: `${reason.message}; ${parts.join("; ")}`,
    outcome: unsure.length > 0 ? "unknown" : "done",
    hint: first?.call
      ? `to follow a call, run \`${formatSuggestedCommand(session, `calls get ${getText(first.call, "id")} --wait`)}\``
      : `to see the placed calls, run \`${formatSuggestedCommand(session, "calls list")}\``,
    cause: error,
  });
}

/**
 * Returns the error for a run that didn't pass. The exit code is 75 if a call without a response may have
 * been placed, and 11 if an expectation was not met. Otherwise, it is the exit code of the first error.
 */
export function toVerdictError(
  results: readonly ScenarioResult[],
  session: Pick<Session, "flags">,
): CliError | undefined {
  const binding = results.filter(({ quarantinedUntil }) => quarantinedUntil === undefined);
  const count = (result: ScenarioResult["result"]) =>
    binding.filter((candidate) => candidate.result === result).length;
  if (count("passed") === binding.length) return undefined;
  const errors = results.flatMap(({ error }) => (error ? [error] : []));
  const unknown = errors.find(({ type }) => type === "unconfirmed");
  const differing = binding.filter(isOnlyDifferent).length;
  const parts = [
    [count("failed") - differing, "failed"],
    [differing, `${inflect(differing, "differs", "differ")} from the baseline`],
    [count("error"), "could not be placed or followed"],
    [count("skipped"), inflect(count("skipped"), "was skipped", "were skipped")],
  ] as const;
  const all = ` of ${formatCount(results.length, "scenario")}`;
  const summary = parts
    .filter(([number]) => number > 0)
    .map(([number, what], index) => `${number}${index === 0 ? all : ""} ${what}`);
  const isCalled = results.some(({ call }) => call !== undefined);
  const isFollowed = !results.some(({ error, call }) => error && call);
  const exit = unknown
    ? exits.unknown
    : count("failed") > 0
      ? exits.endedBadly
      : ((errors[0] && findExit(errors[0])) ?? exits.endedBadly);
  return new CliError({
    exit,
    code: count("failed") > 0 ? "expectation_failed" : isFollowed ? "calls_not_made" : "calls_not_followed",
    message: summary.join(", "),
    outcome: unknown ? "unknown" : isCalled ? "done" : "none",
    hint: unknown
      ? `check whether the unconfirmed calls were made: \`${formatSuggestedCommand(session, "calls list")}\``
      : undefined,
  });
}
