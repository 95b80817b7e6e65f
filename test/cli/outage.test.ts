import { describe, expect, test } from "vitest";
import type { Transport } from "../../src/base/transport.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import { describeEvent } from "../../src/cli/session/events.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/index.js";
import { commandLine } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** All reads fail with 503 for `milliseconds`, starting with the second read of `path`. */
function withOutage(emulator: Emulator, path: RegExp, milliseconds: number): Overrides {
  let begun: number | undefined;
  let reads = 0;
  const transport: Transport = async (url, request) => {
    if (request.method === "GET" && path.test(url)) reads += 1;
    if (reads > 1) begun ??= emulator.clock.now();
    const isOut = begun !== undefined && emulator.clock.now() < begun + milliseconds;
    if (request.method !== "GET" || !isOut) return emulator.transport(url, request);
    return { status: 503, headers: {}, text: async () => "", body: (async function* () {})() };
  };
  return {
    connect: async (profile, options) => ({
      ...connectEmulator({ ...emulator, startLine: emulator.startLine, transport }, profile, options),
      close: async () => {},
    }),
  };
}

async function setUp(path: RegExp, milliseconds: number) {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  return commandLine({ overrides: withOutage(emulator, path, milliseconds) });
}

const trigger = ["calls", "trigger", "--to", "+4915112345678", "--assistant", "Terminservice", "--wait"];

describe("[T14] a service outage", () => {
  test("`calls wait` keeps waiting for a call during an outage of ten seconds", async () => {
    const { run } = await setUp(/\/calls\/[0-9a-f]{24}$/, 10_000);
    const { code, json, stderr } = await run(...trigger, "-o", "json", "--profile", "offline");
    expect(code).toBe(0);
    expect(json.status).toBe("completed");
    expect(stderr).toContain("responded with 503");
    expect(stderr).toContain("--for");
  });

  test("`knowledge wait` keeps waiting during an outage of ten seconds", async () => {
    const { run } = await setUp(/\/knowledge-items/, 10_000);
    const { code } = await run("knowledge", "wait", "--group", "Behandlungen", "--profile", "offline");
    expect(code).toBe(0);
  });

  test("`calls trigger --wait` exits with code 9 if an outage lasts longer than --for", async () => {
    const { run } = await setUp(/\/calls\/[0-9a-f]{24}$/, 3_600_000);
    const { code, stderr } = await run(...trigger, "--for", "30s", "-o", "json", "--profile", "offline");
    expect(code).toBe(9);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      outcome: "done",
      retryable: false,
    });
  });
});

test("the message about a long wait contains the cause", () => {
  const cause = "the service specified no wait time";
  const event = { type: "wait", milliseconds: 64_000, reason: "limit", cause } as const;
  expect(describeEvent(event, { debug: false, waits: "all" })?.line).toBe(
    "waiting 64 s for the rate limit: the service specified no wait time",
  );
});

test("a bulk run reports only waits of more than two minutes", () => {
  const wait = (milliseconds: number) =>
    describeEvent({ type: "wait", milliseconds, reason: "limit" }, { debug: false, waits: "long" })?.line;
  expect(wait(64_000)).toBeUndefined();
  expect(wait(3_600_000)).toBe("waiting 3600 s for the rate limit");
});
