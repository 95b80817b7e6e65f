import type { Socket } from "node:net";

const interim = Buffer.from("HTTP/1.1 1");
const headEnd = Buffer.from("\r\n\r\n");
/** A head that is longer is no answer; undici says so. */
const longestHead = 64 * 1024;

/**
 * The same connection, on which 1xx answers are left out. A server may send any of them unasked, and a client has to
 * pass over them (RFC 9110, 15.2; T16); undici ends the connection on `100 Continue`.
 */
export function skipInterimResponses<T extends Socket>(socket: T): T {
  /** A request was written, and its answer has not begun. */
  let isAwaited = false;
  /** The beginning of what may be a 1xx answer. */
  let held: Buffer = Buffer.alloc(0);
  const { read, write } = socket;
  const override = (name: "read" | "write", value: (...parameters: unknown[]) => unknown) =>
    Object.defineProperty(socket, name, { value, configurable: true, writable: true });
  override("write", (...parameters) => {
    isAwaited = true;
    return Reflect.apply(write, socket, parameters);
  });
  override("read", (...parameters) => {
    for (;;) {
      const chunk: unknown = Reflect.apply(read, socket, parameters);
      if (!isAwaited || !Buffer.isBuffer(chunk)) return chunk;
      held = removeInterim(Buffer.concat([held, chunk]));
      if (isUndecided(held)) continue;
      isAwaited = false;
      const response = held;
      held = Buffer.alloc(0);
      return response;
    }
  });
  return socket;
}

/** The bytes after the whole 1xx answers at the beginning. */
function removeInterim(bytes: Buffer): Buffer {
  let remaining = bytes;
  while (remaining.subarray(0, interim.length).equals(interim)) {
    const end = remaining.indexOf(headEnd);
    if (end === -1) return remaining;
    remaining = remaining.subarray(end + headEnd.length);
  }
  return remaining;
}

/** May this still become a 1xx answer? */
function isUndecided(bytes: Buffer): boolean {
  if (bytes.length > longestHead) return false;
  const length = Math.min(bytes.length, interim.length);
  return bytes.subarray(0, length).equals(interim.subarray(0, length));
}
