import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlanEntry } from "../../src/features/fleet/index.js";
import { createFleet } from "../helpers/fleet.js";

/** Each test starts up to ten processes. */
const options = { timeout: 180_000 };

const csv = (count: number, prefix = "Ahr") =>
  `Vorname;Nachname;Telefon\n${Array.from({ length: count }, (_, row) => `Anna;${prefix}${row};0170 ${2_000_000 + row}\n`).join("")}`;
const importWords = [
  "contacts",
  "import",
  "rows.csv",
  "--group",
  "Kunden",
  "--create-group",
  "--country",
  "DE",
];
const confirmed = (count: number) => [
  "--fleet",
  "fleet.yaml",
  "--confirm",
  count === 1 ? "1 member" : `${count} members`,
];
const states = (report: { waves: { members: { name: string; state: string }[] }[] }) =>
  Object.fromEntries(report.waves.flatMap(({ members }) => members.map(({ name, state }) => [name, state])));

describe("fleet run", options, () => {
  test("`fleet run` runs a command in each organization and reports each member's result", async () => {
    const fleet = await createFleet(["a", "b", "c"]);
    fleet.write("rows.csv", csv(2));
    const files = ["--report", "report.json", "--junit", "junit.xml"];
    const ran = await fleet.run(
      "fleet",
      "run",
      ...confirmed(3),
      ...files,
      "-o",
      "json",
      "--",
      ...importWords,
    );
    expect([ran.code, ran.json.counts]).toEqual([0, { ok: 3 }]);
    for (const name of ["a", "b", "c"]) expect(await fleet.contacts(name)).toEqual(["Ahr0", "Ahr1"]);
    expect(JSON.parse(readFileSync(join(fleet.home, "report.json"), "utf8"))).toEqual(ran.json);
    expect(readFileSync(join(fleet.home, "junit.xml"), "utf8")).toContain('<testcase name="b"');
    const shown = await fleet.run("fleet", "show", ran.json.run, "-o", "json");
    expect(shown.json).toEqual(ran.json);
    expect((await fleet.run("runs", "list", ran.json.run)).json).toMatchObject({
      kind: "fleet",
      done: 3,
      open: 0,
    });
    const logs = join(fleet.data, "fleet", ran.json.run);
    expect(statSync(join(logs, "a.log")).mode & 0o777).toBe(0o600);
    const printed = [
      ran.stdout,
      ran.stderr,
      ...readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8")),
    ];
    for (const { key } of fleet.members) expect(printed.join("\n")).not.toContain(key);
  });

  test("the words after -- reach the command unchanged, except for {name} and {label.KEY}", async () => {
    const fleet = await createFleet(["a", "b"], { labels: (name) => `group: Gruppe ${name}` });
    const command = ["groups", "create", "--type", "contacts", "--name", "{label.group} of {name}"];
    const ran = await fleet.run("fleet", "run", ...confirmed(2), "-o", "ndjson", "--", ...command);
    expect(ran.code).toBe(0);
    const events = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ event }) => event).sort()).toEqual([
      "ended",
      "ended",
      "finished",
      "started",
      "started",
    ]);
    const { body } = await fleet.emulator.ask("GET", "/groups", { key: fleet.member("b").key });
    expect(body.data.map(({ name }: { name: string }) => name)).toContain("Gruppe b of b");
  });

  test("`resume --retry-failed` continues a run that a failed canary stopped [G6, G12]", async () => {
    const fleet = await createFleet(["a", "b", "c"], {
      labels: (name) => `file: ${name}.csv`,
      settings: "waves: [ { select: name=b, hold: 10m }, { rest: true } ]\nmax_failures: 100%\n",
    });
    for (const name of ["a", "c"]) fleet.write(`${name}.csv`, csv(1, name));
    fleet.write("b.csv", "no;columns\n1;2\n");
    const words = importWords.map((word) => (word === "rows.csv" ? "{label.file}" : word));
    let later = Date.parse("2026-03-02T09:00:00Z");
    const sleep = async (milliseconds: number) => {
      later += milliseconds;
    };
    const clock = { now: () => later, sleep };
    const overrides = { ...fleet.overrides, clock };
    const failed = await fleet.runWith(
      { overrides },
      "fleet",
      "run",
      ...confirmed(3),
      "-o",
      "json",
      "--",
      ...words,
    );
    expect([failed.code, states(failed.json)]).toEqual([
      68,
      { a: "not started", b: "failed", c: "not started" },
    ]);
    expect(failed.json.stopped).toEqual({ reason: "canary", member: "b" });
    fleet.write("b.csv", csv(1, "b"));
    const began = later;
    const resumed = await fleet.runWith(
      { overrides },
      ...["fleet", "resume", failed.json.run, "--retry-failed", "-o", "json"],
    );
    expect([resumed.code, states(resumed.json)]).toEqual([0, { a: "ok", b: "ok", c: "ok" }]);
    expect(later - began).toBeGreaterThanOrEqual(600_000);
    expect(await fleet.contacts("c")).toEqual(["c0"]);
  });

  test("`fleet run` exits with the exit code that all failed members share", async () => {
    const fleet = await createFleet(["a", "b"]);
    const flags = [...confirmed(2), "--max-failures", "100%", "-o", "json"];
    const ran = await fleet.run("fleet", "run", ...flags, "--", "assistants", "get", "Nobody");
    expect([ran.code, ran.json.counts]).toEqual([4, { failed: 2 }]);
    expect(ran.json.waves[0].members[0].error).toContain("Nobody");
  });

  test("`fleet run --ok-exit` counts an exit code as success [G5]", async () => {
    const fleet = await createFleet(["a"]);
    const flags = [...confirmed(1), "--ok-exit", "4", "-o", "json"];
    const ran = await fleet.run("fleet", "run", ...flags, "--", "assistants", "get", "Nobody");
    expect([ran.code, ran.json.counts]).toEqual([0, { ok: 1 }]);
  });
});

describe("`fleet plan` and `fleet apply`", options, () => {
  const syncWords = [
    "contacts",
    "import",
    "{name}.csv",
    "--group",
    "Kunden",
    "--create-group",
    "--country",
    "DE",
  ];

  test("`fleet apply` applies the plans unchanged, and undo restores each organization [G13, G14]", async () => {
    const fleet = await createFleet(["a", "b", "c"]);
    for (const [index, name] of ["a", "b", "c"].entries()) fleet.write(`${name}.csv`, csv(index + 1, name));
    const planned = await fleet.run(
      ...["fleet", "plan", "--fleet", "fleet.yaml", "--out", "plans", "-o", "json", "--", ...syncWords],
    );
    expect([planned.code, planned.json.map(({ created }: { created: number }) => created)]).toEqual([
      0,
      [2, 3, 4],
    ]);
    expect(await fleet.contacts("c")).toEqual([]);
    const applied = await fleet.run("fleet", "apply", "plans", ...confirmed(3), "-o", "json");
    expect([applied.code, applied.json.counts], applied.stderr).toEqual([0, { ok: 3 }]);
    expect(await fleet.contacts("c")).toEqual(["c0", "c1", "c2"]);
    const preview = await fleet.run("runs", "undo", applied.json.run, "--dry-run", "-o", "json");
    expect(preview.json).toHaveLength(3);
    const undone = await fleet.run("runs", "undo", applied.json.run, "--confirm", "3 members", "-o", "json");
    expect([undone.code, undone.json.counts], undone.stderr).toEqual([0, { ok: 3 }]);
    for (const name of ["a", "b", "c"]) expect(await fleet.contacts(name)).toEqual([]);
    expect((await fleet.run("runs", "list", applied.json.run)).json).toMatchObject({ state: "undone" });
  });

  test("`fleet plan` exits with code 68 and names the members that can't be planned", async () => {
    const fleet = await createFleet(["a", "b", "c"]);
    fleet.write("a.csv", csv(1, "a"));
    fleet.write("b.csv", "no;columns\n1;2\n");
    fleet.write("c.csv", csv(0));
    const planned = await fleet.run(
      ...["fleet", "plan", "--fleet", "fleet.yaml", "--out", "plans", "-o", "json", "--", ...syncWords],
    );
    expect([planned.code, planned.stderr]).toEqual([68, expect.stringContaining("1 failed; 2 creates")]);
    const notes = planned.json.map(({ file, note }: PlanEntry) => file ?? note);
    expect(notes).toEqual(["a.plan", expect.stringMatching(/^failed .*b\.log$/), expect.any(String)]);
    expect(await fleet.contacts("a")).toEqual([]);
  });

  test("an undo starts with the last wave [G13]", async () => {
    const fleet = await createFleet(["a", "b"]);
    for (const name of ["a", "b"]) fleet.write(`${name}.csv`, csv(1, name));
    const ran = await fleet.run(
      ...["fleet", "run", ...confirmed(2), "--waves", "1,rest", "-o", "json", "--", ...syncWords],
    );
    const undone = await fleet.run("runs", "undo", ran.json.run, "--confirm", "2 members", "-o", "ndjson");
    const started = undone.stdout
      .split("\n")
      .flatMap((line) => /"started","member":"(.)"/.exec(line)?.[1] ?? []);
    expect(started).toEqual(["b", "a"]);
  });

  test("`fleet show` names an undone run as undone, and the run can't be resumed [G13]", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("rows.csv", csv(1));
    const { json } = await fleet.run("fleet", "run", ...confirmed(1), "-o", "json", "--", ...importWords);
    expect((await fleet.run("runs", "list", "-o", "json")).json).toMatchObject([
      { member: `${json.run}/a` },
      { member: null },
    ]);
    await fleet.run("runs", "undo", json.run, "--confirm", "1 member");
    const shown = await fleet.run("fleet", "show", json.run, "-o", "json");
    expect([shown.json.is_undone, shown.stderr]).toEqual([true, expect.stringContaining("was undone")]);
    const resumed = await fleet.run("fleet", "resume", json.run);
    expect([resumed.code, resumed.stderr]).toEqual([12, expect.stringContaining("was undone")]);
    const preview = await fleet.run("runs", "undo", json.run, "--dry-run", "-o", "json");
    expect(preview.json).toMatchObject([{ name: "a", state: "already undone" }]);
  });

  test("`runs undo` of a fleet run exits with code 68 if a member keeps a contact", async () => {
    const fleet = await createFleet(["a", "b"]);
    fleet.write("rows.csv", csv(2));
    const { json } = await fleet.run("fleet", "run", ...confirmed(2), "-o", "json", "--", ...importWords);
    const { key } = fleet.member("b");
    const { body } = await fleet.emulator.ask("GET", "/contacts", { key });
    const [{ id }] = body.data;
    await fleet.emulator.ask("PATCH", `/contacts/${id}`, { key, body: { first_name: "Berta" } });
    const undone = await fleet.run("runs", "undo", json.run, "--confirm", "2 members");
    expect([undone.code, undone.stderr]).toEqual([
      68,
      expect.stringMatching(
        /b {2}ok {2}1 change, .*1 changed after the run.*not completely undone in 1 member/s,
      ),
    ]);
    expect([await fleet.contacts("a"), (await fleet.contacts("b")).length]).toEqual([[], 1]);
  });

  test("`runs undo --dry-run` of a fleet run exits with code 3 if a member's key is missing", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("rows.csv", csv(1));
    const { json } = await fleet.run("fleet", "run", ...confirmed(1), "-o", "json", "--", ...importWords);
    const preview = await fleet.runWith({ env: { KEY_A: "" } }, "runs", "undo", json.run, "--dry-run");
    expect([preview.code, preview.stderr]).toEqual([3, expect.stringContaining("KEY_A")]);
  });

  test("`fleet apply` refuses a changed, missing or misplaced plan before any request [G14]", async () => {
    const fleet = await createFleet(["a", "b"]);
    for (const name of ["a", "b"]) fleet.write(`${name}.csv`, csv(1, name));
    const out = ["--out", "plans"];
    await fleet.run("fleet", "plan", "--fleet", "fleet.yaml", ...out, "--", ...syncWords);
    const plan = readFileSync(join(fleet.home, "plans/a.plan"), "utf8");
    for (const text of [
      "",
      plan.replace("a0", "x0"),
      readFileSync(join(fleet.home, "plans/b.plan"), "utf8"),
    ]) {
      fleet.write("plans/a.plan", text);
      const refused = await fleet.run("fleet", "apply", "plans", ...confirmed(2));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("a.plan")]);
    }
    expect(await fleet.contacts("b")).toEqual([]);
    fleet.write("plans/a.plan", plan);
    const [from, to] = [fleet.member("a").key, fleet.member("b").key];
    const swapped = { env: { [fleet.member("a").variable]: to, [fleet.member("b").variable]: from } };
    const refused = await fleet.runWith(swapped, "fleet", "apply", "plans", ...confirmed(2));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("a different organization")]);
  });

  test("`fleet apply` refuses an index.json whose command does not apply a plan [G14]", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("a.csv", csv(1, "a"));
    await fleet.run("fleet", "plan", "--fleet", "fleet.yaml", "--out", "plans", "--", ...syncWords);
    const index = readFileSync(join(fleet.home, "plans/index.json"), "utf8");
    const changed = JSON.parse(index);
    changed.members[0].apply = ["contacts", "import"];
    fleet.write("plans/index.json", JSON.stringify(changed));
    const refused = await fleet.run("fleet", "apply", "plans", ...confirmed(1));
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("index.json is not an index"),
    ]);
    expect(await fleet.contacts("a")).toEqual([]);
    fleet.write("plans/index.json", index);
    expect((await fleet.run("fleet", "apply", "plans", ...confirmed(1))).code).toBe(0);
  });

  test("a member with an outdated plan fails with exit code 10, and other members succeed [G14]", async () => {
    const fleet = await createFleet(["a", "b"]);
    for (const name of ["a", "b"]) fleet.write(`${name}.csv`, csv(1, name));
    await fleet.run("fleet", "plan", "--fleet", "fleet.yaml", "--out", "plans", "--", ...syncWords);
    const body = { name: "Kunden", type: "contacts" };
    await fleet.emulator.ask("POST", "/groups", { body, key: fleet.member("a").key });
    const applied = await fleet.run(
      ...["fleet", "apply", "plans", ...confirmed(2), "--max-failures", "1", "-o", "json"],
    );
    expect([applied.code, states(applied.json)]).toEqual([68, { a: "failed", b: "ok" }]);
    expect(applied.json.waves[0].members[0].exit).toBe(10);
  });

  test("`runs undo` exits with code 68 and lists members whose command has no run to undo [G13]", async () => {
    const fleet = await createFleet(["a"]);
    const command = ["groups", "create", "--type", "contacts", "--name", "Neu"];
    const ran = await fleet.run("fleet", "run", ...confirmed(1), "-o", "json", "--", ...command);
    const undone = await fleet.run("runs", "undo", ran.json.run, "-o", "json");
    expect([undone.code, states(undone.json)]).toEqual([68, { a: "can't be undone" }]);
  });
});

describe("a fleet whose process is killed", options, () => {
  test.each([0, 150, 400])(
    "a `fleet run` resumes after a kill at %i ms, and each organization has each row once [G11]",
    async (milliseconds) => {
      const names = Array.from({ length: 3 }, (_, index) => `m${index}`);
      const fleet = await createFleet(names);
      fleet.write("rows.csv", csv(30));
      await fleet.kill(milliseconds, "fleet", "run", ...confirmed(3), "--", ...importWords);
      const runs = await fleet.run("runs", "list");
      const { id } = runs.json.find(({ kind }: { kind: string }) => kind === "fleet");
      const resumed = await fleet.run("fleet", "resume", id, "-o", "json");
      expect([resumed.code, resumed.json.counts], resumed.stderr).toEqual([0, { ok: 3 }]);
      const expected = Array.from({ length: 30 }, (_, row) => `Ahr${row}`).sort();
      for (const name of names) expect(await fleet.contacts(name)).toEqual(expected);
      expect((await fleet.run("runs", "list", id)).json).toMatchObject({ state: "finished", done: 3 });
    },
  );

  test("without --again, a member that can't be resumed keeps its unknown result [G8, G11]", async () => {
    const fleet = await createFleet(["a", "b"]);
    const command = ["groups", "create", "--type", "contacts", "--name", "Neu"];
    // The first command is still starting.
    await fleet.kill(0, "fleet", "run", ...confirmed(2), "--parallel", "1", "--", ...command);
    const runs = await fleet.run("runs", "list");
    const { id } = runs.json.find(({ kind }: { kind: string }) => kind === "fleet");
    const stopped = await fleet.run("fleet", "resume", id, "--max-failures", "100%", "-o", "json");
    expect([stopped.code, states(stopped.json)]).toEqual([75, { a: "unknown", b: "not started" }]);
    // The request of the killed command may have taken effect.
    const { key } = fleet.member("a");
    const { body } = await fleet.emulator.ask("GET", "/groups?type=contacts", { key });
    for (const group of body.data.filter(({ name }: { name: string }) => name === "Neu"))
      await fleet.emulator.ask("DELETE", `/groups/${group.id}`, { key });
    const again = await fleet.run("fleet", "resume", id, "--again", "a", "-o", "json");
    expect([again.code, states(again.json)]).toEqual([0, { a: "ok", b: "ok" }]);
  });
});
