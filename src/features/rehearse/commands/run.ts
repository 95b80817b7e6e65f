import { rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../../base/private-file.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { readStoreSettings } from "../../../cli/bulk/store.js";
import { copyStore } from "../../../cli/bulk/store-copies.js";
import { CliError, exits, ProgramEnded } from "../../../cli/errors/errors.js";
import { hashKey, type Rehearsal, refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Input } from "../../../cli/session/input.js";
import { runProgram } from "../../../cli/session/run-program.js";
import { registerRehearsal } from "../../../cli/session/running-rehearsals.js";
import type { Session } from "../../../cli/session/session.js";
import { apis } from "../../../contract/apis.js";
import type { Emulator } from "../../../emulator/types.js";
import { createChildEnvironment, createRehearsalVariables } from "./environment.js";
import { type RehearseOptions, readRehearseOptions } from "./flags.js";
import { type Guard, openGuard } from "./guard-proxy.js";
import { resolveProgram } from "./program.js";
import {
  copyRemembered,
  createRehearsalFiles,
  keepRejectsRecords,
  type RehearsalFiles,
  removeRehearsalFiles,
} from "./rehearsal-files.js";
import { showRehearsal } from "./rehearsal-summary.js";
import { createResult } from "./result.js";
import { sealEffect } from "./seal.js";
import { serveUntilEnd } from "./serve.js";
import { findSource, formatFuzzyWarning, formatHeadline, type Source } from "./source.js";

interface RehearsalEnd {
  exit: number;
  refusedByGuard: number;
  /** Whether the program can bypass the proxy. */
  isAdvisory: boolean;
}

export function runRehearse(session: Session, input: Input): Promise<void> {
  return withRefusals(async () => {
    refuseInRehearsal(session.io.env, "rehearse");
    const options = readRehearseOptions(session, input);
    const source = await findSource(session, options);
    const program = options.serve ? undefined : await resolveProgram(session, input.arguments);
    // Stop now if the user has pressed Ctrl-C: once the databases exist, an interrupted rehearsal must delete
    // them.
    session.signal.throwIfAborted();
    const { name } = source.profile;
    const running = { profile: name, baseUrl: source.mirror.manifest.base_url };
    const unregister = registerRehearsal(session.folders, running);
    const files = await createRehearsalFiles(session.folders);
    // Mark the rehearsal in its own data directory too: a process that uses this directory but lacks
    // VOXCTL_REHEARSAL must recognize the rehearsal.
    registerRehearsal(files, running);
    try {
      await createEmulators(session, options, source, files);
      session.notes.banner(formatHeadline(source));
      const fuzzy = formatFuzzyWarning(source);
      if (fuzzy !== undefined) session.notes.warn(fuzzy);
      const startedAt = session.clock.now();
      const ended = await rehearse(session, options, { source, files, program });
      await keepRejectsRecords(session.folders, files);
      const { isSound, keptFolder } = await showSummary(session, input, options, {
        source,
        files,
        ended,
        startedAt,
      });
      if (!isSound)
        throw new CliError({
          exit: exits.internal,
          code: "accounts_differ",
          message: `the emulator and the request log show different changes: a bug in voxctl; kept both databases in ${keptFolder}`,
        });
      throw new ProgramEnded(ended.refusedByGuard > 0 ? exits.refused : ended.exit);
    } finally {
      unregister();
      await removeRehearsalFiles(files.folder);
    }
  });
}

async function createEmulators(
  session: Session,
  { clock }: RehearseOptions,
  { mirror }: Source,
  { base, fork }: RehearsalFiles,
): Promise<void> {
  const { copyDatabaseFile, createFork, openEmulator } = await import("../../../emulator/index.js");
  copyDatabaseFile(mirror.path, base);
  await (await openEmulator({ db: base, exclusive: true })).close();
  await createFork(base, fork, {
    clock,
    latencyMilliseconds: mirror.manifest.latency.median_ms,
    systemClock: session.clock,
    random: session.random,
  });
}

interface RehearsalContext {
  source: Source;
  files: RehearsalFiles;
  program: Awaited<ReturnType<typeof resolveProgram>> | undefined;
}

async function rehearse(
  session: Session,
  options: RehearseOptions,
  { source, files, program }: RehearsalContext,
): Promise<RehearsalEnd> {
  const { openEmulator } = await import("../../../emulator/index.js");
  await using emulator = await openEmulator({ db: files.fork, exclusive: true });
  const server = await emulator.listen({ port: 0 });
  const { surface: api } = source.mirror.manifest;
  const key = emulator.startLine.keys[api === "public" ? "admin" : "distributor_v2"];
  const rehearsal = createRehearsalFile(source, files, {
    emulator,
    url: server.url,
    key,
  });
  await writePrivateFile(files.file, `${JSON.stringify(rehearsal)}\n`, { replace: false });
  await copySharedRuns(session, source, files);
  await copyRemembered(session.folders, files);
  const { targets, unreadable } = source.profile;
  const sources = [...Object.values(targets), ...Object.values(unreadable ?? {})].map(
    (configured) => configured.baseUrl,
  );
  const guard = options.guard === "off" ? undefined : await openGuard(sources, options.guard, session.io.env);
  try {
    const baseUrl = server.url + apis[api].basePath;
    const variables = createRehearsalVariables(files, { api, base_url: baseUrl, key }, guard);
    const exit =
      program === undefined
        ? await serveUntilEnd(session, variables)
        : await runProgram(session, program, {
            env: createChildEnvironment(session.io.env, variables),
            stdoutToStderr: session.output.format !== "table",
          });
    return { exit, refusedByGuard: reportRefused(session, guard), isAdvisory: program?.isOwn !== true };
  } finally {
    await guard?.close();
  }
}

/** Copies the profile's store, so that the rehearsed command finds the runs and key maps in the store. */
async function copySharedRuns(
  session: Session,
  { profile }: Source,
  { store }: RehearsalFiles,
): Promise<void> {
  const settings = await readStoreSettings(session, { profile });
  if (settings === undefined) return;
  const copied = await copyStore(settings, store);
  if ("reason" in copied)
    session.notes.warn(`${copied.reason}; rehearsing without the store's runs and key maps`);
}

function createRehearsalFile(
  { profile, mirror }: Source,
  { data }: RehearsalFiles,
  { emulator, url, key }: { emulator: Emulator; url: string; key: string },
): Rehearsal {
  const { surface: api } = mirror.manifest;
  const sourceKey = profile.targets[api]?.key;
  return {
    version: 1,
    pid: process.pid,
    surface: api,
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
      key_sha256: sourceKey === undefined ? "" : hashKey(sourceKey),
      world: mirror.manifest.emulator_id,
    },
    data,
    mirror: mirror.name,
  };
}

function reportRefused(session: Session, guard: Guard | undefined): number {
  const refused = guard?.refused() ?? [];
  for (const refusal of refused.slice(0, 5)) session.notes.warn(`the guard blocked ${refusal}`);
  return refused.length;
}

async function showSummary(
  session: Session,
  input: Input,
  options: RehearseOptions,
  {
    source,
    files,
    ended,
    startedAt,
  }: { source: Source; files: RehearsalFiles; ended: RehearsalEnd; startedAt: number },
): Promise<{ isSound: boolean; keptFolder: string | null }> {
  const { openClosedFork } = await import("../../../emulator/index.js");
  const fork = await openClosedFork(files.fork, files.base);
  const isSound = fork.effect.disagreements.length === 0;
  const keptFolder = options.keep || !isSound ? getKeptFolder(session, source) : null;
  try {
    for (const line of fork.effect.disagreements.slice(0, 20)) session.notes.warn(line);
    const sealed = isSound
      ? await sealEffect(session, {
          ...{ fork, files, source, startedAt },
          ...{ plan: options.plan, command: input.arguments, exit: ended.exit },
        })
      : undefined;
    const result = createResult({
      command: input.arguments,
      exit: ended.exit,
      source,
      fork,
      guard: { mode: options.guard, refused: ended.refusedByGuard, advisory: ended.isAdvisory },
      sealed,
      plan: options.plan?.file ?? null,
      emulator: keptFolder && join(keptFolder, basename(files.fork)),
      latencyMilliseconds: source.mirror.manifest.latency.median_ms,
    });
    await showRehearsal(session, result, { source, sealed, options, files });
  } catch (error) {
    // Print the command's exit code, because no summary will contain it.
    session.notes.note(`The command exited with code ${ended.exit}.`);
    throw error;
  } finally {
    fork.close();
    if (keptFolder !== null) await keepEmulators(files, keptFolder);
  }
  return { isSound, keptFolder };
}

function getKeptFolder({ folders, clock }: Session, { mirror }: Source): string {
  const stamp = new Date(clock.now()).toISOString().replace(/\W/g, "").slice(0, 15);
  return join(folders.data, "rehearsed", `${mirror.name}-${stamp}-${process.pid}`);
}

async function keepEmulators({ base, fork }: RehearsalFiles, kept: string): Promise<void> {
  await makePrivateFolder(kept);
  for (const path of [base, fork])
    for (const file of [path, `${path}.key`]) await rename(file, join(kept, basename(file)));
}
