import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import * as z from "zod";
import type { Io } from "../../base/io.js";
import { parseJsonSafely } from "../../base/json.js";
import { mirrorApis } from "../../contract/mirror.js";
import { once } from "../../contract/once.js";
import { refusedError, usageError } from "../errors/errors.js";

/** Path of a file that only its owner can read. If set, the command is part of a rehearsal. */
const rehearsalVariable = "VOXCTL_REHEARSAL";

const Rehearsal = once(() =>
  z.object({
    version: z.literal(1),
    /** The process of `voxctl rehearse`. */
    pid: z.int(),
    /** API from which the mirror was filled. */
    surface: z.enum(mirrorApis).default("public"),
    fork: z.object({
      url: z.string(),
      key: z.string(),
      control_url: z.string(),
      control_token: z.string(),
    }),
    source: z.object({
      profile: z.string(),
      base_url: z.string(),
      production: z.boolean(),
      /** Identifies the key without containing it. */
      key_sha256: z.string(),
      /** ID of the emulator state, if the source is an emulator. Runs identify their service by this ID. */
      world: z.string().nullable(),
    }),
    data: z.string(),
    mirror: z.string(),
  }),
);
export type Rehearsal = z.output<ReturnType<typeof Rehearsal>>;

/**
 * Returns undefined outside a rehearsal.
 * @throws refused error (12) if the file can't be read, because no request must reach the service
 */
export function readRehearsal(env: Io["env"]): Rehearsal | undefined {
  const path = env[rehearsalVariable];
  if (path === undefined) return undefined;
  try {
    return Rehearsal().parse(parseJsonSafely(readFileSync(path, "utf8")));
  } catch {
    throw refusedError(
      "rehearsal_over",
      `cannot read ${path} (${rehearsalVariable}): the rehearsal may have ended`,
      `to leave the rehearsal, unset ${rehearsalVariable}`,
    );
  }
}

export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** @throws usage error (2) in a rehearsal */
export function refuseInRehearsal(env: Io["env"], command: string): void {
  if (env[rehearsalVariable] === undefined) return;
  throw usageError(`cannot run voxctl ${command} in a rehearsal`);
}

/** In a rehearsal, returns the path of a copy, so that the original stays unchanged. */
export function rememberedFile(env: Io["env"], path: string): string {
  const rehearsal = readRehearsal(env);
  if (rehearsal === undefined || path.startsWith(rehearsal.data + sep)) return path;
  const folder = join(rehearsal.data, "files", hashKey(path).slice(0, 16));
  const copy = join(folder, basename(path));
  if (existsSync(copy)) return copy;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${folder}.json`, JSON.stringify({ path, copy }), { mode: 0o600 });
  if (existsSync(path)) copyFileSync(path, copy);
  return copy;
}

export function rememberedCopies(data: string): { path: string; copy: string }[] {
  const folder = join(data, "files");
  if (!existsSync(folder)) return [];
  const records = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return records.map((name) => CopyOfFile().parse(parseJsonSafely(readFileSync(join(folder, name), "utf8"))));
}

const CopyOfFile = once(() => z.object({ path: z.string(), copy: z.string() }));
