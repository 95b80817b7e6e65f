// A faster load generator than load.mjs. It prepares a fixed number of requests before the round, and sends
// them over 16 keep-alive sockets with one request in flight on each. It reads only the length of a response,
// which costs less than a full parser. A fast server never waits for the next request.
import { connect } from "node:net";
import { bytesOf } from "./load.mjs";

const connections = 16;

/**
 * Opens the sockets, then sends the requests as fast as the server responds.
 * @param {{ url: string, requests: import("./load.mjs").LoadRequest[], begin: () => void }} options `begin` is called
 * when the sockets are open and nothing is sent yet
 * @throws Error if a response isn't successful or a connection ends
 */
export async function loadAll({ url, requests: prepared, begin }) {
  const { hostname, port } = new URL(url);
  const requests = prepared.map((request) => Buffer.from(bytesOf(request, hostname)));
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname).setNoDelay(true);
      await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
      return socket;
    }),
  );
  begin();
  let sent = 0;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise((resolve, reject) => {
          const send = () => {
            if (sent === requests.length) return resolve(undefined);
            socket.write(requests[sent]);
            sent += 1;
          };
          const read = readResponses(send);
          socket.on("data", (chunk) => {
            try {
              read(chunk);
            } catch (error) {
              reject(error);
            }
          });
          socket.on("error", reject);
          socket.on("close", () => reject(new Error(`${url} closed a connection`)));
          send();
        }),
    ),
  );
  for (const socket of sockets) socket.removeAllListeners("close").destroy();
}

/** Returns a reader that calls `done` after each response. The reader counts bytes and doesn't store them. */
function readResponses(done) {
  let remaining = 0;
  let head = Buffer.alloc(0);
  return (chunk) => {
    if (remaining === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      // The status starts at this byte: "HTTP/1.1 200".
      if (head[9] !== 0x32) throw new Error(head.latin1Slice(0, end));
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.latin1Slice(0, end));
      if (length === null) throw new Error("a response has no Content-Length");
      remaining = end + 4 + Number(length[1]) - head.length;
      head = Buffer.alloc(0);
    } else {
      remaining -= chunk.length;
    }
    if (remaining === 0) done();
  };
}
