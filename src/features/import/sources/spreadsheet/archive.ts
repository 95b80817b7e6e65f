import { crc32, createInflateRaw } from "node:zlib";
import { formatThousands } from "../../../../base/text.js";
import { damaged, megabytes, type SpreadsheetLimits, tooLarge } from "./limits.js";

/** A ZIP archive in memory. Unpacks parts while they are read. All parts together have one size limit. */
export interface Archive {
  has(name: string): boolean;
  /**
   * @throws SpreadsheetError if the part is missing or damaged, or if the parts read so far exceed the limit
   */
  read(name: string): AsyncGenerator<Uint8Array, void>;
}

interface Part {
  method: number;
  encrypted: boolean;
  crc: number;
  packedBytes: number;
  offset: number;
}

/** Maximum number of parts. A workbook has dozens of parts, or hundreds if it contains many pictures. */
const mostParts = 10_000;
const pieceBytes = 64 * 1024;

const directoryEnd = 0x06054b50;
const directoryEnd64 = 0x06064b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
/** Placeholder for a number that needs 64 bits. A separate field contains the number. */
const elsewhere = 0xffffffff;

/** @throws SpreadsheetError if the bytes are not a ZIP archive */
export function openArchive(bytes: Buffer, limits: SpreadsheetLimits, signal?: AbortSignal): Archive {
  const parts = readDirectory(bytes);
  let unpacked = 0;

  async function* read(name: string): AsyncGenerator<Uint8Array, void> {
    const part = parts.get(name.toLowerCase());
    if (part === undefined) throw damaged(`${name} is missing`);
    let crc = 0;
    for await (const piece of unpack(packedBytes(bytes, part, name), part, name)) {
      signal?.throwIfAborted();
      unpacked += piece.byteLength;
      if (unpacked > limits.unpackedBytes)
        throw tooLarge(`more than ${megabytes(limits.unpackedBytes)} when unpacked`);
      crc = crc32(piece, crc);
      yield piece;
    }
    if (crc !== part.crc) throw damaged(`${name} is damaged`);
  }

  return { has: (name) => parts.has(name.toLowerCase()), read };
}

async function* unpack(
  packed: Buffer,
  { method, encrypted }: Part,
  name: string,
): AsyncGenerator<Uint8Array> {
  if (encrypted) throw damaged(`${name} is encrypted`);
  if (method === 0) {
    for (let at = 0; at < packed.length; at += pieceBytes) yield packed.subarray(at, at + pieceBytes);
    return;
  }
  if (method !== 8) throw damaged(`${name} uses an unknown compression method (${method})`);
  const inflate = createInflateRaw({ chunkSize: pieceBytes });
  inflate.end(packed);
  try {
    yield* inflate;
  } catch (error) {
    if (isZlibError(error)) throw damaged(`${name} is damaged`);
    throw error;
  } finally {
    inflate.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^Z_/.test(String(error.code));
}

function packedBytes(bytes: Buffer, part: Part, name: string): Buffer {
  const header = part.offset;
  if (header + 30 > bytes.length || bytes.readUInt32LE(header) !== localHeader)
    throw damaged(`${name} is not at the position that the ZIP directory lists`);
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  if (start + part.packedBytes > bytes.length) throw damaged("the end of the file is missing");
  return bytes.subarray(start, start + part.packedBytes);
}

/** Of several parts with the same name, uses the first. */
function readDirectory(bytes: Buffer): Map<string, Part> {
  const parts = new Map<string, Part>();
  let { count, at } = findDirectory(bytes);
  if (count > mostParts) throw damaged(`the file has more than ${formatThousands(mostParts)} parts`);
  for (; count > 0; count -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== directoryEntry)
      throw damaged("the ZIP directory in the file is damaged");
    const nameLength = bytes.readUInt16LE(at + 28);
    const extraLength = bytes.readUInt16LE(at + 30);
    const extraStart = at + 46 + nameLength;
    const name = bytes.toString("utf8", at + 46, extraStart).toLowerCase();
    if (!parts.has(name))
      parts.set(name, partOf(bytes, at, bytes.subarray(extraStart, extraStart + extraLength)));
    at = extraStart + extraLength + bytes.readUInt16LE(at + 32);
  }
  return parts;
}

function partOf(bytes: Buffer, at: number, extra: Buffer): Part {
  let packedBytes = bytes.readUInt32LE(at + 20);
  const unpackedBytes = bytes.readUInt32LE(at + 24);
  let offset = bytes.readUInt32LE(at + 42);
  // The 64-bit field contains only the numbers that don't fit in 32 bits, in this order: unpacked size,
  // packed size, offset.
  const field = field64(extra);
  let position = unpackedBytes === elsewhere ? 8 : 0;
  if (packedBytes === elsewhere) {
    packedBytes = number64(field, position);
    position += 8;
  }
  if (offset === elsewhere) offset = number64(field, position);
  return {
    method: bytes.readUInt16LE(at + 10),
    encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    crc: bytes.readUInt32LE(at + 16),
    packedBytes,
    offset,
  };
}

function field64(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return extra.subarray(0, 0);
}

function number64(field: Buffer, at: number): number {
  if (at + 8 > field.length) throw damaged("the ZIP directory in the file is damaged");
  return Number(field.readBigUInt64LE(at));
}

function findDirectory(bytes: Buffer): { count: number; at: number } {
  // Only a comment of at most 65,535 bytes can follow the end record.
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1) {
    if (bytes.readUInt32LE(at) !== directoryEnd) continue;
    const count = bytes.readUInt16LE(at + 10);
    const start = bytes.readUInt32LE(at + 16);
    if (count !== 0xffff && start !== elsewhere) return { count, at: start };
    return findDirectory64(bytes, at);
  }
  throw damaged("the end of the file is missing, or the file is not a ZIP archive");
}

/** The position of the ZIP64 end record is stored in the 20 bytes before the normal end record. */
function findDirectory64(bytes: Buffer, end: number): { count: number; at: number } {
  const at = end < 20 ? -1 : Number(bytes.readBigUInt64LE(end - 12));
  if (at < 0 || at + 56 > bytes.length || bytes.readUInt32LE(at) !== directoryEnd64)
    throw damaged("the ZIP directory in the file is damaged");
  return { count: Number(bytes.readBigUInt64LE(at + 32)), at: Number(bytes.readBigUInt64LE(at + 48)) };
}
