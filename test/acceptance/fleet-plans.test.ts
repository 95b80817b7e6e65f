import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { PlanEntry } from "../../src/features/fleet/index.js";
import { confirmed, createFleet, csv, importWords, states } from "../helpers/fleet.js";

/** Each test starts up to ten processes. */
const options = { timeout: 180_000 };

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

  test("undoing a `fleet apply` restores each organization [G13, G14]", async () => {
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

  test("a repeated `fleet apply` counts no changes", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("a.csv", csv(2, "a"));
    await fleet.run("fleet", "plan", "--fleet", "fleet.yaml", "--out", "plans", "--", ...syncWords);
    const apply = () => fleet.run("fleet", "apply", "plans", ...confirmed(1), "-o", "table");
    expect((await apply()).stderr).toContain("a  ok  3 changes, ");
    const again = await apply();
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining("a  ok  0 changes (3 already applied), "),
    ]);
  });

  test("`fleet plan` and `fleet apply` name the members for which no plan could be created", async () => {
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
    const applied = await fleet.run("fleet", "apply", "plans", ...confirmed(1));
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("no plan for b;")]);
  });

  test("`runs undo` of a fleet run starts with the last wave [G13]", async () => {
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

  test("`fleet show` marks an undone run as undone [G13]", async () => {
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
    expect(preview.json).toMatchObject([{ name: "a", state: "will be checked again" }]);
  });

  test("`runs undo` of a fleet run exits with code 68 if one member keeps a contact", async () => {
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
        /b {2}ok {2}1 change, .*1 changed after the run.*not completely undone for 1 member/s,
      ),
    ]);
    expect([await fleet.contacts("a"), (await fleet.contacts("b")).length]).toEqual([[], 1]);
  });

  test("if one of a member's runs can't be completely undone, `runs undo` undoes the others", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("rows.csv", `${csv(1, "first")}Berta;bad;no number\n`);
    const first = await fleet.run("fleet", "run", ...confirmed(1), "-o", "json", "--", ...importWords);
    fleet.write("rows.csv", `${csv(1, "first")}Berta;second0;0170 3000000\n`);
    await fleet.run("fleet", "resume", first.json.run, "--retry-failed");
    expect(await fleet.contacts("a")).toEqual(["first0", "second0"]);
    const { key } = fleet.member("a");
    const { body } = await fleet.emulator.ask("GET", "/contacts", { key });
    const second = body.data.find(({ last_name }: { last_name: string }) => last_name === "second0");
    await fleet.emulator.ask("PATCH", `/contacts/${second?.id}`, { key, body: { first_name: "Clara" } });
    const undone = await fleet.run("runs", "undo", first.json.run, "--confirm", "1 member");
    expect([undone.code, undone.stderr]).toEqual([68, expect.stringContaining("not completely undone")]);
    expect(await fleet.contacts("a")).toEqual(["second0"]);
  });

  test("undoing a fleet run requires every member's key, even in a dry run (exit code 3)", async () => {
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

  test("`fleet apply` refuses an index.json with a command other than `apply` [G14]", async () => {
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

  test("an outdated plan of one member does not stop the other members [G14]", async () => {
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

  test("`runs undo` exits with code 68 if a member's command has no run to undo [G13]", async () => {
    const fleet = await createFleet(["a"]);
    const command = ["groups", "create", "--type", "contacts", "--name", "Neu"];
    const ran = await fleet.run("fleet", "run", ...confirmed(1), "-o", "json", "--", ...command);
    const undone = await fleet.run("runs", "undo", ran.json.run, "-o", "json");
    expect([undone.code, states(undone.json)]).toEqual([68, { a: "can't be undone" }]);
  });
});
