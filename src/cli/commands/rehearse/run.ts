import { rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { jsonOf } from "../../../base/json.js";
import { isLoopback } from "../../../base/loopback.js";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { readUtf8 } from "../../../base/utf8.js";
import { createClient } from "../../../client/client.js";
import type { ClientEvent } from "../../../client/types.js";
import { surfaces } from "../../../contract/surfaces.js";
import type { Emulator } from "../../../emulator/types.js";
import { CliError, exits, ProgramEnded, usageError } from "../../errors/errors.js";
import { digestOfKey, type Rehearsal, refuseInRehearsal } from "../../profiles/rehearsal-file.js";
import type { Input } from "../../session/input.js";
import { registerRehearsal } from "../../session/running-rehearsals.js";
import type { Session } from "../../session/session.js";
import { withRefusals } from "../bulk/refusals.js";
import { childEnvironment, rehearsalVariables } from "./environment.js";
import { type RehearseOptions, readOptions } from "./flags.js";
import { type Guard, openGuard } from "./guard-proxy.js";
import { copyRemembered, makePlace, type RehearsalPlace } from "./place.js";
import { programOf, runProgram } from "./program.js";
import { showRehearsal } from "./report.js";
import { resultOf } from "./result.js";
import { sealEffect } from "./seal.js";
import { serveUntilEnd } from "./serve.js";
import { findSource, fuzzyLine, headline, type Source } from "./source.js";

/** The result of a rehearsal, before it is told. */
interface Ended {
  exit: number;
  refusedByGuard: number;
  /** R4: a program that ignores proxies can't be held. */
  isAdvisory: boolean;
}

export function run(session: Session, input: Input): Promise<void> {
  return withRefusals(async () => {
    refuseInRehearsal(session.io.env, "rehearse");
    const options = readOptions(session, input);
    const source = await findSource(session, options);
    const program = options.serve ? undefined : await programOf(session, input.arguments, options.exec);
    const faults = await readFaults(session, options);
    const { name } = source.profile;
    const running = { profile: name, baseUrl: source.mirror.manifest.base_url };
    const unregister = registerRehearsal(session.folders, running);
    const place = await makePlace(session.folders);
    // R3a: what loses VOXCTL_REHEARSAL alone still has the rehearsal's own folder of data.
    registerRehearsal(place, running);
    try {
      await makeWorlds(session, options, source, place);
      session.notes.banner(headline(source));
      const fuzzy = fuzzyLine(source);
      if (fuzzy !== undefined) session.notes.warn(fuzzy);
      const ended = await rehearse(session, options, { source, place, program, faults });
      const { isSound, world } = await tell(session, input, options, { source, place, ended });
      if (!isSound)
        throw new CliError({
          exit: exits.internal,
          code: "accounts_differ",
          message: `two accounts of what the command did differ, which is a defect of voxctl; both worlds are kept in ${world}`,
        });
      throw new ProgramEnded(ended.refusedByGuard > 0 ? exits.refused : ended.exit);
    } finally {
      unregister();
      await rm(place.folder, { recursive: true, force: true });
    }
  });
}

/** The base, brought to this version, and the fork of it. */
async function makeWorlds(
  session: Session,
  { clock, latencyMilliseconds }: RehearseOptions,
  { mirror }: Source,
  { base, fork }: RehearsalPlace,
): Promise<void> {
  const { copyWorldFile, makeFork, openEmulator } = await import("../../../emulator/index.js");
  copyWorldFile(mirror.path, base);
  await (await openEmulator({ db: base, exclusive: true })).close();
  await makeFork(base, fork, {
    clock,
    latencyMilliseconds: latencyMilliseconds ?? mirror.manifest.latency.median_ms,
    systemClock: session.clock,
    random: session.random,
  });
}

interface Part {
  source: Source;
  place: RehearsalPlace;
  program: Awaited<ReturnType<typeof programOf>> | undefined;
  faults: readonly unknown[];
}

/** Serves the fork while the command runs. */
async function rehearse(
  session: Session,
  options: RehearseOptions,
  { source, place, program, faults }: Part,
): Promise<Ended> {
  const { openEmulator } = await import("../../../emulator/index.js");
  await using emulator = await openEmulator({ db: place.fork, exclusive: true });
  for (const fault of faults) await addFault(emulator, fault);
  const server = await emulator.listen({ port: 0 });
  const { surface } = source.mirror.manifest;
  const key = emulator.startLine.keys[surface === "public" ? "admin" : "distributor_v2"];
  const rehearsal = rehearsalFile(source, place, {
    emulator,
    url: server.url,
    key,
    world: await worldOf(session, source),
  });
  await writePrivateFile(place.file, `${JSON.stringify(rehearsal)}\n`, { replace: false });
  await copyRemembered(session.folders, place);
  const { targets, unreadable } = source.profile;
  const sources = [...Object.values(targets), ...Object.values(unreadable ?? {})].map((one) => one.baseUrl);
  const guard = options.guard === "off" ? undefined : await openGuard(sources, options.guard, session.io.env);
  try {
    const baseUrl = server.url + surfaces[surface].basePath;
    const variables = rehearsalVariables(place, { surface, base_url: baseUrl, key }, guard);
    const exit =
      program === undefined
        ? await serveUntilEnd(session, variables)
        : await runProgram(session, program, {
            env: childEnvironment(session.io.env, variables),
            stdoutToStderr: session.output.format !== "table",
          });
    return { exit, refusedByGuard: tellRefused(session, guard), isAdvisory: program?.isOwn !== true };
  } finally {
    await guard?.close();
  }
}

function rehearsalFile(
  { profile, mirror }: Source,
  { data }: RehearsalPlace,
  { emulator, url, key, world }: { emulator: Emulator; url: string; key: string; world: string | null },
): Rehearsal {
  const { surface } = mirror.manifest;
  const sourceKey = profile.targets[surface]?.key;
  return {
    version: 1,
    pid: process.pid,
    surface,
    fork: {
      url,
      key,
      control_url: `${url}/_emulator`,
      control_token: emulator.startLine.control_token,
    },
    source: {
      profile: profile.name,
      base_url: mirror.manifest.base_url,
      production: profile.production,
      key_sha256: sourceKey === undefined ? "" : digestOfKey(sourceKey),
      world,
    },
    data,
    mirror: mirror.name,
  };
}

/** The world of a source on this machine, which can be an emulator; one that does not answer does not count. */
async function worldOf(session: Session, { profile, mirror }: Source): Promise<string | null> {
  const { surface } = mirror.manifest;
  const address = profile.targets[surface]?.baseUrl;
  if (address === undefined || !isLoopback(new URL(address).hostname)) return null;
  let world: string | null = null;
  const onEvent = (event: ClientEvent) => {
    if (event.kind === "response") world = event.header("x-emulator-world") ?? world;
  };
  const { clientOptions } = await session.connect({ quiet: true });
  const client = createClient({ ...clientOptions, onEvent });
  const look = surface === "public" ? "ping" : "orgs.list";
  await client.call(look, {}, { signal: session.signal }).catch(() => undefined);
  return world;
}

function tellRefused(session: Session, guard: Guard | undefined): number {
  const refused = guard?.refused() ?? [];
  for (const one of refused.slice(0, 5)) session.notes.warn(`the guard refused ${one}`);
  return refused.length;
}

/** Reads the effect, seals it and prints both. */
async function tell(
  session: Session,
  input: Input,
  options: RehearseOptions,
  { source, place, ended }: { source: Source; place: RehearsalPlace; ended: Ended },
): Promise<{ isSound: boolean; world: string | null }> {
  const { openClosedFork } = await import("../../../emulator/index.js");
  const fork = await openClosedFork(place.fork, place.base);
  const isSound = fork.effect.disagreements.length === 0;
  const world = options.keep || !isSound ? keptFolder(session, source) : null;
  try {
    for (const line of fork.effect.disagreements.slice(0, 20)) session.notes.warn(line);
    const sealed = isSound
      ? await sealEffect(session, { fork, place, source, plan: options.plan, command: input.arguments })
      : undefined;
    const result = resultOf({
      command: input.arguments,
      exit: ended.exit,
      source,
      fork,
      guard: { mode: options.guard, refused: ended.refusedByGuard, advisory: ended.isAdvisory },
      sealed,
      plan: options.plan?.file ?? null,
      world,
      latencyMilliseconds: options.latencyMilliseconds ?? source.mirror.manifest.latency.median_ms,
    });
    await showRehearsal(session, result, { sealed, options, place, manifest: source.mirror.manifest });
  } catch (error) {
    // The command's own end is not lost with the report.
    session.notes.note(`the command itself ended with ${ended.exit}`);
    throw error;
  } finally {
    fork.close();
    if (world !== null) await keepWorlds(session, place, world);
  }
  return { isSound, world };
}

function keptFolder({ folders, clock }: Session, { mirror }: Source): string {
  const stamp = new Date(clock.now()).toISOString().replace(/\W/g, "").slice(0, 15);
  return join(folders.data, "rehearsed", `${mirror.name}-${stamp}-${process.pid}`);
}

/** Puts the worlds where no later rehearsal deletes them. */
async function keepWorlds(
  { folders }: Session,
  { folder, data }: RehearsalPlace,
  kept: string,
): Promise<void> {
  await makePrivateFolder(join(folders.data, "rehearsed"));
  await rm(data, { recursive: true, force: true });
  await rename(folder, kept);
}

/** @throws usage error (2) */
async function readFaults({ io }: Session, { faults }: RehearseOptions): Promise<readonly unknown[]> {
  if (faults === undefined) return [];
  const text = await readUtf8(resolve(io.cwd, faults)).catch((cause: unknown) => {
    throw usageError(`--faults: ${faults} can't be read: ${describeFsError(cause)}`, { cause });
  });
  const list = jsonOf(text);
  if (!Array.isArray(list))
    throw usageError(`--faults: ${faults} must be a list like [{"kind": "drop_after", "times": 3}], as JSON`);
  return list;
}

async function addFault(emulator: Emulator, fault: unknown): Promise<void> {
  const { ControlError } = await import("../../../emulator/index.js");
  await emulator.control("POST", "/faults", fault).catch((error: unknown) => {
    if (!(error instanceof ControlError)) throw error;
    throw usageError(`--faults: ${JSON.stringify(fault)} is no fault: ${error.message}`);
  });
}
