// A small load generator with keep-alive connections over plain sockets. Each connection has one request in
// flight. The generator costs much less than an HTTP client, so it measures mainly the server.
import { connect } from "node:net";

/**
 * Sends requests for some seconds, at full speed or at a rate.
 * @param {{ url: string, seconds: number, connections?: number, perSecond?: number, next: (count: number) => LoadRequest }} options
 * @returns {Promise<{ perSecond: number, statuses: Record<number, number>, latencies: number[] }>} complete
 * responses per second, and the latencies of paced requests in milliseconds
 */
export async function load({ url, seconds, connections = 16, perSecond = Number.POSITIVE_INFINITY, next }) {
  const { hostname, port } = new URL(url);
  const statuses = {};
  let sent = 0;
  let answered = 0;
  const began = performance.now();
  const ends = began + seconds * 1000;
  const latencies = [];
  // Each connection has its own schedule. A late connection sends without waiting until it is on schedule
  // again.
  const interval = (connections / perSecond) * 1000;
  const connection = (_, index) =>
    new Promise((resolve, reject) => {
      let due = began + (interval * index) / connections;
      // Latency starts at the due time. After a wait, latency starts when the request is sent, because the
      // server does not cause the delay of a timer.
      let from = due;
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      const read = reader((status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        answered += 1;
        const now = performance.now();
        if (interval > 0) latencies.push(now - from);
        due += interval;
        if (Math.max(now, due) >= ends) socket.end();
        else if (due > now) wait(due - now);
        else send(due);
      });
      const wait = (milliseconds) => setTimeout(() => send(performance.now()), milliseconds);
      const send = (begun) => {
        from = begun;
        socket.write(bytesOf(next(sent), hostname));
        sent += 1;
      };
      socket.on("connect", () =>
        due > performance.now() ? wait(due - performance.now()) : send(performance.now()),
      );
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
  return { perSecond: answered / ((performance.now() - began) / 1000), statuses, latencies };
}

/**
 * @typedef {{ method: string, path: string, key?: string, body?: string }} LoadRequest
 */

/** Returns the text of a request. */
export function bytesOf({ method, path, key, body }, hostname) {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${hostname}`];
  if (key) lines.push(`Authorization: Bearer ${key}`);
  if (body !== undefined)
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Returns a reader that reports the status of each complete response. Supports Content-Length and chunks. */
function reader(whole) {
  let pending = "";
  return (chunk) => {
    // Decode as Latin-1, so that the length of a string equals its number of bytes.
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
