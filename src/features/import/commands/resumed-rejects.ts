import { resolve } from "node:path";
import * as z from "zod";
import type { Session } from "../../../cli/session/session.js";
import { once } from "../../../contract/once.js";
import { type FileFlags, openContacts } from "./file-flags.js";
import { createRejectsWriter } from "./rejects.js";

const text = () => z.string().optional();
const count = () => z.int().nonnegative().optional();
const KeptRejects = once(() =>
  z.object({
    path: z.string(),
    file: z.string(),
    flags: z.object({
      ...{ country: text(), sheet: text(), encoding: text(), delimiter: text(), keyColumn: text() },
      ...{ headerRow: count(), skipRows: count() },
      accepts: z.enum(["valid", "possible"]),
      ...{ trustsCallingCode: z.boolean(), keepsValid: z.boolean(), maps: z.array(z.string()) },
    }),
  }),
);

/** Returns the data that the journal stores so that a resumed run can write the rejects file. */
export function toKeptRejects({ io }: Session, file: string, flags: FileFlags): object | undefined {
  if (flags.rejects === undefined) return undefined;
  const { rejects, ...reading } = flags;
  const path = file === "-" ? file : resolve(io.cwd, file);
  return { path: resolve(io.cwd, rejects), file: path, flags: reading };
}

interface ResumedRun {
  rejects: unknown;
  /** SHA-256 of the imported file, in hexadecimal. */
  digest: string;
  errorOf(number: number): string | undefined;
}

/**
 * Writes the rejects file that the interrupted command would have written.
 * @returns the path of the rejects file; undefined if none was requested, or if the imported file has changed
 */
export async function writeResumedRejects(
  session: Session,
  { rejects, digest, errorOf }: ResumedRun,
): Promise<string | undefined> {
  const kept = KeptRejects().safeParse(rejects).data;
  if (kept === undefined) return undefined;
  const { path, file } = kept;
  const skip = (reason: string) => {
    session.notes.warn(`${path} was not written: ${reason}`);
    return undefined;
  };
  if (file === "-") return skip("standard input can't be read again");
  const none = { country: undefined, sheet: undefined, encoding: undefined, delimiter: undefined };
  const flags: FileFlags = {
    ...none,
    ...{ headerRow: undefined, skipRows: undefined, keyColumn: undefined, rejects: path },
    ...kept.flags,
  };
  const { BulkError } = await import("../../../write/index.js");
  const opened = await openContacts(session, file, flags).catch((error: unknown) => {
    if (error instanceof BulkError) return error;
    throw error;
  });
  if (opened instanceof BulkError) return skip(opened.message);
  try {
    if (opened.source.digest !== digest) return skip(`${file} was changed after the run was started`);
    const write = await createRejectsWriter(session, path, opened.contacts, undefined);
    await write?.(errorOf);
    return path;
  } finally {
    await opened.source.close();
  }
}
