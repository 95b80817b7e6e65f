import { quoteWord } from "../../../base/shell-words.js";
import { formatCount } from "../../../base/text.js";
import { parseTime } from "../../../base/time-text.js";
import { refusedError, usageError } from "../../../cli/errors/errors.js";
import type { ChosenProfile, RemoteProfile } from "../../../cli/profiles/profile.js";
import type { FinishedMirror } from "../../../cli/session/mirrors.js";
import {
  describeMirror,
  findMirrorProfile,
  findOnlyMirror,
  openMirror,
} from "../../../cli/session/mirrors.js";
import type { Session } from "../../../cli/session/session.js";
import { durationText } from "../../../cli/terminal/progress.js";
import type { RehearseOptions } from "./flags.js";

export interface Source {
  profile: Pick<RemoteProfile, "name" | "defaults" | "production" | "targets" | "unreadable">;
  mirror: FinishedMirror;
  ageSeconds: number;
}

/**
 * Returns the mirror to use, and the profile of the mirror's organization.
 * @throws usage error (2) if the mirror doesn't exist; refused error (12) if the mirror is too old or for
 * another service; CliError with exit code 8 if the mirror is unfinished
 */
export async function findSource(session: Session, options: RehearseOptions): Promise<Source> {
  const named = options.mirror === undefined ? undefined : await openExistingMirror(session, options.mirror);
  const profile = await session.profile(session.flags.profile ?? findMirrorProfile(named?.manifest));
  const only =
    named ?? (await findOnlyMirror(session, profile.name, (name) => `select one: --mirror ${name}`));
  const mirror = only ?? (await openExistingMirror(session, profile.name));
  const { manifest, name } = mirror;
  const { surface: api } = manifest;
  const address = findAddress(profile, mirror);
  if (address !== manifest.base_url)
    throw refusedError(
      "unsuitable_mirror",
      `mirror "${name}" is a copy of ${manifest.base_url}, but profile "${profile.name}" ${address === undefined ? `has no URL for the ${api} API` : `uses ${address}`}`,
      "select another mirror with --mirror",
    );
  const ageMilliseconds = Math.max(0, session.clock.now() - parseTime(manifest.collected[1]));
  if (ageMilliseconds > options.maxAgeMilliseconds)
    throw refusedError(
      "mirror_too_old",
      `mirror "${name}" is too old (${durationText(ageMilliseconds)})`,
      `allow an older mirror with --max-age, or update the mirror: \`voxctl mirror refresh ${name}\``,
    );
  if (manifest.pseudonymized && options.plan !== undefined)
    throw refusedError(
      "unsuitable_mirror",
      `can't save a plan file with mirror "${name}": its data is pseudonymized`,
      "omit --plan, or use a mirror without pseudonyms",
    );
  return {
    profile: profile.type === "offline" ? { ...profile, targets: {} } : profile,
    mirror,
    ageSeconds: Math.round(ageMilliseconds / 1000),
  };
}

/** All offline profiles have the same address, so their names are compared instead. */
function findAddress(profile: ChosenProfile, { manifest }: FinishedMirror): string | undefined {
  if (profile.type === "offline")
    return manifest.profile === profile.name ? manifest.base_url : `profile ${manifest.profile}`;
  return (profile.targets[manifest.surface] ?? profile.unreadable?.[manifest.surface])?.baseUrl;
}

async function openExistingMirror(session: Session, name: string): Promise<FinishedMirror> {
  if ((await describeMirror(session, name)) === undefined) {
    const { profile } = session.flags;
    const words = `voxctl mirror create ${name}${profile === undefined ? "" : ` --profile ${quoteWord(profile)}`}`;
    throw usageError(`mirror "${name}" not found`, {
      hint: `select another mirror with --mirror, or create this one: \`${words}\``,
    });
  }
  return openMirror(session, name);
}

export function formatCopyHint(
  { name, manifest }: FinishedMirror,
  resources: readonly string[],
): string | undefined {
  const { absent, call_details } = manifest;
  const profile = findMirrorProfile(manifest);
  const reasons = Object.entries(absent).flatMap(([resource, reason]) =>
    resources.includes(resource) ? [reason] : [],
  );
  if (reasons.includes("forbidden"))
    return `use a mirror created with a key that can read ${resources.join(", ")}`;
  if (reasons.some((reason) => ["subscription", "not-found", "not-shown"].includes(reason))) return undefined;
  const includesCalls = resources.includes("calls") || absent.calls !== "not-asked-for";
  const words = [
    `voxctl mirror delete ${quoteWord(name)} --yes && voxctl mirror create ${quoteWord(name)}`,
    ...(profile === undefined ? [] : [`--profile ${quoteWord(profile)}`]),
    ...(includesCalls ? ["--calls all"] : []),
    ...(call_details ? ["--call-details"] : []),
  ];
  return `to copy all data, create the mirror again: \`${words.join(" ")}\``;
}

export function formatHeadline({ profile, mirror: { manifest }, ageSeconds }: Source): string {
  const collected = manifest.collected[1].slice(11, 16);
  return `Rehearsing with a copy of profile "${profile.name}" (${collected} UTC, ${durationText(ageSeconds * 1000)} old, ${manifest.consistency})`;
}

export function formatFuzzyWarning({ mirror: { manifest } }: Source): string | undefined {
  if (manifest.consistency === "consistent") return undefined;
  return manifest.consistency === "fuzzy"
    ? `the copy may be inconsistent: ${formatCount(manifest.changed_in_last_pass, "record")} changed during the last pass`
    : "the copy may be inconsistent: some records have no modification time";
}
