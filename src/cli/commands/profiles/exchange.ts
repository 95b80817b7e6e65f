import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type StoredProfile, surfaceNames } from "../../profiles/store.js";

/** The variable that a profile's key is taken from where nothing else says: `ACME_KEY`, `ACME_DISTRIBUTOR_V2_KEY`. */
export function keyVariable(profile: string, surface: string): string {
  const words = surface === "public" ? profile : `${profile}_${surface}`;
  return `${words.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_KEY`.replace(/^(?=\d)/, "_");
}

const SharedSurface = z.strictObject({
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
    .regex(/^[A-Za-z]{2}$/, "write a country's code: DE")
    .transform((code) => code.toUpperCase())
    .optional(),
  group: z.string().optional(),
  output: z.enum(["table", "json", "yaml", "ndjson", "csv"]).optional(),
});

const SharedProfile = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("remote"),
    production: z.boolean().default(false),
    surfaces: z.partialRecord(z.enum(surfaceNames), SharedSurface),
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

/** A profile as it is shared: no key, and no file of this machine. */
export function sharedProfile(profile: StoredProfile): SharedProfile {
  const { production } = profile;
  const { country, group, output } = profile.defaults ?? {};
  const kept = Object.entries({ country, group, output }).filter(([, value]) => value !== undefined);
  const defaults = kept.length > 0 ? { defaults: Object.fromEntries(kept) } : {};
  if (profile.kind === "offline") return { kind: "offline", production, ...defaults };
  const surfaces: Extract<SharedProfile, { kind: "remote" }>["surfaces"] = {};
  for (const surface of surfaceNames) {
    const target = profile.surfaces[surface];
    if (!target) continue;
    const { url, key, expires } = target;
    surfaces[surface] = {
      url,
      ...(key.from === "environment" ? { key_env: key.variable } : {}),
      ...(expires === undefined ? {} : { expires }),
    };
  }
  return {
    kind: "remote",
    production,
    surfaces,
    ...(Object.keys(profile.paths).length > 0 ? { paths: profile.paths } : {}),
    ...defaults,
  };
}

/**
 * The parts in which profiles don't lead to the same place: `kind`, `production`, `public`. Keys and their ends, and
 * defaults, are everybody's own.
 */
export function differingParts(one: StoredProfile, other: StoredProfile): string[] {
  const [own, theirs] = [partsOf(one), partsOf(other)];
  const names = new Set([...Object.keys(own), ...Object.keys(theirs)]);
  return [...names].filter((name) => !isDeepStrictEqual(own[name], theirs[name]));
}

export function hasSameDefaults(one: StoredProfile, other: StoredProfile): boolean {
  return isDeepStrictEqual({ ...one.defaults }, { ...other.defaults });
}

function partsOf(profile: StoredProfile): Record<string, unknown> {
  const shared = sharedProfile(profile);
  if (shared.kind === "offline") return { kind: shared.kind, production: shared.production };
  const { kind, production, surfaces, paths } = shared;
  const addresses = Object.entries(surfaces).map(([surface, target]) => [surface, target.url]);
  return { kind, production, ...Object.fromEntries(addresses), paths: { ...paths } };
}
