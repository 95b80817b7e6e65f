import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

interface Call {
  id: string;
  created_at: string;
  recording: { available: boolean };
}

async function demo() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  const calls: Call[] = (await run("calls", "list", "--all")).json;
  const newest = Date.parse(calls[0]?.created_at ?? "");
  const from = new Date(newest - 2 * 86_400_000).toISOString();
  const selected = calls.filter(({ created_at }) => created_at >= from);
  expect(selected.length).toBeGreaterThan(2);
  expect(selected.length).toBeLessThan(calls.length);
  return { ...shell, emulator, run, calls, from, meant: selected };
}

describe("calls export", () => {
  test("`calls export` writes the calls in a period with the fields of `calls list`", async () => {
    const { run, from, meant: selected, home } = await demo();
    const { stdout, stderr, code } = await run("calls", "export", "--from", from, "--format", "jsonl");
    expect(code, stderr).toBe(0);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(selected);
    const named = await run("calls", "export", "-", "--from", from, "--format", "jsonl");
    expect([named.stdout, named.stderr]).toEqual([stdout, stderr]);
    const written = await run("calls", "export", "a.csv", "--from", from);
    expect(written.json).toEqual({ file: "a.csv", format: "csv", calls: selected.length });
    const lines = readFileSync(join(home, "a.csv"), "utf8").trim().split("\n");
    expect(lines[0]).toBe(
      "id,created_at,direction,status,duration_seconds,from,to,assistant_id,assistant,recording.available",
    );
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(selected.map(({ id }) => id));
    expect(lines.slice(1).every((line) => /,[^,]+,(true|false)$/.test(line))).toBe(true);
    expect((await run("calls", "export", "a.csv", "--from", from)).code).toBe(12);
    expect((await run("calls", "export")).code).toBe(2);
    const backwards = await run("calls", "export", "--from", "today", "--to", "yesterday");
    expect([backwards.code, backwards.stderr]).toEqual([
      2,
      expect.stringContaining("invalid --to yesterday: expected a time after --from today"),
    ]);
    const zoned = await run("calls", "export", "--from", "2020-01-01T00:00:00+01:00", "--to", "2020-01-02");
    expect(zoned.stderr).toContain("Calls from 2019-12-31T23:00:00Z to 2020-01-03T00:00:00Z (UTC)");
  });

  test("`calls export` prints no header if calls can't be read", async () => {
    const { run, emulator } = await demo();
    await emulator.control("POST", "/faults", { kind: "error_before", operation: "calls.list", times: 100 });
    const ran = await run("calls", "export", "--from", "7d", "--format", "csv");
    expect([ran.code, ran.stdout]).toEqual([9, ""]);
    await emulator.control("DELETE", "/faults");
    const none = await run(
      "calls",
      "export",
      "--from",
      "2020-01-01",
      "--to",
      "2020-01-02",
      "--format",
      "csv",
    );
    expect([none.code, none.stdout.split("\n").length]).toEqual([0, 2]);
  });

  test("`calls export --details` adds the transcript to each call in JSONL, Markdown and CSV", async () => {
    const { run, from, meant: selected } = await demo();
    const { stdout } = await run("calls", "export", "--from", from, "--details", "--format", "jsonl");
    const full = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(full[0]).toEqual((await run("calls", "get", selected[0]?.id ?? "")).json);
    const markdown = await run("calls", "export", "--from", from, "--details", "--format", "md");
    expect(markdown.stdout.match(/^## /gm)).toHaveLength(selected.length);
    expect(markdown.stdout).toMatch(/^> .*assistant: /m);
    const csv = await run("calls", "export", "--from", from, "--details");
    expect(csv.stdout.split("\n")[0]).toMatch(/,transcript,analyses,notes$/);
  });

  test("`calls export` joins the lines of an utterance and escapes control characters", async () => {
    const { run, emulator } = await demo();
    const [{ id }] = (await run("assistants", "list", "--limit", "1")).json;
    const transcript = [{ role: "user", text: "Ja\n0:05 assistant: Nein\u001b[31m", offset_seconds: 1 }];
    await emulator.control("POST", "/calls", { assistant_id: id, transcript });
    const { stdout } = await run("calls", "export", "--from", "today", "--details", "--format", "md");
    expect(stdout).toContain("> 0:01 user: Ja 0:05 assistant: Nein\\\\u001b\\[31m");
  });
});

describe("calls recording download --from", () => {
  test("`recording download --from` skips saved recordings and resumes partial ones", async () => {
    const { run, from, meant: selected, home } = await demo();
    const recorded = selected.filter(({ recording }) => recording.available);
    const folder = join(home, "rec");
    const first = await run("calls", "recording", "download", "--from", from, "--out", "rec");
    expect(first.code, first.stderr).toBe(0);
    expect(first.json.map(({ id }: Call) => id)).toEqual(recorded.map(({ id }) => id));
    const files = readdirSync(folder).sort();
    expect(files).toHaveLength(recorded.length);
    const [firstFile = "", secondFile = ""] = files;
    const whole = readFileSync(join(folder, firstFile));
    truncateSync(join(folder, firstFile), Math.floor(whole.length / 2));
    mkdirSync(join(folder, "x"));
    renameSync(join(folder, firstFile), join(folder, `${firstFile}.part`));
    rmSync(join(folder, secondFile));
    const again = await run("calls", "recording", "download", "--from", from, "--out", "rec");
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain(`Downloaded 2 recordings; ${recorded.length - 2} already exist`);
    expect(readFileSync(join(folder, firstFile)).equals(whole)).toBe(true);
    expect(
      readdirSync(folder)
        .filter((name) => name !== "x")
        .sort(),
    ).toEqual(files);
  });

  test("`recording download --from` renames an unrelated .part file", async () => {
    const { run, from, home } = await demo();
    const download = ["calls", "recording", "download", "--from", from, "--out", "rec"];
    await run(...download);
    const folder = join(home, "rec");
    const [firstFile = ""] = readdirSync(folder).sort();
    const whole = readFileSync(join(folder, firstFile));
    for (const count of [1, 2]) {
      rmSync(join(folder, firstFile));
      writeFileSync(join(folder, `${firstFile}.part`), "of another");
      const again = await run(...download);
      expect(again.code, again.stderr).toBe(0);
      expect(again.stderr).toContain(`renamed it to ${firstFile}.part.${count}.bad`);
      expect(readFileSync(join(folder, firstFile)).equals(whole)).toBe(true);
      expect(readFileSync(join(folder, `${firstFile}.part.${count}.bad`), "utf8")).toBe("of another");
    }
  });

  test("on Ctrl-C, `recording download --from` explains how to resume", async () => {
    const { run, runWith, from } = await demo();
    const download = ["calls", "recording", "download", "--from", from, "--out", "rec"];
    const cut = await runWith(
      {
        terminal: 100,
        before: (io) =>
          io.stderr.on("data", (text: Buffer) => {
            if (text.toString().includes("downloading")) io.signal("SIGINT");
          }),
      },
      ...["--profile", "offline", ...download],
    );
    expect(cut.code).toBe(130);
    expect(cut.stderr).toMatch(/Downloaded \d recordings?\. To continue, run the same command again/);
    const again = await run(...download);
    expect(again.code, again.stderr).toBe(0);
    expect(again.json.some(({ outcome }: { outcome: string }) => outcome === "downloaded")).toBe(true);
  });

  test("the --name template must contain {id}", async () => {
    const { run, from, home } = await demo();
    const named = ["calls", "recording", "download", "--from", from, "--out", "rec", "--name"];
    expect((await run(...named, "{date}")).stderr).toContain("must contain {id}");
    expect((await run(...named, "{id}_{nobody}")).stderr).toContain("invalid --name placeholder {nobody}");
    expect((await run(...named, "../{id}")).stderr).toContain("to choose the directory, use --out");
    const ran = await run(...named, "{assistant}_{date}_{id}.flac");
    expect(ran.code, ran.stderr).toBe(0);
    for (const file of readdirSync(join(home, "rec")))
      expect(file).toMatch(/_\d{4}-\d\d-\d\d_[a-f0-9]{24}\.[a-z\d]+$/);
  });

  test("a recording's file name contains the complete ID, even after a long name", async () => {
    const { run, from, meant: selected, home } = await demo();
    const named = ["calls", "recording", "download", "--from", from, "--out", "rec"];
    const template = `${"Praxis-am-Park-".repeat(9)}{assistant}_{id}`;
    const recorded = selected.filter(({ recording }) => recording.available);
    expect(recorded.length).toBeGreaterThan(1);
    for (const outcome of ["downloaded", "existing"]) {
      const ran = await run(...named, "--name", template);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.json.map((row: { outcome: string }) => row.outcome)).toEqual(recorded.map(() => outcome));
    }
    const files = readdirSync(join(home, "rec"));
    expect(files.map((file) => /_([a-f0-9]{24})\.\w+$/.exec(file)?.[1]).sort()).toEqual(
      recorded.map(({ id }) => id).sort(),
    );
  });

  test("`recording download --from` skips a call if its file name is in use", async () => {
    const { runWith, emulator, meant: selected, from } = await demo();
    const recorded = selected.filter(({ recording }) => recording.available);
    const ids = new Map([
      [recorded[0]?.id, "a:1"],
      [recorded[1]?.id, "a;1"],
    ]);
    const overrides = reshapeResponses(emulator, ({ path }, { body }) =>
      /\/calls\?/.test(path)
        ? {
            body: {
              ...body,
              data: body.data.map((call: Call) => ({ ...call, id: ids.get(call.id) ?? call.id })),
            },
          }
        : undefined,
    );
    const ran = await runWith(
      { overrides },
      ...[
        "calls",
        "recording",
        "download",
        "--profile",
        "offline",
        "--from",
        from,
        "--out",
        "rec",
        "--force",
        ...["--name", "{id}"],
      ],
    );
    expect(ran.code).toBe(68);
    expect(ran.stderr).toContain("a;1 has the same file name as a:1");
  });

  test("`recording download --out -` writes the recording unchanged, but never to a terminal", async () => {
    const { run, runWith, meant: selected, home } = await demo();
    const id = selected.find(({ recording }) => recording.available)?.id ?? "";
    await run("calls", "recording", "download", id, "--out", "r.flac");
    const bytes = readFileSync(join(home, "r.flac"));
    let size = 0;
    const ran = await runWith(
      { before: ({ stdout }) => void stdout.on("data", (piece: Buffer) => (size += piece.length)) },
      ...["--profile", "offline", "calls", "recording", "download", id, "--out", "-"],
    );
    expect(ran.code, ran.stderr).toBe(0);
    expect(size).toBe(bytes.length);
    expect(statSync(join(home, "r.flac")).size).toBe(size);
    const shown = await runWith(
      { terminal: 80 },
      ...["--profile", "offline", "calls", "recording", "download", id, "--out", "-"],
    );
    expect(shown.code).toBe(12);
  });

  test("`recording download --out -` writes no output if the recording stays incomplete", async () => {
    const { run, meant: selected, emulator } = await demo();
    const id = selected.find(({ recording }) => recording.available)?.id ?? "";
    const download = ["calls", "recording", "download", id, "--out", "-"];
    const queried = await run(...download, "--jq", ".bytes");
    expect([queried.code, queried.stderr]).toEqual([
      2,
      expect.stringContaining("--out - can't be used with --jq or --fields"),
    ]);
    await emulator.control("POST", "/faults", { kind: "truncate", operation: "calls.recording.get" });
    const ran = await run(...download);
    expect([ran.code, ran.stdout]).toEqual([9, ""]);
    expect(ran.stderr).toContain("nothing was written");
    expect(ran.stderr).not.toContain("is kept");
  });

  test("`recording download` requires either a call or a period", async () => {
    const { run, meant: selected } = await demo();
    const id = selected[0]?.id ?? "";
    for (const argv of [[id, "--from", "7d"], [], ["--to", "1d", id]])
      expect((await run("calls", "recording", "download", ...argv)).code).toBe(2);
  });
});
