import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readLines } from "../helpers/import.js";
import { interruptedAt } from "../helpers/interrupted.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { countWrites, createPeople, parseError, setUpSync } from "../helpers/sync.js";

async function office(...people: [first: string, last: string, phone: string, email?: string][]) {
  return officeAt(false, ...people);
}

async function officeAt(
  http: boolean,
  ...people: [first: string, last: string, phone: string, email?: string][]
) {
  const it = await setUpSync({ http });
  for (const [first, last, phone, email] of people) {
    await it.run(
      ...["contacts", "create", "--group", "Kunden", "--first-name", first],
      ...(last === "" ? [] : ["--last-name", last]),
      ...["--phone-number", phone],
      ...(email === undefined ? [] : ["--email", email]),
    );
  }
  const dedupe = (...flags: string[]) =>
    it.run("contacts", "dedupe", "--group", "Kunden", "-o", "json", ...flags);
  return { ...it, dedupe };
}

const number = "+4915112345678";

describe("contacts dedupe", () => {
  test.each([
    ["in process", false],
    ["over HTTP", true],
  ])("%s, `contacts dedupe` deletes newer contacts with the same number and name", async (_, http) => {
    const { dedupe, contacts } = await officeAt(
      http,
      ["Anna", "Weiß", number],
      ["anna", "WEISS", number],
      ["Bert", "Au", "+4930111111"],
    );
    const [oldest] = await contacts();
    const ran = await dedupe("--yes");
    expect(ran.code).toBe(0);
    expect(ran.json).toMatchObject({ clusters: 1, deleted: 1, merged: 0, left: 0 });
    expect((await contacts()).map(({ first_name }) => first_name)).toEqual(["Anna", "Bert"]);
    expect((await contacts())[0]).toEqual(oldest);
    expect((await dedupe("--yes")).json).toMatchObject({ clusters: 0, deleted: 0, run_ids: [] });
  });

  test("without --merge, `contacts dedupe` keeps a duplicate that has additional values", async () => {
    const { dedupe, contacts } = await office(
      ["Anna", "", number],
      ["Anna", "Weiß", number, "a@b.de"],
      ["Anna", "Weiß", number, "c@d.de"],
    );
    const kept = await dedupe("--yes");
    expect(kept.json).toMatchObject({ clusters: 1, deleted: 0, left: 2 });
    expect(kept.stderr).toContain("to merge them, use --merge");
    const merged = await dedupe("--merge", "--yes");
    expect(merged.json).toMatchObject({ merged: 1, deleted: 2, left: 0 });
    expect(await contacts()).toMatchObject([
      { first_name: "Anna", last_name: "Weiß", phone_numbers: [number], emails: ["a@b.de", "c@d.de"] },
    ]);
  });

  test("--prefer decides which contact is kept", async () => {
    const { dedupe } = await office(
      ["Anna", "", number],
      ["Anna", "Weiß", number, "a@b.de"],
      ["Anna", "Weiß", number],
    );
    const kept = async (which: string) => {
      const ran = await dedupe("--prefer", which, "--dry-run");
      const [line] = readLines(ran.json.report).filter(({ outcome }) => outcome === "kept");
      return [line?.["last_name"], line?.["emails"]];
    };
    expect(await kept("oldest")).toEqual(["", []]);
    expect(await kept("newest")).toEqual(["Weiß", []]);
    expect(await kept("fullest")).toEqual(["Weiß", ["a@b.de"]]);
  });

  test("--merge-shared merges contacts that have the same number but different names", async () => {
    const { dedupe, contacts } = await office(["Anna", "Weiß", number], ["Bert", "Weiß", number]);
    const ran = await dedupe("--merge", "--yes");
    expect(ran.json).toMatchObject({ clusters: 0, shared: 1, deleted: 0 });
    expect(ran.stderr).toContain("? shared: Anna Weiß");
    expect(await contacts()).toHaveLength(2);
    expect((await dedupe("--merge-shared", "--yes")).json).toMatchObject({ clusters: 1, deleted: 1 });
  });

  test("`contacts dedupe` keeps duplicates that have different sync keys", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    const anna = { first: "Anna", last: "Weiß", phone: number };
    const twins = [
      { ...anna, key: "0001" },
      { ...anna, key: "0002", email: "a@b.de" },
    ];
    await syncTo(twins, "--key", "Kundennummer");
    const flags = ["--group", "Kunden", "--merge", "--merge-shared", "--yes", "-o", "json"];
    const ran = await run("contacts", "dedupe", ...flags);
    expect([ran.code, ran.json]).toEqual([
      0,
      expect.objectContaining({ clusters: 0, shared: 1, deleted: 0 }),
    ]);
    expect(ran.stderr).toMatch(/\? shared: .*key 0001\) \| .*key 0002\)/);
    expect(await contacts()).toHaveLength(2);
    const unkeyed = ["--first-name", anna.first, "--last-name", anna.last, "--phone-number", number];
    await run("contacts", "create", "--group", "Kunden", ...unkeyed);
    expect((await run("contacts", "dedupe", ...flags)).json).toMatchObject({ deleted: 1, shared: 1 });
  });

  test("`contacts dedupe` doesn't merge contacts that would have more than ten numbers", async () => {
    const { dedupe, run, contacts } = await office(["Anna", "Weiß", number], ["Anna", "Weiß", number]);
    const [first, second] = await contacts();
    const numbers = (from: number) => Array.from({ length: 7 }, (_, n) => `+49151200000${from + n}`);
    for (const [contact, from] of [
      [first, 10],
      [second, 30],
    ] as const) {
      const list = [number, ...numbers(from)].flatMap((entry) => ["--phone-number", entry]);
      await run("contacts", "update", contact?.id ?? "", ...list);
    }
    const ran = await dedupe("--merge", "--yes");
    expect(ran.json).toMatchObject({ clusters: 1, merged: 0, deleted: 0, left: 1 });
    expect(readLines(ran.json.report)).toContainEqual(expect.objectContaining({ reason: "too_many_values" }));
  });

  test("without duplicates, `contacts dedupe -o table` prints only a sentence", async () => {
    const { run } = await office(["Anna", "Weiß", number]);
    const ran = await run("contacts", "dedupe", "--group", "Kunden", "--dry-run", "-o", "table");
    expect(ran.stdout).toBe("No duplicates among 1 contact.\n");
    expect(ran.stderr).not.toContain("No changes were made");
  });

  test("the preview of `contacts dedupe` counts the writes that will be sent", async () => {
    const { run } = await office(["Anna", "Weiß", number], ["Anna", "Weiß", number]);
    const ran = await run("contacts", "dedupe", "--group", "Kunden", "--dry-run", "-o", "table");
    expect(ran.stdout).toMatch(/^writes +1$/m);
  });

  test("without a terminal, `contacts dedupe` requires --yes or --check (exit code 12)", async () => {
    const { dedupe, emulator, contacts } = await office(["Anna", "Weiß", number], ["Anna", "Weiß", number]);
    const writes = await countWrites(emulator);
    expect((await dedupe()).code).toBe(12);
    const checked = await dedupe("--check");
    expect([checked.code, checked.json]).toMatchObject([10, { dry_run: true, deleted: 1, writes: 1 }]);
    expect(parseError(checked.stderr)).toMatchObject({ code: "duplicates", outcome: "none" });
    expect(await countWrites(emulator)).toBe(writes);
    expect(await contacts()).toHaveLength(2);
  });

  test("the results file marks a contact as deleted only after `contacts dedupe` deleted it", async () => {
    const { dedupe } = await office(["Anna", "Weiß", number], ["Anna", "Weiß", number]);
    const listOutcomes = (ran: { json: { report: string } }) =>
      readLines(ran.json.report).map(({ outcome }) => outcome);
    expect(listOutcomes(await dedupe("--dry-run"))).toEqual(["kept", "to_delete"]);
    expect(listOutcomes(await dedupe("--yes"))).toEqual(["kept", "deleted"]);
  });

  test("if --max-delete prevents a deletion, the results file marks no contact as deleted", async () => {
    const { run, home } = await office(["Anna", "Weiß", number], ["Bert", "Weiß", number]);
    const remove = (...more: string[]) =>
      run("contacts", "delete", "--search", "Weiß", "--report", "weg.ndjson", "--yes", ...more);
    const listOutcomes = () => readLines(join(home, "weg.ndjson")).map(({ outcome }) => outcome);
    expect((await remove("--max-delete", "1")).code).toBe(12);
    expect(listOutcomes()).toEqual(["to_delete", "to_delete"]);
    expect((await remove("--max-delete", "2")).code).toBe(0);
    expect(listOutcomes()).toEqual(["deleted", "deleted"]);
  });

  test("after an interrupted deletion, the results file marks only deleted contacts as deleted", async () => {
    const { runWith, home, emulator, syncTo, contacts } = await setUpSync();
    await syncTo(createPeople(12), "--yes");
    const words = ["contacts", "delete", "--search", "Nach", "--max-delete", "100%", "--yes"];
    const cut = await runWith(interruptedAt(emulator, 2), ...words, "--report", "weg.ndjson");
    expect(cut.code, cut.stderr).toBe(130);
    const lines = readLines(join(home, "weg.ndjson"));
    const listIds = (wanted: string) =>
      lines.filter(({ outcome }) => outcome === wanted).map(({ id }) => String(id));
    expect(listIds("to_delete").sort()).toEqual((await contacts()).map(({ id }) => id));
    expect(listIds("deleted").length).toBeGreaterThan(0);
  });

  test("a service error is reported even if the deletions can't be marked in the results file", async () => {
    const { runWith, home, emulator, syncTo } = await setUpSync();
    await syncTo(createPeople(12), "--yes");
    mkdirSync(join(home, "out"));
    let deletions = 0;
    const overrides = reshapeResponses(emulator, ({ method }) => {
      if (method !== "DELETE") return undefined;
      deletions += 1;
      if (deletions < 3) return undefined;
      rmSync(join(home, "out"), { recursive: true, force: true });
      return { status: 401, body: { error: { code: "unauthorized", message: "revoked" } } };
    });
    const { code, stderr } = await runWith(
      { overrides },
      ...["contacts", "delete", "--search", "Nach", "--max-delete", "100%", "--yes"],
      ...["--report", join("out", "weg.ndjson")],
    );
    expect([code, stderr]).toEqual([3, expect.stringContaining("revoked")]);
  });

  test("a single undo reverts all changes of `contacts dedupe`", async () => {
    const { dedupe, run, contacts } = await office(
      ["Anna", "Weiß", number],
      ["Anna", "Weiß", number, "a@b.de"],
    );
    const before = (await contacts()).map(({ id: _, ...fields }) => fields.emails);
    const ran = await dedupe("--merge", "--yes");
    expect(ran.json).toMatchObject({ merged: 1, deleted: 1, run_ids: [expect.any(String)] });
    const [listed] = (await run("runs", "list", "-o", "json")).json;
    expect(listed).toMatchObject({ id: ran.json.run_ids[0], command: "contacts dedupe", group: "Kunden" });
    expect((await run("runs", "undo", ran.json.run_ids[0], "--yes")).code).toBe(0);
    expect((await contacts()).map(({ emails }) => emails)).toEqual(before);
    expect((await dedupe("--merge", "--plan", "eins.plan")).code).toBe(0);
    const [kept] = await contacts();
    await run("contacts", "update", kept?.id ?? "", "--email", "neu@b.de");
    const applied = await run("apply", "eins.plan", "--yes", "--skip-drifted", "-o", "json");
    expect([applied.code, applied.json.steps]).toEqual([
      68,
      expect.objectContaining({ done: 0, skipped: 2 }),
    ]);
    expect(await contacts()).toHaveLength(2);
  });

  test("`contacts dedupe` encrypts its plan file if a passphrase is set", async () => {
    const { runWith, home, run } = await office(["Anna", "Weiß", number], ["Anna", "Weiß", number, "a@b.de"]);
    const env = { PLAN_KEY: "korrekt Pferd" };
    const key = ["--encrypt-env", "PLAN_KEY"];
    const sealing = (file: string) => [
      ["contacts", "dedupe", "--group", "Kunden", "--merge", "--plan", file],
      ["contacts", "delete", "--search", "Weiß", "--max-delete", "100%", "--plan", file],
    ];
    for (const [index, argv] of sealing("weg.plan").entries()) {
      expect((await runWith({ env }, ...argv, ...key)).code).toBe(0);
      expect(readFileSync(join(home, "weg.plan"), "latin1")).not.toContain("Anna");
      expect((await run("plan", "show", "weg.plan")).code).toBe(2);
      expect((await runWith({ env }, "plan", "show", "weg.plan", ...key)).stdout).toContain("Anna");
      const repeated = await runWith({ env }, ...argv, ...key);
      expect([repeated.code, repeated.stderr]).toEqual([12, expect.stringContaining("already exists")]);
      if (index === 0) rmSync(join(home, "weg.plan"));
    }
    for (const argv of sealing("weg.plan")) {
      expect((await run(...argv, "--force", ...key)).stderr).toContain("PLAN_KEY is not set");
      const [dry, stray] = [
        await run(...argv, "--force", "--dry-run"),
        await run(...argv.slice(0, -2), ...key),
      ];
      expect(dry.stderr).toContain("--plan and --dry-run can't be combined");
      expect(stray.stderr).toContain("--encrypt-env requires --plan");
    }
  });

  test("`runs undo` recreates the contacts that a plan file of `contacts dedupe` deleted", async () => {
    const { dedupe, run, contacts } = await office(
      ["Anna", "Weiß", number],
      ["Anna", "Weiß", number, "a@b.de"],
    );
    expect((await dedupe("--merge", "--plan", "eins.plan")).json).toMatchObject({
      plan_id: expect.any(String),
    });
    const applied = await run("apply", "eins.plan", "--yes", "-o", "json");
    expect(applied.json).toMatchObject({ updated: 1, deleted: 1 });
    expect(await contacts()).toMatchObject([{ emails: ["a@b.de"] }]);
    expect((await run("runs", "undo", applied.json.run_id, "--yes", "-o", "json")).code).toBe(0);
    expect((await contacts()).map(({ emails }) => emails)).toEqual([[], ["a@b.de"]]);
  });
});
