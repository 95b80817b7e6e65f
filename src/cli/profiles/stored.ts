import * as z from "zod";
import { VariableName } from "../../client/source-schemas.js";

// Use loose objects to keep unknown fields, because other versions of voxctl might have written them.

/** Format of the configuration file. voxctl reads a file with a newer format, but never writes it. */
const configurationVersion = 1;

/** Source of a key. Only `stored` contains the key itself. */
const StoredKey = z.discriminatedUnion("from", [
  z.looseObject({ from: z.literal("stored"), value: z.string().min(1) }),
  z.looseObject({ from: z.literal("environment"), variable: VariableName }),
  z.looseObject({ from: z.literal("file"), path: z.string().min(1) }),
  z.looseObject({ from: z.literal("keychain"), account: z.string().min(1) }),
]);
export type StoredKey = z.output<typeof StoredKey>;

const StoredTarget = z.looseObject({
  url: z.string(),
  key: StoredKey,
  expires: z.iso.date().optional(),
});

const ProfileDefaults = z.looseObject({
  country: z.string().optional(),
  group: z.string().optional(),
  output: z.enum(["table", "json", "yaml", "ndjson", "csv"]).optional(),
  /**
   * Globs of variables (`allow_env`) and files (`allow_files`) that a directory's configuration is allowed to
   * read.
   */
  allow_env: z.array(z.string()).optional(),
  allow_files: z.array(z.string()).optional(),
  /** URL of the store for shared runs, without a password. */
  store: z.string().optional(),
  /** `env:VARIABLE`, `file:FILE` or `keychain:ACCOUNT`, checked when it is read. */
  store_key: z.string().optional(),
  store_password: z.string().optional(),
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
  /** Absolute path of a file with additional trusted certificate authorities. */
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

export interface BrokenProfile {
  /** Message without the invalid value, which may be a key. */
  problem: string;
  /** Content of the profile, which voxctl writes back unchanged. */
  content: unknown;
}

export const ConfigurationFile = z.looseObject({
  /** Missing in older files. */
  version: z.int().min(1).default(configurationVersion),
  default: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).default({}),
  /** Defaults for the embedded emulator, which is not a stored profile. */
  offline_defaults: ProfileDefaults.optional(),
  aliases: z.record(z.string(), z.string()).optional(),
});

export type Configuration = z.output<typeof ConfigurationFile> & {
  profiles: Record<string, StoredProfile>;
  /** Unusable profiles, which don't affect other profiles. */
  broken: Readonly<Record<string, BrokenProfile>>;
};
