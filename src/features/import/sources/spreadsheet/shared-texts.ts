import { formatThousands } from "../../../../base/text.js";
import type { Archive } from "./archive.js";
import { megabytes, type SpreadsheetLimits, tooLarge } from "./limits.js";
import { createTextReader } from "./text.js";
import { readPart } from "./workbook.js";

export interface SharedTexts {
  get(index: number): string | undefined;
}

const pageBytes = 4 * 1024 * 1024;

/** @param name part with the shared strings; undefined if the workbook has none */
export async function readSharedTexts(
  archive: Archive,
  name: string | undefined,
  limits: SpreadsheetLimits,
): Promise<SharedTexts> {
  const store = createTextStore();
  if (name === undefined) return store;
  const text = createTextReader(limits);
  let inside = false;
  await readPart(archive, name, {
    open(element) {
      if (element === "si") {
        inside = true;
        text.clear();
      } else if (inside) text.open(element);
    },
    text(piece) {
      if (inside) text.add(piece);
    },
    close(element) {
      if (!inside) return;
      if (element !== "si") return text.close(element);
      inside = false;
      if (store.count === limits.sharedTexts)
        throw tooLarge(`more than ${formatThousands(limits.sharedTexts)} distinct text values`);
      store.add(text.read());
      if (store.bytes > limits.sharedTextBytes)
        throw tooLarge(`more than ${megabytes(limits.sharedTextBytes)} of distinct text values`);
    },
  });
  return store;
}

/**
 * Stores strings as consecutive bytes. Millions of separate strings would need several times as much memory.
 */
function createTextStore(): SharedTexts & {
  add(text: string): void;
  readonly count: number;
  readonly bytes: number;
} {
  const pages: Buffer[] = [];
  let used = pageBytes;
  let count = 0;
  let bytes = 0;
  /** For each string, its start (page and position in the page, as one number) and its length in bytes. */
  let slots = new Uint32Array(2048);

  return {
    get count() {
      return count;
    },
    get bytes() {
      return bytes;
    },
    add(text) {
      const length = Buffer.byteLength(text);
      if (used + length > pageBytes) {
        // Allocate outside of Node's pool, so that only bytes that are written take memory.
        pages.push(Buffer.allocUnsafeSlow(pageBytes));
        used = 0;
      }
      if (2 * count === slots.length) {
        const larger = new Uint32Array(slots.length * 2);
        larger.set(slots);
        slots = larger;
      }
      slots[2 * count] = (pages.length - 1) * pageBytes + used;
      slots[2 * count + 1] = length;
      pages.at(-1)?.write(text, used);
      used += length;
      bytes += length;
      count += 1;
    },
    get(index) {
      if (!Number.isInteger(index) || index < 0 || index >= count) return undefined;
      const start = slots[2 * index] ?? 0;
      const at = start % pageBytes;
      return pages[Math.floor(start / pageBytes)]?.toString("utf8", at, at + (slots[2 * index + 1] ?? 0));
    },
  };
}
