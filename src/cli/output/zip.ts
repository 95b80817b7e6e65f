import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

export interface ZipFile {
  name: string;
  text: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

// APPNOTE 4.4.4: sizes follow the content (bit 3), names are UTF-8 (bit 11).
const flags = 0x0808;
const deflated = 8;
/** 1 January 1980, the earliest date in ZIP. With a fixed date, equal content gives equal archives. */
const date = 0x0021;
const largest = 0xffff_ffff;

/**
 * Writes a ZIP archive in pieces. Keeps only the current file in memory.
 * @throws RangeError above 4 GiB, and the errors of the input streams
 */
export async function* zipped(files: Iterable<ZipFile>): AsyncGenerator<Uint8Array, void> {
  const entries: Entry[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const entry: Entry = { name: Buffer.from(name), offset, crc: 0, packed: 0, size: 0 };
    const head = record(0x0403_4b50, [20, flags, deflated, 0, date], [0, 0, 0], [entry.name.length, 0]);
    yield Buffer.concat([head, entry.name]);
    for await (const piece of packing(text, entry)) yield piece;
    yield record(0x0807_4b50, [], [entry.crc, entry.packed, entry.size]);
    offset += head.length + entry.name.length + entry.packed + 16;
    if (Math.max(entry.size, offset) > largest) throw new RangeError("an archive is limited to 4 GiB");
    entries.push(entry);
  }
  let directory = 0;
  for (const { name, crc, packed, size, offset: at } of entries) {
    const head = record(
      0x0201_4b50,
      [20, 20, flags, deflated, 0, date],
      [crc, packed, size],
      [name.length, 0, 0, 0, 0],
      [0, at],
    );
    yield Buffer.concat([head, name]);
    directory += head.length + name.length;
  }
  yield record(0x0605_4b50, [0, 0, entries.length, entries.length], [directory, offset], [0]);
}

/** Groups of 2-byte and 4-byte numbers alternate. */
function record(signature: number, ...groups: readonly (readonly number[])[]): Buffer {
  const parts = groups.flatMap((numbers, index) =>
    numbers.map((number) => {
      const wide = index % 2 === 1;
      const bytes = Buffer.alloc(wide ? 4 : 2);
      if (wide) bytes.writeUInt32LE(number);
      else bytes.writeUInt16LE(number);
      return bytes;
    }),
  );
  const start = Buffer.alloc(4);
  start.writeUInt32LE(signature);
  return Buffer.concat([start, ...parts]);
}

async function* packing(text: ZipFile["text"], entry: Entry): AsyncGenerator<Uint8Array, void> {
  async function* measured(): AsyncGenerator<Buffer, void> {
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      yield bytes;
    }
  }
  const deflate = createDeflateRaw();
  // If reading the text fails, the loop below throws the error.
  pipeline(Readable.from(measured()), deflate, () => {});
  for await (const piece of deflate) {
    const bytes: Buffer = piece;
    entry.packed += bytes.length;
    yield bytes;
  }
}
