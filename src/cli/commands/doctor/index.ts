import { stat } from "node:fs/promises";
import { messageOf } from "../../../base/error-code.js";
import { quoteWord } from "../../../base/shell-words.js";
import { formatCount } from "../../../base/text.js";
import { ClientError } from "../../../client/errors.js";
import type { ApiName } from "../../../contract/apis.js";
import { CliError, exits } from "../../errors/errors.js";
import { findClientHint } from "../../errors/exit-codes.js";
import { findStoredProfile } from "../../profiles/choose.js";
import type { ChosenProfile } from "../../profiles/profile.js";
import { apiNames, getConfigurationFile, isNewer, readConfiguration } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Connection, Session } from "../../session/session.js";
import { formatSuggestedCommand } from "../../session/suggested-command.js";
import { version } from "../../session/version.js";
import { checkApi } from "./check-api.js";
import { checkContract, checkPaths, formatDifference } from "./contract.js";
import type { Check, Finding } from "./finding.js";
import { checkFormats, listRunsOf } from "./formats.js";
import { checkMirrors } from "./mirrors.js";
import { checkNetwork } from "./network.js";
import { checkRuns } from "./runs.js";
import { checkWebhook } from "./webhook.js";

const oldestNode = [20, 19] as const;
export const doctor: Command = {
  name: "doctor",
  summary: "Check the installation, profile and connection",
  description:
    "Checks Node.js, the configuration and its file permissions, the profile, the proxy and the certificates. For each API, checks the response, the key and its expiry, the clock and the remaining rate limit.\n\nThen compares the service's API description with voxctl's, and counts the undocumented paths that voxctl assumes.\n\nLists unfinished runs and files of an older format, with the commands that resume or update them. Makes no changes.",
  flags: [
    {
      name: "webhook-shape",
      value: "file",
      description: "Shape file from `voxctl webhook shape`, to compare with the emulator's webhook requests",
    },
  ],
  examples: [
    { command: "voxctl doctor" },
    { command: "voxctl doctor --profile offline -o json", note: "Print all differences, for scripts" },
    { command: "voxctl doctor --webhook-shape shape.json" },
  ],
  verdict: true,
  async run(session, input) {
    const webhook = await checkWebhook(session, input);
    const findings: Finding[] = [checkNode(), await checkConfiguration(session)];
    const profile = await findProfile(session, findings);
    const connection = profile && (await connect(session, findings));
    if (profile && connection) {
      findings.push(...checkNetwork(connection, session));
      const expiries = await readExpiries(session, profile.name);
      for (const api of apiNames) {
        if (connection.baseUrl(api) !== undefined)
          findings.push(...(await checkApi(api, connection, session, expiries[api])));
      }
      findings.push(await checkContract(connection, session), await checkPaths(profile, connection));
      findings.push(...(await checkMirrors(connection, session)));
    }
    // Connecting updates the database of a local emulator, so check the formats afterwards.
    const formats = await checkFormats(session, profile);
    findings.push(...(await checkRuns(session, listRunsOf(formats))), ...formats, ...webhook);
    await showFindings(findings, session);
    const failed = findings.find(({ state }) => state === "failed");
    if (failed?.error instanceof ClientError) throw addHint(failed.error);
    if (failed)
      throw failed.error ?? new CliError({ exit: exits.usage, code: "unhealthy", message: failed.message });
  },
};

/** Adds a hint, because the default hint of some errors suggests running `doctor`. */
function addHint(error: ClientError): ClientError {
  const known = error.hint ?? (error.type === "network" ? undefined : findClientHint(error));
  return new ClientError({ ...error, message: error.message, hint: known ?? "see the failed checks" });
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  const fits = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return {
    check: "node",
    state: fits ? "ok" : "failed",
    message: `node ${process.versions.node}, voxctl ${version}${fits ? "" : `; voxctl requires Node.js ${oldestNode.join(".")} or later`}`,
  };
}

async function checkConfiguration({ folders }: Session): Promise<Finding> {
  const check = "configuration";
  const file = getConfigurationFile(folders);
  try {
    const configuration = await readConfiguration(folders);
    const { profiles, broken } = configuration;
    const mode = await stat(file).then(
      (stats) => stats.mode & 0o777,
      () => undefined,
    );
    if (mode === undefined) return { check, state: "ok", message: `${file} doesn't exist yet` };
    const what = `${file}: ${formatCount(Object.keys(profiles).length, "profile")}`;
    if (isNewer(configuration))
      return {
        check,
        state: "warning",
        message: `${what}; written by a newer voxctl (file version ${configuration.version}), so this version can only read it: update voxctl`,
      };
    const unusable = Object.entries(broken).map(([name, { problem }]) => `${name} (${problem})`);
    if (unusable.length > 0)
      return { check, state: "warning", message: `${what}; cannot use ${unusable.join(", ")}` };
    // Windows has no permission bits.
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      return {
        check,
        state: "warning",
        message: `${what}; other users can read it (mode ${mode.toString(8)}): run \`chmod 600 ${quoteWord(file)}\``,
      };
    return { check, state: "ok", message: what };
  } catch (error) {
    return { check, state: "failed", message: messageOf(error), error };
  }
}

const selections: Readonly<Record<ChosenProfile["chosenBy"], string>> = {
  flag: "selected by --profile",
  environment: "from the environment",
  VOXCTL_PROFILE: "selected by VOXCTL_PROFILE",
  folder: "selected by the directory's .voxctl.yaml",
  default: "default",
  nobody: "default",
};

async function findProfile(session: Session, findings: Finding[]): Promise<ChosenProfile | undefined> {
  try {
    const profile = await session.profile();
    const chosen = selections[profile.chosenBy];
    const where = profile.type === "offline" ? `local emulator, ${profile.db}` : "remote service";
    findings.push({
      check: "profile",
      state: "ok",
      message: `${profile.name} (${chosen}): ${where}${profile.production ? ", production" : ""}`,
    });
    return profile;
  } catch (error) {
    findings.push({ check: "profile", state: "failed", message: messageOf(error), error });
    return undefined;
  }
}

async function readExpiries({ folders }: Session, name: string): Promise<Partial<Record<ApiName, string>>> {
  const stored = findStoredProfile(await readConfiguration(folders), name);
  if (stored?.kind !== "remote") return {};
  return Object.fromEntries(
    apiNames.flatMap((api) => {
      const expires = stored.surfaces[api]?.expires;
      return expires === undefined ? [] : [[api, expires]];
    }),
  );
}

async function connect(session: Session, findings: Finding[]): Promise<Connection | undefined> {
  try {
    return await session.connect();
  } catch (error) {
    if (session.signal.aborted) throw error;
    findings.push({ check: "connection", state: "failed", message: messageOf(error), error });
    return undefined;
  }
}

async function showFindings(findings: readonly Finding[], session: Session): Promise<void> {
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
  const lines = (description?.details ?? []).slice(0, maxShown).map(formatDifference);
  if (lines.length > 0) await session.output.lines(["", ...lines]);
  const more = (description?.details.length ?? 0) - lines.length;
  if (more > 0)
    session.notes.note(
      `${formatCount(more, "more difference")}; to list all, run \`${formatSuggestedCommand(session, "doctor -o json")}\``,
    );
}

const maxShown = 20;
