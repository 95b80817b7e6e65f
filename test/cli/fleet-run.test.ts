// The members of these fleets run a script that records how it was started.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../client/fakes.js";
import type { TestIo } from "../helpers/cli.js";
import { createFleet, csv, importWords } from "../helpers/fleet.js";

/**
 * Exits with the next code in `exits/NAME`. A negative code means: wait for the file `go`, then exit with 0.
 */
const script = `
const fs = require("node:fs");
const name = process.env.VOXCTL_FLEET_MEMBER.split("/")[1];
const file = "exits/" + name;
const codes = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split(" ") : ["0"];
const env = Object.entries(process.env).filter(([variable]) => /KEY|PROFILE/.test(variable));
fs.appendFileSync("calls.ndjson", JSON.stringify({ name, words: process.argv.slice(2), env: Object.fromEntries(env) }) + "\\n");
const code = Number(codes[0]);
if (codes.length > 1) fs.writeFileSync(file, codes.slice(1).join(" "));
process.on("SIGINT", () => process.exit(130));
if (code >= 0) process.exit(code);
setInterval(() => fs.existsSync("go") && process.exit(0), 20);
`;

async function createScripted(names: readonly string[], settings = "") {
  const fleet = await createFleet(names, { settings });
  fleet.write("member.cjs", script);
  const clock = fakeClock();
  const ownProgram = { program: process.execPath, args: [join(fleet.home, "member.cjs")] };
  const overrides = { clock, ownProgram };
  const start = (flags: readonly string[], before?: (io: TestIo) => void, words = ["groups", "list"]) =>
    fleet.runWith(
      { overrides, ...(before ? { before } : {}) },
      ...[
        "fleet",
        "run",
        "--fleet",
        "fleet.yaml",
        "--confirm",
        `${names.length} members`,
        ...flags,
        "--",
        ...words,
      ],
    );
  const calls = (): { name: string; words: string[]; env: Record<string, string> }[] =>
    existsSync(join(fleet.home, "calls.ndjson"))
      ? readFileSync(join(fleet.home, "calls.ndjson"), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  const runs = () => readdirSync(join(fleet.data, "fleet"));
  return { ...fleet, start, calls, runs, overrides, now: clock.now };
}

const json = ["-o", "json"];
const states = (report: { waves: { members: { name: string; state: string }[] }[] }) =>
  Object.fromEntries(report.waves.flatMap(({ members }) => members.map(({ name, state }) => [name, state])));

describe("a member's process", () => {
  test("a member's process gets only the member's key, in a variable [G1]", async () => {
    const fleet = await createScripted(["a", "b"]);
    expect((await fleet.start(json)).code).toBe(0);
    const calls = fleet.calls();
    expect(calls.map(({ words }) => words)).toEqual([
      ["--yes", "groups", "list"],
      ["--yes", "groups", "list"],
    ]);
    for (const { name, env } of calls) {
      const keys = fleet.members.filter(({ key }) => Object.values(env).includes(key));
      expect(keys.map((member) => member.name)).toEqual([name]);
    }
  });

  test("a fleet with a production member requires --confirm [G3]", async () => {
    const fleet = await createScripted(["a", "b"]);
    await fleet.run("profiles", "add", "a", "--url", fleet.url, "--key-env", "KEY_A", "--production");
    fleet.write("fleet.yaml", "version: 1\nmembers: { a: { profile: a } }\n");
    const command = ["--", "groups", "list"];
    const options = { overrides: fleet.overrides };
    const refused = await fleet.runWith(
      options,
      "fleet",
      "run",
      "--fleet",
      "fleet.yaml",
      "--yes",
      ...command,
    );
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining('"a" is marked production')]);
    const flags = ["--fleet", "fleet.yaml", "--confirm", "1 member"];
    expect((await fleet.runWith(options, "fleet", "run", ...flags, ...command)).code).toBe(0);
    expect(fleet.calls()[0]?.words).toContain("--confirm=a");
    expect(fleet.calls()[0]?.env).toMatchObject({ VOXCTL_PROFILE: "a" });
  });
});

test("--report replaces an earlier results file instead of writing into it", async () => {
  const fleet = await createScripted(["a", "b"]);
  fleet.write("report.json", '{"run": "earlier"}\n');
  // A report that is written in place would also change this link to the earlier report.
  linkSync(join(fleet.home, "report.json"), join(fleet.home, "earlier.json"));
  const ran = await fleet.start([...json, "--report", "report.json"]);
  const [report, earlier] = ["report.json", "earlier.json"].map((name) =>
    JSON.parse(readFileSync(join(fleet.home, name), "utf8")),
  );
  expect([report, earlier]).toEqual([ran.json, { run: "earlier" }]);
});

test("`fleet run --dry-run` with a store shows each command as it was typed", async () => {
  const fleet = await createFleet(["a"]);
  fleet.write("rows.csv", csv(1));
  const ran = await fleet.runWith(
    { env: { VOXCTL_STORE: "postgres://voxctl@127.0.0.1:1/none" } },
    ...["fleet", "run", "--fleet", "fleet.yaml", "--dry-run", ...json, "--", ...importWords],
  );
  expect([ran.code, ran.json?.[0].command], ran.stderr).toEqual([0, importWords.join(" ")]);
});

describe("a member that has ended", () => {
  test("the line of a failed member contains the full path of its log", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "5");
    const ran = await fleet.start([...json, "--max-failures", "1"]);
    const log = join(fleet.data, "fleet", ran.json.run, "a.log");
    expect(ran.stderr).toContain(`(exit code 5): ${log}`);
  });

  test("a log that can't be written leaves the member's result unchanged and is reported", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "5 0");
    const ran = await fleet.start(json);
    const log = join(fleet.data, "fleet", ran.json.run, "a.log");
    rmSync(log);
    mkdirSync(log);
    const resumed = await fleet.runWith(
      { overrides: fleet.overrides },
      ...["fleet", "resume", ran.json.run, ...json, "--retry-failed"],
    );
    expect([resumed.code, states(resumed.json)], resumed.stderr).toEqual([0, { a: "ok", b: "ok" }]);
    expect(resumed.stderr).toContain(`${log} is incomplete`);
  });

  test("after exit code 9, a member is tried again after 1 and 5 minutes [G10]", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "9 9 0");
    fleet.write("exits/b", "9 9 9 0");
    const began = fleet.now();
    const ran = await fleet.start([...json, "--max-failures", "1"]);
    expect([ran.code, states(ran.json)]).toEqual([68, { a: "ok", b: "failed" }]);
    expect(fleet.calls()).toHaveLength(6);
    expect(fleet.now() - began).toBeGreaterThanOrEqual(360_000);
  });

  test("`resume --retry-failed` continues a run with too many failures [G6, G12]", async () => {
    const fleet = await createScripted(["a", "b", "c", "d"]);
    for (const name of ["a", "b"]) fleet.write(`exits/${name}`, "5 0");
    const ran = await fleet.start([...json, "--max-failures", "25%", "--parallel", "1"]);
    expect([ran.code, states(ran.json)]).toEqual([
      68,
      { a: "failed", b: "failed", c: "not started", d: "not started" },
    ]);
    const resume = ["fleet", "resume", ran.json.run, ...json];
    const unchanged = await fleet.runWith({ overrides: fleet.overrides }, ...resume);
    expect(states(unchanged.json)).toEqual(states(ran.json));
    const resumed = await fleet.runWith({ overrides: fleet.overrides }, ...resume, "--retry-failed");
    expect([resumed.code, resumed.json.counts]).toEqual([0, { ok: 4 }]);
    expect(fleet.calls().map(({ name }) => name)).toEqual(["a", "b", "a", "b", "c", "d"]);
  });

  test("with --max-failures 100%, a wave starts even if all earlier members failed [G6]", async () => {
    const fleet = await createScripted(["a", "b", "c"]);
    for (const name of ["a", "b"]) fleet.write(`exits/${name}`, "5");
    const ran = await fleet.start([...json, "--max-failures", "100%", "--waves", "2,rest"]);
    expect([ran.code, states(ran.json)]).toEqual([68, { a: "failed", b: "failed", c: "ok" }]);
    const listed = await fleet.run("runs", "list", ran.json.run, ...json);
    expect(listed.json).toMatchObject({ done: 1, failed: 2, rejected: 0, open: 0 });
  });

  test("a member's exit code 75 stops the fleet regardless of --max-failures [G8]", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "75");
    const ran = await fleet.start([...json, "--max-failures", "100%", "--parallel", "1"]);
    expect([ran.code, states(ran.json)]).toEqual([75, { a: "unknown", b: "not started" }]);
    expect(ran.stderr).not.toContain("the service did not respond");
    expect(ran.json.stopped).toEqual({ reason: "unknown", member: "a" });
  });

  test("with --check, a member's exit code 10 means differences instead of a failure [G5]", async () => {
    const fleet = await createScripted(["a", "b"]);
    for (const name of ["a", "b"]) fleet.write(`exits/${name}`, "10");
    expect((await fleet.start(json)).code).toBe(10);
    const checked = await fleet.start(json, undefined, ["contacts", "dedupe", "--check", "--group", "K"]);
    expect([checked.code, checked.json.counts]).toEqual([0, { ok: 2 }]);
  });
});

describe("a fleet run in progress", () => {
  test("a second process can show, but not resume, a run in progress", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/b", "-1");
    const id = () => fleet.runs().at(0) ?? "";
    const running = fleet.start(json);
    await expect.poll(() => fleet.calls().length).toBe(2);
    const resumed = await fleet.run("fleet", "resume", id());
    const shown = await fleet.run("fleet", "show", id(), ...json);
    fleet.write("go", "");
    expect([resumed.code, shown.code, shown.json.selected]).toEqual([6, 0, 2]);
    expect((await running).json.counts).toEqual({ ok: 2 });
  });

  test("a member's log is removed 30 days after it was written", async () => {
    const fleet = await createScripted(["a", "b"]);
    const [old, recent] = [await fleet.start(json), await fleet.start(json)];
    for (const [ran, day] of [
      [old, "2026-01-30"],
      [recent, "2026-02-02"],
    ] as const) {
      const folder = join(fleet.data, "fleet", ran.json.run);
      for (const name of ["", ...readdirSync(folder)])
        utimesSync(join(folder, name), new Date(day), new Date(day));
    }
    const last = await fleet.start(json);
    expect(fleet.runs().sort()).toEqual([recent.json.run, last.json.run].sort());
  });
});

describe("a fleet run that is resumed", () => {
  test("a resumed run keeps its original members and commands [E6]", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "5 0");
    const ran = await fleet.start(json);
    fleet.write("fleet.yaml", "version: 1\nmembers: { c: { profile: offline } }\n");
    const resumed = await fleet.runWith(
      { overrides: fleet.overrides },
      ...["fleet", "resume", ran.json.run, "--retry-failed", ...json],
    );
    expect([resumed.code, states(resumed.json)]).toEqual([0, { a: "ok", b: "ok" }]);
    expect(fleet.calls().every(({ words }) => words.join(" ") === "--yes groups list")).toBe(true);
  });

  test("a member fails before any write if its key now belongs to another organization [G2]", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "5 0");
    const ran = await fleet.start(json);
    const sent = fleet.calls().length;
    const env = { KEY_A: fleet.member("b").key };
    const resumed = await fleet.runWith(
      { env, overrides: fleet.overrides },
      ...["fleet", "resume", ran.json.run, "--retry-failed", ...json],
    );
    const [member] = resumed.json.waves[0].members;
    expect([resumed.code, member.state, member.exit]).toEqual([68, "failed", 12]);
    expect(member.error).toContain("a different organization than at the start of the run");
    expect(fleet.calls()).toHaveLength(sent);
  });

  test.each([
    [2, ["--max-failures", "some"], {}],
    [2, ["--waves", "1"], {}],
    [2, ["--again", "c"], {}],
    [3, [], { KEY_A: "" }],
  ])("a resume that exits with code %i for %j changes no member's state", async (code, flags, env) => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "5 0");
    const ran = await fleet.start([...json, "--parallel", "1"]);
    const resume = ["fleet", "resume", ran.json.run, "--retry-failed", ...flags];
    const refused = await fleet.runWith({ env, overrides: fleet.overrides }, ...resume);
    expect(refused.code, refused.stderr).toBe(code);
    const shown = await fleet.run("fleet", "show", ran.json.run, ...json);
    expect(states(shown.json)).toEqual({ a: "failed", b: "not started" });
    expect(fleet.calls()).toHaveLength(1);
  });

  test("`resume --waves` divides the members into waves again [G4]", async () => {
    const fleet = await createScripted(["a", "b", "c"]);
    fleet.write("exits/a", "5 0");
    const ran = await fleet.start([...json, "--parallel", "1"]);
    const resumed = await fleet.runWith(
      { overrides: fleet.overrides },
      ...["fleet", "resume", ran.json.run, "--retry-failed", "--waves", "2,rest", ...json],
    );
    const waves = resumed.json.waves.map(({ members }: { members: { name: string }[] }) =>
      members.map(({ name }) => name),
    );
    expect([resumed.code, waves]).toEqual([0, [["a", "b"], ["c"]]]);
  });
});

describe("Ctrl-C", () => {
  test("on Ctrl-C, `fleet run` lets running members finish and starts no others [G7]", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "-1");
    const interrupt = (io: TestIo) =>
      io.stdout.on("data", (text: Buffer) => {
        if (!text.toString().includes('"started"')) return;
        io.signal("SIGINT");
        fleet.write("go", "");
      });
    const ran = await fleet.start(["-o", "ndjson", "--parallel", "1"], interrupt);
    const { run, counts } = JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "");
    expect([ran.code, counts]).toEqual([130, { ok: 1, "not started": 1 }]);
    const resumed = await fleet.runWith({ overrides: fleet.overrides }, "fleet", "resume", run, ...json);
    expect([resumed.code, resumed.json.counts]).toEqual([0, { ok: 2 }]);
  });

  test("an interrupted member stays interrupted if a resume doesn't start it", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("rows.csv", csv(1));
    for (const name of ["a", "b"]) fleet.write(`exits/${name}`, "-1");
    const interrupt = (io: TestIo) =>
      io.stdout.once("data", async () => {
        await expect.poll(() => fleet.calls().length).toBe(2);
        io.signal("SIGINT");
        io.signal("SIGINT");
      });
    const ran = await fleet.start(["-o", "ndjson"], interrupt, importWords);
    const { run, counts } = JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "");
    expect(counts).toEqual({ interrupted: 2 });
    fleet.write("exits/a", "5");
    const resumed = await fleet.runWith(
      { overrides: fleet.overrides },
      ...["fleet", "resume", run, "--parallel", "1", ...json],
    );
    expect([resumed.code, states(resumed.json)]).toEqual([68, { a: "failed", b: "interrupted" }]);
  });

  test("a second Ctrl-C interrupts the members that are running [G7]", async () => {
    const fleet = await createScripted(["a", "b"]);
    fleet.write("exits/a", "-1");
    const interrupt = (io: TestIo) =>
      io.stdout.on("data", async (text: Buffer) => {
        if (!text.toString().includes('"started"')) return;
        await expect.poll(() => fleet.calls().length).toBe(1);
        io.signal("SIGINT");
        io.signal("SIGINT");
      });
    const ran = await fleet.start(["-o", "ndjson", "--parallel", "1"], interrupt);
    const { counts } = JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "");
    expect([ran.code, counts]).toEqual([130, { interrupted: 1, "not started": 1 }]);
  });
});
