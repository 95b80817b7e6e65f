import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export interface ReceivedWebhook {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
}

/**
 * Starts a webhook server on loopback that stores its requests and sends the given responses. The server
 * stops when the test ends.
 */
export async function startWebhookServer(): Promise<{
  url: string;
  port: number;
  received: ReceivedWebhook[];
  answer: (response: ServerResponse) => void;
  close(): void;
}> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      const { method, url: path, headers } = request;
      received.push({ method, path, headers, body: JSON.parse(text) });
      hook.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const hook = {
    url: `http://127.0.0.1:${port}/in`,
    port,
    received,
    answer: (response: ServerResponse) => void response.end(),
    close,
  };
  onTestFinished(close);
  return hook;
}
