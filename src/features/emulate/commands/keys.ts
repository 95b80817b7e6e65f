import { usageError } from "../../../cli/errors/errors.js";
import type { Command } from "../../../cli/session/command.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import { keyTypes, roles } from "../../../contract/control/choices.js";
import { buckets } from "../../../contract/limits.js";
import { createControlCommand, omitUndefined } from "./control.js";

const limitFlag: Flag = {
  name: "limit",
  value: "bucket=n",
  description: `Rate limit of this key for a bucket (${Object.keys(buckets).join(", ")})`,
  repeatable: true,
};

export const keyCommands: readonly Command[] = [
  createControlCommand({
    name: "create",
    call: "keys.create",
    description:
      "The key is for the emulator's first organization or, with --kind distributor, its first distributor. To choose another organization or distributor, run `voxctl emulator control keys.create` with kind and organization_id or distributor_id.",
    flags: [
      {
        name: "kind",
        value: "kind",
        description: "API that the key is for",
        choices: keyTypes,
        strict: true,
        default: "public",
      },
      { name: "name", value: "name", description: "Name of the key" },
      {
        name: "role",
        value: "role",
        description: "Role of a key for the Public API",
        choices: roles,
        strict: true,
      },
      { name: "expires", value: "time", description: "Expiry, ISO 8601" },
      limitFlag,
    ],
    examples: [{ command: "voxctl emulator keys create --role viewer --name dashboard" }],
    input: (input) => ({ body: createKeyBody(input) }),
  }),
  createControlCommand({
    name: "update",
    call: "keys.update",
    summary: "Revoke, activate or limit a key",
    arguments: [{ name: "key", description: "Name or ID of the key" }],
    flags: [
      {
        name: "status",
        value: "status",
        description: "Status of the key",
        choices: ["active", "revoked"],
        strict: true,
      },
      { name: "expires", value: "time", description: "Expiry, ISO 8601, or never" },
      { ...limitFlag, description: `${limitFlag.description}; or none` },
    ],
    examples: [
      { command: "voxctl emulator keys update viewer --status revoked" },
      { command: "voxctl emulator keys update viewer --limit write=20" },
    ],
    input: (input) => ({ body: createKeyChange(input) }),
  }),
];

function createKeyBody(input: Input): Record<string, unknown> {
  return omitUndefined({
    kind: input.text("kind") ?? "public",
    name: input.text("name"),
    role: input.text("role"),
    expires_at: input.text("expires"),
    limits: parseLimits(input),
  });
}

function createKeyChange(input: Input): Record<string, unknown> {
  const expires = input.text("expires");
  const change = omitUndefined({
    status: input.text("status"),
    expires_at: expires === "never" ? null : expires,
    limits: input.texts("limit").join() === "none" ? null : parseLimits(input),
  });
  if (Object.keys(change).length === 0) throw usageError("missing flag: use --status, --expires or --limit");
  return change;
}

/** Parses `--limit write=20 --limit read=100`. @throws usage error */
function parseLimits(input: Input): Record<string, number> | undefined {
  const texts = input.texts("limit");
  if (texts.length === 0) return undefined;
  return Object.fromEntries(
    texts.map((text) => {
      const [, bucket = "", count = ""] = /^(\w+)=(\d+)$/.exec(text) ?? [];
      if (!Object.hasOwn(buckets, bucket)) {
        throw usageError(
          `invalid --limit "${text}": expected ${Object.keys(buckets).join(", ")}, such as write=20`,
        );
      }
      return [bucket, Number(count)];
    }),
  );
}
