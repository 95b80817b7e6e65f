import { isUtf8 } from "node:buffer";

/** The line, from 1, of the first bytes that are no UTF-8; undefined where all of them are. */
export function lineWithoutUtf8(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let start = 0;
  for (let line = 1; ; line += 1) {
    // No character of several bytes holds a line feed.
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}
