import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { findFirstIssue } from "../../base/describe-issue.js";
import { hasCode } from "../../base/error-code.js";
import { InputError } from "../../base/input-error.js";
import { unreadableFile, unwritableFile } from "../../base/input-file.js";
import { parseJsonSafely } from "../../base/json.js";
import { makePrivateFolder, writePrivateFile } from "../../base/private-file.js";
import { readUtf8 } from "../../base/utf8.js";
import type { Exchange } from "./exchange.js";
import { maskBytes, maskHeaders, maskPath, type SecretHeaders } from "./secrets.js";

const Value = z.union([z.string(), z.strictObject({ $masked: z.string() })]);
const Headers = z.array(z.tuple([z.string(), Value]));

const CaptureFile = z.looseObject({
  version: z.literal(1),
  at: z.string(),
  request: z.looseObject({
    method: z.string(),
    path: z.string(),
    headers: Headers,
    body_base64: z.base64(),
    body_masked: z.boolean().optional(),
  }),
  answer: z.looseObject({ status: z.int(), headers: Headers, body_text: z.string() }).nullable(),
  milliseconds: z.number(),
});

export type Capture = z.output<typeof CaptureFile> & { file: string };

/** Masks secrets in headers and bodies. */
export async function writeCapture(
  folder: string,
  exchange: Exchange,
  secrets: SecretHeaders,
): Promise<void> {
  await makePrivateFolder(folder);
  const { request, response } = exchange;
  const bytes = maskBytes(request.body, secrets);
  const isMasked = !bytes.equals(request.body);
  const recording = {
    version: 1,
    at: request.at,
    request: {
      method: request.method,
      path: maskPath(request.path, secrets),
      headers: maskHeaders(request.headers, secrets),
      body_base64: bytes.toString("base64"),
      body_text: bytes.toString("utf8"),
      ...(isMasked ? { body_masked: true } : {}),
    },
    checks: exchange.checks.map(({ name, ok, result: found }) => ({ name, ok, found: secrets.mask(found) })),
    answer: response
      ? {
          status: response.status,
          headers: maskHeaders(response.headers, secrets),
          body_text: secrets.mask(response.body.toString("utf8")),
        }
      : null,
    milliseconds: exchange.milliseconds,
  };
  const text = `${JSON.stringify(recording, null, 2)}\n`;
  // Another receiver with the same directory may use the same numbers.
  for (let number = exchange.number; ; number += 1)
    try {
      await writePrivateFile(join(folder, formatCaptureName(number, request)), text, { replace: false });
      return;
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
}

/**
 * Creates the directory. Call this function before the first request, to report errors early.
 * @param shown path as typed
 * @throws InputError if the directory isn't writable
 */
export async function prepareCaptureFolder(folder: string, shown: string): Promise<void> {
  try {
    await makePrivateFolder(folder);
    if (!(await stat(folder)).isDirectory()) throw new InputError(`--record: ${shown} is not a directory`);
    await access(folder, constants.W_OK);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw unwritableFile(`--record: ${shown}`, error);
  }
}

/** Omits a call ID that is not safe in a file name. */
function formatCaptureName(number: number, request: Exchange["request"]): string {
  const body = parseJsonSafely(request.body.toString("utf8"));
  const id: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "call_id") : undefined;
  const safe = typeof id === "string" && /^[\w-]{1,64}$/.test(id) ? id : "request";
  return `${String(number).padStart(4, "0")}-${safe}.json`;
}

/** Returns the next unused number, so that a new run overwrites no capture. */
export async function findNextNumber(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const numbers = names.map((name) => Number(/^(\d{4,})-[\w-]+\.json$/.exec(name)?.[1] ?? 0));
  return numbers.reduce((most, number) => Math.max(most, number), 0) + 1;
}

export interface Captures {
  count: number;
  /**
   * Reads one file at a time, because a process can't open all files of a large directory.
   * @throws InputError for an unreadable or invalid capture
   */
  read(): AsyncGenerator<Capture>;
}

/** @throws InputError if the path can't be read or has no captures */
export async function findCaptures(path: string, shown: string): Promise<Captures> {
  const names = await readOrFail(shown, async () =>
    (await stat(path)).isDirectory()
      ? (await readdir(path)).filter((name) => /^\d{4,}-[\w-]+\.json$/.test(name)).sort(compareNumbers)
      : undefined,
  );
  if (names?.length === 0)
    throw new InputError(`${shown} contains no captures`, {
      hint: "create captures: `voxctl webhook listen --record DIRECTORY`",
    });
  const files = names?.map((name) => ({ name, file: join(path, name) })) ?? [{ name: shown, file: path }];
  return {
    count: files.length,
    async *read() {
      for (const { name, file } of files)
        yield parseCapture(await readOrFail(shown, () => readUtf8(file)), name);
    },
  };
}

async function readOrFail<T>(shown: string, read: () => Promise<T>): Promise<T> {
  return read().catch((cause: unknown) => {
    throw unreadableFile(shown, cause);
  });
}

const compareNumbers = (left: string, right: string) =>
  Number.parseInt(left, 10) - Number.parseInt(right, 10);

function parseCapture(text: string, file: string): Capture {
  const value = parseJsonSafely(text);
  const parsed = CaptureFile.safeParse(value);
  if (parsed.success) return { ...parsed.data, file };
  const { path, message } = findFirstIssue(parsed.error, "it");
  throw new InputError(
    `${file} is not a capture: ${value === undefined ? "invalid JSON" : `${path} ${message}`}`,
  );
}
