import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { TransportResponse } from "../../src/base/transport.js";
import { catchError, createStage } from "./fakes.js";

const body = { data: { first_name: "Änne", text: "x".repeat(10_000) } };
const text = JSON.stringify(body);

function encoded(encoding: string, bytes: Buffer, more: Partial<TransportResponse> = {}): TransportResponse {
  return {
    status: 200,
    headers: {
      "content-type": "application/json",
      "content-encoding": encoding,
      "content-length": String(bytes.length),
    },
    body: (async function* () {
      // Small chunks, as a network may deliver them.
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    })(),
    text: async () => bytes.toString("utf8"),
    ...more,
  };
}

const createClientFor = (response: () => TransportResponse) =>
  createStage([], { transport: async () => response(), clock: { now: () => 0, sleep: async () => {} } })
    .client;
const id = "0123456789abcdef01234567";
const create = { body: { group_id: id, first_name: "Ada" } };

describe("[T16] a response", () => {
  it.each([
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["br", brotliCompressSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["deflate, gzip", gzipSync(deflateSync(text))],
    ["identity", Buffer.from(text)],
  ])(
    "a response with the encoding %s is decoded even though voxctl didn't request it",
    async (encoding, bytes) => {
      const response = await createClientFor(() => encoded(encoding, bytes)).call("contacts.get", {
        path: { contact_id: id },
      });
      expect(response.data).toEqual(body.data);
    },
  );

  it.each([{ data: null }, { data: [] }, [], "made"])(
    "a create is unconfirmed if its response is %j instead of the resource",
    async (answer) => {
      const { client } = createStage([{ body: answer }]);
      const error = await catchError(client.call("contacts.create", create));
      expect(error).toMatchObject({ code: "invalid_response", outcome: "unknown" });
    },
  );

  it("a request accepts only an unencoded response (Accept-Encoding: identity)", async () => {
    const { client, seen } = createStage([{ body }]);
    await client.call("contacts.get", { path: { contact_id: id } });
    expect(seen[0]?.headers).toMatchObject({ "accept-encoding": "identity" });
  });

  it("an encoded response is decoded even if it is a recording", async () => {
    const audio = Buffer.from("fLaC".repeat(5_000));
    const headers = { "content-type": "audio/flac", "content-encoding": "gzip", "content-length": "1" };
    const client = createClientFor(() => encoded("gzip", gzipSync(audio), { headers }));
    const response = await client.request({ api: "public", method: "GET", rawPath: "/calls/x/recording" });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body as AsyncIterable<Uint8Array>) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(audio)).toBe(true);
    expect(response.headers["content-length"]).toBeUndefined();
  });

  it("an encoded response is decoded even if it is an error", async () => {
    const refusal = gzipSync(JSON.stringify({ error: { code: "conflict", message: "m", details: [] } }));
    const client = createClientFor(() => encoded("gzip", refusal, { status: 409 }));
    expect(await catchError(client.call("contacts.create", create))).toMatchObject({
      code: "conflict",
      status: 409,
    });
  });

  it("a response without a body is valid with any encoding", async () => {
    const client = createClientFor(() => encoded("gzip", Buffer.alloc(0)));
    expect((await client.call("contacts.delete", { path: { contact_id: id } })).body).toBeUndefined();
  });

  it("a write is unconfirmed if its encoded response is truncated or invalid", async () => {
    for (const bytes of [gzipSync(text).subarray(0, 40), Buffer.from("no gzip at all")]) {
      const client = createClientFor(() => encoded("gzip", bytes, { status: 201 }));
      expect(await catchError(client.call("contacts.create", create))).toMatchObject({
        code: "invalid_response",
        outcome: "unknown",
      });
    }
  });

  it("the error for a response with an unknown encoding names the encoding", async () => {
    const client = createClientFor(() => encoded("x-secret", Buffer.from("…"), { status: 201 }));
    const error = await catchError(client.call("contacts.create", create));
    expect(error).toMatchObject({ code: "invalid_response", outcome: "unknown" });
    expect(error.message).toContain('encoded as "x-secret"');
  });
});
