import { isDeepStrictEqual } from "node:util";
import { isLoopback } from "../../../base/loopback.js";
import { capitalize } from "../../../base/text.js";
import type { ApiName } from "../../../contract/apis.js";
import { refusedError, usageError } from "../../errors/errors.js";
import { apiNames, assertUnchanged, type StoredProfile, type StoredRemote } from "../../profiles/store.js";
import { isConfirmed } from "../../session/confirm.js";
import type { Session } from "../../session/session.js";

type Addresses = Readonly<Partial<Record<ApiName, string>>>;

/** `moved`: a stored API gets a different URL; `elsewhere`: a new API is on a host that is new to the profile. */
interface Difference {
  api: ApiName;
  /** Stored URL of the same API. For a new API, the URL of the profile's first API. */
  before: string;
  after: string;
  type: "moved" | "elsewhere";
}

function findDifferences(stored: StoredRemote, added: Addresses): Difference[] {
  const hosts = new Set(apiNames.flatMap((api) => getHost(stored.surfaces[api]?.url)));
  const [first] = apiNames.flatMap((api) => stored.surfaces[api]?.url ?? []);
  return apiNames.flatMap((api): Difference[] => {
    const after = added[api];
    if (after === undefined) return [];
    const before = stored.surfaces[api]?.url;
    if (before !== undefined) return before === after ? [] : [{ api, before, after, type: "moved" }];
    const isElsewhere = first !== undefined && !getHost(after).some((host) => hosts.has(host));
    return isElsewhere ? [{ api, before: first, after, type: "elsewhere" }] : [];
  });
}

function getHost(url: string | undefined): string[] {
  return url === undefined || !URL.canParse(url) ? [] : [new URL(url).host];
}

function describeDifference(
  name: string,
  stored: StoredRemote,
  { api, before, after, type }: Difference,
  change: "would change" | "changes",
): string {
  if (type === "elsewhere")
    return `the ${api} API at ${after} is on a different host than profile "${name}" (${before})`;
  const unmoved = apiNames.filter((otherApi) => {
    const url = stored.surfaces[otherApi]?.url;
    return otherApi !== api && url !== undefined && getHost(url)[0] !== getHost(after)[0];
  });
  const suffix = unmoved.length === 0 ? "" : ` (unchanged: ${unmoved.join(", ")})`;
  return `this ${change} the URL of the ${api} API in profile "${name}" from ${before} to ${after}${suffix}`;
}

/**
 * Asks the user to confirm a new URL, because all later commands will use it. For a change between local
 * ports, only prints a note.
 * @throws refused error (12) with both URLs and the flag that confirms, usage error (2)
 */
export async function assertConfirmedMove(
  name: string,
  stored: StoredProfile | undefined,
  added: Addresses,
  session: Session,
): Promise<void> {
  if (stored?.kind !== "remote") return;
  const moves = findDifferences(stored, added);
  const isLocal = ({ before, after }: Difference) =>
    [before, after].every((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));
  const unconfirmed = moves.filter((move) => stored.production || !isLocal(move));
  if (unconfirmed.length > 0)
    await assertConfirmed(
      { name, production: stored.production },
      unconfirmed.map((move) => describeDifference(name, stored, move, "would change")).join("; "),
      session,
    );
  else for (const move of moves) session.notes.note(describeDifference(name, stored, move, "changes"));
}

/** @throws conflict (6) if the profile has changed since the user confirmed */
export function assertStillConfirmed(
  name: string,
  before: StoredProfile | undefined,
  now: StoredProfile | undefined,
  added: Addresses,
): void {
  const leadsAway = (stored: StoredProfile | undefined) =>
    stored?.kind === "remote" ? findDifferences(stored, added) : [];
  if (!isDeepStrictEqual(leadsAway(before), leadsAway(now))) assertUnchanged(name, before, now);
}

/**
 * Asks for confirmation unless the user has already confirmed with a flag.
 * @throws refused error (12), usage error (2)
 */
export async function assertConfirmed(
  { name, production }: { name: string; production: boolean },
  what: string,
  { flags, prompts }: Session,
): Promise<void> {
  if (production && flags.confirm !== undefined && flags.confirm !== name)
    throw usageError(`invalid --confirm "${flags.confirm}": expected the name of the profile, "${name}"`);
  if (production ? flags.confirm === name : flags.yes) return;
  if (!prompts.available || flags.yes)
    throw refusedError(
      "confirmation_required",
      `${what}; nothing was stored`,
      `use ${production ? `--confirm=${name}` : "--yes"} to confirm, or create another profile: \`voxctl profiles add NAME\``,
    );
  const question = production ? `${capitalize(what)}.` : `${capitalize(what)}. Change the profile?`;
  if (!(await isConfirmed(question, { name, production }, prompts)))
    throw refusedError("not_confirmed", "not confirmed; nothing was stored");
}
