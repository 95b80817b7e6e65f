import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { fakeClock } from "../client/fakes.js";
import { commandLine, connectedTo, type RunOptions, type TestIo } from "../helpers/cli.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00.000Z";

async function practice(options: EmulatorOptions = {}) {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual", startTime, ...options });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const suite = async (content: string, options: RunOptions = {}, ...flags: string[]) => {
    writeFileSync(join(shell.home, "suite.yaml"), content);
    return shell.runWith(options, "--profile", "offline", "calls", "test", "suite.yaml", ...flags);
  };
  const suiteJson = (content: string, options: RunOptions = {}, ...flags: string[]) =>
    suite(content, options, "-o", "json", ...flags);
  const triggered = async () => {
    const requests = (await emulator.control("GET", "/requests?limit=1000")) as Record<string, string>[];
    return requests.filter(({ method, path }) => method === "POST" && path === "/api/v1/calls");
  };
  return { ...shell, emulator, suite, suiteJson, triggered };
}

const reminder = `
defaults: { assistant: Terminservice, to: "\${TEST_NUMBER:-+4915112345678}" }
scenarios:
  - name: reminds of the appointment
    details: Termin am Freitag um 9 Uhr
    expect:
      duration: { at_least: 10s, at_most: 2m }
      transcript:
        contains: [freitag, { user: verstanden }]
        matches: /\\b(9|neun) uhr\\b/i
        never: [Preis, { user: Freitag }]
      analyses: { turns: 5 }
`;

const neverSuite = `
scenarios:
  - name: names no price
    assistant: Terminservice
    to: "+4915112345678"
    details: Termin am Freitag
    expect: { transcript: { never: Preis } }
`;

describe("calls test", () => {
  test("`calls test` passes if all calls match their expectations", async () => {
    const { suiteJson, triggered } = await practice();
    const { code, json, stderr } = await suiteJson(reminder);
    expect(stderr).toContain("1 call with 1 assistant");
    expect(stderr).toMatch(/^1 scenario passed$/m);
    expect(code).toBe(0);
    expect(json).toHaveLength(1);
    expect(json[0]).toMatchObject({
      scenario: "reminds of the appointment",
      result: "passed",
      status: "completed",
    });
    expect(json[0].expectations.map(({ met }: { met: boolean }) => met)).toEqual(Array(9).fill(true));
    expect(await triggered()).toHaveLength(1);
  });

  test("`calls test` reports the file that `--junit` wrote", async () => {
    const { suite } = await practice();
    const { stderr } = await suite(reminder, {}, "--junit", "results.xml");
    expect(stderr).toContain("Saved the JUnit results to results.xml.");
  });

  test("`calls test` quotes the transcript if an expectation fails (exit code 11)", async () => {
    const { suite } = await practice();
    const { code, stdout, stderr } = await suite(
      reminder
        .replace("[freitag,", '[Samstag, "freitag",')
        .replace("[Preis,", '["9 UHR",')
        .replace("5 }", "6 }"),
      { terminal: 80, env: { NO_COLOR: "1" } },
    );
    expect(code).toBe(11);
    expect(stdout).toContain("✗ failed   reminds of the appointment");
    expect(stdout).toMatch(/✗ transcript.contains {2}"Samstag"\n +was not mentioned/);
    expect(stdout).toMatch(
      /✗ transcript.never {2}no "9 UHR"\n +found at 0:12 \(assistant\): "Termin am Freitag um 9 Uhr"/,
    );
    expect(stdout).toMatch(/✗ analyses.turns {2}6\n +was 5/);
    expect(stdout).toMatch(/0:12 {2}assistant {2}Termin am Freitag um 9 Uhr/);
    expect(stdout).toMatch(/^ {2}voxctl calls get [0-9a-f]{24} --profile offline$/m);
    expect(stderr).toContain("error: 1 of 1 scenario failed\n");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("a call fails if its status isn't completed, unless the suite expects the status", async () => {
    const { suiteJson } = await practice();
    const scenario = (name: string, ending: string, expect = "") =>
      `  - { name: ${name}, assistant: Empfang, to: "+491511234${ending}"${expect} }\n`;
    const { code, json } = await suiteJson(
      `scenarios:\n${scenario("nobody", "0001")}${scenario("expected", "0002", ", expect: { status: [no_answer, busy] }")}`,
    );
    expect(code).toBe(11);
    expect(json.map(({ result }: { result: string }) => result)).toEqual(["failed", "passed"]);
  });

  test("[public.limits.1] a suite waits only for the cooldown of the assistant that it calls", async () => {
    const { suiteJson, run } = await practice();
    const scenario = (assistant: string, number: number) =>
      `  - { name: ${assistant} ${number}, assistant: ${assistant}, to: "+4915112345${number}" }\n`;
    const { code, json } = await suiteJson(
      `scenarios:\n${[700, 701, 702].map((number) => scenario("Empfang", number)).join("")}${scenario("Notdienst", 703)}`,
    );
    expect(code).toBe(0);
    const created: number[] = [];
    for (const { call_id } of json) {
      const call = (await run("--profile", "offline", "calls", "get", call_id)).json;
      created.push((Date.parse(call.created_at) - Date.parse(startTime)) / 1_000);
    }
    const [first = 0, second = 0, third = 0, fourth = 0] = created;
    expect(second - first).toBeGreaterThanOrEqual(60);
    expect(third - second).toBeGreaterThanOrEqual(60);
    expect(third).toBeLessThan(130);
    expect(fourth).toBe(first);
  });

  test("a suite retries a call up to --max-wait if another machine calls the same assistant", async () => {
    const { suite, run, emulator } = await practice();
    const assistant = (await run("--profile", "offline", "assistants", "list")).json.find(
      ({ name }: { name: string }) => name === "Empfang",
    ).id;
    const scenario = `scenarios: [{ name: a, assistant: Empfang, to: "+4915112345700" }]`;
    let others = 5;
    const connect: Overrides["connect"] = async (profile, options) => {
      const connection = connectEmulator(emulator, profile, options);
      const { client } = connection;
      const call: typeof client.call = async (operation, ...more) => {
        if (operation === "calls.create" && others-- > 0)
          await client.call("calls.create", { body: { to: "+4915112345999", assistant_id: assistant } });
        return client.call(operation, ...more);
      };
      return { ...connection, client: { ...client, call }, close: async () => {} };
    };
    const draws = [0, 0.5, 0.2, 0.7, 0.4];
    const random = { next: () => draws.pop() ?? 0, bytes: (count: number) => Buffer.alloc(count) };
    const waited = await suite(scenario, { overrides: { connect, random } });
    expect(waited.code).toBe(0);
    expect(
      waited.stderr.match(
        /"a": an assistant can make only one call every 60 s; trying again in 1 min( \d s)? on the emulator's clock…/g,
      ),
    ).toHaveLength(5);
    others = 5;
    const bounded = await suite(scenario, { overrides: { connect, random } }, "--max-wait", "2m");
    expect(bounded.code).toBe(7);
    expect(bounded.stderr.match(/trying again/g)).toHaveLength(2);
    others = 5;
    const half = { next: () => 0.5, bytes: random.bytes };
    const brief = await suite(scenario, { overrides: { connect, random: half } }, "--max-wait", "62s");
    expect(brief.stderr.match(/trying again in [^.…]*?(?= on)/g)).toEqual(["trying again in 1 min 1 s"]);
  });

  test("`calls test` calls a number only after the previous call to that number has ended", async () => {
    const { suiteJson, emulator } = await practice();
    const before = emulator.clock.now();
    const { code, json } = await suiteJson(`
defaults: { to: "+4915112345678" }
scenarios:
  - { name: first, assistant: Empfang }
  - { name: second, assistant: Notdienst, to: "+49 151 12345678" }
`);
    expect(code).toBe(0);
    expect(json).toHaveLength(2);
    expect(emulator.clock.now() - before).toBeGreaterThanOrEqual(2 * 90_000);
  });

  test("[public.limits.outbound] calls above the hourly limit are placed in the next hour", async () => {
    const { suiteJson, emulator, triggered } = await practice({ limits: { outbound_trigger: 2 } });
    const before = emulator.clock.now();
    const { code, json } = await suiteJson(
      `scenarios:\n${["Empfang", "Notdienst", "Terminservice"]
        .map((name, index) => `  - { name: ${name}, assistant: ${name}, to: "+491511234570${index}" }\n`)
        .join("")}`,
    );
    expect(code).toBe(0);
    expect(json).toHaveLength(3);
    expect(emulator.clock.now() - before).toBeGreaterThan(3_600_000);
    expect((await triggered()).length).toBeLessThanOrEqual(4);
  });

  test("`calls test` refuses more calls than --max-calls before any request", async () => {
    const { suite, triggered } = await practice();
    const two = `${reminder}  - { name: another }\n`;
    const refused = await suite(two, {}, "--max-calls", "1");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("--max-calls 2");
    expect(await triggered()).toEqual([]);
    const planned = await suite(two, {}, "--dry-run");
    expect(planned.json.map(({ path }: { path: string }) => path)).toEqual(["/calls", "/calls"]);
    expect(await triggered()).toEqual([]);
    for (const bound of ["--max-calls", "--max-minutes"]) {
      const tried = await suite(two, {}, "--dry-run", bound, "1");
      expect(tried.code).toBe(12);
      expect(tried.stderr).toContain("about 3 call minutes.");
      const needed = bound === "--max-calls" ? "2" : "3";
      expect(tried.stderr).toContain(`use ${bound} ${needed}`);
      expect((await suite(two, {}, "--dry-run", bound, needed)).code).toBe(0);
    }
    expect(await triggered()).toEqual([]);
  });

  test("[T13] a wait for a call reports the emulator's stopped clock only once", async () => {
    const { suite, run, runWith, emulator } = await practice();
    let time = 0;
    const sleep = async (milliseconds: number) => {
      time += milliseconds;
    };
    const connect: Overrides["connect"] = async (profile, options) => ({
      ...connectEmulator(emulator, profile, options),
      clock: { now: () => time, sleep },
      close: async () => {},
    });
    const note =
      /^The emulator's clock is stopped, .*`voxctl emulator clock \+60s`\. For a running clock, .*\.$/gm;
    const tested = await suite(`${reminder}  - { name: another }\n`, { overrides: { connect } });
    expect(tested.stdout).toContain("still queued after");
    expect(tested.stderr.match(note)).toHaveLength(1);
    const [{ id }] = (await run("--profile", "offline", "calls", "list")).json;
    const get = ["--profile", "offline", "calls", "get", id, "--wait", "--for", "30s"];
    const waited = await runWith({ overrides: { connect } }, ...get);
    expect([waited.code, waited.stderr.match(note)?.length]).toEqual([8, 1]);
    expect((await run(...get)).stderr).not.toMatch(note);
  });

  test("`calls test` continues after a call that can't be placed", async () => {
    const { suiteJson } = await practice();
    const { code, json, stderr } = await suiteJson(
      `${reminder}  - { name: wrong number, to: "12345678901234567890", assistant: Empfang }\n`,
    );
    expect(code).toBe(5);
    expect(json.map(({ result }: { result: string }) => result)).toEqual(["passed", "error"]);
    expect(json[1].error).toBe("to must have 6 to 20 digits, including the country code");
    expect(stderr).toContain("1 of 2 scenarios could not be placed or followed");
  });

  test("if `calls test` can't follow a placed call, the error reports that the call was placed", async () => {
    const { suite, emulator } = await practice();
    await emulator.control("POST", "/faults", { kind: "garbage", operation: "calls.get", times: 999 });
    const { code, stderr } = await suite(reminder, {}, "-o", "json");
    expect(code).toBe(9);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      ...{ code: "calls_not_followed", exit: 9, outcome: "done", retryable: false },
    });
  });

  test("`calls test` reports a call as unconfirmed after a lost response (exit code 75)", async () => {
    const { suiteJson, emulator } = await practice();
    await emulator.control("POST", "/faults", { operation: "calls.create", kind: "drop_after" });
    const { code, json, stderr } = await suiteJson(reminder);
    expect(code).toBe(75);
    expect(json[0]).toMatchObject({
      result: "error",
      error: expect.stringContaining("the call may have been placed"),
    });
    expect(stderr).toContain(
      "check whether the unconfirmed calls were made: `voxctl calls list --profile offline`",
    );
  });

  test("a lost response causes exit code 75 even for a quarantined scenario", async () => {
    const { suiteJson, emulator, home } = await practice();
    const entry = '{ scenario: reminds of the appointment, until: "2999-12-31" }';
    writeFileSync(join(home, "q.yaml"), `quarantine: [${entry}]`);
    await emulator.control("POST", "/faults", { operation: "calls.create", kind: "drop_after" });
    const { code, stderr } = await suiteJson(reminder, {}, "--quarantine", "q.yaml");
    expect([code, stderr]).toEqual([
      75,
      expect.stringContaining("1 of 1 scenario could not be placed or followed"),
    ]);
  });

  test("`calls test` exits with code 4 for an unknown assistant before any call", async () => {
    const { suite, triggered } = await practice();
    const { code, stderr } = await suite(`${reminder}  - { name: other, assistant: Nobody }\n`);
    expect(code).toBe(4);
    expect(stderr).toContain('"Nobody"');
    expect(await triggered()).toEqual([]);
  });

  test("`calls test` prints text without a terminal, and JSON only if requested", async () => {
    const { suite, suiteJson } = await practice();
    const lines = await suite(`${reminder}  - { name: later, to: "+4915112340001" }\n`);
    expect(lines.stdout).toContain("✓ passed   reminds of the appointment");
    expect(lines.stdout).toContain("✗ failed   later");
    expect((await suiteJson(reminder)).json).toHaveLength(1);
  });

  test("`calls test` writes JUnit and the step summary even if the service can't be reached", async () => {
    const shell = commandLine({
      env: {
        VOXCTL_BASE_URL: "http://127.0.0.1:9/api/v1",
        VOXCTL_API_KEY: "k",
        GITHUB_STEP_SUMMARY: "summary.md",
      },
    });
    writeFileSync(join(shell.home, "suite.yaml"), `${reminder}  - { name: "a|b <i>" }\n`);
    const ran = await shell.runWith(
      { overrides: { clock: fakeClock() } },
      ...["calls", "test", "suite.yaml", "--junit", "results.xml"],
    );
    expect(ran.code).toBe(9);
    const xml = readFileSync(join(shell.home, "results.xml"), "utf8");
    expect(xml).toContain('tests="2" failures="0" errors="2" skipped="0"');
    const summary = readFileSync(join(shell.home, "summary.md"), "utf8");
    expect(summary).toContain("### suite.yaml: 0 of 2 passed");
    expect(summary).toContain("| ⚠️ error | a\\|b &lt;i&gt; |");
  });

  test("`calls test` appends to the step summary", async () => {
    const { suite, home } = await practice();
    writeFileSync(join(home, "summary.md"), "before\n");
    await suite(reminder, { env: { GITHUB_STEP_SUMMARY: join(home, "summary.md") } });
    expect(readFileSync(join(home, "summary.md"), "utf8")).toMatch(
      /^before\n### suite\.yaml: 1 of 1 passed\n[\s\S]*\| ✅ passed \| reminds of the appointment \| [0-9a-f]{24} \| 1:30 \|/,
    );
    const ran = await suite(reminder, { env: { GITHUB_STEP_SUMMARY: join(home, "none", "summary.md") } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("the step summary can't be written");
  });

  test.each([[[]], [["--retries", "1"]]])(
    "`calls test` places one call at a time to a number, even after a timeout: %j",
    async (flags) => {
      const { suite, emulator } = await practice();
      const scenarios = ["Terminservice", "Empfang"].map(
        (assistant) => `  - { name: ${assistant}, assistant: ${assistant} }`,
      );
      const content = `defaults: { to: "+4915112345678", timeout: 20s }\nscenarios:\n${scenarios.join("\n")}\n`;
      expect((await suite(content, {}, ...flags)).code).toBe(11);
      await emulator.control("PATCH", "/clock", { advance_seconds: 600 });
      const { base_url, keys } = emulator.startLine;
      const headers = { authorization: `Bearer ${keys["admin"]}` };
      const listed = await emulator.fetch(`${base_url}/calls?limit=10`, { headers });
      const made = z
        .object({ data: z.array(z.object({ to: z.string(), created_at: z.string(), ended_at: z.string() })) })
        .parse(await listed.json())
        .data.filter((call) => call.to === "+4915112345678" && call.created_at >= startTime)
        .sort((left, right) => (left.created_at < right.created_at ? -1 : 1));
      expect(made).toHaveLength(flags.length > 0 ? 4 : 2);
      for (const [index, call] of made.entries())
        expect(call.created_at >= (made[index - 1]?.ended_at ?? "")).toBe(true);
    },
  );

  test("`calls test` reports only once that it is waiting for a previous call to end", async () => {
    const { suite } = await practice();
    const scenarios = ["Terminservice", "Empfang"].map(
      (name) => `  - { name: ${name}, assistant: ${name} }\n`,
    );
    const content = `defaults: { to: "+4915112345678", timeout: 20s }\nscenarios:\n${scenarios.join("")}`;
    const { stderr } = await suite(content);
    expect(stderr.match(/^Waiting up to .* for call [0-9a-f]{24} to end, .*…$/gm)).toHaveLength(1);
  });

  test("on Ctrl-C, `calls test` reports running calls and skipped scenarios", async () => {
    const { suite, home, emulator } = await practice();
    let interrupt = () => {};
    const connect: Overrides["connect"] = async (profile, options) => {
      const connection = connectEmulator(emulator, profile, options);
      const sleep = async (_: number, signal?: AbortSignal) => {
        interrupt();
        throw signal?.reason;
      };
      return { ...connection, clock: { now: () => emulator.clock.now(), sleep }, close: async () => {} };
    };
    const before = (io: TestIo) => {
      interrupt = () => io.signal("SIGINT");
    };
    const interrupted = (content: string, ...flags: string[]) =>
      suite(content, { before, overrides: { connect } }, ...flags);
    const { code, stderr } = await interrupted(`${reminder}  - { name: later }\n`, "--junit", "results.xml");
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /interrupted; 1 running call continues: [0-9a-f]{24} \("reminds of the appointment"\)/,
    );
    expect(stderr).toMatch(/to follow a call, run `voxctl calls get [0-9a-f]{24} --wait --profile offline`/);
    const xml = readFileSync(join(home, "results.xml"), "utf8");
    expect(xml).toContain('errors="1" skipped="1"');
    expect(xml).toContain("but the call continues");
    await emulator.control("PATCH", "/clock", { advance_seconds: 600 });
    const repeated = await interrupted(`${reminder}    repeat: 3\n`, "-o", "json");
    expect(repeated.json[0].attempts).toEqual({ passed: 0, made: 1, needed: 3 });
  });

  test("the JUnit file of a terminated suite states why each scenario did not finish", async () => {
    const { suite, home } = await practice();
    const before = (io: TestIo) => {
      io.stdout.on("data", () => io.signal("SIGTERM"));
    };
    const scenarios = `${reminder}  - { name: second }\n  - { name: third }\n`;
    const { code } = await suite(scenarios, { before }, "--junit", "results.xml");
    expect(code).toBe(143);
    const xml = readFileSync(join(home, "results.xml"), "utf8");
    expect(xml).toContain('tests="3" failures="0" errors="1" skipped="1"');
    expect(xml).toContain('<error message="the run ended before this scenario">');
    expect(xml).toContain('<skipped message="the run ended before this scenario"/>');
  });

  test("an unknown assistant is an error in the JUnit file only for its own scenario", async () => {
    const { suite, home } = await practice();
    const scenarios = `${reminder}  - { name: second, assistant: Terminservise }\n  - { name: third }\n`;
    expect((await suite(scenarios, {}, "--junit", "results.xml")).code).toBe(4);
    const xml = readFileSync(join(home, "results.xml"), "utf8");
    expect(xml).toContain('tests="3" failures="0" errors="1" skipped="2"');
    expect(xml).toContain('<skipped message="not called because of the error in &quot;second&quot;"/>');
  });

  test("the JUnit file for an invalid suite lists each error with its line", async () => {
    const { suite, home } = await practice();
    await suite("scenarios:\n  - { to: '0301', foo: 1 }\n", {}, "--junit", "results.xml");
    const xml = readFileSync(join(home, "results.xml"), "utf8");
    expect(xml).toContain('message="suite.yaml has 3 errors"');
    expect(xml).toContain("scenario 1: name: must be text (line 2)");
  });

  test("a call that hasn't ended at its timeout has an unknown duration", async () => {
    const { suite } = await practice();
    const content =
      'scenarios: [{ name: a, assistant: Terminservice, to: "+4915112345678", timeout: 20s, expect: { duration: { at_most: 2m } } }]\n';
    expect((await suite(content)).stdout).toContain("was unknown: the call has not ended");
  });

  test("during a run, the JUnit file reports an unfinished run", async () => {
    const { suite, home } = await practice();
    const path = join(home, "results.xml");
    await suite(reminder, {}, "--junit", "results.xml");
    chmodSync(path, 0o640);
    const seen: string[] = [];
    const before = (io: TestIo) => {
      io.stderr.on("data", () => seen.push(readFileSync(path, "utf8")));
    };
    const { stderr } = await suite(reminder, { before }, "--junit", "results.xml", "--max-wait", "2m");
    expect(stderr).toMatch(/^Calling \+4915112345678 \(call [0-9a-f]{24}\)…$/m);
    expect(seen[0]).toContain('<error message="the run has not finished, or was killed">');
    expect(readFileSync(path, "utf8")).not.toContain("has not finished");
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  test("`calls test` writes each result to the JUnit file before it prints the result", async () => {
    const { suite, home } = await practice();
    const seen: string[] = [];
    const before = (io: TestIo) => {
      io.stdout.on("data", () => seen.push(readFileSync(join(home, "results.xml"), "utf8")));
    };
    const scenarios = `${reminder}    repeat: 2\n  - { name: second }\n  - { name: third }\n`;
    await suite(scenarios, { before }, "--junit", "results.xml");
    const unfinished = (xml: string) => xml.split('<error message="the run has not finished').length - 1;
    expect(seen.map(unfinished)).toEqual([3, 2, 1, 0]);
    expect(seen[2]).toContain('tests="3" failures="0" errors="1" skipped="0"');
    expect(readdirSync(home).filter((name) => name.startsWith("results.xml"))).toEqual(["results.xml"]);
  });

  // Only Linux has /dev/full.
  test.skipIf(process.platform !== "linux")(
    "if the disk is full, `calls test` still prints its results",
    async () => {
      const { suite, emulator } = await practice();
      const passed = await suite(reminder, {}, "--junit", "/dev/full", "-o", "json");
      expect(passed.json[0].result).toBe("passed");
      expect(JSON.parse(passed.stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
        exit: 75,
        outcome: "done",
        message: expect.stringMatching(
          /^the changes were made .*--junit: \/dev\/full can't be written: no space left on the disk/,
        ),
      });
      await emulator.control("PATCH", "/clock", { advance_seconds: 600 });
      const files = ["--junit", "/dev/full", "--record", "/dev/full", "--offline"];
      const failed = await suite(reminder.replace("turns: 5", "turns: 6"), {}, ...files);
      expect(failed.code).toBe(11);
      expect(failed.stdout).toContain("failed   reminds of the appointment");
      for (const flag of ["junit", "record"])
        expect(failed.stderr).toContain(`warning: --${flag}: /dev/full can't be written: no space left`);
      const offline = `${reminder.split("    expect:")[0]}\n`;
      expect((await suite(offline, {}, ...files)).code).toBe(9);
    },
  );

  test.each(["-", "/dev/stdout"])(
    "`--junit %s` is refused, because the results are written to stdout",
    async (file) => {
      const { suite } = await practice();
      const { code, stderr } = await suite(reminder, {}, "--offline", "--junit", file);
      if (file !== "-" && !(statSync(file).isFile() || statSync(file).isFIFO())) return;
      expect(code).toBe(2);
      expect(stderr).toContain(`invalid --junit "${file}": expected a file, because stdout contains`);
    },
  );

  test("`calls test --record` keeps the previous entries of scenarios that did not finish", async () => {
    const { suite, home, emulator } = await practice();
    const record = () => JSON.parse(readFileSync(join(home, "a.json"), "utf8"));
    const extended = `${reminder}  - { name: later, to: "+4915112345679" }\n`;
    const fault = { kind: "error_before", operation: "calls.create" };
    await emulator.control("POST", "/faults", { ...fault, times: 9 });
    const none = await suite(extended, {}, "--record", "a.json", "--max-wait", "0s");
    expect([none.code, existsSync(join(home, "a.json"))]).toEqual([75, false]);
    expect(none.stderr).toContain("--record: a.json was not written because no call was completed");
    await emulator.control("DELETE", "/faults");
    await emulator.control("PATCH", "/clock", { advance_seconds: 600 });
    expect((await suite(extended, {}, "--record", "a.json")).code).toBe(0);
    const before = record();
    expect(before.scenarios).toHaveLength(2);
    await emulator.control("POST", "/faults", { ...fault, times: 9 });
    const kept = await suite(extended, {}, "--record", "a.json", "--max-wait", "0s");
    expect(kept.stderr).toContain("--record: a.json was kept because no call was completed");
    expect(record()).toEqual(before);
    await emulator.control("DELETE", "/faults");
    await emulator.control("PATCH", "/clock", { advance_seconds: 600 });
    await emulator.control("POST", "/faults", { ...fault, times: 1 });
    const half = await suite(extended, {}, "--record", "a.json", "--max-wait", "0s");
    expect(half.stderr).toMatch(
      /--record: kept the previous results of 1 scenario .*: "reminds of the appointment"/,
    );
    const compareScenarios = (left: { scenario: string }, two: { scenario: string }) =>
      left.scenario < two.scenario ? -1 : 1;
    expect(record().scenarios.sort(compareScenarios)).toEqual(before.scenarios.sort(compareScenarios));
  });
});

describe("an invalid suite", () => {
  test("the error for a missing suite contains only the file's name", async () => {
    const { run } = commandLine();
    const { code, stderr } = await run("calls", "test", "missing.yaml", "--offline");
    expect([code, stderr]).toEqual([2, "error: missing.yaml can't be read: no such file\n"]);
  });

  test.each([
    ["- 1", 'missing list "scenarios"'],
    ["scenarios: []", "scenarios: is empty"],
    ["scenarios: [{ name: a, to: '0301' }]", 'scenario 1 "a": assistant: missing from'],
    [
      "scenarios: [{ name: a, assistant: b, to: +4930 }]",
      'scenario 1 "a": to: must be text: put the value in quotes',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', offline: { status: busy, transcript: [{ user: Ja }] } }]",
      'scenario 1 "a": offline.transcript: is allowed only for answered calls',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', offline: { status: busy, duration: 45s } }]",
      'scenario 1 "a": offline.duration: is allowed only for answered calls: remove duration or status',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', expct: 1 }]",
      'scenario 1 "a": "expct" is not one of name, assistant',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', expect: { duration: { at_most: soon } } }]",
      'scenario 1 "a": expect.duration.at_most: invalid duration "soon"',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', expect: { transcript: { matches: '(' } } }]",
      'scenario 1 "a": expect.transcript.matches.0: invalid pattern',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301' }, { name: a, assistant: b, to: '0301' }]",
      'scenario 2 "a": name',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the suite's own variable
    ["scenarios: [{ name: a, assistant: b, to: '${MISSING}' }]", "to: the variable MISSING is not set"],
    ["scenarios: [", "is not valid YAML"],
    [
      "scenarios: [{ name: a, assistant: b, to: nix }]",
      'suite.yaml: scenario 1 "a": to: must be a phone number such as +4915112345678 or 030 1234567',
    ],
    [
      "defaults: { to: '+4930' }\nscenarios: [{ name: a, assistant: b }]",
      "suite.yaml: defaults.to: must be a phone number such as",
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', expect: { status: [busy, 7] } }]",
      'scenario 1 "a": expect.status.1: must be text',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', offline: { status: finished } }]",
      'scenario 1 "a": offline.status: must be one of completed, no_answer, busy, failed',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', expect: { duration: { at_least: 2m, at_most: 1m } } }]",
      'scenario 1 "a": expect.duration: at_least is greater than at_most',
    ],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', timeout: 0s }]",
      'scenario 1 "a": timeout: must be longer than 0 s',
    ],
    [
      "defaults: { timeout: 1m }\nscenarios: [{ name: a, assistant: b, to: '0301', expect: { duration: { at_least: 2m } } }]",
      'scenario 1 "a": expect.duration.at_least: 120 s is longer than the timeout of 60 s',
    ],
    ["scenarios: &a [*a]", "the alias *a makes a value contain itself at line 1, column 16"],
    [
      "scenarios: [{ name: a, assistant: b, to: '0301', expect: &e { analyses: *e } }]",
      "suite.yaml is not valid YAML: the alias *e makes a value contain itself",
    ],
  ])("an invalid suite is refused: %s", async (content, message) => {
    const { suite, triggered } = await practice();
    for (const flags of [[], ["--dry-run"], ["--offline"]]) {
      const { code, stderr } = await suite(content, {}, ...flags);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
    expect(await triggered()).toEqual([]);
  });

  test("all errors of a suite are listed in one message", async () => {
    const { suite } = await practice();
    const { stderr } = await suite(
      "scenarios: [{ assistant: b, to: '0301', timeout: x }, { name: a, to: '0301', foo: 1 }]",
    );
    expect(stderr).toContain("scenario 1: name: must be text");
    expect(stderr).toContain('scenario 1: timeout: invalid duration "x"');
    expect(stderr).toContain('scenario 2 "a": "foo" is not one of');
  });

  test("each error in a suite has a line number", async () => {
    const { suite } = await practice();
    const { code, stderr } = await suite(
      [
        "defalts: {}",
        "scenarios:",
        "  - name: a",
        "    asistant: b",
        "    to: '0301'",
        "    expect:",
        "      transcipt:",
        "        contains: x",
        "  - name: a",
        "    assistant: c",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the suite's own variable
        "    to: '${MISSING}'",
        "",
      ].join("\n"),
    );
    expect(code).toBe(2);
    expect(stderr).toContain("suite.yaml has 6 errors");
    for (const message of [
      '"defalts" is not one of name, defaults, scenarios; did you mean defaults? (line 1)',
      'scenario 1 "a": "asistant" is not one of name, assistant, to, details, timeout, expect, facts, tags, repeat, pass, offline; did you mean assistant? (line 4)',
      'scenario 1 "a": assistant: missing from the scenario and from defaults (line 3)',
      "did you mean transcript? (line 7)",
      'scenario 2 "a": name: another scenario has the same name (line 9)',
      'scenario 2 "a": to: the variable MISSING is not set (line 11)',
    ])
      expect(stderr).toContain(message);
    expect([...stderr.matchAll(/\(line (\d+)\)/g)].map(([, line]) => Number(line))).toEqual([
      1, 3, 4, 7, 9, 11,
    ]);
  });

  test("the value of a variable in a suite is not parsed as YAML", async () => {
    const { suite } = await practice();
    const { json } = await suite(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the suite's own variables
      reminder.replace("Termin am Freitag um 9 Uhr", () => "${TEXT} Freitag 9 Uhr $${X}"),
      { env: { TEXT: 'a: "b", [' } },
      "--dry-run",
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the suite wrote it
    expect(json[0].body.details).toBe('a: "b", [ Freitag 9 Uhr ${X}');
  });
});

describe("calls test --offline", () => {
  const scripted = `
name: Erinnerungen
scenarios:
  - name: comes & "goes"
    assistant: Niemand Bekanntes
    to: "+4915112345678"
    expect: { transcript: { contains: Mittwoch }, analyses: { goal_reached: yes }, duration: { at_most: 30s } }
    offline:
      duration: 20s
      transcript: [{ assistant: Passt Mittwoch? }, { user: Ja. }]
      analyses: { goal_reached: yes }
  - name: is busy
    assistant: 65f1a0b2c3d4e5f601234567
    to: "+4915112345679"
    offline: { status: busy }
`;

  test("`calls test --offline` places scripted calls without a profile or existing assistants", async () => {
    const shell = commandLine();
    writeFileSync(join(shell.home, "suite.yaml"), scripted);
    const { code, json } = await shell.run(
      "calls",
      "test",
      "suite.yaml",
      "--offline",
      "--max-calls",
      "2",
      "-o",
      "json",
    );
    expect(code).toBe(11);
    expect(json.map(({ result, status }: Record<string, string>) => [result, status])).toEqual([
      ["passed", "completed"],
      ["failed", "busy"],
    ]);
  });

  test.each([
    ["never: [PREIS]", 'no "PREIS"'],
    ["never: ['/preis +/i']", "no /preis +/i"],
  ])("a failed `%s` expectation quotes the matching text within a long sentence", async (never, expected) => {
    const shell = commandLine();
    const before = "Guten Tag, wir haben Montag bis Freitag geöffnet. ";
    const sentence = `${before}Der  Preis  ist 80 Euro, und eine Anmeldung ist erforderlich.`;
    writeFileSync(
      join(shell.home, "suite.yaml"),
      `scenarios: [{ name: a, assistant: b, to: "+4915112345678", expect: { transcript: { ${never} } },
        offline: { transcript: [{ assistant: "${sentence}" }] } }]`,
    );
    const { json } = await shell.run("calls", "test", "suite.yaml", "--offline", "-o", "json");
    expect(json[0].expectations[1]).toMatchObject({
      expected,
      actual: expect.stringMatching(/^found at 0:00 \(assistant\): "….*Der Preis ist 80 Euro.*…"$/),
    });
  });

  test.each(["grün", "/GRÜN/i"])("`never: [%s]` finds the words in any Unicode form", async (words) => {
    for (const [form, other] of [
      ["NFC", "NFD"],
      ["NFD", "NFC"],
    ] as const) {
      const shell = commandLine();
      const never = words.normalize(form);
      const sentence = "Die Ampel ist grün.".normalize(other);
      writeFileSync(
        join(shell.home, "suite.yaml"),
        `scenarios: [{ name: a, assistant: b, to: "+4915112345678", expect: { transcript: { never: ["${never}"] } },
          offline: { transcript: [{ assistant: "${sentence}" }] } }]`,
      );
      const { code } = await shell.run("calls", "test", "suite.yaml", "--offline", "-o", "json");
      expect(code).toBe(11);
    }
  });

  test("a `never` expectation fails if the call has no transcript", async () => {
    const { emulator, home } = await practice();
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (/\/calls\/\w+$/.test(path)) delete body.data.transcript;
      return { body };
    });
    const { run } = commandLine({ cwd: home, overrides });
    writeFileSync(join(home, "suite.yaml"), neverSuite);
    const flags = ["--profile", "offline", "-o", "json"];
    const { code, json } = await run("calls", "test", "suite.yaml", ...flags);
    expect(code).toBe(11);
    expect(json[0].expectations[1]).toMatchObject({
      field: "transcript.never",
      met: false,
      actual: "unknown: the call has no transcript",
    });
  });

  test("`calls test` waits for a transcript that the service adds after the call's end", async () => {
    const { emulator, home } = await practice();
    let reads = 0;
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (!/\/calls\/\w+$/.test(path) || body.data.ended_at === null) return undefined;
      reads += 1;
      if (reads < 3) body.data.transcript = [];
      return { body };
    });
    const { run } = commandLine({ cwd: home, overrides });
    const runSuite = (content: string) => {
      reads = 0;
      writeFileSync(join(home, "suite.yaml"), content);
      return run("calls", "test", "suite.yaml", "--profile", "offline", "-o", "json", "--record", "a.json");
    };
    const { code, json } = await runSuite(neverSuite.replace("never: Preis", "never: Termin"));
    expect([code, json[0].expectations[1].actual]).toEqual([11, expect.stringMatching(/^found at /)]);
    await runSuite(neverSuite.replace(/expect:.*/, "facts: { day: Freitag }"));
    expect(JSON.parse(readFileSync(join(home, "a.json"), "utf8")).scenarios[0].facts).toEqual({
      day: "freitag",
    });
  });

  test("`calls test` doesn't wait for a transcript of a call that nobody answered", async () => {
    const { emulator, home } = await practice();
    let readsAfterEnd = 0;
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (/\/calls\/\w+$/.test(path) && body.data.ended_at !== null) readsAfterEnd += 1;
      return undefined;
    });
    const { run } = commandLine({ cwd: home, overrides });
    for (const end of ["0001", "0002"]) {
      readsAfterEnd = 0;
      writeFileSync(join(home, "suite.yaml"), neverSuite.replace("5678", end));
      const { code } = await run("calls", "test", "suite.yaml", "--profile", "offline");
      expect([code, readsAfterEnd]).toEqual([11, 1]);
    }
  });

  test("with --offline, a dry run lists a suite's calls without a profile", async () => {
    const shell = commandLine();
    writeFileSync(join(shell.home, "suite.yaml"), scripted);
    const { code, stdout, stderr } = await shell.run(
      ...["calls", "test", "suite.yaml", "--offline", "--dry-run"],
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining("POST")]);
    expect(stderr).toContain("in a temporary emulator");
  });

  test("without a profile, `calls test` suggests --offline", async () => {
    const shell = commandLine();
    writeFileSync(join(shell.home, "suite.yaml"), scripted);
    const { code, stderr } = await shell.run("calls", "test", "suite.yaml", "--junit", "results.xml");
    expect(code).toBe(12);
    expect(stderr).toContain("hint: to simulate the calls, use --offline;");
    expect(readFileSync(join(shell.home, "results.xml"), "utf8")).toContain(">no profile selected;");
  });

  test("without --offline, `calls test` notes that it ignores the `offline` outcomes", async () => {
    const { suite, home, emulator } = await practice();
    const note = "Without --offline, the outcomes under `offline` are ignored.";
    expect((await suite(scripted, {}, "--dry-run")).stderr).toContain(note);
    expect((await suite(scripted, {}, "--offline")).stderr).not.toContain(note);
    expect((await suite(reminder)).stderr).not.toContain(note);
    await suite(scripted, {}, "--dry-run");
    const env = { VOXCTL_BASE_URL: "https://voice.example/api/v1", VOXCTL_API_KEY: "vk_12345678" };
    const service = commandLine({ cwd: home, env, overrides: connectedTo(emulator) });
    expect((await service.run("calls", "test", "suite.yaml", "--dry-run")).stderr).toContain(note);
  });

  test("without a mirror, `calls test --offline` reports that names are not checked", async () => {
    const shell = commandLine();
    writeFileSync(join(shell.home, "suite.yaml"), scripted);
    const { stderr } = await shell.run("calls", "test", "suite.yaml", "--offline");
    expect(stderr).toContain("Assistant names are not checked; to check them, create a mirror");
  });

  test("`calls test` escapes names and strings in its JUnit file", async () => {
    const shell = commandLine();
    writeFileSync(join(shell.home, "suite.yaml"), scripted);
    await shell.run("calls", "test", "suite.yaml", "--offline", "--junit", "results.xml");
    const xml = readFileSync(join(shell.home, "results.xml"), "utf8");
    expect(xml).toContain('<testsuite name="Erinnerungen" file="suite.yaml"');
    expect(xml).toContain('tests="2" failures="1" errors="0" skipped="0"');
    expect(xml).toContain('<testcase name="comes &amp; &quot;goes&quot;"');
    expect(xml).toContain('<failure message="status: expected completed, was busy" type="expectation">');
  });

  test("an expectation is unmet if matching its pattern takes more than a second", async () => {
    const shell = commandLine();
    const said = `offline: { transcript: [{ user: ${"a".repeat(40)}! }] }`;
    const slow = "{ matches: '/(a+)+$/', never: '/(a+)+$/' }";
    writeFileSync(
      join(shell.home, "suite.yaml"),
      `scenarios:\n  - { name: slow, assistant: A, to: "+4930123456", expect: { transcript: ${slow} }, ${said} }\n`,
    );
    const { code, stdout } = await shell.run("calls", "test", "suite.yaml", "--offline", "-o", "json");
    expect(code).toBe(11);
    const [, ...checks] = JSON.parse(stdout)[0].expectations;
    const unknown = { met: false, actual: "unknown: /(a+)+$/ needs more than 1 s" };
    expect(checks).toMatchObject([unknown, unknown]);
  });

  test("the error for an `offline` outcome that the emulator refuses names the suite's line", async () => {
    const shell = commandLine();
    const scenario = (name: string, offline: string) =>
      `  - name: ${name}\n    assistant: A\n    to: "+4930123456"\n    offline: ${offline}\n`;
    writeFileSync(
      join(shell.home, "suite.yaml"),
      `scenarios:\n${scenario("long", "{ duration: 5h }")}${scenario("half", '{ transcript: [{ user: "\\ud83d" }] }')}`,
    );
    const { code, stderr } = await shell.run("calls", "test", "suite.yaml", "--offline");
    expect(code).toBe(2);
    expect(stderr).toContain('scenario 1 "long": offline.duration: must be at most 4 hours (line 5)');
    expect(stderr).toContain(
      'scenario 2 "half": offline.transcript.0: must be well-formed Unicode text without NUL (line 9)',
    );
  });

  test("the JUnit file keeps a line break in a scenario's name", async () => {
    const shell = commandLine();
    writeFileSync(
      join(shell.home, "suite.yaml"),
      'scenarios: [{ name: "two\\n\\tlines", assistant: A, to: "+4930123456" }]\n',
    );
    await shell.run("calls", "test", "suite.yaml", "--offline", "--junit", "results.xml");
    expect(readFileSync(join(shell.home, "results.xml"), "utf8")).toContain('name="two&#10;&#9;lines"');
  });

  test("in GitHub jobs, `calls test` annotates the line of each failure on stderr", async () => {
    const shell = commandLine();
    writeFileSync(join(shell.home, "suite.yaml"), scripted);
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: shell.home, CI: "true" };
    const { stdout, stderr } = await shell.runWith({ env }, "calls", "test", "suite.yaml", "--offline");
    expect(stderr).toContain(
      "\n::error file=suite.yaml,line=12,title=is busy::status: expected completed, was busy\n",
    );
    expect(stdout).not.toContain("::error");
  });

  test("`calls test` reports an unwritable results file before any call", async () => {
    const { suite, triggered, home } = await practice();
    writeFileSync(join(home, "file"), "");
    const { code, stderr } = await suite(reminder, {}, "--junit", "file/results.xml");
    expect(code).toBe(2);
    expect(stderr).toContain("--junit");
    // A missing directory is probably a typo, so it is not created.
    const elsewhere = await suite(reminder, {}, "--junit", "nope/results.xml");
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toContain(
      "--junit: nope/results.xml can't be written: its directory doesn't exist",
    );
    expect(existsSync(join(home, "nope"))).toBe(false);
    expect(await triggered()).toEqual([]);
  });
});
