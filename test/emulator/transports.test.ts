import { expect, it } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { readLog } from "../helpers/log.js";
import { unknownId } from "../helpers/records.js";
import { openTestEmulator, type Reply, type TestEmulator } from "../helpers/test-emulator.js";

/** A logged request without the differences between transports. */
interface LoggedExchange {
  id: number;
  duration_ms: number;
  response_body: unknown;
  path: string;
  request_headers?: Record<string, string>;
}

const steps = 400;
const seed = 77;

/** Headers that may differ between transports: those of the connection, and the emulator's ID. */
const passing = new Set([
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "x-emulator-world",
]);

/**
 * Only the seed and the responses determine the requests, so emulators with equal responses get equal
 * requests.
 */
function walker(emulator: TestEmulator) {
  const groups: string[] = [];
  const contacts: string[] = [];
  const cursors: string[] = [];
  let made: { id: string; key: string } | undefined;

  function draw(step: number, name: string, count: number): number {
    return Math.floor(seededDraw(seed, "walk", step, name) * count);
  }
  const pick = <T>(step: number, name: string, list: readonly T[]): T | undefined =>
    list[draw(step, name, Math.max(1, list.length))];

  async function request(step: number): Promise<Reply> {
    const keys = [
      emulator.keys.admin,
      emulator.keys.admin,
      emulator.keys.admin,
      emulator.keys.editor,
      emulator.keys.viewer,
      emulator.keys.legacy,
      "wrong",
      made?.key ?? "none",
    ];
    const key = pick(step, "key", keys) ?? null;
    const group = pick(step, "group", [...groups, unknownId, "malformed"]) ?? unknownId;
    const contact =
      pick(step, "contact", [...contacts, ...contacts.slice(-5), unknownId, "x%00"]) ?? unknownId;
    const name = pick(step, "name", ["Kunden", "Praxis", "  Labor ", "", "🦷", "Default", "x".repeat(201)]);
    const type = pick(step, "type", ["contacts", "contacts", "glossaries", "nothing"]);
    const limit = pick(step, "limit", ["1", "2", "5", "0", "x", "200"]);
    const cursor = pick(step, "cursor", [...cursors, "forged"]) ?? "none";
    const choices: (() => Promise<Reply>)[] = [
      () => emulator.ask("GET", "/ping", { key }),
      () => emulator.ask("GET", `/contacts?limit=${limit}`, { key }),
      () => emulator.ask("GET", `/contacts?limit=2&cursor=${cursor}`, { key }),
      () => emulator.ask("GET", `/contacts?group_id=${group}`, { key }),
      () => emulator.ask("GET", `/groups?type=${type}`, { key }),
      () => emulator.ask("GET", `/groups/${group}`, { key }),
      () => emulator.ask("GET", `/contacts/${contact}`, { key }),
      () =>
        emulator.ask("POST", "/contacts", {
          key,
          body: { group_id: group, first_name: name, phone_numbers: [`+4930${step}0000`] },
        }),
      () =>
        emulator.ask("POST", "/contacts", { key, body: { group_id: groups[0], first_name: `Nr. ${step}` } }),
      () => emulator.ask("POST", "/contacts", { body: { group_id: groups[0], first_name: `Nr. ${step}` } }),
      () =>
        emulator.ask("POST", "/contacts", {
          key,
          body: { group_id: groups[0], first_name: "A", colour: 1, id: "x" },
        }),
      () =>
        emulator.ask("PATCH", `/contacts/${contact}`, { key, body: { last_name: name, group_id: group } }),
      () => emulator.ask("PATCH", `/contacts/${contact}`, { key, body: {} }),
      () => emulator.ask("DELETE", `/contacts/${contact}`, { key }),
      () => emulator.ask("POST", "/groups", { key, body: { type, name } }),
      () => emulator.ask("PATCH", `/groups/${group}`, { key, body: { name } }),
      () => emulator.ask("DELETE", `/groups/${group}`, { key }),
      () => emulator.ask("POST", "/groups", { key, raw: '{"type":' }),
      () => emulator.ask("POST", "/groups", { key, raw: Uint8Array.from([0x7b, 0xff, 0x7d]) }),
      () => emulator.ask("POST", "/groups", { key, raw: "{}", headers: { "content-type": "text/plain" } }),
      () => emulator.ask("PUT", "/groups", { key }),
      () => emulator.ask("GET", "/nowhere?a=1", { key: null }),
      () => emulator.askHost("GET", "/_emulator/clock", { key: null }),
    ];
    const choice = pick(step, "choice", choices);
    if (!choice) throw new Error("no choice");
    return choice();
  }

  async function disturb(step: number): Promise<void> {
    const faultTypes = [
      "error_before",
      "error_after",
      "drop_before",
      "drop_after",
      "truncate",
      "garbage",
      "limiter_down",
    ];
    if (step % 7 === 3) {
      await emulator.control("POST", "/faults", {
        kind: faultTypes[(step / 7) | 0 ? draw(step, "kind", faultTypes.length) : 0],
        times: 1,
      });
    }
    if (step % 23 === 5)
      await emulator.control("POST", "/faults", { kind: "delay", delay_ms: 1234, times: 1 });
    if (step % 11 === 2) await emulator.advance(draw(step, "advance", 20_000) / 1000);
    if (step % 50 === 10)
      made = await emulator.control("POST", "/keys", { kind: "public", limits: { read: 3, write: 1 } });
    if (step % 50 === 40 && made) await emulator.control("PATCH", `/keys/${made.id}`, { status: "revoked" });
    if (step % 90 === 80) {
      const { organization_id } = emulator.instance.startLine;
      await emulator.control("PATCH", `/organizations/${organization_id}`, {
        status: step % 180 === 80 ? "blocked" : "active",
      });
    }
  }

  function learn({ status, body }: Reply): void {
    if (status === 201 && body?.data) (body.data.type ? groups : contacts).push(body.data.id);
    if (status === 200 && typeof body?.meta?.next_cursor === "string") cursors.push(body.meta.next_cursor);
  }

  return {
    async begin() {
      groups.push(await emulator.groupId("contacts"));
    },
    async step(step: number): Promise<object> {
      await disturb(step);
      const reply = await request(step).catch((error: unknown) => error);
      if (reply instanceof Error) return { failed: reply.message };
      const response = reply as Reply;
      learn(response);
      const headers = [...response.headers].filter(([name]) => !passing.has(name)).sort();
      // Cursors differ between emulators. The body may be invalid JSON, so this replaces the cursor as text.
      const text = Buffer.from(response.bytes)
        .toString()
        .replace(/"next_cursor":"[^"]+"/, '"next_cursor":"…"');
      return { status: response.status, headers, text };
    },
  };
}

const ofConnection = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "host",
  "sec-fetch-mode",
  "user-agent",
]);

it("a long sequence of requests gets the same responses in process and over HTTP", async () => {
  const options = { limits: { read: 25, write: 25 }, randomSeed: 5 };
  await using local = await openTestEmulator("in process", options);
  await using remote = await openTestEmulator("over HTTP", options);
  const [localWalker, remoteWalker] = [walker(local), walker(remote)];
  await localWalker.begin();
  await remoteWalker.begin();
  const outcomes = new Map<string, number>();
  for (let step = 0; step < steps; step += 1) {
    const expected = await localWalker.step(step);
    expect({ step, ...(await remoteWalker.step(step)) }).toEqual({ step, ...expected });
    const outcome =
      "status" in expected ? String(expected.status) : "failed" in expected ? String(expected.failed) : "";
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // The sequence is useful only if it has every outcome.
  expect([...outcomes.keys()].sort()).toEqual(
    [
      "200",
      "201",
      "400",
      "401",
      "402",
      "403",
      "404",
      "409",
      "429",
      "500",
      "fetch failed",
      "terminated",
    ].sort(),
  );
  const counts = async (emulator: TestEmulator) => (await emulator.control("GET", "/status")).counts;
  expect(await counts(remote)).toEqual(await counts(local));
  const log = async (emulator: TestEmulator) =>
    (await readLog<LoggedExchange>(emulator, "brief=false")).map(
      ({ duration_ms, response_body, path, ...entry }) => ({
        ...entry,
        request_headers: Object.fromEntries(
          Object.entries(entry.request_headers ?? {}).filter(([name]) => !ofConnection.has(name)),
        ),
      }),
    );
  expect(await log(remote)).toEqual(await log(local));
});
