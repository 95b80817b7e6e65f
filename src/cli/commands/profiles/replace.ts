import { isDeepStrictEqual } from "node:util";
import { isLoopback } from "../../../base/loopback.js";
import type { SurfaceName } from "../../../contract/surfaces.js";
import { refusedError, usageError } from "../../errors/errors.js";
import {
  assertUnchanged,
  type StoredProfile,
  type StoredRemote,
  surfaceNames,
} from "../../profiles/store.js";
import { isConfirmed } from "../../session/confirm.js";
import type { Session } from "../../session/session.js";

type Addresses = Readonly<Partial<Record<SurfaceName, string>>>;

/** An address of a profile and the one that would stand in its place, or beside it though on another host. */
interface Difference {
  surface: SurfaceName;
  /** Of the same interface, or of the profile's first one where this interface is new. */
  before: string;
  after: string;
  kind: "moved" | "elsewhere";
}

/** Where these addresses would lead a profile away from the deployment that it leads to. */
function differences(stored: StoredRemote, added: Addresses): Difference[] {
  const hosts = new Set(surfaceNames.flatMap((one) => hostOf(stored.surfaces[one]?.url)));
  const [first] = surfaceNames.flatMap((one) => stored.surfaces[one]?.url ?? []);
  return surfaceNames.flatMap((surface): Difference[] => {
    const after = added[surface];
    if (after === undefined) return [];
    const before = stored.surfaces[surface]?.url;
    if (before !== undefined) return before === after ? [] : [{ surface, before, after, kind: "moved" }];
    const isElsewhere = first !== undefined && !hostOf(after).some((host) => hosts.has(host));
    return isElsewhere ? [{ surface, before: first, after, kind: "elsewhere" }] : [];
  });
}

function hostOf(url: string | undefined): string[] {
  return url === undefined || !URL.canParse(url) ? [] : [new URL(url).host];
}

function describe(name: string, stored: StoredRemote, { surface, before, after, kind }: Difference): string {
  if (kind === "elsewhere")
    return `the profile ${name} leads to ${before}; ${surface} would lead to another host, ${after}`;
  const left = surfaceNames.filter((one) => {
    const url = stored.surfaces[one]?.url;
    return one !== surface && url !== undefined && hostOf(url)[0] !== hostOf(after)[0];
  });
  const rest = left.length === 0 ? "" : ` (${left.join(", ")} not)`;
  return `${surface} of the profile ${name} leads to ${before}; it would lead to ${after}${rest}`;
}

/**
 * Lets a profile lead to another deployment only where that is meant: commands that name it would go there, too. From
 * one port of this machine to another it may, and is told.
 * @throws refused error (12) that names both addresses and the flag that says yes, usage error (2)
 */
export async function assertMeant(
  name: string,
  stored: StoredProfile | undefined,
  added: Addresses,
  session: Session,
): Promise<void> {
  if (stored?.kind !== "remote") return;
  const found = differences(stored, added);
  const isLocal = ({ before, after }: Difference) =>
    [before, after].every((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));
  const unlike = found.filter((one) => stored.production || !isLocal(one));
  if (unlike.length > 0)
    await assertYes(
      { name, production: stored.production },
      unlike.map((one) => describe(name, stored, one)).join("; "),
      session,
    );
  else for (const one of found) session.notes.note(describe(name, stored, one));
}

/** Was nothing stored since the question that the answer does not cover? @throws conflict (6) */
export function assertStillMeant(
  name: string,
  before: StoredProfile | undefined,
  now: StoredProfile | undefined,
  added: Addresses,
): void {
  const leadsAway = (stored: StoredProfile | undefined) =>
    stored?.kind === "remote" ? differences(stored, added) : [];
  if (!isDeepStrictEqual(leadsAway(before), leadsAway(now))) assertUnchanged(name, before, now);
}

/**
 * A yes to what a profile would become, by a person or a flag.
 * @throws refused error (12), usage error (2)
 */
export async function assertYes(
  { name, production }: { name: string; production: boolean },
  what: string,
  { flags, prompts }: Session,
): Promise<void> {
  if (production && flags.confirm !== undefined && flags.confirm !== name)
    throw usageError(
      `--confirm: "${flags.confirm}" is not the profile to change, "${name}"; nothing was stored`,
    );
  if (production ? flags.confirm === name : flags.yes) return;
  if (!prompts.available || flags.yes)
    throw refusedError(
      "confirmation_required",
      `${what}; nothing was stored`,
      `${production ? `${name} is marked production: --confirm=${name}` : "--yes"} says that you mean it; another name keeps both: voxctl profiles add NAME`,
    );
  const question = production ? `${what}.` : `${what}. Go on?`;
  if (!(await isConfirmed(question, { name, production }, prompts)))
    throw refusedError("not_confirmed", "not confirmed; nothing was stored");
}
