import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import { describeFsError } from "../../base/describe-fs-error.js";
import { BulkError } from "../errors.js";
import { type PlanBytes, planBytes } from "./encryption.js";
import {
  type FileRow,
  type PlanHeader,
  type PlanLine,
  type PlanMember,
  type PlanStep,
  parsePlanLine,
} from "./format.js";
import { createInspection, type PlanNeeds } from "./inspect.js";
import { referencesOf } from "./references.js";

/** Longer than any resource that the service accepts; bounds memory use. */
const lineLimit = 8 * 1024 * 1024;

/** A step, a member of the group that the step before it deletes, or a row of the file that it was planned from. */
type PlanEntry =
  | { type: "step"; step: PlanStep }
  | { type: "member"; member: PlanMember }
  | { type: "row"; row: FileRow };

/** The steps of a run: those of a plan file, or of a command that plans for itself. */
export interface PlanSource {
  header: Pick<PlanHeader, "made_at" | "target" | "keys" | "config" | "provision">;
  /** 12 hexadecimal digits: of a plan file, the first of its digest. */
  id: string;
  /**
   * Yields the ids of the resources that existed when the command planned, a moment ago. Then what the steps
   * create is not searched for again.
   */
  existing?: (() => Iterable<string>) | undefined;
  /**
   * The facts that have to be known before anything is done with it.
   * @throws BulkError `plan_of_other_surface`
   */
  needs(): PlanNeeds;
  /**
   * Yields its steps in order, each followed by the members of the group that it deletes; then the rows of
   * its file.
   * @throws BulkError `plan_damaged` at the end, if the file was replaced since it was opened
   */
  entries(): AsyncGenerator<PlanEntry, void>;
}

/** A plan file, verified as a whole; its entries are read one at a time. */
export interface Plan extends PlanSource {
  header: PlanHeader;
  /** SHA-256 over all lines except the last, in hexadecimal. */
  digest: string;
  steps: number;
}

/** A plan's file. */
interface PlanFile {
  path: string;
  bytes: PlanBytes;
}

/**
 * Opens a plan and reads it once, to its end: a file that was cut, changed by accident or made by a newer voxctl is
 * refused before anything is done with it.
 * @param path a name that ends in `.gz` is unpacked
 * @param options.passphrase of an encrypted one
 * @throws BulkError `no_plan`, `plan_damaged`, `plan_encrypted` or `plan_of_newer_version`, with the line
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
    if (end !== undefined) throw damaged(path, number, "something follows its last line");
    const line = parse(path, text, number);
    if ((line.type === "header") !== (number === 1))
      throw damaged(path, number, "its header is not where it belongs");
    if (line.type === "header") header = line.header;
    if (line.type === "step") {
      steps += 1;
      if (line.step.step !== steps)
        throw damaged(path, number, `step ${steps} was expected, not ${line.step.step}`);
      const ahead = referencesOf(line.step).find((reference) => reference >= steps);
      if (ahead !== undefined)
        throw damaged(path, number, `it refers to step ${ahead}, which comes no earlier`);
      inspection.add(line.step);
    }
    if (line.type === "member" && line.member.members !== steps)
      throw damaged(path, number, "a group's member does not follow the step that deletes the group");
    if (line.type === "row" && (line.row.of_step ?? 0) > steps)
      throw damaged(path, number, "a row belongs to a step that comes no earlier");
    if (line.type === "end") end = line;
    else hash.update(`${text}\n`);
  }
  if (header === undefined) throw new BulkError("no_plan", `${path} is not a plan file: it is empty`);
  if (end === undefined)
    throw new BulkError("plan_damaged", `${path} was cut: its last line is missing`, "seal the plan again");
  const digest = hash.digest("hex");
  if (end.steps !== steps || end.sha256 !== digest) {
    throw new BulkError(
      "plan_damaged",
      `${path} was changed after it was sealed: its content does not fit its last line`,
      `if that was on purpose, its last line must be {"end":${steps},"sha256":"${digest}"}`,
    );
  }
  const plan = { header, id: digest.slice(0, 12) };
  return {
    ...plan,
    digest,
    steps,
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
      `${file.path} was changed while it was read`,
      "give the command again",
    );
}

function parse(path: string, text: string, number: number): PlanLine {
  try {
    return parsePlanLine(text);
  } catch (error) {
    if (number === 1 && isOfNewerVersion(text)) {
      throw new BulkError(
        "plan_of_newer_version",
        `${path} was made by a newer voxctl, whose plans this one does not understand`,
        "use the voxctl that made it, or seal it again with this one",
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
    return issue === undefined
      ? "it can't be understood"
      : `${issue.path.join(".") || "the line"}: ${issue.message}`;
  }
  return "the line is not valid JSON";
}

function damaged(path: string, line: number, reason: string, cause?: unknown): BulkError {
  return new BulkError("plan_damaged", `${path}, line ${line}: ${reason}`, "seal the plan again", { cause });
}

/** @throws BulkError if the file can't be read; `plan_damaged` for invalid UTF-8 or gzip */
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
      throw damaged(
        path,
        number + 1,
        path.endsWith(".gz") ? "it can't be unpacked" : "it is not valid UTF-8",
        error,
      );
    throw notReadable(path, error);
  }
  if (remainder !== "") yield { text: remainder, number: number + 1 };
}

/** Reports a truncated file to the reader; composed streams would end the process. */
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
