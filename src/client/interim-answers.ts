import type { Socket } from "node:net";

const continued = Buffer.from("HTTP/1.1 100 ");
const headEnd = Buffer.from("\r\n\r\n");

/**
 * The same connection, on which `100 Continue` answers are left out. A server may send one unasked and a client has to
 * pass over it (RFC 9110, 15.2; T16); undici ends the connection instead. Other 1xx answers it passes over itself.
 */
export function withoutContinue<T extends Socket>(socket: T): T {
  /** A request was written, and no answer to it has begun. */
  let isAwaited = false;
  /** The beginning of what may be a `100 Continue`. */
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
      held = afterContinue(Buffer.concat([held, chunk]));
      if (isUndecided(held)) continue;
      isAwaited = false;
      const answer = held;
      held = Buffer.alloc(0);
      return answer;
    }
  });
  return socket;
}

/** What follows the whole `100 Continue` answers at the beginning. */
function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.subarray(0, continued.length).equals(continued)) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}

/** May this still become a `100 Continue`? */
function isUndecided(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, continued.length);
  return bytes.subarray(0, length).equals(continued.subarray(0, length));
}
