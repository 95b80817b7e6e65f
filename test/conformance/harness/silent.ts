import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

export const silences = ["never answers", "answers 1xx for ever", "sends one byte at a time"] as const;
export type Silence = (typeof silences)[number];

/** A server that accepts requests and never finishes a response. */
export interface SilentPeer {
  origin: string;
  requested: Promise<void>;
  close(): Promise<void>;
}

const pauseMilliseconds = 10;

/** @param port a port of this machine; 0 for any */
export async function listenSilently(silence: Silence, port = 0): Promise<SilentPeer> {
  const sockets = new Set<Socket>();
  let reportRequest = () => {};
  const requested = new Promise<void>((resolve) => {
    reportRequest = resolve;
  });
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let timer: NodeJS.Timeout | undefined;
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
    socket.on("data", (request: Buffer) => {
      reportRequest();
      if (silence === "never answers" || timer) return;
      const isRecording = request.includes("/recording");
      if (silence === "sends one byte at a time")
        socket.write(head(isRecording ? "audio/flac" : "application/json"));
      timer = setInterval(
        () =>
          socket.write(
            silence === "answers 1xx for ever" ? "HTTP/1.1 103 Early Hints\r\n\r\n" : "1\r\n \r\n",
          ),
        pauseMilliseconds,
      );
    });
  });
  server.listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    requested,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function head(type: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
}
