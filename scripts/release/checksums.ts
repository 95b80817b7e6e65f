// SHA256SUMS in the format of `sha256sum --check`.
import { createHash } from "node:crypto";

/** SHA-256 checksums by file name, as 64 hexadecimal digits. */
export type Checksums = ReadonlyMap<string, string>;

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export function checksumsText(checksums: Checksums): string {
  return [...checksums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join("");
}

/** @throws Error for an invalid line */
export function readChecksums(text: string): Checksums {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [, sum = "", name = ""] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
      if (name === "") throw new Error(`invalid line of SHA256SUMS: ${line}`);
      return [name, sum];
    }),
  );
}
