import { describe, expect, it } from "vitest";
import { distributorV2 } from "../helpers/distributor.js";
import { callTool } from "../helpers/mcp.js";
import { unknownId } from "../helpers/records.js";
import { openTestEmulator, type Reply, type TestEmulator } from "../helpers/test-emulator.js";

/** Size of the bodies, in MiB. */
const scale = process.env["PROOF"] ? 1 : 1 / 32;

interface Attack {
  name: string;
  /** Number of elements for a body of about 1 MiB, or a smaller number that an API rule allows. */
  full: number;
  send(emulator: TestEmulator, size: number): Promise<Reply>;
  status: number;
}

const many = (size: number, value: unknown) => Array.from({ length: size }, () => value);
const post = (path: string, bodyOf: (size: number) => unknown) => (emulator: TestEmulator, size: number) =>
  emulator.ask("POST", path, { body: bodyOf(size) });

/** Requests whose processing time could grow with the square of their size. */
const attacks: Attack[] = [
  {
    name: "a body of many :// without a key, as a page of any origin may send it",
    full: 349_000,
    status: 401,
    send: (emulator, size) => emulator.ask("POST", "/groups", { key: null, raw: "://".repeat(size) }),
  },
  {
    name: "a text of many :// next to a secret",
    full: 349_000,
    status: 401,
    send: (emulator, size) =>
      emulator.ask("POST", "/groups", { key: null, body: { secret: "x", name: "://".repeat(size) } }),
  },
  {
    name: "a text with many possible starts of a password",
    full: 200_000,
    status: 401,
    send: (emulator, size) =>
      emulator.ask("POST", "/groups", { key: null, body: { secret: "x", name: "//a:".repeat(size) } }),
  },
  {
    name: "parameters whose encoded names indicate secrets",
    full: 80_000,
    status: 401,
    send: (emulator, size) => emulator.ask("GET", `/groups?${"%61pi_key=1&".repeat(size)}`, { key: null }),
  },
  {
    name: "invalid IDs in a list of an assistant",
    full: 32_000,
    status: 400,
    send: post("/assistants", (size) => ({ tool_ids: many(size, "x") })),
  },
  {
    name: "empty schedules of a calendar",
    full: 16_000,
    status: 400,
    send: post("/calendars", (size) => ({ name: "x", schedules: many(size, {}) })),
  },
  {
    name: "invalid intervals in a day of a calendar",
    full: 16_000,
    status: 400,
    send: post("/calendars", (size) => ({
      name: "x",
      schedules: [{ kind: "opening", weekly: { monday: many(size, { from: "x", to: "y" }) } }],
    })),
  },
  {
    name: "invalid licenses",
    full: 32_000,
    status: 400,
    send: (emulator, size) =>
      distributorV2(emulator)("PATCH", `/organizations/${unknownId}/licenses`, {
        body: { licenses: many(size, {}) },
      }),
  },
  {
    name: "unknown fields",
    full: 60_000,
    status: 400,
    send: post("/contacts", (size) => Object.fromEntries(many(size, 1).map((item, at) => [`f${at}`, item]))),
  },
  {
    name: "headers with invalid names",
    full: 32_000,
    status: 400,
    send: post("/tools", (size) => ({
      name: "t",
      url: "https://example.org",
      headers: Object.fromEntries(many(size, "x").map((item, at) => [`a ${at}`, item])),
    })),
  },
  {
    name: "unknown arguments of a tool",
    // A body with more than 5,000 values is refused.
    full: 4_800,
    status: 200,
    send: (emulator, size) =>
      callTool(emulator, "ping", Object.fromEntries(many(size, 1).map((item, at) => [`f${at}`, item]))),
  },
];

/** Returns the least processor time of three attempts, in milliseconds, including the time for the log. */
async function timeOf(emulator: TestEmulator, { send, status }: Attack, size: number): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = process.cpuUsage();
    expect((await send(emulator, size)).status).toBe(status);
    await emulator.control("GET", "/clock");
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

describe("requests that are expensive to process", () => {
  it.each(attacks.map((attack) => [attack.name, attack] as const))(
    "%s: a request that is four times as large takes about four times as long",
    async (_name, attack) => {
      const limits = { read: 1e6, write: 1e6, distributor: 1e6 };
      await using emulator = await openTestEmulator("in process", { limits });
      const size = Math.ceil((attack.full * scale) / 4);
      await timeOf(emulator, attack, Math.ceil(size / 4));
      const [base, quadruple] = [
        await timeOf(emulator, attack, size),
        await timeOf(emulator, attack, size * 4),
      ];
      // With quadratic processing, the time would be 16 times as long. Times below 8 ms are not significant.
      expect(quadruple).toBeLessThan(10 * Math.max(base, 8));
    },
  );

  it("every API lists up to a hundred problems and counts the rest", async () => {
    await using emulator = await openTestEmulator("in process");
    for (const { name, send, status } of attacks.filter((attack) => attack.status !== 401)) {
      const { body } = await send(emulator, 500);
      const error = body.result?.structuredContent.error ?? body.error;
      // A distributor error has no details: its message lists all problems.
      const details =
        error?.details ?? body.message.split("; ").map((message: string) => ({ path: [], message }));
      expect([name, status, details.length]).toEqual([name, status, 101]);
      expect(details[100]).toEqual({ path: [], message: expect.stringMatching(/^and \d+ more$/) });
    }
  });

  it("[public.errors.1] a refusal lists at most 100 problems in full", async () => {
    await using emulator = await openTestEmulator("in process");
    const fields = (count: number) => Object.fromEntries(many(count, 1).map((item, at) => [`f${at}`, item]));
    // The missing fields first_name and group_id are two more problems.
    const refused = async (count: number) =>
      (await emulator.ask("POST", "/contacts", { body: fields(count) })).body.error.details;
    expect(await refused(98)).toHaveLength(100);
    const more = await refused(99);
    expect(more).toHaveLength(101);
    expect(more[100]).toEqual({ path: [], message: "and 1 more" });
  });
});
