// A small load generator: keep-alive connections over plain sockets, one request in flight on each. It costs a fraction
// of what an HTTP client does, so that what is measured is the server.
import { connect } from "node:net";

/**
 * Sends requests for so long.
 * @param {{ url: string, seconds: number, connections?: number, next: (count: number) => LoadRequest }} options
 * @returns {Promise<{ perSecond: number, statuses: Record<number, number> }>} whole answers per second
 */
export async function load({ url, seconds, connections = 16, next }) {
  const { hostname, port } = new URL(url);
  const statuses = {};
  let sent = 0;
  let answered = 0;
  const began = performance.now();
  const ends = began + seconds * 1000;
  const connection = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      const read = reader((status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        answered += 1;
        if (performance.now() < ends) send();
        else socket.end();
      });
      const send = () => {
        socket.write(bytesOf(next(sent), hostname));
        sent += 1;
      };
      socket.on("connect", send);
      socket.on("data", (chunk) => {
        try {
          read(chunk);
        } catch (error) {
          reject(error);
          socket.destroy();
        }
      });
      socket.on("close", resolve);
      socket.on("error", reject);
    });
  await Promise.all(Array.from({ length: connections }, connection));
  return { perSecond: answered / ((performance.now() - began) / 1000), statuses };
}

/**
 * @typedef {{ method: string, path: string, key?: string, body?: string }} LoadRequest
 */

function bytesOf({ method, path, key, body }, hostname) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${hostname}`];
  if (key) lines.push(`Authorization: Bearer ${key}`);
  if (body !== undefined)
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Tells the status of each whole answer; understands a Content-Length and chunks. */
function reader(whole) {
  let pending = "";
  return (chunk) => {
    // Bytes as characters: lengths are counted in bytes.
    pending += chunk.latin1Slice();
    for (;;) {
      const headEnd = pending.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const head = pending.slice(0, headEnd);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head);
      let end = headEnd + 4;
      if (length) {
        end += Number(length[1]);
        if (pending.length < end) return;
      } else {
        const last = pending.indexOf("0\r\n\r\n", headEnd);
        if (last < 0) return;
        end = last + 5;
      }
      pending = pending.slice(end);
      whole(Number(head.slice(9, 12)));
    }
  };
}
