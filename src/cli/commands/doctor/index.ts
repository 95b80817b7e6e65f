import { stat } from "node:fs/promises";
import { stopwatch } from "../../../base/clock.js";
import { counted, escapeLines } from "../../../base/text.js";
import type { Answer } from "../../../client/types.js";
import type { SurfaceName } from "../../../contract/surfaces.js";
import type { Difference } from "../../../openapi/compare.js";
import { CliError, exits } from "../../errors/errors.js";
import { reportOf } from "../../errors/exit-codes.js";
import { isFields } from "../../output/fields.js";
import type { ChosenProfile } from "../../profiles/profile.js";
import { configurationFile, readConfiguration, surfaceNames } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Connection, Session } from "../../session/session.js";
import { version } from "../../session/version.js";
import { durationText } from "../../terminal/progress.js";
import { probes } from "../profiles/check.js";
import { mirrorChecks } from "./mirrors.js";
import { networkChecks } from "./network.js";
import { webhookChecks } from "./webhook.js";

/** One examined part, and its condition. */
interface Check {
  check: string;
  state: "ok" | "warning" | "failed" | "skipped";
  message: string;
  details: Readonly<Record<string, unknown>>[];
}

interface Finding extends Omit<Check, "details"> {
  details?: Check["details"];
  /** Ends the command with its code. */
  error?: unknown;
}

const oldestNode = [20, 19] as const;
/** Less is the network's way, and the whole second of a Date header. */
const mostSkewMilliseconds = 5_000;

/** `voxctl doctor`: this machine, the profile, the service, and what was assumed of it. */
export const doctor: Command = {
  name: "doctor",
  summary: "Look whether everything is in order: this machine, the profile, the service",
  description:
    "Looks at node, the configuration and who may read it, the profile in use, the proxy and the certificates that it is reached by, and of each of its interfaces whether it answers, takes the key, has the same time, and what is left of its limit. Then it holds the service's own description against the one that voxctl was built with, and names the paths that were assumed. Changes nothing.",
  flags: [
    {
      name: "webhook-shape",
      value: "file",
      description:
        "a shape of the pre-call webhook's requests, as voxctl webhook shape infers it from recordings: say where it is not as assumed",
    },
  ],
  examples: [
    { command: "voxctl doctor" },
    { command: "voxctl doctor --profile offline -o json", note: "with every difference, for programs" },
    { command: "voxctl doctor --webhook-shape shape.json" },
  ],
  verdict: true,
  async run(session, input) {
    const webhook = await webhookChecks(session, input);
    const findings: Finding[] = [nodeCheck(), await configurationCheck(session)];
    const profile = await findProfile(session, findings);
    const connection = profile && (await reach(session, findings));
    if (profile && connection) {
      findings.push(...networkChecks(connection, session));
      for (const surface of surfaceNames) {
        if (connection.baseUrl(surface) !== undefined)
          findings.push(...(await surfaceChecks(surface, connection, session)));
      }
      findings.push(await contractCheck(connection, session), await pathsCheck(profile, connection));
      findings.push(...(await mirrorChecks(connection, session)));
    }
    findings.push(...webhook);
    await show(findings, session);
    const failed = findings.find(({ state }) => state === "failed");
    if (failed)
      throw failed.error ?? new CliError({ exit: exits.usage, code: "unhealthy", message: failed.message });
  },
};

function nodeCheck(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  const fits = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return {
    check: "node",
    state: fits ? "ok" : "failed",
    message: `node ${process.versions.node}, voxctl ${version}${fits ? "" : `; it needs ${oldestNode.join(".")} or later`}`,
  };
}

async function configurationCheck({ folders }: Session): Promise<Finding> {
  const check = "configuration";
  const file = configurationFile(folders);
  try {
    const { profiles } = await readConfiguration(folders);
    const mode = await stat(file).then(
      (stats) => stats.mode & 0o777,
      () => undefined,
    );
    if (mode === undefined) return { check, state: "ok", message: `${file}: not there yet` };
    const what = `${file}: ${counted(Object.keys(profiles).length, "profile")}`;
    // On Windows the bits say nothing.
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      return {
        check,
        state: "warning",
        message: `${what}; others may read it (${mode.toString(8)}): chmod 600`,
      };
    return { check, state: "ok", message: what };
  } catch (error) {
    return { check, state: "failed", message: messageOf(error), error };
  }
}

async function findProfile(session: Session, findings: Finding[]): Promise<ChosenProfile | undefined> {
  try {
    const profile = await session.profile();
    const chosen = profile.chosenBy === "nobody" ? "chosen by nobody" : `chosen by ${profile.chosenBy}`;
    const where = profile.kind === "offline" ? `the embedded emulator, ${profile.db}` : "a deployment";
    findings.push({
      check: "profile",
      state: "ok",
      message: `${profile.name}, ${chosen}: ${where}${profile.production ? ", production" : ""}`,
    });
    return profile;
  } catch (error) {
    findings.push({ check: "profile", state: "failed", message: messageOf(error), error });
    return undefined;
  }
}

async function reach(session: Session, findings: Finding[]): Promise<Connection | undefined> {
  try {
    return await session.connect();
  } catch (error) {
    if (session.signal.aborted) throw error;
    findings.push({ check: "connection", state: "failed", message: messageOf(error), error });
    return undefined;
  }
}

async function surfaceChecks(
  surface: SurfaceName,
  { client, profile, baseUrl }: Connection,
  session: Session,
): Promise<Finding[]> {
  const begun = stopwatch(session.clock);
  let answer: Answer;
  try {
    answer = await client.request(probes[surface], { signal: session.signal });
  } catch (error) {
    if (session.signal.aborted) throw error;
    const { exit, message = "" } = reportOf(error, session.signal) ?? {};
    const reached = exit === 3;
    return [
      {
        check: `${surface}: reachable`,
        state: reached ? "ok" : "failed",
        message: reached ? `${baseUrl(surface)} answers` : `${baseUrl(surface)}: ${message}`,
        ...(reached ? {} : { error }),
      },
      ...(reached ? [{ check: `${surface}: key`, state: "failed" as const, message, error }] : []),
    ];
  }
  const lasted = stopwatch(session.clock) - begun;
  return [
    {
      check: `${surface}: reachable`,
      state: "ok",
      message: `${baseUrl(surface)} in ${Math.round(lasted)} ms`,
    },
    { check: `${surface}: key`, state: "ok", message: "is taken" },
    clockCheck(surface, answer, { now: session.clock.now(), worlds: profile.kind === "offline" }),
    limitCheck(surface, answer),
  ];
}

/**
 * @param worlds the service is a world with a time of its own, which every wait moves on: that it is ahead is no fault
 */
function clockCheck(
  surface: SurfaceName,
  { headers }: Answer,
  { now, worlds }: { now: number; worlds: boolean },
): Finding {
  const check = `${surface}: clock`;
  const theirs = Date.parse(headers["date"] ?? "");
  if (Number.isNaN(theirs)) return { check, state: "skipped", message: "the service does not tell its time" };
  const skew = now - theirs;
  const apart = Math.abs(skew) > mostSkewMilliseconds;
  const details = [{ skew_milliseconds: skew }];
  if (apart && worlds) {
    const side = skew > 0 ? "behind" : "ahead of";
    return {
      check,
      state: "ok",
      message: `${durationText(Math.abs(skew))} ${side} this machine: a world's time is its own, and moves on with what is waited for`,
      details,
    };
  }
  return {
    check,
    state: apart ? "warning" : "ok",
    message: apart
      ? `this machine is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} the service; limits are waited for by the service's clock all the same`
      : "the same as here",
    details,
  };
}

function limitCheck(surface: SurfaceName, { headers }: Answer): Finding {
  const check = `${surface}: limit`;
  const limit = headers["x-ratelimit-limit"];
  const remaining = headers["x-ratelimit-remaining"];
  if (limit === undefined || remaining === undefined)
    return { check, state: "skipped", message: "the service does not tell it" };
  return {
    check,
    state: Number(remaining) === 0 ? "warning" : "ok",
    message: `${remaining} of ${limit} requests left`,
    details: [{ limit: Number(limit), remaining: Number(remaining) }],
  };
}

async function contractCheck({ client, baseUrl }: Connection, session: Session): Promise<Finding> {
  const check = "description";
  if (baseUrl("public") === undefined)
    return { check, state: "skipped", message: "the profile has no Public API" };
  let body: unknown;
  try {
    ({ body } = await client.request(
      { surface: "public", method: "GET", rawPath: "/openapi.json" },
      { signal: session.signal },
    ));
  } catch (error) {
    if (session.signal.aborted) throw error;
    return { check, state: "warning", message: `${baseUrl("public")}/openapi.json: ${messageOf(error)}` };
  }
  const [{ compareDocuments }, { createOpenApiDocument }, { operations }] = await Promise.all([
    import("../../../openapi/compare.js"),
    import("../../../openapi/document.js"),
    import("../../../contract/contract.js"),
  ]);
  const ours = createOpenApiDocument(operations, "public", baseUrl("public") ?? "");
  const differences = compareDocuments(ours, body);
  if (!differences) return { check, state: "warning", message: "/openapi.json is no OpenAPI document" };
  if (differences.length === 0)
    return { check, state: "ok", message: `version ${versionOf(body)} says what voxctl was built with` };
  return {
    check,
    state: "warning",
    message: `version ${versionOf(body)} differs: ${differencesText(differences)}`,
    details: differences.map((difference) => ({ ...difference })),
  };
}

function versionOf(document: unknown): string {
  const info = isFields(document) ? document["info"] : undefined;
  return isFields(info) && typeof info["version"] === "string" ? info["version"] : "?";
}

function differencesText(differences: readonly Difference[]): string {
  const lacking = differences.filter(({ what, ours }) => what === "exists" && ours === null).length;
  const missing = differences.filter(({ what, theirs }) => what === "exists" && theirs === null).length;
  const other = differences.length - lacking - missing;
  const assumed = differences.filter(({ assumed }) => assumed !== null).length;
  return [
    ...(lacking > 0 ? [`it has ${lacking} that voxctl lacks`] : []),
    ...(missing > 0 ? [`it lacks ${missing} that voxctl knows`] : []),
    ...(other > 0 ? [`${other} otherwise`] : []),
    ...(assumed > 0 ? [`${assumed} of them were assumed`] : []),
  ].join(", ");
}

/** Paths that no document states: where they are wrong, the profile can name its own. */
async function pathsCheck(profile: ChosenProfile, { baseUrl }: Connection): Promise<Finding> {
  const { operations } = await import("../../../contract/contract.js");
  const own = profile.kind === "remote" ? profile.paths : {};
  const details = Object.entries(operations)
    .filter(([, { pathAssumed, surface }]) => pathAssumed !== undefined && baseUrl(surface) !== undefined)
    .map(([operation, { method, path, pathAssumed }]) => ({
      operation,
      method,
      path,
      assumed: pathAssumed,
      overridden_by: Object.hasOwn(own, operation) ? (own[operation] ?? null) : null,
    }));
  const overridden = details.filter((one) => one.overridden_by !== null).length;
  return {
    check: "assumed paths",
    state: "ok",
    message: `${details.length} in use that no document states, ${overridden} overridden by the profile`,
    details,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function show(findings: readonly Finding[], session: Session): Promise<void> {
  const rows = findings.map(
    ({ check, state, message, details = [] }): Check => ({ check, state, message, details }),
  );
  await session.output.list(rows, {
    columns: [
      { header: "STATE", value: "state", as: "status", keep: true },
      { header: "CHECK", value: "check", keep: true },
      { header: "MESSAGE", value: "message" },
    ],
    fields: ["check", "state", "message", "details"],
  });
  if (session.output.format !== "table") return;
  const description = rows.find(({ check }) => check === "description");
  const lines = (description?.details ?? []).slice(0, mostShown).map(differenceLine);
  if (lines.length > 0) await session.output.text(`\n${lines.join("")}`);
  const more = (description?.details.length ?? 0) - lines.length;
  if (more > 0) session.notes.note(`${counted(more, "more difference")}: voxctl doctor -o json`);
}

const mostShown = 20;

function differenceLine({ operation, where, what, ours, theirs, assumed }: Check["details"][number]): string {
  const said =
    what === "exists"
      ? ours === null
        ? "only there"
        : "only here"
      : `${what}: ${ours ?? "–"} here, ${theirs ?? "–"} there`;
  return `${escapeLines(`${operation} ${where}: ${said}${assumed ? ` (assumed: ${assumed})` : ""}`)}\n`;
}
