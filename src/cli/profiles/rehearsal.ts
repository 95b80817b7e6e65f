import { type ApiName, apis } from "../../contract/apis.js";
import { refusedError } from "../errors/errors.js";
import { toLegacyAddress } from "./address.js";
import type { ChosenProfile, RemoteProfile } from "./profile.js";
import { hashKey, type Rehearsal } from "./rehearsal-file.js";

/**
 * Returns the rehearsed profile with the fork's URLs, or another offline profile that the user named.
 * @throws refused error (12) for another service or key
 */
export function resolveRehearsedProfile(chosen: ChosenProfile, rehearsal: Rehearsal): ChosenProfile {
  const isNamed = ["flag", "VOXCTL_PROFILE", "environment"].includes(chosen.chosenBy);
  if (chosen.type === "offline") {
    if (!isNamed || chosen.name === rehearsal.source.profile) return buildSourceProfile(chosen, rehearsal);
    // Refuse other offline profiles: they have the same URL as the source, and may have the same database.
    if (new URL(rehearsal.source.base_url).hostname.endsWith(".localhost")) refuseProfile(chosen, rehearsal);
    return chosen;
  }
  if (isNamed) assertInRehearsal(chosen, rehearsal);
  return buildSourceProfile(chosen, rehearsal);
}

function buildSourceProfile(chosen: ChosenProfile, rehearsal: Rehearsal): RemoteProfile {
  const { chosenBy } = chosen;
  const { source, fork } = rehearsal;
  const noCopy = (api: ApiName) => ({
    baseUrl: fork.url,
    error: refusedError(
      "not_rehearsed",
      `mirror "${rehearsal.mirror}" doesn't contain the ${api} API`,
      "commands that use this API can't be rehearsed",
    ),
  });
  const copied = buildCopiedTargets(rehearsal);
  const absent = apiNames.filter((api) => copied[api] === undefined);
  return {
    type: "remote",
    name: source.profile,
    chosenBy: chosenBy === "nobody" ? "environment" : chosenBy,
    production: source.production,
    ...(chosen.name === source.profile ? { defaults: chosen.defaults } : {}),
    // Requests go to the fork, but the source's URL identifies runs, key maps and plans
    // (session/rehearsed.ts).
    targets: copied,
    unreadable: Object.fromEntries(absent.map((api) => [api, noCopy(api)])),
    paths: {},
    rehearsal,
  };
}

const apiNames: readonly ApiName[] = ["public", "legacy", "distributor-v1", "distributor-v2"];

function buildCopiedTargets({ surface: api, source, fork }: Rehearsal): RemoteProfile["targets"] {
  const own = { baseUrl: source.base_url, key: fork.key };
  if (api === "distributor-v2") return { "distributor-v2": own };
  return { public: own, legacy: { baseUrl: toLegacyAddress(source.base_url), key: fork.key } };
}

function assertInRehearsal(chosen: RemoteProfile, { surface: api, source, fork }: Rehearsal): void {
  const target = chosen.targets[api];
  const baseUrl = target?.baseUrl ?? chosen.unreadable?.[api]?.baseUrl;
  if (baseUrl === fork.url + apis[api].basePath) return;
  const isSource = baseUrl === source.base_url;
  const isSameKey =
    chosen.name === source.profile || target === undefined || hashKey(target.key) === source.key_sha256;
  if (isSource && isSameKey) return;
  refuseProfile(
    chosen,
    { source },
    isSource ? "its key differs and may belong to another organization or distributor" : undefined,
  );
}

/** @throws refused error (12) */
function refuseProfile(
  { name }: Pick<ChosenProfile, "name">,
  { source }: Pick<Rehearsal, "source">,
  hint?: string,
): never {
  throw refusedError(
    "not_rehearsed",
    `profile "${name}" is not part of this rehearsal of "${source.profile}"`,
    hint,
  );
}
