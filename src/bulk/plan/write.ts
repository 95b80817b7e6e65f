import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { fileTarget, type Waiting, writeTarget } from "../../base/file-target.js";
import { fileTrouble } from "../../base/file-trouble.js";
import { BulkError } from "../errors.js";
import type { PlanHeader, PlanMember, PlanStep } from "./format.js";

/**
 * Writes a plan beside its place and then moves it there, so that a plan is whole or not there at all. It holds
 * personal data, so only its owner may read it.
 * @param path a name that ends in `.gz` is packed
 * @param options.force replaces a file that is there
 * @returns the plan's id
 * @throws BulkError `plan_exists` where a file is there already, `file_not_writable`
 */
export async function writePlan(
  path: string,
  header: PlanHeader,
  entries: AsyncIterable<PlanStep | PlanMember>,
  { force, waiting }: { force: boolean; waiting: Waiting },
): Promise<string> {
  const refuse = (cause: unknown): never => {
    if (cause instanceof BulkError) throw cause;
    const reason = fileTrouble(cause, "write");
    throw new BulkError("file_not_writable", `${path} can't be written: ${reason}`, undefined, { cause });
  };
  const target = await fileTarget(path).catch(refuse);
  if (target.kind !== "absent" && !(force && target.kind === "file")) {
    throw new BulkError(
      "plan_exists",
      `${path} is there already`,
      "--force replaces a file; or name another one",
    );
  }
  const sealed = { id: "" };
  const text = planText(header, entries, sealed);
  const bytes = path.endsWith(".gz") ? Readable.from(text).pipe(createGzip()) : text;
  await writeTarget(target, bytes, waiting).catch(refuse);
  return sealed.id;
}

/** The plan's lines; the last one holds the hash of those before it. */
async function* planText(
  header: PlanHeader,
  entries: AsyncIterable<PlanStep | PlanMember>,
  sealed: { id: string },
): AsyncGenerator<string, void> {
  const hash = createHash("sha256");
  const line = (value: PlanHeader | PlanStep | PlanMember) => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    return text;
  };
  yield line(header);
  let steps = 0;
  for await (const entry of entries) {
    if ("step" in entry) steps += 1;
    yield line(entry);
  }
  const sha256 = hash.digest("hex");
  sealed.id = sha256.slice(0, 12);
  yield `${JSON.stringify({ end: steps, sha256 })}\n`;
}
