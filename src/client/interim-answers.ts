import type { Socket } from "node:net";

const interim = Buffer.from("HTTP/1.1 1");
const headEnd = Buffer.from("\r\n\r\n");
/** A head that is longer is no answer; undici says so. */
const longestHead = 64 * 1024;

/**
 * The same connection, on which 1xx answers are left out. A server may send any of them unasked, and a client has to
 * pass over them (RFC 9110, 15.2; T16); undici ends the connection on `100 Continue`.
 */
export function withoutInterimAnswers<T extends Socket>(socket: T): T {
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
      held = afterInterim(Buffer.concat([held, chunk]));
      if (isUndecided(held)) continue;
      isAwaited = false;
      const answer = held;
      held = Buffer.alloc(0);
      return answer;
    }
  });
  return socket;
}

/** The bytes after the whole 1xx answers at the beginning. */
function afterInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.subarray(0, interim.length).equals(interim)) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}

/** May this still become a 1xx answer? */
function isUndecided(bytes: Buffer): boolean {
  if (bytes.length > longestHead) return false;
  const length = Math.min(bytes.length, interim.length);
  return bytes.subarray(0, length).equals(interim.subarray(0, length));
}
