import { makePrivateFolder } from "../../../base/private-file.js";
import type { MirrorRequest } from "../../../contract/mirror.js";
import { CliError, exits, notFoundError, usageError } from "../../errors/errors.js";
import { meantText, nearestTo } from "../../errors/nearest.js";
import { refuseInRehearsal } from "../../profiles/rehearsal-file.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import { describeMirror, mirrorPlace } from "../../session/mirrors.js";
import type { Connection, Session } from "../../session/session.js";
import { findGroup } from "../bulk/group.js";
import { withRefusals } from "../bulk/refusals.js";
import { estimate } from "./estimate.js";
import { fillMirror, showMirror } from "./fill.js";
import { type CreateFlags, createFlags, readCollectFlags, readCreateFlags, usualExpiry } from "./flags.js";

export const create: Command = {
  name: "create",
  summary: "Copy an organization into a local world",
  description: `Sends reads only, in the pace of --read-share. Everything is collected at least twice: a copy whose last two collects are equal is the organization as it was in between; else it is called fuzzy. A command that was interrupted is gone on with by the same command.

What a service does not show is not in the copy: secrets, roles, blocked numbers, recordings; the report names it. Personal data is copied as it is, since an import is matched by it: the file is its owner's alone, and deleted by the next voxctl mirror command after it expired. --pseudonymize replaces it.

--api distributor-v2 copies a distributor's interface instead: its organizations, and the licenses of each MSP by its billing summary, at 60 requests a minute; not usage and billing, and nothing that lies in the organizations.`,
  arguments: [{ name: "name", description: "default: the profile's name", optional: true }],
  flags: createFlags,
  examples: [
    { command: "voxctl mirror create --profile acme" },
    {
      command: "voxctl mirror create acme --group Kunden --calls 30d",
      note: "one group's contacts, a month's calls",
    },
    { command: "voxctl mirror create acme --dry-run", note: "how long it would take" },
    {
      command: "voxctl mirror create elbe --api distributor-v2",
      note: "a distributor's organizations and licenses",
    },
  ],
  run: (session, input) => withRefusals(() => run(session, input)),
};

async function run(session: Session, input: Input): Promise<void> {
  refuseInRehearsal(session.io.env, "mirror create");
  const flags = readCreateFlags(input);
  const collect = readCollectFlags(input, flags.surface);
  const profile = await session.profile();
  const [name = profile.name] = input.arguments;
  const place = mirrorPlace(session.folders, name);
  const known = await describeMirror(session, name);
  if (known?.manifest && !flags.dryRun)
    throw new CliError({
      exit: exits.conflict,
      code: "mirror_exists",
      message: `there is a mirror "${name}" already`,
      hint: `voxctl mirror refresh ${name} brings it up to date, voxctl mirror delete ${name} deletes it`,
    });
  const connection = await session.connect({ quiet: true });
  const request = await requestOf(session, connection, flags, { name, profile: profile.name });
  if (flags.dryRun) {
    await session.output.item(await estimate(session, connection, request, collect));
    return;
  }
  await makePrivateFolder(place.folder);
  const manifest = await fillMirror(session, connection, {
    name,
    path: place.path,
    request,
    madeAt: undefined,
    flags: collect,
    keep: collect.expire === undefined ? usualExpiry : collect.expire,
    prepare: async (world) => {
      if (await world.isBegun()) session.notes.note(`going on with the unfinished mirror ${name}`);
      else await world.begin(request);
    },
  });
  await showMirror(session, manifest, { path: place.path });
}

async function requestOf(
  session: Session,
  connection: Connection,
  flags: CreateFlags,
  from: { name: string; profile: string },
): Promise<MirrorRequest> {
  const { surface, include, groups, calls, callDetails, pseudonymize } = flags;
  const baseUrl = connection.baseUrl(surface);
  if (baseUrl === undefined)
    throw usageError(`the profile ${from.profile} has no address of the interface ${surface}`);
  return {
    ...from,
    surface,
    base_url: baseUrl,
    include,
    contact_groups: groups.length === 0 ? null : await groupIds(session, connection, groups),
    calls_from: typeof calls === "number" ? new Date(session.serviceNow() - calls).toISOString() : null,
    call_details: callDetails,
    pseudonymize,
  };
}

/** @throws not found (4) */
async function groupIds(
  { signal }: Session,
  { client }: Connection,
  names: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const nearest = nearestTo(name);
    const group = await findGroup(client, name, "contacts", signal, nearest);
    if (!group)
      throw notFoundError(
        `--group: no group of type contacts is named "${name}"`,
        `${meantText(nearest)}voxctl groups list --type contacts lists them`,
      );
    ids.push(group.id);
  }
  return ids;
}
