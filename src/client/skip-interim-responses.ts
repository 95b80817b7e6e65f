import type { Socket } from "node:net";

const interim = Buffer.from("HTTP/1.1 1");
const headEnd = Buffer.from("\r\n\r\n");
/** Maximum length of a response head. Undici rejects a longer one. */
const longestHead = 64 * 1024;

/**
 * Wraps a connection to skip 1xx responses, as clients must (RFC 9110, 15.2). Undici would close the
 * connection on `100 Continue`.
 */
export function skipInterimResponses<T extends Socket>(socket: T): T {
  let isAwaited = false;
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

function removeInterim(bytes: Buffer): Buffer {
  let remaining = bytes;
  while (remaining.subarray(0, interim.length).equals(interim)) {
    const end = remaining.indexOf(headEnd);
    if (end === -1) return remaining;
    remaining = remaining.subarray(end + headEnd.length);
  }
  return remaining;
}

function isUndecided(bytes: Buffer): boolean {
  if (bytes.length > longestHead) return false;
  const length = Math.min(bytes.length, interim.length);
  return bytes.subarray(0, length).equals(interim.subarray(0, length));
}
