import { formatCount } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import { refusedError, usageError } from "../../errors/errors.js";
import type { ChosenProfile, RemoteProfile } from "../../profiles/profile.js";
import type { FinishedMirror } from "../../session/mirrors.js";
import { describeMirror, listMirrors, openMirror } from "../../session/mirrors.js";
import type { Session } from "../../session/session.js";
import { durationText } from "../../terminal/progress.js";
import type { RehearseOptions } from "./flags.js";

/** The organization that is rehearsed on, and its copy. */
export interface Source {
  profile: Pick<RemoteProfile, "name" | "production" | "targets" | "unreadable">;
  mirror: FinishedMirror;
  ageMilliseconds: number;
}

/**
 * Returns the mirror to rehearse on, and the profile of its source.
 * @throws usage error (2) without a mirror; refused error (12) for an outdated or wrong mirror; still pending (8)
 *   for an unfinished one
 */
export async function findSource(session: Session, options: RehearseOptions): Promise<Source> {
  const named = options.mirror === undefined ? undefined : await openExistingMirror(session, options.mirror);
  const isFromEnvironment = named?.manifest.profile === "environment";
  const profile = await session.profile(
    session.flags.profile ?? (isFromEnvironment ? undefined : named?.manifest.profile),
  );
  const mirror = named ?? (await findOnlyMirror(session, profile.name));
  const { manifest, name } = mirror;
  const { surface: api } = manifest;
  const address = findAddress(profile, mirror);
  if (address !== manifest.base_url)
    throw refusedError(
      "unsuitable_mirror",
      `the mirror "${name}" is of ${manifest.base_url}, and the profile ${profile.name} leads to ${address ?? `no interface ${api}`}: nothing was run`,
      "to use another mirror, use --mirror",
    );
  const ageMilliseconds = Math.max(0, session.clock.now() - parseTime(manifest.collected[1]));
  if (ageMilliseconds > options.maxAgeMilliseconds)
    throw refusedError(
      "mirror_too_old",
      `the mirror "${name}" is ${durationText(ageMilliseconds)} old: nothing was run`,
      `to update it, run \`voxctl mirror refresh ${name}\`; to allow an older mirror, use --max-age`,
    );
  if (manifest.pseudonymized && options.plan !== undefined)
    throw refusedError(
      "unsuitable_mirror",
      `the mirror "${name}" holds pseudonyms: what a plan expects of the organization could never hold`,
      "rehearse without --plan, or on a mirror without --pseudonymize",
    );
  return {
    profile: profile.type === "offline" ? { ...profile, targets: {} } : profile,
    mirror,
    ageMilliseconds,
  };
}

/** All offline profiles have the same address: a mirror is of the one whose name it has. */
function findAddress(profile: ChosenProfile, { manifest }: FinishedMirror): string | undefined {
  if (profile.type === "offline")
    return manifest.profile === profile.name ? manifest.base_url : `profile ${manifest.profile}`;
  return (profile.targets[manifest.surface] ?? profile.unreadable?.[manifest.surface])?.baseUrl;
}

/**
 * Returns the only finished mirror of a profile, regardless of its name.
 * @throws usage error (2) for several; as `required` for none
 */
async function findOnlyMirror(session: Session, profile: string): Promise<FinishedMirror> {
  const mirrors = (await listMirrors(session)).flatMap(({ manifest, ...mirror }) =>
    manifest?.profile === profile ? [{ ...mirror, manifest }] : [],
  );
  const [first, ...furtherMirrors] = mirrors;
  if (first === undefined) return openExistingMirror(session, profile);
  if (furtherMirrors.length === 0) return first;
  throw usageError(
    `profile "${profile}" has ${mirrors.length} mirrors: ${mirrors.map(({ name }) => name).join(", ")}`,
    { hint: `name one: --mirror ${first.name}` },
  );
}

async function openExistingMirror(session: Session, name: string): Promise<FinishedMirror> {
  if ((await describeMirror(session, name)) === undefined)
    throw usageError(`there is no mirror "${name}" to rehearse on`, {
      hint: `to create a mirror, run \`voxctl mirror create ${name}\`; to use an existing one, use --mirror`,
    });
  return openMirror(session, name);
}

/** The line above a rehearsal. */
export function formatHeadline({ profile, mirror: { manifest }, ageMilliseconds }: Source): string {
  const collected = manifest.collected[1].slice(11, 16);
  const consistent = manifest.consistency === "collected-twice" ? "consistent" : manifest.consistency;
  return `rehearsal of ${profile.name} (mirror of ${collected}, ${durationText(ageMilliseconds)} old, ${consistent}): no requests reach the service`;
}

/** Warns of a copy whose collects were not equal (M4). */
export function formatFuzzyWarning({ mirror: { manifest } }: Source): string | undefined {
  if (manifest.consistency === "collected-twice") return undefined;
  return manifest.consistency === "fuzzy"
    ? `the copy is fuzzy: ${formatCount(manifest.changed_in_last_pass, "record")} changed during the last pass`
    : "the copy is not proven: what was collected does not say when it changed";
}
