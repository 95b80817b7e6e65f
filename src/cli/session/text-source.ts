import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { describeFsError } from "../../base/describe-fs-error.js";
import { decodeUtf8 } from "../../base/utf8.js";
import { NotUtf8Error } from "../../base/utf8-error.js";
import { CliError, usageError } from "../errors/errors.js";
import { findEditedId } from "./edited-file.js";
import type { Session } from "./session.js";

/** Some devices and pipes never end, so reading needs a limit. */
const maximumBytes = 1 << 20;

export const textPlaceholder = "text|@file|@-";

/**
 * Returns the text that a flag's value specifies: `@FILE` for a file, `@-` for standard input, `@@…` for text that
 * starts with `@`, or the value itself.
 * @param flag name in messages, such as `--text`
 * @throws usage error (2) for a file that can't be read, is not UTF-8, or is larger than 1 MiB
 */
export async function readText(value: string, flag: string, session: Pick<Session, "io">): Promise<string> {
  if (!value.startsWith("@")) return value;
  if (value.startsWith("@@")) return value.slice(1);
  const name = value.slice(1);
  const hint = `to start the text with @, use ${flag.replace(/[ =].*/, "")} @@…`;
  if (name === "") throw usageError(`${flag}: missing file name after @`, { hint });
  const text = await readTextFile(name, `${flag} ${value}`, session, { hint });
  if (findEditedId(text) !== undefined)
    throw usageError(
      `${flag} ${value} was created by the edit command and contains the resource's fields, not only the text`,
      {
        hint: `use the file with the edit command: --from ${name}`,
      },
    );
  return text;
}

/** Escapes text so that a flag uses it literally. */
export function literalText(text: string): string {
  return text.startsWith("@") ? `@${text}` : text;
}

/**
 * Returns text from a flag that never reads a file, because scripts can pass untrusted text.
 * @throws usage error (2) for a value such as `@FILE`
 */
export function readGuardedText(value: string, name: string): string {
  if (!value.startsWith("@")) return value;
  if (value.startsWith("@@")) return value.slice(1);
  throw usageError(`invalid --${name} "${value}": this flag doesn't read files`, {
    hint: `to read a file, use --set ${name}=@FILE; to start the text with @, use @@`,
  });
}

/**
 * Returns the text in a file, or standard input for `-`.
 * @param source name in messages
 * @throws usage error (2) for a file that can't be read, is empty, is not UTF-8, or is larger than 1 MiB
 */
export async function readTextFile(
  name: string,
  source: string,
  { io }: Pick<Session, "io">,
  { hint, empty }: { hint?: string | undefined; empty?: string } = {},
): Promise<string> {
  if (name === "-" && io.stdin.readableEnded)
    throw usageError(`${source}: another flag already reads standard input`);
  const stream = name === "-" ? io.stdin : createReadStream(resolve(io.cwd, name));
  try {
    const bytes = await readBounded(stream, source);
    const text = decodeUtf8(bytes, source);
    // A failed program can leave an empty file, which must not clear a prompt.
    if (text === "") throw usageError(empty ?? `${source} is empty; to use empty text, pass ""`);
    return text;
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof NotUtf8Error)
      throw usageError(`${source}: invalid UTF-8 in line ${error.line}`, {
        hint: "save the file as UTF-8",
        cause: error,
      });
    throw usageError(`${source}: the file can't be read: ${describeFsError(error)}`, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}

async function readBounded(stream: Readable, source: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    bytes += part.length;
    if (bytes > maximumBytes) throw usageError(`${source} is larger than 1 MiB`);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
