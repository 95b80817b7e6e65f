import * as z from "zod";

// Every object is loose: what another voxctl wrote into it is kept when this one changes something else.

/** The form that this voxctl writes. A file of a newer one is read, and never written. */
const configurationVersion = 1;

/** Where a key comes from. Only `stored` holds one. */
const StoredKey = z.discriminatedUnion("from", [
  z.looseObject({ from: z.literal("stored"), value: z.string().min(1) }),
  z.looseObject({ from: z.literal("environment"), variable: z.string().min(1) }),
  z.looseObject({ from: z.literal("file"), path: z.string().min(1) }),
  z.looseObject({ from: z.literal("keychain"), account: z.string().min(1) }),
]);
export type StoredKey = z.output<typeof StoredKey>;

const StoredTarget = z.looseObject({
  url: z.string(),
  key: StoredKey,
  /** The day on which the key ends, `2027-11-20`, as far as anybody said. */
  expires: z.iso.date().optional(),
});

/** Values that are used where no flag says another. */
const ProfileDefaults = z.looseObject({
  country: z.string().optional(),
  group: z.string().optional(),
  output: z.enum(["table", "json", "yaml", "ndjson", "csv"]).optional(),
  /** Globs of what configuration folders may read of this machine. */
  allow_env: z.array(z.string()).optional(),
  allow_files: z.array(z.string()).optional(),
});
export type ProfileDefaults = z.output<typeof ProfileDefaults>;

const RemoteProfile = z.looseObject({
  kind: z.literal("remote"),
  defaults: ProfileDefaults.optional(),
  production: z.boolean().default(false),
  surfaces: z.looseObject({
    public: StoredTarget.optional(),
    "distributor-v1": StoredTarget.optional(),
    "distributor-v2": StoredTarget.optional(),
    legacy: StoredTarget.optional(),
  }),
  paths: z.record(z.string(), z.string()).default({}),
  /** Authorities to trust besides those that Node trusts: an absolute path. */
  ca_file: z.string().min(1).optional(),
});
export type StoredRemote = z.output<typeof RemoteProfile>;

export const StoredProfile = z.discriminatedUnion("kind", [
  RemoteProfile,
  z.looseObject({
    kind: z.literal("offline"),
    defaults: ProfileDefaults.optional(),
    production: z.boolean().default(false),
    db: z.string().min(1),
  }),
]);
export type StoredProfile = z.output<typeof StoredProfile>;

/** A profile as it is stored that this voxctl can't use: one of a later version, or changed by hand. */
export interface BrokenProfile {
  /** What is wrong with it, without a value: it may be a key. */
  problem: string;
  /** Kept unchanged when something else of the file changes. */
  content: unknown;
}

export const ConfigurationFile = z.looseObject({
  /** Missing in files of before there was one. */
  version: z.int().min(1).default(configurationVersion),
  /** The profile that is used when nothing else says which. */
  default: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).default({}),
  /** Those of the embedded emulator, which is no stored profile. */
  offline_defaults: ProfileDefaults.optional(),
  /** Names for command lines, `voxctl alias set`. */
  aliases: z.record(z.string(), z.string()).optional(),
});

export type Configuration = z.output<typeof ConfigurationFile> & {
  profiles: Record<string, StoredProfile>;
  /** Those that can't be used: each blocks itself alone. */
  broken: Readonly<Record<string, BrokenProfile>>;
};
