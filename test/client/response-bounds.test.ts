import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { findExceededBound } from "../../src/client/response-bounds.js";
import { commandLine } from "../helpers/cli.js";
import { catchError, createStage, noJitter, type Reply } from "./fakes.js";
import { openTransport, serve, serveSockets } from "./network.js";

const id = "0123456789abcdef01234567";
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const values = (count: number) => `[${"1,".repeat(count - 2)}1]`;
const bytes = (count: number) => `"${"x".repeat(count - 2)}"`;
const megabytes = 1_048_576;

describe("the nesting and size of a JSON text", () => {
  test.each([
    ["1,000 levels of arrays", nested(1_000), undefined],
    ["1,001 levels of arrays", nested(1_001), "nesting"],
    ["1,000 levels of objects", nestedObjects(1_000), undefined],
    ["1,001 levels of objects", nestedObjects(1_001), "nesting"],
    ["2,000 adjacent arrays", `[${Array(2_000).fill("[]").join(",")}]`, undefined],
    ["brackets in a string", JSON.stringify({ text: `"\\${"[{".repeat(2_000)}` }), undefined],
    ["a string that ends in backslashes", `["\\\\",${nested(1_000)}]`, "nesting"],
    ["2,000,000 values", values(2_000_000), undefined],
    ["2,000,001 values", values(2_000_001), "values"],
    ["empty objects, each one value", `[${Array(1_500_000).fill("{}").join(",")}]`, undefined],
    ["members, each one value", `{${Array(2_000_000).fill('"a":1').join(",")}}`, "values"],
    ["16 MiB", bytes(16 * megabytes), undefined],
    ["more than 16 MiB", bytes(16 * megabytes + 1), "bytes"],
    ["16 MiB in characters of two bytes", `"${"ä".repeat(8 * megabytes)}"`, "bytes"],
    ["a text that is not JSON", "(".repeat(1_000_000) + "[".repeat(5_000), undefined],
  ])(
    "limits on nesting, values and size decide whether a JSON response is accepted: %s",
    (_, text, exceeded) => {
      expect(findExceededBound(text)).toBe(exceeded);
    },
  );
});

const bounds: [string, string][] = [
  ["nested arrays", `{"data":[{"id":"${id}","name":${nested(50_000)}}],"meta":{"has_more":false}}`],
  ["nested objects", `{"data":{"id":"${id}","name":${nestedObjects(50_000)}}}`],
  ["too many values", `{"data":${values(2_000_100)}}`],
  ["too many bytes", `{"data":${bytes(17 * megabytes)}}`],
];

describe.each(bounds)("a response with %s", (_, text) => {
  const statuses = [200, 400, 404, 409, 429, 500, 503];

  it.each(statuses)("an oversized response with status %i is an error", async (status) => {
    const { client, seen } = createStage([{ status, text }]);
    const error = await catchError(client.call("contacts.get", { path: { contact_id: id } }));
    expect(error).toMatchObject({ type: "network", code: "answer_too_large", outcome: "none" });
    expect(seen).toHaveLength(1);
  });

  it.each(statuses)("an oversized response with status %i leaves a write unconfirmed", async (status) => {
    const { client, seen } = createStage([{ status, text }]);
    const error = await catchError(client.call("contacts.delete", { path: { contact_id: id } }));
    expect(error).toMatchObject({ code: "answer_too_large", outcome: "unknown", status: undefined });
    expect(seen).toHaveLength(1);
  });
});

test("a response with a media type other than JSON may contain any number of brackets", async () => {
  const reply: Reply = { text: nested(5_000).slice(1), headers: { "content-type": "text/plain" } };
  const { client } = createStage([reply]);
  const response = await client.request({ api: "public", method: "GET", rawPath: "/x" });
  expect(response.body).toBe(reply.text);
});

describe("a response from the network", () => {
  const large = Buffer.concat([Buffer.from('{"data":["'), Buffer.alloc(64 * megabytes, 0x61)]);

  it.each([
    ["gzip", gzipSync(large)],
    ["br", brotliCompressSync(large.fill(0x61, 10))],
    ["deflate", deflateSync(large)],
  ])("[T22] decompression of a response stops at the size limit (%s)", async (encoding, body) => {
    const port = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body);
    });
    const { client } = createStage([], {
      transport: openTransport(),
      targets: { public: { baseUrl: `http://127.0.0.1:${port}`, key: "k" } },
      random: noJitter,
    });
    const error = await catchError(client.call("contacts.list"));
    expect(error).toMatchObject({ code: "answer_too_large", message: expect.stringContaining("16 MiB") });
  });

  it("a response that does not end is stopped at the limit", async () => {
    const { port, sent } = await serveWithoutEnd();
    const transport = openTransport();
    await expect(
      transport(`http://127.0.0.1:${port}/`, { method: "GET", headers: {} }).then((response) =>
        response.text(),
      ),
    ).rejects.toThrow("larger than 16 MiB");
    expect(sent()).toBeLessThan(100 * megabytes);
  });

  it("a chunked response that also declares a length is refused", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n";
    const chunk = Buffer.from(`100000\r\n${"x".repeat(megabytes)}\r\n`);
    const port = await serveSockets((socket) => {
      socket.write(head);
      for (let count = 0; count < 20; count += 1) socket.write(chunk);
    });
    const answer = openTransport()(`http://127.0.0.1:${port}/`, { method: "GET", headers: {} });
    await expect(answer.then((response) => response.text())).rejects.toThrow("does not match content-length");
  });

  it("a response that ends before its declared length is an error", async () => {
    const port = await serveSockets((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"data":'),
    );
    const response = await openTransport()(`http://127.0.0.1:${port}/`, { method: "GET", headers: {} });
    await expect(response.text()).rejects.toMatchObject({ name: "ConnectionError", maybeSent: true });
  });

  it("a response with more than five encodings is not decoded", async () => {
    const body = [1, 2, 3, 4, 5, 6].reduce((inner) => gzipSync(inner), Buffer.from("{}"));
    const encoding = Array(6).fill("gzip").join(", ");
    const port = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    const { client } = createStage([], {
      transport: openTransport(),
      targets: { public: { baseUrl: `http://127.0.0.1:${port}`, key: "k" } },
    });
    expect(await catchError(client.call("contacts.list"))).toMatchObject({ code: "invalid_response" });
  });
});

describe("a command with an oversized response", () => {
  const commands = [
    { argv: ["contacts", "list", "--limit", "5"], code: 9 },
    { argv: ["contacts", "get", id], code: 9 },
    { argv: ["contacts", "create", "--group", id, "--first-name", "A"], code: 75 },
    { argv: ["contacts", "update", id, "--first-name", "A"], code: 75 },
    { argv: ["contacts", "delete", id, "--yes"], code: 75 },
    { argv: ["groups", "list", "--all"], code: 9 },
    { argv: ["api", "GET", "/anything"], code: 9 },
    { argv: ["api", "POST", "/anything", "--data", "{}"], code: 75 },
    { argv: ["calls", "get", id], code: 9 },
    { argv: ["voices", "list"], code: 9 },
  ];

  it.each(commands)(
    "the command $argv exits with code $code after an endless response",
    async ({ argv, code }) => {
      const { port, requests } = await serveWithoutEnd();
      const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
      const ran = await commandLine({ env }).run(...argv, "-o", "json");
      expect(ran.code).toBe(code);
      expect(requests()).toEqual([...new Set(requests())]);
    },
  );

  it.each(commands)(
    "the command $argv exits with code $code after a response with 50,000 levels of nesting",
    async ({ argv, code }) => {
      const port = await serve((_, response) => response.end(`{"data":[{"name":${nestedObjects(50_000)}}]}`));
      const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
      const ran = await commandLine({ env }).run(...argv, "-o", "json");
      expect(ran.code).toBe(code);
      expect(ran.stderr).toContain("nested more than 1,000 levels deep");
    },
  );
});

async function serveWithoutEnd() {
  const part = Buffer.from(`{"id":"${"a".repeat(1_000)}"},`.repeat(1_000));
  const requests: string[] = [];
  let parts = 0;
  const port = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "application/json" }).write('{"data":[');
    const send = () => {
      while (parts < 6_000 && !response.destroyed) {
        parts += 1;
        if (!response.write(part)) return void response.once("drain", send);
      }
    };
    send();
  });
  return { port, requests: () => requests, sent: () => parts * part.length };
}
