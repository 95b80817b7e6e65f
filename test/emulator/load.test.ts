import { Agent, request } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { seededBytes, seededDraw } from "../../src/base/random.js";
import { openTestEmulator, type TestEmulator } from "../helpers/test-emulator.js";

function ask(
  agent: Agent,
  emulator: TestEmulator,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number | undefined; text: string }> {
  const { port } = new URL(emulator.url);
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${emulator.keys.admin}`, "content-type": "application/json" };
    const sent = request(
      { agent, host: "127.0.0.1", port, path: `/api/v1${path}`, method, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Number of requests, a multiple of four. */
const requests = process.env["PROOF"] ? 100_000 : 400;
const malformedRequests = process.env["PROOF"] ? 1_000 : 100;

it(`${requests} requests over 32 connections get responses without an error`, async () => {
  await using emulator = await openTestEmulator("over HTTP", {
    limits: { read: 1_000_000, write: 1_000_000 },
  });
  const group_id = await emulator.groupId("contacts");
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const counts = new Map<string, number>();
  let next = 0;
  const worker = async () => {
    while (next < requests) {
      const index = next;
      next += 1;
      const [method, path, body] =
        index % 4 === 0
          ? ["POST", "/contacts", JSON.stringify({ group_id, first_name: `Nr. ${index}` })]
          : index % 4 === 1
            ? ["GET", "/contacts?limit=5"]
            : index % 4 === 2
              ? ["GET", "/groups"]
              : ["GET", "/ping"];
      const { status } = await ask(agent, emulator, method ?? "", path ?? "", body);
      const name = `${method} ${status}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  agent.destroy();
  expect(Object.fromEntries(counts)).toEqual({ "POST 201": requests / 4, "GET 200": (3 * requests) / 4 });
  expect((await emulator.control("GET", "/status")).counts.contacts).toBe(requests / 4);
}, 600_000);

function malformed(emulator: TestEmulator, index: number): Buffer {
  const draw = (name: string, below: number) => Math.floor(seededDraw(5, "malformed", index, name) * below);
  const { host } = new URL(emulator.url);
  const length = ["5", "-1", "99999999999999999999", "1e3", "0x10", ""][draw("length", 6)];
  const whole = Buffer.from(
    [
      `POST /api/v1/contacts HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${emulator.keys.admin}`,
      "Content-Type: application/json",
      `Content-Length: ${length}`,
      "",
      '{"first_name": "Ada", "group_id": null}',
    ].join("\r\n"),
  );
  switch (draw("kind", 4)) {
    case 0:
      return whole.subarray(0, draw("cut", whole.length));
    case 1: {
      const garbled = Buffer.from(whole);
      for (let count = 0; count < 4; count += 1)
        garbled[draw(`at ${count}`, garbled.length)] = draw(`to ${count}`, 256);
      return garbled;
    }
    case 2:
      return Buffer.concat(
        Array.from({ length: 1 + draw("many", 40) }, (_, part) => seededBytes(32, 5, "noise", index, part)),
      );
    default:
      return Buffer.concat([Buffer.from(`GET /${"a".repeat(draw("long", 40_000))} HTTP/1.1\r\n`), whole]);
  }
}

it(`${malformedRequests} malformed requests neither stop the server nor change its state`, async () => {
  await using emulator = await openTestEmulator("over HTTP");
  const { port } = new URL(emulator.url);
  const send = (index: number) =>
    new Promise<void>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port: Number(port) });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve());
      socket.resume();
      const bytes = malformed(emulator, index);
      // Some clients disconnect immediately. The others close only their sending side.
      if (index % 3 === 0) socket.write(bytes, () => socket.destroy());
      else socket.end(bytes);
    });
  for (let start = 0; start < malformedRequests; start += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, offset) => send(start + offset)));
  }
  expect((await emulator.ask("GET", "/ping")).status).toBe(200);
  expect((await emulator.ask("GET", "/contacts")).body.data).toEqual([]);
}, 600_000);
