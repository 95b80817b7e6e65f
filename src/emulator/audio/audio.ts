export interface AudioFile {
  /** In bytes. */
  readonly length: number;
  /** `end` is exclusive. */
  slice(start: number, end: number): Uint8Array;
}

/** The length is known before the bytes are built. */
export interface Part {
  readonly length: number;
  bytes(): Uint8Array;
}

/** Builds only the parts in the range; `end` is exclusive. */
export function sliceOfParts(parts: Iterable<Part>, start: number, end: number): Uint8Array {
  const result = new Uint8Array(Math.max(0, end - start));
  let position = 0;
  for (const part of parts) {
    if (position >= end) break;
    const next = position + part.length;
    if (next > start) {
      const from = Math.max(0, start - position);
      const to = Math.min(part.length, end - position);
      result.set(part.bytes().subarray(from, to), position + from - start);
    }
    position = next;
  }
  return result;
}
