import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { stringifyExactJson } from "../../base/exact-json.js";
import { resolveFileTarget, type Waiting, writeTarget } from "../../base/file-target.js";
import { unwritableFile } from "../../base/input-file.js";
import type { Random } from "../../base/random.js";
import { type Bucket, buckets } from "../../contract/limits.js";
import { BulkError } from "../errors.js";
import { encrypted } from "./encryption.js";
import type { FileRow, PlanHeader, PlanMember, PlanStep } from "./format.js";
import { countStep } from "./inspect.js";
import { referencesOf, secretsIn } from "./references.js";

/** The fields of a plan's header that the caller provides. The other fields are computed from the steps. */
type PlanFacts = Omit<PlanHeader, "plan" | "nonce" | "assumed" | "estimate" | "summary" | "secrets"> &
  Partial<Pick<PlanHeader, "assumed">>;

export interface PlanDraft {
  header: PlanFacts;
  /** Measured duration in seconds (default: estimated). */
  seconds?: number;
  /** Steps, numbered from 1. A deleted group's members follow their step. The rows of a file come last. */
  steps: AsyncIterable<PlanStep | PlanMember | FileRow> | Iterable<PlanStep | PlanMember | FileRow>;
}

interface WriteOptions {
  force: boolean;
  waiting: Waiting;
  random: Random;
  /** Private directory for a temporary file with the steps. */
  temporaryFolder: string;
  passphrase?: string | undefined;
}

export interface SealedPlan {
  /** First 12 digits of the plan's hash. */
  id: string;
  steps: number;
}

/**
 * Only the owner can read the file, because it contains personal data. The file is written under a temporary
 * name and then renamed, so it is never incomplete.
 * @param path a file ending in `.gz` is compressed
 * @throws BulkError `file_exists`; UnwritableFileError; errors thrown while the steps are read
 */
export async function writePlan(path: string, draft: PlanDraft, options: WriteOptions): Promise<SealedPlan> {
  const { force, waiting, random, temporaryFolder, passphrase } = options;
  const target = await resolveFileTarget(path).catch((cause: unknown) => {
    throw notWritable(path, cause);
  });
  if (target.type !== "absent" && !(force && target.type === "file")) {
    throw new BulkError(
      "file_exists",
      `${path} already exists`,
      "use --force to overwrite it, or choose another path",
    );
  }
  const folder = await mkdtemp(join(temporaryFolder, "voxctl-"));
  try {
    const spool = join(folder, "steps");
    const { header, steps } = await spoolSteps(spool, draft, random);
    const sealed = { id: "" };
    const text = planText(header, spool, steps, sealed);
    const packed = path.endsWith(".gz") ? compressed(text) : text;
    const bytes = passphrase === undefined ? packed : encrypted(packed, passphrase, random);
    await writeTarget(target, bytes, waiting).catch((cause: unknown) => {
      throw notWritable(path, cause);
    });
    return { id: sealed.id, steps };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the steps to a temporary file, because the header at the start of the plan file contains the number
 * of steps.
 */
async function spoolSteps(
  path: string,
  draft: PlanDraft,
  random: Random,
): Promise<{ header: PlanHeader; steps: number }> {
  const summary: PlanHeader["summary"] = {};
  const secrets: Record<string, string[]> = {};
  let steps = 0;
  const file = await open(path, "wx", 0o600);
  try {
    let text = "";
    for await (const entry of draft.steps) {
      if ("step" in entry) {
        steps += 1;
        assertOrder(entry, steps);
        countStep(summary, entry);
        addSecrets(secrets, entry);
      }
      text += `${stringifyExactJson(entry)}\n`;
      if (text.length < 64 * 1024) continue;
      await file.writeFile(text);
      text = "";
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  // Estimate with the documented rate limit.
  const bucket = draft.header.target.surface === undefined ? "write" : "distributor";
  const estimate = { writes: steps, seconds: draft.seconds ?? secondsFor(steps, bucket) };
  const nonce = random.bytes(16).toString("hex");
  return { header: { plan: 1, nonce, assumed: [], ...draft.header, estimate, summary, secrets }, steps };
}

/** @throws TypeError if the steps are out of order, which is a bug */
function assertOrder(step: PlanStep, number: number): void {
  if (step.step !== number) throw new TypeError(`expected step ${number}, found step ${step.step}`);
  const ahead = referencesOf(step).find((reference) => reference >= number);
  if (ahead !== undefined) throw new TypeError(`step ${number} refers to step ${ahead}`);
}

function addSecrets(secrets: Record<string, string[]>, { op, body = {} }: PlanStep): void {
  for (const [field, value] of Object.entries(body)) {
    for (const name of secretsIn(value)) {
      const usage = `${op}.${field}`;
      secrets[name] = [...new Set([...(secrets[name] ?? []), usage])];
    }
  }
}

/** Estimates the duration in seconds. Requests that fit into one rate-limit window count as 0 seconds. */
function secondsFor(writes: number, bucket: Bucket): number {
  const { limit, windowSeconds } = buckets[bucket];
  return writes <= limit ? 0 : Math.ceil((writes / limit) * windowSeconds);
}

/** The last line contains the hash of all preceding lines. */
async function* planText(
  header: PlanHeader,
  spool: string,
  steps: number,
  sealed: { id: string },
): AsyncGenerator<string | Uint8Array, void> {
  const hash = createHash("sha256");
  const first = `${stringifyExactJson(header)}\n`;
  hash.update(first);
  yield first;
  for await (const chunk of createReadStream(spool)) {
    hash.update(chunk);
    yield chunk;
  }
  const sha256 = hash.digest("hex");
  sealed.id = sha256.slice(0, 12);
  yield `${JSON.stringify({ end: steps, sha256 })}\n`;
}

/** Opens no file before the first read, because the target may turn out to be unwritable. */
async function* compressed(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gzip = createGzip();
  // The reader of `gzip` gets the errors of `text` and of `gzip`.
  pipeline(text, gzip, () => {});
  yield* gzip;
}

function notWritable(path: string, cause: unknown): Error {
  return cause instanceof BulkError ? cause : unwritableFile(path, cause);
}
