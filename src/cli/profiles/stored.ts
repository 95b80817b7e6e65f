import * as z from "zod";

/** Where a key comes from. Only `stored` holds one. */
const StoredKey = z.discriminatedUnion("from", [
  z.object({ from: z.literal("stored"), value: z.string().min(1) }),
  z.object({ from: z.literal("environment"), variable: z.string().min(1) }),
  z.object({ from: z.literal("file"), path: z.string().min(1) }),
  z.object({ from: z.literal("keychain"), account: z.string().min(1) }),
]);
export type StoredKey = z.output<typeof StoredKey>;

const StoredTarget = z.object({
  url: z.string(),
  key: StoredKey,
  /** The day on which the key ends, `2027-11-20`, as far as anybody said. */
  expires: z.iso.date().optional(),
});

const StoredProfile = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("remote"),
    production: z.boolean().default(false),
    surfaces: z.object({
      public: StoredTarget.optional(),
      "distributor-v1": StoredTarget.optional(),
      "distributor-v2": StoredTarget.optional(),
      legacy: StoredTarget.optional(),
    }),
    paths: z.record(z.string(), z.string()).default({}),
  }),
  z.object({ kind: z.literal("offline"), production: z.boolean().default(false), db: z.string().min(1) }),
]);
export type StoredProfile = z.output<typeof StoredProfile>;

export const Configuration = z.object({
  /** The profile that is used when nothing else says which. */
  default: z.string().optional(),
  profiles: z.record(z.string(), StoredProfile).default({}),
});
export type Configuration = z.output<typeof Configuration>;
