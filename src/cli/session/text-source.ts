import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { describeFsError } from "../../base/describe-fs-error.js";
import { decodeUtf8 } from "../../base/utf8.js";
import { NotUtf8Error } from "../../base/utf8-error.js";
import { CliError, usageError } from "../errors/errors.js";
import { findEditedId } from "./edited-file.js";
import type { Flag, Input } from "./input.js";
import type { Session } from "./session.js";

/** Longest text of an assistant; a device or a pipe may never end. */
const maximumBytes = 1 << 20;

/** Placeholder of a flag whose text may come from a file. */
export const textPlaceholder = "text|@file|@-";

/**
 * Returns the text of a flag's value: `@FILE`, `@-` for standard input, `@@…` for a text that starts with `@`, else the value
 * itself.
 * @param flag name in messages: `--text`
 * @throws usage error (2) for a file that can't be read, is not UTF-8 or over 1 MiB
 */
export async function readText(value: string, flag: string, session: Pick<Session, "io">): Promise<string> {
  if (!value.startsWith("@")) return value;
  if (value.startsWith("@@")) return value.slice(1);
  const name = value.slice(1);
  const hint = `A text that begins with @ is written with two of them: ${flag.replace(/[ =].*/, "")} @@…`;
  if (name === "") throw usageError(`${flag}: the name of a file is missing after @`, { hint });
  const text = await readTextFile(name, `${flag} ${value}`, session, { hint });
  if (findEditedId(text) !== undefined)
    throw usageError(`${flag} ${value} is a file that edit has opened: fields stand above its text`, {
      hint: `the command edit takes it: --from ${name}`,
    });
  return text;
}

/** Escapes a text so that a flag uses it literally. */
export function literalText(text: string): string {
  return text.startsWith("@") ? `@${text}` : text;
}

/** Separate file flag for a flag with untrusted text from a script: that text must not open a file of this machine. */
export function fileFlag(name: string): Flag {
  return {
    name: `${name}-file`,
    value: "file|-",
    description: `the text of --${name}, from a file or standard input`,
  };
}

/**
 * Returns the text of a flag that opens no file itself, or of its file flag; undefined if neither is set.
 * @throws usage error (2): both are set, the value names a file, or the file is unusable
 */
export async function readGuardedText(
  name: string,
  input: Input,
  session: Pick<Session, "io">,
): Promise<string | undefined> {
  const text = input.text(name);
  const file = input.text(`${name}-file`);
  if (text !== undefined && file !== undefined)
    throw usageError(`--${name} and --${name}-file exclude each other; give one`);
  if (file !== undefined) return readTextFile(file, `--${name}-file ${file}`, session);
  if (text === undefined || !text.startsWith("@")) return text;
  if (text.startsWith("@@")) return text.slice(1);
  throw usageError(`--${name}: "${text}" would be a file, which this flag does not open`, {
    hint: `--${name}-file FILE reads one, --${name}-file - standard input; a text that begins with @ is written @@…`,
  });
}

/**
 * Returns the text of a file, or of standard input for `-`.
 * @param source name in messages
 * @throws usage error (2) for a file that can't be read, is empty, not UTF-8 or over 1 MiB
 */
export async function readTextFile(
  name: string,
  source: string,
  { io }: Pick<Session, "io">,
  { hint, empty }: { hint?: string | undefined; empty?: string } = {},
): Promise<string> {
  if (name === "-" && io.stdin.readableEnded)
    throw usageError(`${source}: standard input was read already, by another flag`);
  const stream = name === "-" ? io.stdin : createReadStream(resolve(io.cwd, name));
  try {
    const bytes = await readBounded(stream, source);
    const text = decodeUtf8(bytes, source);
    // Possibly the output of a failed program, which must not clear a prompt.
    if (text === "")
      throw usageError(empty ?? `${source}: is empty, so nothing was sent; an empty text is given as ""`);
    return text;
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof NotUtf8Error)
      throw usageError(`${source}: is no UTF-8 text in line ${error.line}`, {
        hint: "save it as UTF-8 in the program that wrote it",
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
    if (bytes > maximumBytes) throw usageError(`${source}: is over 1 MiB`);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}
