import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { isLoopback } from "../../base/loopback.js";
import { buckets } from "../../contract/limits.js";
import type { BucketLimits, EmulatorOptions, StartLine } from "../../emulator/types.js";
import type { Command, Input } from "../command.js";
import { registerEmulator } from "../emulator-registry.js";
import { CliError, exits, usageError } from "../errors.js";
import { offlineFile, offlineName } from "../profiles/choose.js";
import type { Session } from "../session.js";
import { requestUiLink, uiLinkOf } from "../ui-link.js";

const defaultPort = 4010;

/** What requests may need later is loaded after this time, so that the first ones are not kept waiting. */
const preloadAfterMilliseconds = 500;

export const emulatorStart: Command = {
  name: "start",
  summary: "Serve a local world of the whole service over HTTP",
  description:
    "Without --db and --memory it serves the world of the offline profile; offline commands then go through it. Ctrl-C ends it.",
  flags: [
    {
      name: "port",
      value: "port",
      description: "port to listen on, 0 for a free one",
      default: String(defaultPort),
    },
    { name: "host", value: "address", description: "address to listen on", default: "127.0.0.1" },
    { name: "allow-host", value: "name", description: "further Host header to accept", repeatable: true },
    { name: "db", value: "file", description: "SQLite file of the world" },
    { name: "memory", description: "a world that ends with the server" },
    {
      name: "seed",
      value: "seed",
      description: "what a new world holds",
      choices: ["demo", "empty"],
      strict: true,
      default: "demo",
    },
    {
      name: "clock",
      value: "mode",
      description: "the wall clock, or frozen until told to move",
      choices: ["real", "virtual"],
      strict: true,
      default: "real",
    },
    { name: "start-time", value: "time", description: "time at which a new world's clock starts, ISO 8601" },
    {
      name: "limits",
      value: "bucket=n,…",
      description: `limits in place of the defaults: ${Object.keys(buckets).join(", ")}`,
    },
    { name: "random-seed", value: "number", description: "makes ids, seeds and faults repeat", default: "1" },
    {
      name: "durability",
      value: "kind",
      description: "full: acknowledged writes survive a power loss, too",
      choices: ["normal", "full"],
      strict: true,
      default: "normal",
    },
    {
      name: "allow-private-webhooks",
      description: "incoming calls may fire webhooks at loopback and private addresses",
      negatable: true,
    },
    { name: "detach", description: "start it in the background" },
  ],
  examples: [
    { command: "voxctl emulator start" },
    {
      command: "voxctl emulator start --memory --seed empty --clock virtual --port 0 -o json",
      note: "for a test suite",
    },
  ],
  run: (session, input) => (input.on("detach") ? startDetached(session, input) : startHere(session, input)),
};

async function startHere(session: Session, input: Input): Promise<void> {
  const options = await emulatorOptions(session, input);
  const host = input.text("host") ?? "127.0.0.1";
  // An empty one, as of a variable that is not set, would mean every address.
  if (host.trim() === "") throw usageError("--host: is empty; 0.0.0.0 listens on all addresses");
  const { LockedError, openEmulator, UnusableFileError } = await import("../../emulator/index.js");
  await refuseSecondServer(session, options.db ?? "");
  const emulator = await openEmulator({ ...options, exclusive: true }).catch(async (error: unknown) => {
    if (error instanceof LockedError) {
      // Another one that began at the same time may have come first.
      await refuseSecondServer(session, options.db ?? "");
      throw heldError(options.db ?? "", error);
    }
    if (error instanceof UnusableFileError) throw usageError(error.message, { cause: error });
    throw error;
  });
  let unregister = () => {};
  try {
    const port = wholeNumber("port", input.text("port"), defaultPort, 65_535);
    const allowPrivateWebhooks = input.on("allow-private-webhooks");
    const server = await emulator
      .listen({
        port,
        host,
        allowHosts: input.texts("allow-host"),
        ...(allowPrivateWebhooks === undefined ? {} : { allowPrivateWebhooks }),
      })
      .catch(async (error: unknown) => {
        throw await listenError(session, error, host, port);
      });
    if (!isLoopback(host)) {
      session.notes.warn(
        `${host} can be reached from other machines: whoever has a key of this world can use it, by its address or a name given with --allow-host. Without --host it stays on this machine.`,
      );
    }
    const line = { ...emulator.startLine, ...addresses(server.url) };
    unregister = await registerEmulator(session.folders, line).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      session.notes.warn(`emulator status, stop and the like won't find this one: ${reason}`);
      return unregister;
    });
    await printStart(session, line, async () =>
      uiLinkOf(line.url, await emulator.control("POST", "/ui-tickets")),
    );
    void preloadSoon(session);
    await aborted(session.signal);
    session.notes.note("stopping");
  } finally {
    await emulator.close();
    unregister();
  }
}

async function preloadSoon(session: Session): Promise<void> {
  try {
    await session.clock.sleep(preloadAfterMilliseconds, session.signal);
    const { preload } = await import("../../emulator/preload.js");
    await preload(session.signal);
    session.notes.debug("all parts that requests may need are loaded");
  } catch {
    // Interrupted, or a part is gone: who needs it is told so.
  }
}

function addresses(url: string) {
  return {
    url,
    base_url: `${url}/api/v1`,
    distributor_v1_url: `${url}/api/distributor/v1`,
    distributor_v2_url: `${url}/api/distributor/v2`,
    legacy_url: url,
    mcp_url: `${url}/mcp`,
    control_url: `${url}/_emulator`,
  };
}

/** The same command in a process of its own, that outlives this one. */
async function startDetached(session: Session, input: Input): Promise<void> {
  const script = process.argv[1];
  if (script === undefined) throw usageError("--detach works from the voxctl command only");
  mkdirSync(session.folders.data, { recursive: true, mode: 0o700 });
  const logPath = join(session.folders.data, "emulator.log");
  const log = openSync(logPath, "w", 0o600);
  const child = spawn(process.execPath, [script, "emulator", "start", ...passedOn(input), "-o", "json"], {
    detached: true,
    stdio: ["ignore", "pipe", log],
    cwd: session.io.cwd,
    env: { ...session.io.env },
  });
  closeSync(log);
  const printed = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    child.on("exit", (code) => reject(endedError(code, readFileSync(logPath, "utf8"))));
    child.on("error", reject);
  });
  child.stdout?.destroy();
  child.unref();
  const started: StartLine = JSON.parse(printed);
  await printStart(session, started, async () => {
    const { createUndiciTransport } = await import("../../client/undici-transport.js");
    const network = createUndiciTransport({ env: session.io.env });
    return requestUiLink(network.transport, started).finally(() => network.close());
  });
  if (session.output.format === "table")
    session.notes.note(`stop it with: voxctl emulator stop --port ${new URL(started.url).port}`);
}

const Told = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
});

/** Why a process in the background ended before it served: in its own words, where it found some. */
function endedError(code: number | null, log: string): CliError {
  const exit = Object.values(exits).find((known) => known === code) ?? exits.unavailable;
  const last = log.trim().split("\n").at(-1) ?? "";
  const told = Told.safeParse(jsonOf(last));
  if (!told.success) {
    const message = `the emulator ended with ${code ?? "a signal"}: ${log.trim()}`;
    return new CliError({ exit: exits.unavailable, code: "emulator_not_started", message });
  }
  const { code: name, message, hint } = told.data.error;
  return new CliError({ exit, code: name, message, ...(hint === null ? {} : { hint }) });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function passedOn(input: Input): string[] {
  const given = (emulatorStart.flags ?? []).filter((flag) => flag.name !== "detach");
  return given.flatMap((flag) => {
    if (!flag.value) {
      const on = input.on(flag.name);
      return on === undefined ? [] : [on ? `--${flag.name}` : `--no-${flag.name}`];
    }
    if (flag.repeatable) return input.texts(flag.name).flatMap((value) => [`--${flag.name}`, value]);
    const value = input.text(flag.name);
    return value === undefined ? [] : [`--${flag.name}`, value];
  });
}

/** @param uiLink asked for where it is shown: the line for scripts has no room for it */
async function printStart(session: Session, line: StartLine, uiLink: () => Promise<string>): Promise<void> {
  if (session.output.format !== "table") {
    // Exactly one line, for scripts that read it while the server goes on.
    await session.output.text(`${JSON.stringify(line)}\n`);
    return;
  }
  const rows: [string, string][] = [
    ["Public API", line.base_url],
    ["Distributor v2", line.distributor_v2_url],
    ["Distributor v1", line.distributor_v1_url],
    ["Legacy", line.legacy_url],
    ["MCP", line.mcp_url],
    ["Documentation", `${line.base_url}/docs`],
    ["OpenAPI", `${line.base_url}/openapi.json`],
    ["UI", await uiLink()],
    ["Control", line.control_url],
    ["Control token", line.control_token],
    ...Object.entries(line.keys).map(([name, key]): [string, string] => [`Key ${name}`, key]),
    ["World", line.db],
    ["Process", String(line.pid)],
  ];
  await session.output.text(`${rows.map(([name, value]) => `${name.padEnd(20)} ${value}`).join("\n")}\n`);
}

/** Options of the world from the flags; without --db and --memory the offline profile's file. */
async function emulatorOptions(session: Session, input: Input): Promise<EmulatorOptions> {
  const db = await databasePath(session, input);
  const seed = input.text("seed") === "empty" ? "empty" : "demo";
  const clock = input.text("clock");
  const startTime = input.text("start-time");
  if (startTime !== undefined && !Number.isFinite(Date.parse(startTime))) {
    throw usageError(`--start-time: "${startTime}" is no time like 2026-01-31T09:30:00Z`);
  }
  if (startTime !== undefined) {
    const { isWorldTime } = await import("../../emulator/kernel/clock.js");
    if (!isWorldTime(Date.parse(startTime)))
      throw usageError(`--start-time: ${startTime} is not between 1971 and 2100`);
  }
  return {
    db,
    seed,
    ...(clock === "virtual" || clock === "real" ? { clock } : {}),
    ...(startTime === undefined ? {} : { startTime }),
    limits: parseLimits(input.text("limits")),
    randomSeed: wholeNumber("random-seed", input.text("random-seed"), 1, Number.MAX_SAFE_INTEGER),
    durability: input.text("durability") === "full" ? "full" : "normal",
  };
}

/** The file that a command of the emulator is about: --db, --memory, else the offline profile's. */
export async function databasePath(session: Session, input: Input): Promise<string> {
  const db = input.text("db");
  if (db !== undefined && input.on("memory")) throw usageError("--db and --memory exclude each other");
  if (input.on("memory")) return ":memory:";
  if (db !== undefined) return db;
  const profile = await session.profile().catch(() => undefined);
  return profile?.kind === "offline" ? profile.db : offlineFile(session.folders, offlineName);
}

function parseLimits(text: string | undefined): BucketLimits {
  const limits: BucketLimits = {};
  for (const part of text?.split(",") ?? []) {
    const [name = "", value = ""] = part.split("=");
    let bucket: keyof BucketLimits;
    let known = false;
    for (bucket in buckets) {
      if (bucket !== name.trim()) continue;
      known = true;
      limits[bucket] = wholeNumber("limits", value.trim(), 0, Number.MAX_SAFE_INTEGER);
    }
    if (!known)
      throw usageError(`--limits: "${part}" is none of ${Object.keys(buckets).join(", ")} with =number`);
  }
  return limits;
}

function wholeNumber(flag: string, text: string | undefined, otherwise: number, maximum: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d+$/.test(text) || Number(text) > maximum)
    throw usageError(`--${flag}: "${text}" is no whole number from 0 to ${maximum}`);
  return Number(text);
}

/** Commands that hold the file are waited for; a server that holds it is named at once. */
async function refuseSecondServer(session: Session, path: string): Promise<void> {
  const { readServerState } = await import("../../emulator/index.js");
  if (!readServerState(path)) return;
  const [{ createUndiciTransport }, { runningServer }] = await Promise.all([
    import("../../client/undici-transport.js"),
    import("../local-server.js"),
  ]);
  const network = createUndiciTransport({ env: session.io.env });
  const line = await runningServer(path, network.transport).finally(() => network.close());
  if (!line) return;
  throw new CliError({
    exit: exits.refused,
    code: "world_in_use",
    message: `${path} is held by another voxctl: the emulator at ${line.url}, process ${line.pid}`,
    hint: "voxctl emulator stop ends it; or give another file with --db",
  });
}

/** A world that another process holds, and does not let go (12). */
export function heldError(path: string, cause?: unknown): CliError {
  return new CliError({
    exit: exits.refused,
    code: "world_in_use",
    message: `${path} is held by another voxctl: a running emulator, or a command that does not end`,
    hint: "see voxctl emulator status, or give another file with --db",
    cause,
  });
}

/** A port that is not ours to take, an address that is none of this machine's, a name that leads nowhere. */
const unusableAddress = new Set(["EACCES", "EADDRNOTAVAIL", "EAI_AGAIN", "EINVAL", "ENOTFOUND"]);

async function listenError(session: Session, error: unknown, host: string, port: number): Promise<unknown> {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "EADDRINUSE") {
    const holder = await holderOf(session, port);
    const held = holder ? ` by your emulator, process ${holder.pid}, whose world is ${holder.db}` : "";
    return usageError(`port ${port} of ${host} is in use${held}`, {
      hint: holder
        ? `voxctl emulator stop --port ${port} ends it; or give another one with --port`
        : "give another one with --port, or --port 0 for a free one",
      cause: error,
    });
  }
  if (unusableAddress.has(String(error.code))) {
    return usageError(`can't listen on ${host} port ${port}: ${error.message}`, { cause: error });
  }
  return error;
}

/** The emulator of this user that listens on a port. */
async function holderOf(session: Session, port: number): Promise<StartLine | undefined> {
  const [{ createUndiciTransport }, { runningEmulators }] = await Promise.all([
    import("../../client/undici-transport.js"),
    import("../emulator-registry.js"),
  ]);
  const network = createUndiciTransport({ env: session.io.env });
  const running = await runningEmulators(session.folders, network.transport).finally(() => network.close());
  return running.find((line) => new URL(line.url).port === String(port));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
