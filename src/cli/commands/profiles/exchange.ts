import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isPlainVariable } from "../../../client/key-test.js";
import { apiNames, type StoredProfile } from "../../profiles/store.js";

export function formatKeyVariable(profile: string, api: string): string {
  const words = api === "public" ? profile : `${profile}_${api}`;
  return `${words.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_KEY`.replace(/^(?=\d)/, "_");
}

const SharedApi = z.strictObject({
  url: z.string(),
  key_env: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/)
    .optional(),
  expires: z.iso.date().optional(),
});

const SharedDefaults = z.strictObject({
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "expected a country code such as DE")
    .transform((code) => code.toUpperCase())
    .optional(),
  group: z.string().optional(),
  output: z.enum(["table", "json", "yaml", "ndjson", "csv"]).optional(),
});

const SharedProfile = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("remote"),
    production: z.boolean().default(false),
    surfaces: z.partialRecord(z.enum(apiNames), SharedApi),
    paths: z.record(z.string(), z.string()).optional(),
    defaults: SharedDefaults.optional(),
  }),
  z.strictObject({
    kind: z.literal("offline"),
    production: z.boolean().default(false),
    defaults: SharedDefaults.optional(),
  }),
]);
export type SharedProfile = z.output<typeof SharedProfile>;

/** The file that `profiles export` writes and `profiles import` reads: profiles without keys. */
export const SharedProfiles = z.strictObject({
  voxctl_profiles: z.literal(1),
  profiles: z.record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/), SharedProfile),
});
export type SharedProfiles = z.output<typeof SharedProfiles>;

export function toSharedProfile(profile: StoredProfile): SharedProfile {
  const { production } = profile;
  const { country, group, output } = profile.defaults ?? {};
  const kept = Object.entries({ country, group, output }).filter(([, value]) => value !== undefined);
  const defaults = kept.length > 0 ? { defaults: Object.fromEntries(kept) } : {};
  if (profile.kind === "offline") return { kind: "offline", production, ...defaults };
  const sharedApis: Extract<SharedProfile, { kind: "remote" }>["surfaces"] = {};
  for (const api of apiNames) {
    const target = profile.surfaces[api];
    if (!target) continue;
    const { url, key, expires } = target;
    sharedApis[api] = {
      url,
      ...(key.from === "environment" && isPlainVariable(key.variable) ? { key_env: key.variable } : {}),
      ...(expires === undefined ? {} : { expires }),
    };
  }
  return {
    kind: "remote",
    production,
    surfaces: sharedApis,
    ...(Object.keys(profile.paths).length > 0 ? { paths: profile.paths } : {}),
    ...defaults,
  };
}

/**
 * Lists the differing parts of two profiles, such as `type`, `production` or `public`. Ignores keys, expiry
 * dates and defaults, because each user has their own.
 */
export function findDifferingParts(left: StoredProfile, right: StoredProfile): string[] {
  const [own, theirs] = [toParts(left), toParts(right)];
  const names = new Set([...Object.keys(own), ...Object.keys(theirs)]);
  return [...names].filter((name) => !isDeepStrictEqual(own[name], theirs[name]));
}

export function hasSameDefaults(left: StoredProfile, right: StoredProfile): boolean {
  return isDeepStrictEqual({ ...left.defaults }, { ...right.defaults });
}

function toParts(profile: StoredProfile): Record<string, unknown> {
  const shared = toSharedProfile(profile);
  if (shared.kind === "offline") return { type: shared.kind, production: shared.production };
  const { kind, production, surfaces: apis, paths } = shared;
  const addresses = Object.entries(apis).map(([api, target]) => [api, target.url]);
  return { type: kind, production, ...Object.fromEntries(addresses), paths: { ...paths } };
}
