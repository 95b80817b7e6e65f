import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../base/clock.js";
import type { Io } from "../../base/io.js";
import { ownProgram } from "../../base/own-program.js";
import { systemRandom } from "../../base/random.js";
import type { ClientEvent } from "../../client/types.js";
import { createOutput } from "../output/create-output.js";
import type { JqQuery } from "../output/jq.js";
import type { Writer } from "../output/writer.js";
import { chooseProfile, getOfflineFile } from "../profiles/choose.js";
import { type Folders, findFolders } from "../profiles/folders.js";
import { readKnownKeys } from "../profiles/known-keys.js";
import { type ChosenProfile, isRehearsed } from "../profiles/profile.js";
import { createSystemKeychain } from "../profiles/system-keychain.js";
import { columnsOf } from "../terminal/columns.js";
import type { Notes } from "../terminal/notes.js";
import { createPaint, wantsColor } from "../terminal/paint.js";
import { createPrompts } from "../terminal/prompts.js";
import {
  assertChosen,
  assertConfirmable,
  assertNamed,
  confirmDestructive,
  isConfirmedByFlag,
} from "./confirm.js";
import { describeEvent } from "./events.js";
import type { GlobalFlags } from "./globals.js";
import type { Overrides } from "./overrides.js";
import type { Secrets } from "./secrets.js";
import { serviceTime } from "./service-time.js";
import type { Connection, ConnectOptions, Session } from "./session.js";

/** A smaller difference between the emulator's clock and this machine's clock is not mentioned. */
const leastNotedMilliseconds = 60_000;

export interface SessionOptions {
  io: Io;
  flags: GlobalFlags;
  notes: Notes;
  secrets: Secrets;
  writer: Writer;
  abortSignal: AbortSignal;
  signal(): AbortSignal;
  awaitProgram: Session["awaitProgram"];
  overrides: Overrides;
  jq?: JqQuery | undefined;
  commandPath: Session["commandPath"];
  commands: Session["commands"];
  parseLine: Session["parseLine"];
  changes: { readonly done: number; onEvent(event: ClientEvent): void };
}

export function createSession({
  io,
  flags,
  notes,
  secrets,
  writer,
  abortSignal,
  signal,
  awaitProgram,
  overrides,
  changes,
  commandPath,
  commands,
  parseLine,
  jq,
}: SessionOptions): Session & { close(): Promise<void> } {
  const clock = overrides.clock ?? systemClock();
  const random = overrides.random ?? systemRandom();
  const prompts = overrides.prompts ?? createPrompts(io, notes, abortSignal, flags.plain);
  const folders = findFolders(io);
  const keychain =
    overrides.keychain ??
    createSystemKeychain({ env: io.env, person: prompts.available, signal: abortSignal, notes });
  const terminal = io.stdout.isTTY === true;
  const paint = createPaint(wantsColor(io, io.stdout, flags.color));
  const service = serviceTime(clock);
  let showsAges = false;
  const format = flags.output ?? (terminal ? "table" : "json");
  const output = createOutput({
    format,
    fields: flags.fields,
    jq,
    writer,
    terminal,
    columns: () => (terminal && !flags.wide ? columnsOf(io, io.stdout) : undefined),
    now() {
      showsAges = true;
      return service.now();
    },
    plain: flags.plain,
    paint,
    notes,
    excel: flags.excel,
    io,
    hasChanged: () => changes.done > 0,
  });

  let chosen: Promise<ChosenProfile> | undefined;
  const profile = (name?: string) => {
    chosen ??= chooseProfile({ io, folders, keychain }, name ?? flags.profile).then((selected) => {
      if (flags.requireProfile || isOn(io.env.VOXCTL_REQUIRE_PROFILE)) assertNamed(selected);
      return applyRehearsal(selected, io, folders);
    });
    return chosen;
  };
  let opened: Promise<Connection> | undefined;
  let isEmulator = false;
  const absences = createAbsenceReporter(notes);

  const open = async (to: ChosenProfile, options: ConnectOptions): Promise<Connection> => {
    const connect = overrides.connect ?? (await import("./connection.js")).connect;
    const offline = to.type === "offline" && !flags.realTime;
    const onEvent = (event: ClientEvent) => {
      const waits = offline ? "none" : options.quiet === true ? "long" : "all";
      const text = describeEvent(event, { debug: flags.debug, waits });
      if (text?.debug) notes.debug(text.line);
      else if (text) notes.note(text.line);
      if (event.type === "response") {
        service.heard(event.header("date"));
        isEmulator ||= event.header("x-emulator-world") !== undefined;
        absences.report(event.header("x-emulator-absent"));
      }
      changes.onEvent(event);
    };
    return connect(to, {
      io,
      flags,
      clock,
      random,
      onEvent,
      signal: signal(),
      keys: () => readKnownKeys(io, folders).values,
      transport: overrides.transport,
    });
  };
  const openChosen = async (options: ConnectOptions): Promise<Connection> => {
    const to = await profile();
    announce(to, notes, io, folders);
    const connection = await open(to, options);
    service.reached(connection.clock);
    if (options.restoresWebhooks !== true) await reportAttachments(folders, connection, notes);
    return connection;
  };

  return {
    io,
    flags,
    output,
    notes,
    prompts,
    folders,
    keychain,
    secrets,
    clock,
    serviceNow: service.now,
    isEmulator: () => isEmulator,
    random,
    onJournalStep: overrides.onJournalStep,
    get signal() {
      return signal();
    },
    awaitProgram,
    names: new Map(),
    commandPath,
    commands,
    parseLine,
    ownProgram: overrides.ownProgram ?? ownProgram(),
    profile,
    async connect(options = {}) {
      const to = await profile();
      if (options.mutates) assertChosen(to, prompts);
      opened ??= openChosen(options);
      return opened;
    },
    reach: async (to) => open(await applyRehearsal(to, io, folders), {}),
    async assertConfirmable(options) {
      const to = await profile();
      assertChosen(to, prompts);
      assertConfirmable({ profile: to, flags, prompts, ...options });
    },
    isConfirmed: async () => isConfirmedByFlag(await profile(), flags),
    async confirm(question, options) {
      await confirmDestructive(question, { profile: await profile(), flags, prompts, ...options });
    },
    async close() {
      if (showsAges && isEmulator && Math.abs(service.now() - clock.now()) >= leastNotedMilliseconds)
        notes.note(
          `Relative times use the emulator's clock, which shows ${new Date(service.now()).toISOString().slice(0, 16)}Z.`,
        );
      const connection = await opened?.catch(() => undefined);
      await connection?.close();
    },
  };
}

/** Warns about webhooks that still point to this machine, because a killed command didn't restore them. */
async function reportAttachments(folders: Folders, connection: Connection, notes: Notes): Promise<void> {
  if (!existsSync(join(folders.data, "webhooks"))) return;
  const { formatRestoreCommand, isAttended, readAttachments } = await import(
    "../../features/webhook/attachments.js"
  );
  const left = await readAttachments(folders, connection.baseUrl("public"));
  for (const attachment of left.filter((candidate) => !isAttended(candidate)))
    notes.warn(
      `the webhook of "${attachment.assistant}" still points to ${attachment.url}; restore it: ${formatRestoreCommand(attachment)}`,
    );
}

/** Refuses a process that lost the rehearsal's environment, because its requests would reach the service. */
async function applyRehearsal(chosen: ChosenProfile, { env }: Io, folders: Folders): Promise<ChosenProfile> {
  if (env.VOXCTL_REHEARSAL === undefined) {
    if (!existsSync(join(folders.data, "rehearsals"))) return chosen;
    const { assertNotBelowRehearsal } = await import("./running-rehearsals.js");
    assertNotBelowRehearsal(folders, chosen);
    return chosen;
  }
  const [{ readRehearsal: rehearsalOf }, { resolveRehearsedProfile: rehearsedProfile }] = await Promise.all([
    import("../profiles/rehearsal-file.js"),
    import("../profiles/rehearsal.js"),
  ]);
  const rehearsal = rehearsalOf(env);
  return rehearsal ? rehearsedProfile(chosen, rehearsal) : chosen;
}

function createAbsenceReporter(notes: Notes): { report(area: string | undefined): void } {
  const reported = new Set<string>();
  return {
    report(area) {
      if (area === undefined || reported.has(area)) return;
      reported.add(area);
      notes.warn(
        area === "recordings"
          ? "recordings were not mirrored: this recording contains synthetic audio"
          : `the mirror doesn't contain all ${area}: the results may be incomplete`,
      );
    },
  };
}

function isOn(variable: string | undefined): boolean {
  return variable !== undefined && !["", "0", "false", "no", "off"].includes(variable.toLowerCase());
}

function announce(profile: ChosenProfile, notes: Notes, { env }: Io, folders: Folders): void {
  const { unreadablePin: pin } = profile;
  if (pin !== undefined)
    notes.warn(`cannot read ${pin.file}: ${pin.problem}; using profile "${profile.name}" for reads only`);
  // Print a warning, because voxctl hides Node.js's own warning about this variable.
  if (profile.type === "remote" && env.NODE_TLS_REJECT_UNAUTHORIZED === "0")
    notes.warn("NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anyone may receive the key");
  if (
    profile.type === "offline" &&
    env.VOXCTL_REHEARSAL !== undefined &&
    profile.db === getOfflineFile(folders, profile.name)
  )
    notes.warn(
      `profile "${profile.name}" is not rehearsed: this command uses a temporary emulator, which is deleted after the rehearsal`,
    );
  if (isRehearsed(profile))
    notes.banner(`REHEARSAL · profile ${profile.name}: no requests reach the service`);
  else if (profile.production) notes.banner(`PRODUCTION · profile ${profile.name}`);
  if (profile.chosenBy === "nobody") {
    notes.note(
      "Working offline (local emulator), because no profile is selected. Without a terminal, commands that make changes require `--profile offline`. To use your service, run `voxctl profiles add NAME --url URL`.",
    );
  }
}
