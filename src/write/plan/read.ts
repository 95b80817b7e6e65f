import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import { describeFsError } from "../../base/describe-fs-error.js";
import { BulkError } from "../errors.js";
import { type PlanBytes, planBytes } from "./encryption.js";
import { type PlanHeader, type PlanLine, parsePlanLine } from "./format.js";
import { createInspection, type PlanNeeds, type PlanTotals } from "./inspect.js";
import { referencesOf } from "./references.js";

/** Maximum length of a line, to limit memory use. The service accepts no resource of this size. */
const lineLimit = 8 * 1024 * 1024;

type PlanEntry = Exclude<PlanLine, { type: "header" | "end" }>;

export interface PlanSource {
  header: Pick<PlanHeader, "made_at" | "target" | "base" | "keys" | "config" | "provision">;
  /** ID of the plan: 12 hexadecimal digits. For a plan file, the start of its digest. */
  id: string;
  /**
   * Yields the IDs of resources that existed when the plan was created. If set, voxctl doesn't read lists
   * again to find resources that equal the ones to create.
   */
  existing?: (() => Iterable<string>) | undefined;
  /**
   * Returns the facts that must be known before the first step is sent.
   * @throws BulkError `plan_of_other_api`
   */
  needs(): PlanNeeds;
  /**
   * Yields the steps in order, each followed by its deleted group's members. Then yields the rows of the
   * file.
   * @throws BulkError `plan_damaged` at the end, if the file was replaced after it was opened
   */
  entries(): AsyncGenerator<PlanEntry, void>;
}

/** A verified plan file. Its entries are read one at a time. */
export interface Plan extends PlanSource {
  header: PlanHeader;
  /** SHA-256 of all lines except the last, in hexadecimal. */
  digest: string;
  steps: number;
  totals: PlanTotals;
}

interface PlanFile {
  path: string;
  bytes: PlanBytes;
}

/**
 * Opens a plan file. Reads the whole file, so that a damaged or newer file is rejected before it is used.
 * @param path a file ending in `.gz` is decompressed
 * @param options.passphrase passphrase of an encrypted file
 * @throws BulkError `no_plan`, `plan_damaged`, `plan_encrypted` or `plan_of_newer_version`, with the line
 * number
 */
export async function openPlan(
  path: string,
  { passphrase }: { passphrase?: string | undefined } = {},
): Promise<Plan> {
  const bytes = await planBytes(path, passphrase).catch((error: unknown) => {
    throw error instanceof BulkError ? error : notReadable(path, error);
  });
  const file = { path, bytes };
  let header: PlanHeader | undefined;
  let end: { steps: number; sha256: string } | undefined;
  let steps = 0;
  const inspection = createInspection();
  const hash = createHash("sha256");
  for await (const { text, number } of lines(file)) {
    if (end !== undefined) throw damaged(path, number, "unexpected line after the plan");
    const line = parse(path, text, number);
    if ((line.type === "header") !== (number === 1))
      throw damaged(path, number, "only the first line can be a header");
    if (line.type === "header") header = line.header;
    if (line.type === "step") {
      steps += 1;
      if (line.step.step !== steps)
        throw damaged(path, number, `expected step ${steps}, found step ${line.step.step}`);
      const ahead = referencesOf(line.step).find((reference) => reference >= steps);
      if (ahead !== undefined)
        throw damaged(path, number, `the step refers to step ${ahead}, which is not an earlier step`);
      inspection.add(line.step);
    }
    if (line.type === "member" && line.member.members !== steps)
      throw damaged(
        path,
        number,
        "expected this member of a deleted group directly after the step that deletes the group",
      );
    if (line.type === "row" && (line.row.of_step ?? 0) > steps)
      throw damaged(path, number, "the row must refer to an earlier step");
    if (line.type === "end") end = line;
    else hash.update(`${text}\n`);
  }
  if (header === undefined) throw new BulkError("no_plan", `${path} is not a plan file: the file is empty`);
  if (end === undefined)
    throw new BulkError(
      "plan_damaged",
      `${path} is truncated: the last line is missing`,
      "create the plan again",
    );
  const digest = hash.digest("hex");
  if (end.steps !== steps || end.sha256 !== digest) {
    throw new BulkError(
      "plan_damaged",
      `${path} was changed after it was created: its contents don't match the hash in the last line`,
      `if this is intended, change the last line to {"end":${steps},"sha256":"${digest}"}`,
    );
  }
  const plan = { header, id: digest.slice(0, 12) };
  return {
    ...plan,
    digest,
    steps,
    totals: inspection.totals,
    needs: () => inspection.needs(plan),
    entries: () => entries(file, digest),
  };
}

async function* entries(file: PlanFile, digest: string): AsyncGenerator<PlanEntry, void> {
  const hash = createHash("sha256");
  for await (const { text, number } of lines(file)) {
    const line = parse(file.path, text, number);
    if (line.type !== "end") hash.update(`${text}\n`);
    if (line.type === "step" || line.type === "member" || line.type === "row") yield line;
  }
  if (hash.digest("hex") !== digest)
    throw new BulkError(
      "plan_damaged",
      `${file.path} was changed while voxctl was reading it`,
      "run the command again",
    );
}

function parse(path: string, text: string, number: number): PlanLine {
  try {
    return parsePlanLine(text);
  } catch (error) {
    if (number === 1 && isOfNewerVersion(text)) {
      throw new BulkError(
        "plan_of_newer_version",
        `${path} was created by a newer version of voxctl`,
        "update voxctl, or create the plan again with this version",
      );
    }
    if (number === 1)
      throw new BulkError("no_plan", `${path} is not a plan file: ${reasonOf(error)}`, undefined, {
        cause: error,
      });
    throw damaged(path, number, reasonOf(error), error);
  }
}

function isOfNewerVersion(text: string): boolean {
  const header = z.object({ plan: z.number() });
  try {
    return (header.safeParse(JSON.parse(text)).data?.plan ?? 1) > 1;
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return issue === undefined ? "invalid line" : `${issue.path.join(".") || "the line"}: ${issue.message}`;
  }
  return "the line is not valid JSON";
}

function damaged(path: string, line: number, reason: string, cause?: unknown): BulkError {
  return new BulkError("plan_damaged", `${path}, line ${line}: ${reason}`, "create the plan again", {
    cause,
  });
}

/** @throws BulkError if the file can't be read; `plan_damaged` if the UTF-8 or gzip data is invalid */
async function* lines({
  path,
  bytes: read,
}: PlanFile): AsyncGenerator<{ text: string; number: number }, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const bytes: AsyncIterable<Uint8Array> = path.endsWith(".gz") ? unpacked(read()) : read();
  let remainder = "";
  let number = 0;
  try {
    for await (const chunk of bytes) {
      const parts = (remainder + decoder.decode(chunk, { stream: true })).split("\n");
      remainder = parts.pop() ?? "";
      if (remainder.length > lineLimit) throw damaged(path, number + 1, "the line is too long");
      for (const text of parts) {
        number += 1;
        yield { text, number };
      }
    }
    remainder += decoder.decode();
  } catch (error) {
    if (error instanceof BulkError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code.startsWith("Z_") || error instanceof TypeError)
      throw damaged(path, number + 1, path.endsWith(".gz") ? "invalid gzip data" : "invalid UTF-8", error);
    throw notReadable(path, error);
  }
  if (remainder !== "") yield { text: remainder, number: number + 1 };
}

/** `pipeline` passes errors to the reader; with composed streams, a truncated file would end the process. */
function unpacked(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  pipeline(Readable.from(bytes), gunzip, () => {});
  return gunzip;
}

function notReadable(path: string, cause: unknown): BulkError {
  return new BulkError("file_not_readable", `${path} can't be read: ${describeFsError(cause)}`, undefined, {
    cause,
  });
}
