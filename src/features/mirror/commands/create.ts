import { makePrivateFolder } from "../../../base/private-file.js";
import { createSuggester, formatSuggestion } from "../../../base/suggestions.js";
import { findGroup } from "../../../cli/bulk/group.js";
import { withRefusals } from "../../../cli/bulk/refusals.js";
import { CliError, exits, notFoundError, usageError } from "../../../cli/errors/errors.js";
import { refuseInRehearsal } from "../../../cli/profiles/rehearsal-file.js";
import type { Command } from "../../../cli/session/command.js";
import type { Input } from "../../../cli/session/input.js";
import {
  assertThisVersion,
  describeMirror,
  findMirrorProfile,
  locateMirror,
} from "../../../cli/session/mirrors.js";
import type { Connection, Session } from "../../../cli/session/session.js";
import type { MirrorApi, MirrorRequest } from "../../../contract/mirror.js";
import { estimateMirror, showEstimate } from "./estimate.js";
import { fillMirror, showMirror } from "./fill.js";
import {
  type CreateFlags,
  createFlags,
  defaultExpiry,
  readCollectFlags,
  readCreateFlags,
  selectsContent,
} from "./flags.js";
import { assertSameOrganization } from "./same-organization.js";

export const create: Command = {
  name: "create",
  summary: "Copy an organization into a local database",
  description: `Sends only read requests, and uses at most half of the read limit. Reads all data at least twice. If the last two passes are equal, the copy is consistent; otherwise, it is marked as fuzzy. To resume an interrupted copy, run the same command again.

The copy contains no secrets, roles, blocked numbers or recordings. It contains real personal data, because imports need this data to match contacts. To replace personal data with pseudonyms, use --pseudonymize. Only you can read the mirror's file. The next \`voxctl mirror\` command deletes expired mirrors.

With --api distributor-v2, copies a distributor's organizations and each MSP's licenses, and uses the whole limit of 60 requests per minute. Doesn't copy usage, billing or the organizations' contents.`,
  arguments: [
    { name: "name", description: "Name of the mirror (default: the profile's name)", optional: true },
  ],
  flags: createFlags,
  examples: [
    { command: "voxctl mirror create --profile acme" },
    {
      command: "voxctl mirror create acme --group Kunden --calls 30d",
      note: "Copy contacts from one group and calls from the last 30 days",
    },
    { command: "voxctl mirror create acme --dry-run", note: "Estimate the duration" },
    {
      command: "voxctl mirror create elbe --api distributor-v2",
      note: "Copy a distributor's organizations and licenses",
    },
  ],
  run: (session, input) => withRefusals(() => runCreate(session, input)),
};

async function runCreate(session: Session, input: Input): Promise<void> {
  refuseInRehearsal(session.io.env, "mirror create");
  const flags = readCreateFlags(input);
  const [given] = input.arguments;
  const named = given === undefined ? undefined : await findUnfinished(session, input, given);
  const profile = await session.profile(session.flags.profile ?? findMirrorProfile(named));
  const name = given ?? profile.name;
  const unfinished = named ?? (await findUnfinished(session, input, name));
  const api = unfinished?.surface ?? flags.api;
  const collect = readCollectFlags(input, api);
  const paths = locateMirror(session.folders, name);
  const connection = await session.connect({ quiet: true });
  const from = {
    name,
    profile: profile.name,
    surface: api,
    base_url: findBaseUrl(connection, profile.name, api),
  };
  const request = unfinished
    ? { ...unfinished, ...from }
    : await createRequest(session, connection, flags, from);
  if (flags.dryRun) {
    await showEstimate(session, await estimateMirror(session, connection, request, collect));
    return;
  }
  await makePrivateFolder(paths.folder);
  const manifest = await fillMirror(session, connection, {
    name,
    path: paths.path,
    request,
    madeAt: undefined,
    flags: collect,
    earlierPasses: 0,
    keep: collect.expire === undefined ? defaultExpiry : collect.expire,
    prepare: async (mirrorEmulator) => {
      if (!(await mirrorEmulator.isBegun())) return mirrorEmulator.begin(request);
      session.notes.note(`Resuming the unfinished mirror "${name}"…`);
      const { request: begun, anchors } = await mirrorEmulator.state();
      // Several organizations have the same URL. If the URLs differ, `fillMirror` refuses the mirror.
      if (begun.base_url === from.base_url)
        await assertSameOrganization(session, connection, { name, surface: api, anchors });
    },
  });
  await showMirror(session, manifest, { path: paths.path });
}

/**
 * Returns the request of an unfinished mirror. Returns undefined if flags select the data: the new request is
 * then built from the flags.
 * @throws conflict (6) if the mirror is finished, except for a dry run
 */
async function findUnfinished(
  session: Session,
  input: Input,
  name: string,
): Promise<MirrorRequest | undefined> {
  const mirror = await describeMirror(session, name);
  if (mirror !== undefined) assertThisVersion(mirror);
  if (mirror?.manifest === undefined) return selectsContent(input) ? undefined : mirror?.request;
  if (input.on("dry-run") === true) return undefined;
  throw new CliError({
    exit: exits.conflict,
    code: "mirror_exists",
    message: `mirror "${name}" already exists`,
    hint: `to update the mirror, run \`voxctl mirror refresh ${name}\`; to copy other data, delete this mirror first`,
  });
}

function findBaseUrl(connection: Connection, profile: string, api: MirrorApi): string {
  const baseUrl = connection.baseUrl(api);
  if (baseUrl === undefined) throw usageError(`profile "${profile}" has no URL for the ${api} API`);
  return baseUrl;
}

async function createRequest(
  session: Session,
  connection: Connection,
  flags: CreateFlags,
  from: Pick<MirrorRequest, "name" | "profile" | "surface" | "base_url">,
): Promise<MirrorRequest> {
  const { include, groups, calls, callDetails, pseudonymize } = flags;
  return {
    ...from,
    include,
    contact_groups: groups.length === 0 ? null : await findGroupIds(session, connection, groups),
    calls_from: typeof calls === "number" ? new Date(session.serviceNow() - calls).toISOString() : null,
    call_details: callDetails,
    pseudonymize,
  };
}

/** @throws not found (4) */
async function findGroupIds(
  { signal }: Session,
  { client }: Connection,
  names: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const nearest = createSuggester(name);
    const group = await findGroup(client, name, "contacts", signal, nearest);
    if (!group)
      throw notFoundError(
        `contact group "${name}" not found`,
        `${formatSuggestion(nearest)}to list groups, run \`voxctl groups list --type contacts\``,
      );
    ids.push(group.id);
  }
  return ids;
}
