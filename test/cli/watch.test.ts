import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Presses Ctrl-C after `times` updates. */
async function watching(times: number, argv: string[], before: readonly string[] = [], terminal = 80) {
  const emulator = await openSeededEmulator({
    seed: "demo",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  let io: TestIo | undefined;
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => emulator.clock.now(),
    async sleep(milliseconds, signal) {
      pauses.push(milliseconds);
      if (pauses.length < times) return;
      io?.signal("SIGINT");
      throw signal?.reason;
    },
  };
  const shell = commandLine({
    terminal,
    env: { NO_COLOR: "1" },
    overrides: { ...connectedTo(emulator), clock },
    before: (given) => {
      io = given;
    },
  });
  if (before.length > 0) await shell.run("--profile", "offline", ...before);
  const ran = await shell.run("--profile", "offline", ...argv);
  const frames = ran.stdout
    .split("\u001b[H")
    .slice(1)
    .map((frame) => frame.split("\u001b[J")[0] ?? "")
    .map((frame) => frame.replace(/\u001b\[[?0-9]*[A-Za-z]/g, ""));
  return { code: ran.code, stderr: ran.stderr, stdout: ran.stdout, frames, pauses };
}

describe("--watch", () => {
  test("--watch redraws calls in place, within the terminal, until Ctrl-C", async () => {
    const { code, frames, stdout, stderr } = await watching(2, ["calls", "list", "--watch"]);
    expect(code).toBe(130);
    // Ctrl-C is the only way to end the command, so it is not an error.
    expect(stderr).not.toContain("error");
    expect(frames).toHaveLength(2);
    for (const frame of frames) {
      const lines = frame.split("\r\n");
      expect(lines.length).toBeLessThan(24);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
      expect(lines[0]).toContain("Ctrl-C to quit");
      expect(frame).toContain("completed");
    }
    // At the end, the cursor is visible and the last state is on the normal screen.
    expect(stdout.startsWith("\u001b[?1049h\u001b[?25l")).toBe(true);
    const after = stdout.slice(stdout.indexOf("\u001b[?25h\u001b[?1049l"));
    expect(after).toContain("completed");
  });

  test("--watch prints a table regardless of the profile's output format", async () => {
    const prefers = ["profiles", "set", "offline", "output=yaml"];
    const { frames, stderr } = await watching(1, ["calls", "list", "--watch"], prefers);
    expect(frames[0], stderr).toContain("STATUS");
  });

  test("--watch does not wrap lines at any terminal width", async () => {
    const { frames } = await watching(1, ["calls", "list", "--watch"], [], 20);
    const lines = frames[0]?.split("\r\n") ?? [];
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(20);
    expect(lines.at(-1)).toMatch(/…$/);
  });

  test("--watch polls every 3 s while a resource is changing, and otherwise every 10 s", async () => {
    const { pauses, frames } = await watching(
      2,
      ["knowledge", "list", "--watch"],
      ["knowledge", "update", "Implantate", "--data", "{}"],
    );
    expect(frames[0]).toMatch(/pending|syncing/);
    expect(pauses[0]).toBe(3_000);
    const quiet = await watching(1, ["calls", "list", "--watch", "--limit", "3"]);
    expect(quiet.pauses).toEqual([10_000]);
    expect(quiet.frames[0]?.match(/completed|no_answer|busy|failed/g)).toHaveLength(3);
  });

  test("--watch shows a temporary failure and continues", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
    await emulator.control("POST", "/faults", { operation: "calls.list", kind: "error_before", times: 4 });
    let looked = 0;
    let io: TestIo | undefined;
    const shell = commandLine({
      terminal: 80,
      before: (given) => {
        io = given;
      },
      overrides: {
        ...connectedTo(emulator),
        clock: {
          now: () => emulator.clock.now(),
          async sleep(_, signal) {
            looked += 1;
            if (looked < 2) return;
            io?.signal("SIGINT");
            throw signal?.reason;
          },
        },
      },
    });
    const { stdout } = await shell.run("--profile", "offline", "calls", "list", "--watch");
    expect(stdout.split("\u001b[H")[1]).not.toContain("completed");
    expect(stdout.split("\u001b[H")[2]).toContain("completed");
  });

  test.each([
    [{}, ["calls", "list", "--watch"], "terminal"],
    [{ terminal: 80, env: { TERM: "dumb" } }, ["calls", "list", "--watch"], "terminal"],
    [{ terminal: 80 }, ["calls", "list", "--watch", "-o", "json"], "-o json"],
    [{ terminal: 80 }, ["knowledge", "list", "--watch", "--plain"], "--plain"],
  ])("--watch is refused if the output can't be redrawn (%#)", async (options, argv, message) => {
    const { code, stdout, stderr } = await commandLine(options).run("--profile", "offline", ...argv);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
  });

  test("--watch is refused for lists of resources that don't change by themselves", async () => {
    const { code } = await commandLine({ terminal: 80 }).run("contacts", "list", "--watch");
    expect(code).toBe(2);
  });
});
