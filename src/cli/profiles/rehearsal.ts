import { type SurfaceName, surfaces } from "../../contract/surfaces.js";
import { refusedError } from "../errors/errors.js";
import { legacyAddress } from "./address.js";
import type { ChosenProfile, RemoteProfile } from "./profile.js";
import { digestOfKey, type Rehearsal } from "./rehearsal-file.js";

/**
 * The profile that a command in a rehearsal works with: the rehearsed one, at the fork, whatever was chosen but what
 * names another deployment, or an offline world by name.
 * @throws refused error (12)
 */
export function rehearsedProfile(found: ChosenProfile, rehearsal: Rehearsal): ChosenProfile {
  const isNamed = ["flag", "VOXCTL_PROFILE", "environment"].includes(found.chosenBy);
  if (found.kind === "offline") return isNamed ? found : sourceProfile(found, rehearsal);
  if (isNamed) assertPart(found, rehearsal);
  return sourceProfile(found, rehearsal);
}

function sourceProfile(found: ChosenProfile, rehearsal: Rehearsal): RemoteProfile {
  const { chosenBy } = found;
  const { source, fork } = rehearsal;
  const noCopy = (surface: SurfaceName) => ({
    baseUrl: fork.url,
    error: refusedError(
      "not_rehearsed",
      `the mirror "${rehearsal.mirror}" has no copy of the interface ${surface}: nothing was sent`,
      "what uses it can't be rehearsed",
    ),
  });
  const copied = copiedTargets(rehearsal);
  const absent = surfaceNames.filter((surface) => copied[surface] === undefined);
  return {
    kind: "remote",
    name: source.profile,
    chosenBy: chosenBy === "nobody" ? "environment" : chosenBy,
    production: source.production,
    ...(found.name === source.profile ? { defaults: found.defaults } : {}),
    // Runs, states and plans are known by the source's address; requests go to the fork (session/rehearsed.ts).
    targets: copied,
    unreadable: Object.fromEntries(absent.map((surface) => [surface, noCopy(surface)])),
    paths: {},
    rehearsal,
  };
}

const surfaceNames: readonly SurfaceName[] = ["public", "legacy", "distributor-v1", "distributor-v2"];

/** The interfaces that the fork serves. */
function copiedTargets({ surface, source, fork }: Rehearsal): RemoteProfile["targets"] {
  const own = { baseUrl: source.base_url, key: fork.key };
  if (surface === "distributor-v2") return { "distributor-v2": own };
  return { public: own, legacy: { baseUrl: legacyAddress(source.base_url), key: fork.key } };
}

function assertPart(found: RemoteProfile, { surface, source, fork }: Rehearsal): void {
  const target = found.targets[surface];
  const baseUrl = target?.baseUrl ?? found.unreadable?.[surface]?.baseUrl;
  if (baseUrl === fork.url + surfaces[surface].basePath) return;
  const isSource = baseUrl === source.base_url;
  const isSameKey =
    found.name === source.profile || target === undefined || digestOfKey(target.key) === source.key_sha256;
  if (isSource && isSameKey) return;
  throw refusedError(
    "not_rehearsed",
    `the profile ${found.name} is not part of this rehearsal of ${source.profile}: nothing was sent`,
    isSource ? "it has another key, which may open another organization or distributor" : undefined,
  );
}
