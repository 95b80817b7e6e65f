// Builds a release's archives. The same files always produce the same bytes.
import { gzipSync } from "node:zlib";
import { zipped } from "../../src/cli/output/zip.js";

export interface ArchivedFile {
  /** Path in the archive, with slashes. */
  name: string;
  bytes: Uint8Array;
  isExecutable?: boolean;
}

const block = 512;
/** Maximum length of a name in a tar header, in bytes. */
const longestName = 100;

/**
 * Builds a .tar.gz (POSIX.1-1988, which every tar supports).
 * @throws RangeError for a name that is too long
 */
export function tarGz(files: readonly ArchivedFile[]): Uint8Array {
  const parts = files.flatMap(({ name, bytes, isExecutable }) => {
    const overhang = bytes.length % block;
    return [
      header(name, bytes.length, isExecutable),
      bytes,
      Buffer.alloc(overhang === 0 ? 0 : block - overhang),
    ];
  });
  // Two empty blocks end the archive.
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 6 });
}

function header(name: string, size: number, isExecutable = false): Buffer {
  if (Buffer.byteLength(name) > longestName) throw new RangeError(`${name} is too long for a tar archive`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  bytes.write(name, 0);
  bytes.write(octal(isExecutable ? 0o755 : 0o644, 7), 100);
  // Owner root, group root and year 1970, so that the archive is the same on any machine.
  bytes.write(octal(0, 7), 108);
  bytes.write(octal(0, 7), 116);
  bytes.write(octal(size, 11), 124);
  bytes.write(octal(0, 11), 136);
  bytes.write("0", 156);
  bytes.write("ustar\x0000", 257);
  // While the checksum is computed, the checksum's own field must contain spaces.
  bytes.fill(" ", 148, 156);
  bytes.write(
    `${bytes
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  return bytes;
}

/** Builds a .zip. */
export async function zip(files: readonly ArchivedFile[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of zipped(files.map(({ name, bytes }) => ({ name, text: [bytes] }))))
    parts.push(part);
  return Buffer.concat(parts);
}
