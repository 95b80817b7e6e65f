import { chmodSync } from "node:fs";
import { makePrivateFolder } from "../../../base/private-file.js";
import { createClient } from "../../../client/client.js";
import { type MirrorRequest, type MirrorResource, mirrorResources } from "../../../contract/mirror.js";
import type { Emulator } from "../../../emulator/types.js";
import { CliError, exits, usageError } from "../../errors/errors.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { describeMirror, mirrorPlace } from "../../session/mirrors.js";
import type { Session } from "../../session/session.js";
import { withRefusals } from "../bulk/session.js";
import { reportText } from "./report.js";

export const create: Command = {
  name: "create",
  summary: "Copy an organization into a local world",
  description:
    "Reads only. What was interrupted is gone on with by the same command. Personal data is copied as it is: the file is its owner's alone, and deleted when it expires.",
  arguments: [{ name: "name", description: "default: the profile's name", optional: true }],
  flags: [
    { name: "include", value: "list", description: "copy only these resources, separated by commas" },
    { name: "exclude", value: "list", description: "copy all but these" },
  ],
  examples: [{ command: "voxctl mirror create acme" }],
  run: (session, input) => withRefusals(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  const profile = await session.profile();
  const [name = profile.name] = input.arguments;
  const place = mirrorPlace(session.folders, name);
  const known = await describeMirror(session, name);
  if (known?.manifest)
    throw new CliError({
      exit: exits.conflict,
      code: "mirror_exists",
      message: `there is a mirror "${name}" already`,
      hint: `voxctl mirror refresh ${name} brings it up to date, voxctl mirror delete ${name} deletes it`,
    });
  const { collectMirror, createReadingStats, mirrorWorld } = await import("../../../bulk/mirror/index.js");
  const stats = createReadingStats();
  const connection = await session.connect({ quiet: true });
  const { clientOptions } = connection;
  const request: MirrorRequest = {
    name,
    profile: profile.name,
    base_url: connection.baseUrl("public") ?? "",
    include: includedOf(input),
    contact_groups: null,
    calls_from: null,
    call_details: false,
    pseudonymize: false,
  };
  await makePrivateFolder(place.folder);
  const emulator = await openWorld(place.path, name);
  try {
    const world = mirrorWorld(emulator.control);
    if (known === undefined) await world.begin(request);
    const client = createClient({
      ...clientOptions,
      maxWaitMilliseconds: clientOptions.maxWaitMilliseconds ?? Number.POSITIVE_INFINITY,
      onEvent: (event) => {
        clientOptions.onEvent?.(event);
        stats.onEvent(event);
      },
    });
    const manifest = await collectMirror(
      {
        client,
        stats,
        world,
        clock: session.clock,
        elapsed: () => connection.clock.now(),
        signal: session.signal,
        listener: { read: () => {}, collected: () => {} },
      },
      request,
      {
        passes: 3,
        expiresAt: new Date(session.clock.now() + 7 * 86_400_000).toISOString(),
        madeAt: undefined,
      },
    );
    await session.output.item(manifest, { columns: [], detail: () => ({ mirror: reportText(manifest) }) });
  } finally {
    await emulator.close();
  }
}

async function openWorld(path: string, name: string): Promise<Emulator> {
  const { LockedError, openEmulator } = await import("../../../emulator/index.js");
  try {
    const emulator = await openEmulator({ db: path, seed: "empty", exclusive: true });
    chmodSync(path, 0o600);
    return emulator;
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new CliError({
      exit: exits.pending,
      code: "mirror_busy",
      message: `another process is filling the mirror "${name}"`,
      cause: error,
    });
  }
}

/** Everything but calls, where nothing else is asked for. */
function includedOf(input: Input): MirrorResource[] {
  const include = input.text("include");
  const exclude = input.text("exclude");
  if (include !== undefined && exclude !== undefined)
    throw usageError("--include and --exclude exclude each other");
  const chosen =
    include === undefined
      ? mirrorResources.filter((resource) => resource !== "calls")
      : parseResources(include, "--include");
  const left = exclude === undefined ? [] : parseResources(exclude, "--exclude");
  return mirrorResources.filter((resource) => chosen.includes(resource) && !left.includes(resource));
}

function parseResources(text: string, flag: string): MirrorResource[] {
  return text.split(",").map((name) => {
    const found = mirrorResources.find((resource) => resource === name.trim());
    if (found) return found;
    throw usageError(`${flag}: "${name.trim()}" is nothing that can be copied`, {
      hint: `it takes ${mirrorResources.join(", ")}`,
    });
  });
}
