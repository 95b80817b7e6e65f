import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { confirmed, createFleet, csv, importWords, states } from "../helpers/fleet.js";

/** Each test starts up to ten processes. */
const options = { timeout: 180_000 };

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

  test("`fleet run` replaces only {name} and {label.KEY} in the words after --", async () => {
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

  test("`fleet resume --retry-failed` continues a run that a failed canary stopped [G6, G12]", async () => {
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

  test("`fleet run --ok-exit CODE` counts this exit code as success [G5]", async () => {
    const fleet = await createFleet(["a"]);
    const flags = [...confirmed(1), "--ok-exit", "4", "-o", "json"];
    const ran = await fleet.run("fleet", "run", ...flags, "--", "assistants", "get", "Nobody");
    expect([ran.code, ran.json.counts]).toEqual([0, { ok: 1 }]);
  });
});

test(
  "`runs export` of a fleet run lists the writes of its members, also of deleted runs",
  options,
  async () => {
    const fleet = await createFleet(["a", "b"]);
    fleet.write("rows.csv", csv(1));
    const runFleet = async () => {
      const { json } = await fleet.run("fleet", "run", ...confirmed(2), "-o", "json", "--", ...importWords);
      return json;
    };
    const first = await runFleet();
    await runFleet();
    const list = async () => {
      const { code, stderr, json } = await fleet.run("runs", "export", first.run, "-o", "json");
      expect(code, stderr).toBe(0);
      return json.map(({ member, operation }: Record<string, string>) => `${member} ${operation}`).sort();
    };
    const expected = ["a", "b"].flatMap((name) => [
      `${first.run}/${name} contacts.create`,
      `${first.run}/${name} groups.create`,
    ]);
    expect(await list()).toEqual(expected);
    for (const { run_id } of first.waves[0].members) {
      const discarded = await fleet.run("runs", "discard", run_id, "--yes");
      expect(discarded.code, discarded.stderr).toBe(0);
    }
    expect(await list()).toEqual(expected);
    const missing = await fleet.run("runs", "export", "0123456789ab");
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining("not found")]);
  },
);

describe("a fleet whose process is killed", options, () => {
  test.each([0, 150, 400])(
    "after a kill at %i ms, a resumed `fleet run` imports each row once [G11]",
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

  test("`runs undo` of a killed `fleet run` undoes the member that was running [G13]", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("rows.csv", csv(400));
    const hasBegun = async () => (await fleet.contacts("a")).length > 0;
    await fleet.kill(hasBegun, "fleet", "run", ...confirmed(1), "--", ...importWords);
    const runs = await fleet.run("runs", "list");
    const { id } = runs.json.find(({ kind }: { kind: string }) => kind === "fleet");
    const undone = await fleet.run("runs", "undo", id, "--confirm", "1 member", "-o", "json");
    expect([undone.code, undone.json.counts], undone.stderr).toEqual([0, { ok: 1 }]);
    expect(await fleet.contacts("a")).toEqual([]);
  });

  test("`fleet resume` reruns a member with an unknown result only with --again [G8, G11]", async () => {
    const fleet = await createFleet(["a", "b"]);
    const command = ["groups", "create", "--type", "contacts", "--name", "Neu"];
    // Kill the run as soon as its first member's command starts.
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
