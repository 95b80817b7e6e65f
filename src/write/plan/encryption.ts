/** scrypt derives the key; AES-256-GCM encrypts the file and detects changes. */
import { createCipheriv, createDecipheriv, type ScryptOptions, scrypt } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import * as z from "zod";
import type { Random } from "../../base/random.js";
import { BulkError } from "../errors.js";

const cipher = "aes-256-gcm";
/** Deriving a key takes about 32 MiB and 0.1 s, which makes guessing expensive. */
const scryptOptions: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const longestPreamble = 256;

/** First line of an encrypted plan file. It is authenticated, but not encrypted. */
const Preamble = z.strictObject({ encrypted_plan: z.literal(1), salt: z.string(), nonce: z.string() });

/** Reads a plan file and decrypts it if necessary. Can be called repeatedly. */
export type PlanBytes = () => AsyncIterable<Uint8Array>;

/** Yields the line with the encryption parameters, then the encrypted bytes. */
export async function* encrypted(
  texts: AsyncIterable<string | Uint8Array>,
  passphrase: string,
  random: Random,
): AsyncGenerator<Uint8Array, void> {
  const salt = random.bytes(saltBytes);
  const nonce = random.bytes(nonceBytes);
  const preamble = Buffer.from(
    `${JSON.stringify({ encrypted_plan: 1, salt: salt.toString("hex"), nonce: nonce.toString("hex") })}\n`,
  );
  const encryption = createCipheriv(cipher, await keyOf(passphrase, salt), nonce).setAAD(preamble);
  yield preamble;
  for await (const text of texts) {
    yield typeof text === "string" ? encryption.update(text, "utf8") : encryption.update(text);
  }
  yield encryption.final();
  yield encryption.getAuthTag();
}

/** @throws BulkError `plan_encrypted` if a passphrase is required; file system errors */
export async function planBytes(path: string, passphrase: string | undefined): Promise<PlanBytes> {
  const preamble = await preambleOf(path);
  // Don't use `chunksOf` for compressed files: it reuses its buffer, but the decompressed text still refers
  // to the buffer.
  if (preamble === undefined) return () => (path.endsWith(".gz") ? createReadStream(path) : chunksOf(path));
  if (passphrase === undefined) {
    throw new BulkError(
      "plan_encrypted",
      `${path} is encrypted`,
      "use --encrypt-env with the environment variable that contains the passphrase",
    );
  }
  const { salt, nonce } = Preamble.parse(JSON.parse(preamble.toString()));
  const key = await keyOf(passphrase, Buffer.from(salt, "hex"));
  // Verify the whole file first. With a wrong key, the decrypted text would look like a damaged file.
  for await (const _ of decrypted(path, preamble, key, Buffer.from(nonce, "hex")));
  return () => decrypted(path, preamble, key, Buffer.from(nonce, "hex"));
}

async function* decrypted(
  path: string,
  preamble: Buffer,
  key: Buffer,
  nonce: Buffer,
): AsyncGenerator<Uint8Array, void> {
  const wrong = (cause?: unknown) =>
    new BulkError(
      "plan_damaged",
      `${path} can't be decrypted: the passphrase is wrong, or the file was truncated or changed`,
      undefined,
      { cause },
    );
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = size - tagBytes;
    if (end < preamble.length) throw wrong();
    const tag = Buffer.alloc(tagBytes);
    await file.read(tag, 0, tagBytes, end);
    const decryption = createDecipheriv(cipher, key, nonce).setAAD(preamble).setAuthTag(tag);
    if (end > preamble.length) {
      const bytes = createReadStream(path, { start: preamble.length, end: end - 1 });
      for await (const chunk of bytes) yield decryption.update(chunk);
    }
    try {
      yield decryption.final();
    } catch (error) {
      throw wrong(error);
    }
  } finally {
    await file.close();
  }
}

const chunkBytes = 64 * 1024;

/** Reads a file into one reused buffer. New buffers would fill tens of megabytes before they are freed. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path);
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function preambleOf(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestPreamble), 0, longestPreamble, 0);
    const end = buffer.subarray(0, bytesRead).indexOf("\n");
    if (!buffer.toString("latin1", 0, 18).startsWith('{"encrypted_plan":') || end < 0) return undefined;
    return buffer.subarray(0, end + 1);
  } finally {
    await file.close();
  }
}

function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, keyBytes, scryptOptions, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
