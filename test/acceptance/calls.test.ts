import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

const startTime = "2026-03-02T09:00:00.000Z";

async function practice() {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual", startTime });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const onTerminal = (...argv: string[]) =>
    shell.runWith({ terminal: 80, env: { NO_COLOR: "1" } }, "--profile", "offline", ...argv);
  const trigger = (...more: string[]) =>
    run("calls", "trigger", "--to", "+4915112345678", "--assistant", "Empfang", ...more);
  const advance = (seconds: number) => emulator.control("PATCH", "/clock", { advance_seconds: seconds });
  const requests = async () =>
    ((await emulator.control("GET", "/requests?limit=200")) as { method: string; path: string }[]).map(
      ({ method, path }) => `${method} ${path}`,
    );
  return { ...shell, emulator, run, onTerminal, trigger, advance, requests };
}

describe("calls trigger", () => {
  test("`calls trigger` queues a call for an assistant specified by name, ID or number", async () => {
    const { run, trigger } = await practice();
    const queued = await trigger("--details", "Termin am Freitag");
    expect(queued.code).toBe(0);
    expect(queued.json).toMatchObject({ status: "queued", to: "+4915112345678" });
    for (const name of ["Notdienst", "Terminservice"]) {
      const assistant = (await run("assistants", "get", name)).json;
      const by = name === "Notdienst" ? assistant.id : assistant.phone_number;
      const sent = await run("calls", "trigger", "--to", "030 2312 5001", "--assistant", by);
      expect(sent.json).toMatchObject({ assistant_id: assistant.id, to: "+493023125001" });
    }
    const call = (await run("calls", "get", queued.json.id)).json;
    expect(call.details).toBe("Termin am Freitag");
  });

  test("`calls trigger` asks a user for missing values and prints the resulting command", async () => {
    const { runWith, emulator } = await practice();
    const prompts = scriptPrompts("Notdienst", "+4915112345678", "Es eilt", true);
    const overrides = { ...connectedTo(emulator), prompts };
    const options = { overrides, terminal: 80, env: { NO_COLOR: "1" } };
    const queued = await runWith(options, "calls", "trigger", "-o", "json");
    expect(queued.json).toMatchObject({ status: "queued", to: "+4915112345678" });
    expect(queued.stderr).toContain(
      "voxctl calls trigger --assistant Notdienst --to +4915112345678 --details 'Es eilt'\n",
    );
  });

  test("if --set can't read call details from a file, the error names the file", async () => {
    const { run, trigger, home } = await practice();
    writeFileSync(join(home, "brief.txt"), "Zeile 1\nZeile 2");
    const queued = await trigger("--set", "details=@brief.txt");
    expect((await run("calls", "get", queued.json.call_id)).json.details).toBe("Zeile 1\nZeile 2");
    const missing = await trigger("--set", "details=@none.txt");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("--set details @none.txt")]);
  });

  // plain-words: allow title-long
  test("[public.operations.12a] [public.operations.12b] `calls trigger` requires exactly one of two alternative flags", async () => {
    const { run, requests } = await practice();
    const before = await requests();
    const to = ["--to", "+4915112345678"];
    for (const [argv, named] of [
      [[], "--assistant, --to"],
      [to, "--assistant"],
      [[...to, "--assistant", "Empfang", "--set", "assistant_phone=+4932221000001"], "only one"],
      [[...to, "--assistant", "Empfang", "--set", "target_phone=+4915112345678"], "only one"],
      [[...to, "--assistant", "Empfang", "--for", "5s"], "--wait"],
    ] as const) {
      const refused = await run("calls", "trigger", ...argv);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(named);
    }
    expect(await requests()).toEqual(before);
  });

  test("`calls trigger --dry-run` prints the request without sending it", async () => {
    const { trigger, requests } = await practice();
    const planned = await trigger("--dry-run", "--details", "x");
    expect(planned.json).toEqual([
      {
        method: "POST",
        path: "/calls",
        body: { to: "+4915112345678", details: "x", assistant_id: expect.any(String) },
      },
    ]);
    expect((await requests()).filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  test("[public.limits.1 holds refuses] `calls trigger` exits with code 7 during a cooldown", async () => {
    const { trigger, advance } = await practice();
    await trigger();
    await advance(12);
    const refused = await trigger("-o", "json");
    expect(refused.code).toBe(7);
    const { error } = JSON.parse(refused.stderr);
    expect(error).toMatchObject({ code: "rate_limit_exceeded", exit: 7, outcome: "none", retryable: true });
    expect(error.message).toContain("in 48 s");
    expect(error.hint).toContain("--max-wait");
  });

  // plain-words: allow title-long
  test("[public.errors.2b holds refuses] `calls trigger --max-wait` waits until the cooldown has passed on the service's clock", async () => {
    const { trigger, emulator } = await practice();
    await trigger();
    const before = emulator.clock.now();
    const queued = await trigger("--max-wait", "5m");
    expect(queued.code).toBe(0);
    expect(emulator.clock.now() - before).toBeGreaterThanOrEqual(60_000);
    const bounded = await trigger("--max-wait", "10s");
    expect(bounded.code).toBe(7);
  });

  test("[public.operations.12f refuses] `calls trigger` exits with code 6 for a blocked number", async () => {
    const { run, trigger, emulator } = await practice();
    const { id } = (await run("assistants", "get", "Empfang")).json;
    await emulator.control("PATCH", `/assistants/${id}`, { blocked_numbers: ["+4915112345678"] });
    const refused = await trigger();
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain("blocked");
  });

  test("`calls trigger` exits with code 5 for an invalid number, and the error names the flag", async () => {
    const { run } = await practice();
    const refused = await run("calls", "trigger", "--to", "nobody", "--assistant", "Empfang", "-o", "json");
    expect(refused.code).toBe(5);
    expect(JSON.parse(refused.stderr).error.details[0]).toMatchObject({ path: ["to"], flag: "--to" });
  });
});

describe("calls trigger --wait", () => {
  test("`calls trigger --wait` follows the call to its end and prints the transcript in order", async () => {
    const { onTerminal } = await practice();
    const followed = await onTerminal(
      ...["calls", "trigger", "--to", "+4915112345678", "--assistant", "Empfang"],
      ...["--details", "Es geht um Freitag.", "--wait"],
    );
    expect(followed.code).toBe(0);
    const lines = followed.stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ {2}0:00 {2}assistant {2}Guten Tag, Zahnarztpraxis/);
    expect(followed.stdout).toContain("Es geht um Freitag.");
    expect(lines.at(-1)).toBe("completed after 1:30");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("`calls trigger --wait -o json` prints the call after it has ended", async () => {
    const { trigger } = await practice();
    const { code, json } = await trigger("--wait");
    expect(code).toBe(0);
    expect(json).toMatchObject({ status: "completed", duration_seconds: 90 });
    expect(json.transcript.length).toBeGreaterThan(3);
  });

  test.each([
    ["0001", "no answer"],
    ["0002", "busy"],
    ["0003", "failed"],
  ])(
    "`calls trigger --wait` exits with code 11 if the call fails (number ending in %s)",
    async (ending, status) => {
      const { run } = await practice();
      const argv = ["calls", "trigger", "--assistant", "Empfang", "--wait", "--to", `+49151000${ending}`];
      const followed = await run(...argv);
      expect(followed.code).toBe(11);
      expect(followed.stderr).toContain(status);
      expect(followed.json.duration_seconds).toBe(0);
    },
  );

  test("`calls get --wait` resumes the wait after `calls trigger --wait` timed out", async () => {
    const { run, trigger } = await practice();
    const pending = await trigger("--wait", "--for", "30s");
    expect(pending.code).toBe(8);
    expect(pending.json.status).toBe("in_progress");
    expect(pending.stderr).toContain(`voxctl calls get ${pending.json.id} --wait`);
    const over = await run("calls", "get", pending.json.id, "--wait");
    expect(over.code).toBe(0);
    expect(over.json.status).toBe("completed");
  });

  test("`calls trigger` never reports a placed call as retryable", async () => {
    const { run, trigger, emulator, advance } = await practice();
    const pending = await trigger("--wait", "--for", "1s", "-o", "json");
    const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr.slice(stderr.indexOf("{"))).error;
    const error = errorOf(pending);
    expect(error).toMatchObject({ code: "still_pending", retryable: false, outcome: "done" });
    expect(error.message).toBe("the call is still queued after 1 s");
    const waited = await run("calls", "get", pending.json.id, "--wait", "--for", "1s", "-o", "json");
    expect(errorOf(waited)).toMatchObject({ code: "still_pending", retryable: true });
    await advance(120);
    await emulator.control("POST", "/faults", { kind: "error_before", operation: "calls.get", times: 999 });
    const unread = await trigger("--wait", "-o", "json");
    expect(errorOf(unread)).toMatchObject({
      exit: 9,
      retryable: false,
      outcome: "done",
      hint: expect.stringContaining("the call was placed"),
    });
  });
});

describe("`calls list` and `calls get`", () => {
  test("`calls list` fits a terminal of 80 or 160 columns", async () => {
    const { run, runWith } = await practice();
    for (const terminal of [80, 160]) {
      const shown = await runWith({ terminal }, "--profile", "offline", "calls", "list", "--limit", "20");
      for (const line of shown.stdout.split("\n")) expect(line.length).toBeLessThan(terminal + 20);
      expect(shown.stdout).toContain("completed");
    }
    const { id } = (await run("assistants", "get", "Terminservice")).json;
    const calls = (await run("calls", "list", "--assistant", "Terminservice", "--all")).json;
    expect(calls.length).toBeGreaterThan(30);
    expect(new Set(calls.map((call: { assistant_id: string }) => call.assistant_id))).toEqual(new Set([id]));
    const since = ["--from", "2026-02-27T00:00:00Z", "--to", "2026-02-28T00:00:00Z"];
    const day = (await run("calls", "list", "--all", ...since)).json;
    expect(day.length).toBeGreaterThan(5);
    for (const call of day) expect(call.created_at).toMatch(/^2026-02-27/);
  });

  test("`calls get` prints a formatted call on a terminal, and unchanged JSON in a script", async () => {
    const { run, onTerminal } = await practice();
    const calls = (await run("calls", "list", "--all")).json;
    const id = calls.find((call: { status: string }) => call.status === "completed").id;
    const shown = await onTerminal("calls", "get", id);
    for (const part of [`Call ${id}`, "Transcript", "assistant", "Analyses", "recording"])
      expect(shown.stdout).toContain(part);
    for (const line of shown.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const { json } = await run("calls", "get", id);
    expect(json.transcript[0]).toEqual({
      role: "assistant",
      text: expect.any(String),
      offset_seconds: 0,
    });
    expect((await run("calls", "get", "nonsense")).code).toBe(2);
    expect((await run("calls", "get", "0".repeat(24))).code).toBe(4);
  });

  test("`calls get` escapes control characters in the transcript", async () => {
    const { emulator, run, onTerminal } = await practice();
    const { id } = (await run("assistants", "get", "Empfang")).json;
    const transcript = [{ role: "user", text: "Rot: \u001b[31m", offset_seconds: 0 }];
    const call = (await emulator.control("POST", "/calls", { assistant_id: id, transcript })) as {
      id: string;
    };
    const shown = await onTerminal("calls", "get", call.id);
    expect(shown.stdout).toContain("Rot: \\u001b[31m");
    expect(shown.stdout).not.toContain("\u001b[31m");
  });
});

async function recorded(recording = "wav") {
  const setup = await practice();
  const { id } = (await setup.run("assistants", "get", "Empfang")).json;
  const past = { assistant_id: id, recording, duration_seconds: 60 };
  const call = (await setup.emulator.control("POST", "/calls", past)) as { id: string };
  const download = (...argv: string[]) => setup.run("calls", "recording", "download", call.id, ...argv);
  return { ...setup, callId: call.id, download };
}

describe("calls recording download", () => {
  test.each([
    ["flac", "flac"],
    ["wav", "wav"],
    ["mpeg", "mp3"],
  ])(
    "`calls recording download` names the file (%s) after the call, with the extension .%s",
    async (format, extension) => {
      const { download, callId, home } = await recorded(format);
      const saved = await download("--out", "calls/");
      expect(saved.code).toBe(0);
      expect(saved.json.file).toBe(join("calls", `2026-03-02T08-59-00Z_${callId}.${extension}`));
      expect(readdirSync(join(home, "calls"))).toHaveLength(1);
      expect(statSync(join(home, saved.json.file)).size).toBe(saved.json.bytes);
    },
  );

  test("--out sets the recording's file name without changing the output format", async () => {
    const { download, home } = await recorded();
    const saved = await download("--out", "call.wav", "-o", "yaml");
    expect(saved.code).toBe(0);
    expect(saved.stdout).toContain("file: call.wav");
    expect(statSync(join(home, "call.wav")).size).toBe(60 * 16_000 + 44);
  });

  test("`calls recording download` warns if the extension of --out does not match the format", async () => {
    const { download } = await recorded("flac");
    expect((await download("--out", "call.mp3")).stderr).toContain("call.mp3 contains FLAC");
    for (const name of ["call.flac", "call.FLAC", "call", "call.2026"])
      expect((await download("--out", name)).stderr).not.toContain("contains");
  });

  test("`calls recording download` overwrites an existing file only with --force", async () => {
    const { download, home } = await recorded();
    writeFileSync(join(home, "call.wav"), "mine");
    const refused = await download("--out", "call.wav");
    expect(refused.code).toBe(12);
    expect(readFileSync(join(home, "call.wav"), "utf8")).toBe("mine");
    expect((await download("--out", "call.wav", "--force")).code).toBe(0);
    expect(statSync(join(home, "call.wav")).size).toBe(60 * 16_000 + 44);
    // Without --out, the file is named after the call.
    expect((await download()).code).toBe(0);
    expect((await download()).code).toBe(12);
  });

  test("`calls recording download` requests only the missing bytes of a partial file", async () => {
    const { download, home } = await recorded();
    await download("--out", "whole.wav");
    const whole = readFileSync(join(home, "whole.wav"));
    writeFileSync(join(home, "call.wav.part"), whole.subarray(0, 500_000));
    const resumed = await download("--out", "call.wav", "--debug");
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain("range: bytes=499936-");
    expect(readFileSync(join(home, "call.wav")).equals(whole)).toBe(true);
    expect(existsSync(join(home, "call.wav.part"))).toBe(false);
  });

  test.each([[], ["--force"]])(
    "a download does not overwrite an unrelated .part file, but renames it (%j)",
    async (...flags) => {
      const { download, home } = await recorded();
      writeFileSync(join(home, "call.wav.part"), "my own notes");
      const saved = await download("--out", "call.wav", ...flags);
      expect([saved.code, saved.stderr]).toEqual([
        0,
        expect.stringContaining("renamed it to call.wav.part.1.bad"),
      ]);
      expect(readFileSync(join(home, "call.wav.part.1.bad"), "utf8")).toBe("my own notes");
      const whole = readFileSync(join(home, "call.wav"));
      expect(whole).toHaveLength(60 * 16_000 + 44);
      writeFileSync(join(home, "other.wav.part"), whole.subarray(0, 1000));
      expect((await download("--out", "other.wav", ...flags)).code).toBe(0);
      expect(readFileSync(join(home, "other.wav")).equals(whole)).toBe(true);
      expect(readdirSync(home).filter((name) => name.startsWith("other"))).toEqual(["other.wav"]);
    },
  );

  test("a dropped download resumes, or keeps its partial file if it can't resume", async () => {
    const { download, home, emulator } = await recorded();
    await emulator.control("POST", "/faults", {
      kind: "truncate",
      operation: "calls.recording.get",
      times: 2,
    });
    const saved = await download("--out", "call.wav");
    expect(saved.code).toBe(0);
    const whole = readFileSync(join(home, "call.wav"));
    expect(whole).toHaveLength(60 * 16_000 + 44);
    await emulator.control("POST", "/faults", { kind: "truncate", operation: "calls.recording.get" });
    const cut = await download("--out", "other.wav");
    expect(cut.code).toBe(9);
    expect(cut.stderr).toContain("run the same command again");
    expect(existsSync(join(home, "other.wav"))).toBe(false);
    await emulator.control("DELETE", "/faults");
    expect((await download("--out", "other.wav")).code).toBe(0);
    expect(readFileSync(join(home, "other.wav")).equals(whole)).toBe(true);
  });

  test("a download with an empty partial file starts from the beginning", async () => {
    const { download, home } = await recorded();
    for (const length of [0, 10]) {
      await download("--out", "call.wav", "--force");
      const whole = readFileSync(join(home, "call.wav"));
      renameSync(join(home, "call.wav"), join(home, "call.wav.part"));
      truncateSync(join(home, "call.wav.part"), length);
      expect((await download("--out", "call.wav")).code).toBe(0);
      expect(readFileSync(join(home, "call.wav")).equals(whole)).toBe(true);
    }
  });

  test("[public.operations.13c] downloading a missing recording exits with code 4, without a file", async () => {
    const { run, callId, download, home } = await recorded();
    await run("calls", "recording", "delete", callId, "--yes");
    expect((await download("--out", "call.wav")).code).toBe(4);
    expect(readdirSync(home).filter((name) => name.startsWith("call"))).toEqual([]);
  });
});

describe("calls recording delete", () => {
  test("`calls recording delete` asks for confirmation", async () => {
    const { run, callId } = await recorded();
    expect((await run("calls", "recording", "delete", callId)).code).toBe(12);
    for (let count = 0; count < 2; count += 1) {
      const deleted = await run("calls", "recording", "delete", callId, "--yes");
      expect(deleted.code).toBe(0);
      expect(deleted.json).toEqual({ id: callId, deleted: true });
    }
    expect((await run("calls", "get", callId)).json.recording.available).toBe(false);
  });

  test("[public.operations.14f refuses] a failed deletion of a recording is unconfirmed", async () => {
    const { run, callId, emulator, download } = await recorded();
    await emulator.control("POST", "/faults", { kind: "recording_erase_failure", times: 1 });
    expect((await run("calls", "recording", "delete", callId, "--yes")).code).toBe(75);
    expect((await download()).code).toBe(0);
  });
});

describe("stats", () => {
  test("`stats usage` covers all assistants and the current week by default", async () => {
    const { run } = await practice();
    expect((await run("stats", "usage")).json).toMatchObject({ week: 10, year: 2026, assistant_id: "all" });
    for (const argv of [
      ["--week", "2026-W09"],
      ["--week", "9"],
    ])
      expect((await run("stats", "usage", ...argv)).json).toMatchObject({ week: 9, year: 2026 });
    const { id } = (await run("assistants", "get", "Empfang")).json;
    const own = (await run("stats", "usage", "--week", "2026-W09", "--assistant", "Empfang")).json;
    expect(own.assistant_id).toBe(id);
  });

  test("`stats` exits with code 2 for an invalid week, and with code 4 for an unknown name", async () => {
    const { run, requests } = await practice();
    const before = await requests();
    for (const argv of [
      ["--week", "54"],
      ["--week", "2019-W10"],
      ["--week", "next"],
      ["--chart", "-o", "json"],
    ])
      expect((await run("stats", "usage", ...argv)).code).toBe(2);
    expect(await requests()).toEqual(before);
    expect((await run("stats", "usage", "--assistant", "Nobody")).code).toBe(4);
    expect((await run("stats", "usage", "--week", "2025-W53")).code).toBe(5);
  });

  test("`stats usage` shows the service's week, even if the machine's clock is months ahead", async () => {
    const emulator = await openTestEmulator("over HTTP", { startTime: "2026-03-18T09:00:00Z" });
    onTestFinished(() => emulator.close());
    const { run } = commandLine({
      env: { VOXCTL_BASE_URL: `${emulator.url}/api/v1`, VOXCTL_API_KEY: emulator.keys.admin },
      overrides: { clock: { now: () => Date.parse("2027-02-01T08:00:00Z"), sleep: async () => {} } },
    });
    expect((await run("stats", "usage", "-o", "json")).json).toMatchObject({ week: 12, year: 2026 });
    expect((await run("stats", "usage", "--week", "9", "-o", "json")).json.year).toBe(2026);
  });

  test("`stats usage` prints correct totals and a correct chart", async () => {
    const { run, onTerminal } = await practice();
    const { weekly } = (await run("stats", "usage", "--week", "2026-W09")).json;
    const table = await onTerminal("stats", "usage", "--week", "2026-W09");
    expect(table.stdout).toContain("Week 2026-W09, all assistants");
    expect(table.stdout).toMatch(new RegExp(`Total +${weekly.total_calls} `));
    const chart = await onTerminal("stats", "usage", "--week", "2026-W09", "--chart");
    const lines = chart.stdout.split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const days = lines.filter((line) => /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) /.test(line));
    expect(days).toHaveLength(7);
    const cells = days.map((line) => line.split("█").length - 1);
    const calls = weekly.days.map((day: { calls: number }) => day.calls);
    expect(cells.indexOf(Math.max(...cells))).toBe(calls.indexOf(Math.max(...calls)));
  });

  test("the summary of `stats` names the weeks and assistants", async () => {
    const { run, onTerminal } = await practice();
    expect((await run("stats", "summary")).json.weeks[0]).toEqual({ week: 10, year: 2026 });
    const shown = (await onTerminal("stats", "summary")).stdout;
    expect(shown).toContain("2026-W10, 2026-W09, 2026-W08");
    expect(shown).toContain("Empfang, Notdienst, Terminservice");
  });
});
