import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { reshapeResponses, type Shape } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00.000Z";

/** Calls get the final `status` after `after` seconds. */
async function deployment(status: string, { endedAt = false, after = 7 } = {}) {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual", startTime });
  const begun = emulator.clock.now();
  const overrides = reshapeResponses(emulator, ({ method, path }, { body }: Shape) => {
    if (method !== "GET" || !/\/calls\/[0-9a-f]{24}$/.test(path)) return undefined;
    const isOver = emulator.clock.now() - begun >= after * 1_000;
    const { ended_at: _, ...call } = body.data;
    const end = isOver && endedAt ? { ended_at: "2026-03-02T09:00:07Z" } : {};
    return { body: { data: { ...call, status: isOver ? status : "talking", ...end } } };
  });
  const shell = commandLine({ overrides });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const trigger = (...more: string[]) =>
    run("calls", "trigger", "--to", "+4915112345678", "--assistant", "Empfang", "--wait", ...more);
  return { ...shell, emulator, run, trigger, waited: () => emulator.clock.now() - begun };
}

describe("the final status of a call", () => {
  test.each(["completed", "ended", "Finished", "DONE"])(
    "[T11] a call with the status %s is successful, even without an end time",
    async (status) => {
      const { trigger, waited } = await deployment(status);
      const ran = await trigger();
      expect(ran.code).toBe(0);
      expect(ran.json.status).toBe(status);
      expect(waited()).toBeLessThan(20_000);
    },
  );

  test.each([
    "failed",
    "busy",
    "no_answer",
    "No-Answer",
    "noAnswer",
    "cancelled",
    "canceled",
    "rejected",
    "Voice Mail",
  ])("[T11] the status %s ends a call without success", async (status) => {
    const { trigger, waited } = await deployment(status);
    const ran = await trigger("-o", "json");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("call_not_completed");
    expect(waited()).toBeLessThan(20_000);
  });

  test("[T11] a call that ends with an unknown status is not successful", async () => {
    const { trigger, waited } = await deployment("wrapped_up", { endedAt: true });
    const ran = await trigger("-o", "json");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("the call did not complete: wrapped up");
    expect(waited()).toBeLessThan(20_000);
  });

  test("[T11] waiting for a call exits with code 8 and a hint if its status stays unknown", async () => {
    const { trigger, waited } = await deployment("wrapped_up");
    const ran = await trigger("--for", "8m", "-o", "json");
    expect(ran.code).toBe(8);
    expect(waited()).toBeGreaterThanOrEqual(480_000);
    const hints = ran.stderr
      .split("\n")
      .filter((line) => line.startsWith("note") || line.includes("for 5 min"));
    expect(hints.filter((line) => line.includes('the status has been "wrapped_up" for 5 min'))).toHaveLength(
      1,
    );
    expect(ran.stderr).toContain("still wrapped up after 8 min");
    expect(ran.stderr).toContain("--final-status wrapped_up");
  });

  test("[T11] --final-status ends the wait for a call", async () => {
    const final = await deployment("wrapped_up");
    expect((await final.trigger("--final-status", "Wrapped-Up")).code).toBe(11);
    const expected = await deployment("wrapped_up");
    expect((await expected.trigger("--expect-status", "wrapped_up")).code).toBe(0);
    const otherDeployment = await deployment("completed");
    const ran = await otherDeployment.trigger("--expect-status", "busy", "--expect-status", "no_answer");
    expect(ran.code).toBe(11);
    expect(ran.stderr).toContain("the call ended with status completed, expected busy or no_answer");
    const { run } = await deployment("busy", { after: 0 });
    const [call] = (await run("calls", "list", "--limit", "1")).json;
    expect((await run("calls", "get", call.id, "--wait", "--expect-status", "busy")).code).toBe(0);
    const loose = await run(
      "calls",
      "trigger",
      "--to",
      "0301",
      "--assistant",
      "Empfang",
      "--final-status",
      "x",
    );
    expect(loose.code).toBe(2);
    expect(loose.stderr).toContain("--final-status requires --wait");
    expect((await run("calls", "get", call.id, "--wait", "--final-status", " ")).code).toBe(2);
  });

  test("[T11] a suite's call passes only if its final status is successful or expected", async () => {
    const suite = (expected: string) =>
      `scenarios: [{ name: a, assistant: Empfang, to: "+4915112345678", timeout: 1m${expected} }]`;
    for (const [status, expected, flags, code, message] of [
      ["ended", "", [], 0, "passed"],
      ["wrapped_up", ", expect: { status: [Wrapped-up, busy] }", [], 0, "passed"],
      ["wrapped_up", "", ["--final-status", "wrapped_up"], 11, "wrapped_up"],
      [
        "wrapped_up",
        "",
        [],
        11,
        "still wrapped_up after 60 s; if this status is final, use --final-status wrapped_up",
      ],
    ] as const) {
      const { run, home } = await deployment(status);
      writeFileSync(join(home, "suite.yaml"), suite(expected));
      const ran = await run("calls", "test", "suite.yaml", ...flags, "-o", "json");
      expect(ran.code).toBe(code);
      expect(ran.stdout).toContain(message);
    }
  });
});
