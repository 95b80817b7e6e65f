import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The address of the reader's receiver in the examples. */
const supposed = /http:\/\/127\.0\.0\.1:(?:3000|8080)/g;

/** A capture, as `webhook listen --record` writes it. */
const recording = JSON.stringify({
  version: 1,
  at: "2026-11-22T08:00:00.000Z",
  request: {
    method: "POST",
    path: "/",
    headers: [["Content-Type", "application/json"]],
    body_base64: Buffer.from('{"from":"+4915112345678"}').toString("base64"),
  },
  answer: { status: 200, headers: [], body_text: '{"name":"Anna"}' },
  milliseconds: 3,
});

export const webhookFiles: Readonly<Record<string, string>> = {
  "rules.yaml":
    'version: 1\nrules:\n  - when: { body.from: "+4915112345678" }\n    answer: { json: { name: Anna } }\n',
  "contract.yaml":
    "version: 1\nurl: http://127.0.0.1:3000/hook\ncases:\n  - name: known caller\n    expect: { json: { name: Anna } }\n",
  "requests/0001-65f1a0b2c3d4e5f601234568.json": recording,
};

/** `substituteUrls` replaces the receiver's URL in lines and files. */
export async function startReceiver(): Promise<{ substituteUrls(text: string): string; close(): void }> {
  const server = createServer((_, response) => void response.end('{"name":"Anna"}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    substituteUrls: (text) =>
      text
        .replace(supposed, `http://127.0.0.1:${port}`)
        .replace(/^voxctl webhook listen/, "voxctl webhook listen --port 0"),
    close: () => void server.close(),
  };
}
