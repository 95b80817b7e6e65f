import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { connectedTo } from "../helpers/cli.js";
import { countWrites, createPeople, formatCsv, type Person, parseError, setUpSync } from "../helpers/sync.js";

async function office() {
  const shell = await setUpSync();
  const flags = ["--country", "DE", "--key", "Kundennummer", "-o", "json"];
  const importRows = (people: readonly Person[], ...more: string[]) => {
    writeFileSync(join(shell.home, "kunden.csv"), formatCsv(people));
    const group = more.includes("--group") ? [] : ["--group", "Kunden"];
    return shell.run("contacts", "import", "kunden.csv", ...group, ...flags, ...more);
  };
  return { ...shell, importRows };
}

describe("contacts import --key", () => {
  test("[K1] [K2] a later import or sync finds the contacts again by their keys", async () => {
    const { importRows, syncTo, contacts, emulator } = await office();
    const people = createPeople(5);
    const first = await importRows(people);
    expect(first.code, first.stderr).toBe(0);
    expect(first.json).toMatchObject({ rows: 5, created: 5, updated: 0 });
    const before = await contacts();
    const writes = await countWrites(emulator);
    expect((await importRows(people)).json).toMatchObject({ created: 0, unchanged: 5 });
    expect(await countWrites(emulator)).toBe(writes);
    const married = people.map((person, index) =>
      index === 1 ? { ...person, last: "Neu", phone: "0170 5550001", email: "neu@example.org" } : person,
    );
    const replaced = await importRows(married.slice(0, 2), "--on-match", "replace");
    expect(replaced.code, replaced.stderr).toBe(0);
    expect(replaced.json).toMatchObject({ rows: 2, created: 0, updated: 1, unchanged: 1 });
    const after = await contacts();
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[1]).toMatchObject({ last_name: "Neu", phone_numbers: ["+491705550001"] });
    const synced = await syncTo(married, "--key", "Kundennummer", "--delete", "--yes");
    expect(synced.code, synced.stderr).toBe(0);
    expect(synced.json).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 5 });
  });

  test("[K2] an import finds contacts even if their keys were converted to decimals", async () => {
    const { importRows, contacts } = await office();
    const people = createPeople(3).map((person, index) => ({ ...person, key: `${417 + index}` }));
    await importRows(people);
    const moved = people.map((person, index) => ({
      ...person,
      key: `${person.key}.0`,
      phone: `0170 555000${index}`,
      email: "",
    }));
    expect((await importRows(moved, "--on-match", "replace")).json).toMatchObject({ created: 0, updated: 3 });
    expect(await contacts()).toHaveLength(3);
  });

  test("[K2] an import distinguishes keys in JSON that differ only in their last digit", async () => {
    const { home, run } = await office();
    const importKey = (key: string, name: string) => {
      writeFileSync(join(home, "kunden.jsonl"), `{"id":${key},"first_name":"${name}"}\n`);
      const into = ["--group", "Kunden", "--key", "id", "--on-match", "replace", "-o", "json"];
      return run("contacts", "import", "kunden.jsonl", ...into);
    };
    expect((await importKey("1234567890123456789", "Ina")).json).toMatchObject({ created: 1 });
    expect((await importKey("1234567890123456788", "Ole")).json).toMatchObject({ created: 1 });
    expect((await importKey("1234567890123456789", "Ina")).json).toMatchObject({ unchanged: 1 });
  });

  test("[K2] an import changes the contact of a known key only if --on-match update is set", async () => {
    const { importRows, contacts } = await office();
    const [person] = createPeople(1);
    if (!person) throw new Error("a person");
    await importRows([person]);
    const moved = { ...person, phone: "0170 5550001" };
    expect((await importRows([moved])).json).toMatchObject({ unchanged: 1, created: 0 });
    expect((await contacts())[0]?.phone_numbers).toEqual(["+4915110000000"]);
    expect((await importRows([moved], "--on-match", "update")).json).toMatchObject({ updated: 1 });
    expect(new Set((await contacts())[0]?.phone_numbers)).toEqual(
      new Set(["+4915110000000", "+491705550001"]),
    );
  });

  test("[K3] an existing contact gets a key only if --match finds exactly one contact", async () => {
    const { importRows, run, contacts } = await office();
    const [first, second] = createPeople(2);
    if (!first || !second) throw new Error("two people");
    await importRows([first]);
    for (const name of ["Ina", "Ole"])
      await run(
        ..."contacts create --group Kunden --phone-number +4915110000001 --first-name".split(" "),
        name,
      );
    const imported = await importRows([{ ...first, key: "anders" }, second], "--on-match", "replace");
    expect(imported.code).toBe(68);
    expect(imported.stderr).toContain("1 with several matches");
    expect(imported.stderr).not.toContain("not read");
    expect(imported.json).toMatchObject({ ambiguous: 1, created: 0 });
    expect(await contacts()).toHaveLength(3);
  });

  test.each(["skip", "update", "replace"])(
    "[K3] [K4] with --on-match %s, a file with renumbered keys creates no duplicates",
    async (onMatch) => {
      const { importRows, contacts } = await office();
      const people = createPeople(12);
      await importRows(people);
      const renumbered = people.map((person, index) => ({ ...person, key: `N${index}` }));
      for (const rows of [renumbered.slice(0, 1), renumbered, renumbered.slice(5), people]) {
        const ran = await importRows(rows, "--on-match", onMatch);
        expect([ran.code, ran.json.created, ran.json.unchanged]).toEqual([0, 0, rows.length]);
      }
      expect(await contacts()).toHaveLength(12);
    },
  );

  test("[T6] undoing an import deletes its group unless another client wrote to the group", async () => {
    for (const isShared of [false, true]) {
      const { importRows, run } = await office();
      const into = ["--group", "Neue", "--create-group"];
      const { run_id } = (await importRows(createPeople(3), ...into)).json;
      if (isShared) await run("contacts", "create", "--group", "Neue", "--first-name", "Ina");
      const expected = { deleted: 3, group_deleted: !isShared, group_kept: isShared ? "Neue" : null };
      expect((await run("runs", "undo", run_id, "--dry-run", "-o", "json")).json).toMatchObject(expected);
      const undone = await run("runs", "undo", run_id, "--yes", "-o", "json");
      expect(undone.json).toMatchObject(expected);
      expect(undone.stderr.includes("the group contains other resources")).toBe(isShared);
      const groups = (await run("groups", "list", "--all", "-o", "json")).json;
      expect(groups.some(({ name }: { name: string }) => name === "Neue")).toBe(isShared);
    }
  });

  test("[K4] [K5] an import refuses renumbered keys, a lost key map and a repeated key", async () => {
    const { importRows, run, emulator, home } = await office();
    const people = createPeople(20);
    await importRows(people);
    const writes = await countWrites(emulator);
    const shifted = people.map((person, index) => ({ ...person, key: people[(index + 1) % 20]?.key ?? "" }));
    for (const onMatch of ["skip", "update", "replace"]) {
      const refused = await importRows(shifted, "--on-match", onMatch);
      expect([onMatch, refused.code, parseError(refused.stderr).code]).toEqual([
        onMatch,
        12,
        "keys_reassigned",
      ]);
      expect(parseError(refused.stderr).hint).toContain("--accept-rekey");
    }
    const unknownPeople = createPeople(20, 100);
    const refusedImport = await importRows(unknownPeople, "--state", "other.state");
    expect([refusedImport.code, parseError(refusedImport.stderr).code]).toEqual([12, "map_lost"]);
    const twice = await importRows([...people.slice(0, 2), { ...people[2], first: "X", key: "K1000" }]);
    expect([twice.code, parseError(twice.stderr).code]).toEqual([2, "duplicate_key"]);
    expect(await countWrites(emulator)).toBe(writes);
    const taken = await importRows(unknownPeople, "--state", "other.state", "--accept-new-map");
    expect(taken.code, taken.stderr).toBe(0);
    expect(statSync(join(home, "other.state")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, "other.state"), "utf8").split("\n")).toHaveLength(22);
    expect((await run("runs", "list")).code).toBe(0);
  });

  test("[K1] applying and undoing a plan file updates the key map", async () => {
    const { importRows, run, contacts, emulator } = await office();
    const people = createPeople(3);
    const group = ["--group", "Neue", "--create-group"];
    const preview = await importRows(people, ...group, "--dry-run");
    expect(preview.json).toMatchObject({ created: 3, group_id: null });
    expect((await importRows(people, ...group, "--plan", "a.plan")).code).toBe(2);
    const strict = await importRows([{ ...people[0], phone: "12" } as Person], "--strict");
    expect([strict.code, parseError(strict.stderr).code]).toEqual([2, "invalid_rows"]);
    const made = await importRows(people, ...group);
    expect(made.json).toMatchObject({ created: 3 });
    const sealed = await importRows(people, "--plan", "a.plan");
    expect(sealed.code, sealed.stderr).toBe(0);
    expect(sealed.json).toMatchObject({ created: 3, plan: "a.plan" });
    const writes = await countWrites(emulator);
    const applied = await run("apply", "a.plan", "--yes", "-o", "json");
    expect(applied.code, applied.stderr).toBe(0);
    expect(await countWrites(emulator)).toBe(writes + 3);
    const moved = people.map((person) => ({ ...person, phone: "0170 5550001", email: "", last: "Neu" }));
    expect((await importRows(moved.slice(0, 1), "--on-match", "replace")).json).toMatchObject({ updated: 1 });
    await run("runs", "undo", applied.json.run_id, "--yes");
    expect(await contacts()).toHaveLength(1);
    expect((await importRows(people.slice(1))).json).toMatchObject({ created: 2 });
  });

  test("--key conflicts with --on-match create and --new-run", async () => {
    const { run, home } = await office();
    writeFileSync(join(home, "kunden.csv"), formatCsv(createPeople(1)));
    const base = ["contacts", "import", "kunden.csv", "--group", "Kunden"];
    for (const flags of [["--state", "x"], ["--accept-rekey"], ["--accept-new-map"]])
      expect((await run(...base, ...flags)).stderr).toContain("requires --key");
    for (const flags of [["--new-run"], ["--on-match", "create"]])
      expect((await run(...base, "--key", "Kundennummer", ...flags)).code).toBe(2);
  });
});

describe("an interrupted import with keys", () => {
  /** The rows differ only in their keys. */
  async function interrupted(at: Step, nth: number) {
    const shell = await office();
    const { emulator, home, run, runWith } = shell;
    const people = createPeople(6).map(({ key = "" }) => ({ key, first: "Anna", phone: "0151 10000000" }));
    writeFileSync(join(home, "kunden.csv"), formatCsv(people));
    const words = ["contacts", "import", "kunden.csv", "--group", "Kunden", "--country", "DE"];
    const keyed = [...words, "--key", "Kundennummer", "-o", "json"];
    let count = 0;
    const onJournalStep = (step: Step) => {
      if (step === at && ++count === nth) throw new Error("killed");
    };
    const cut = await runWith({ overrides: { ...connectedTo(emulator), onJournalStep } }, ...keyed);
    expect(cut.stderr, cut.stdout).toContain("killed");
    const [{ id, state }] = (await run("runs", "list", "-o", "json")).json;
    expect(state).toBe("unfinished");
    const expectKeysKnown = async () => {
      const moved = people.map((person, index) => ({ ...person, phone: `0170 555000${index}` }));
      const replaced = await shell.importRows(moved, "--on-match", "replace");
      expect(replaced.json, replaced.stderr).toMatchObject({ created: 0, updated: 6 });
    };
    return { ...shell, id, people, expectKeysKnown, repeat: () => run(...keyed) };
  }

  test.each([
    ["while it sends", "sent", 1],
    ["before it stores its keys", "recorded", 1],
  ] as const)(
    "[K1] if an import with --key is interrupted %s, the same command resumes it",
    async (_, step, nth) => {
      const { repeat, contacts, expectKeysKnown } = await interrupted(step, nth);
      const repeated = await repeat();
      expect(repeated.json, repeated.stderr).toMatchObject({ created: 6 });
      expect(await contacts()).toHaveLength(6);
      await expectKeysKnown();
    },
  );

  test("[K1] `runs resume` does not need the input file to resume an import with keys", async () => {
    const { run, id, home, contacts, expectKeysKnown } = await interrupted("recorded", 1);
    rmSync(join(home, "kunden.csv"));
    const resumed = await run("runs", "resume", id, "-o", "json");
    expect(resumed.json, resumed.stderr).toMatchObject({ created: 6 });
    expect(await contacts()).toHaveLength(6);
    await expectKeysKnown();
  });

  test.each(["import", "sync"])(
    "[K1] `contacts %s` with a different file exits with code 12 after an interrupted run",
    async (command) => {
      const { run, id, home, people, contacts } = await interrupted("recorded", 1);
      writeFileSync(join(home, "kunden.csv"), formatCsv(people.slice(1)));
      const words = ["contacts", command, "kunden.csv", "--group", "Kunden", "--country", "DE", "-o", "json"];
      const refused = await run(...words, "--key", "Kundennummer");
      expect([refused.code, parseError(refused.stderr).code]).toEqual([12, "sync_unfinished"]);
      expect((await run("runs", "undo", id, "--yes")).code).toBe(0);
      expect(await contacts()).toEqual([]);
      expect((await run(...words, "--key", "Kundennummer")).json).toMatchObject({ created: 5 });
    },
  );
});

describe("the key map", () => {
  const renamed = (people: readonly Person[]) => formatCsv(people).replace("Kundennummer", "Kd.-Nr.");

  test("[K1] a sync keeps the known keys if the key column is renamed", async () => {
    const { syncTo, run } = await office();
    const people = createPeople(12);
    await syncTo(people, "--key", "Kundennummer");
    const twin = "contacts create --group Kunden --first-name Zwilling --phone-number +4915110000003";
    await run(...twin.split(" "));
    const ran = await syncTo(renamed(people), "--key", "Kd.-Nr.");
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json).toMatchObject({ unchanged: 12, ambiguous: 0 });
    expect(ran.stderr).toContain('comparing column "Kd.-Nr."');
    const shifted = people.map((person, index) => ({ ...person, key: people[(index + 1) % 12]?.key ?? "" }));
    const refused = await syncTo(formatCsv(shifted), "--key", "Kundennummer");
    expect([refused.code, parseError(refused.stderr).code]).toEqual([12, "keys_reassigned"]);
  });

  test.each(["import", "sync"])(
    "[K1] [K5] %s refuses a different key column with exit code 12",
    async (command) => {
      const { run, write, contacts } = await office();
      const words = ["contacts", command, "kunden.csv", "--group", "Kunden", "--country", "DE", "-o", "json"];
      const people = createPeople(4);
      write(formatCsv(people));
      await run(...words, "--key", "Kundennummer");
      const refused = await run(...words, "--key", "E-Mail");
      expect([refused.code, parseError(refused.stderr)]).toMatchObject([
        12,
        { code: "keys_reassigned", hint: expect.stringContaining("--accept-rekey") },
      ]);
      write(formatCsv(people).replace("Kundennummer", "Nr").replace(/^K10/gm, "L10"));
      expect((await run(...words, "--key", "Nr")).code).toBe(12);
      const moved = people.map(({ key = "" }) => ({
        key,
        first: "Neu",
        phone: `0170 55500${key.slice(-2)}`,
      }));
      write(formatCsv(moved));
      const replacing = command === "import" ? ["--on-match", "replace"] : [];
      const ran = await run(...words, "--key", "Kundennummer", ...replacing);
      expect(ran.json, ran.stderr).toMatchObject({ created: 0, updated: 4 });
      expect(await contacts()).toHaveLength(4);
    },
  );

  test("[K1] --accept-rekey replaces the known keys with keys from a different column", async () => {
    const { syncTo } = await office();
    const people = createPeople(4);
    await syncTo(people, "--key", "Kundennummer");
    const rekeyed = await syncTo(people, "--key", "E-Mail", "--accept-rekey");
    expect([rekeyed.code, rekeyed.json.created], rekeyed.stderr).toEqual([0, 0]);
    const again = await syncTo(people, "--key", "E-Mail");
    expect([again.code, again.json.unchanged], again.stderr).toEqual([0, 4]);
  });

  test("[K1] a run without --key keeps the known keys for the next run with --key", async () => {
    const { syncTo, contacts } = await office();
    const people = createPeople(5);
    await syncTo(people, "--key", "Kundennummer");
    const before = (await contacts()).map(({ id }) => id);
    const without = await syncTo(people.slice(0, 4).map((person) => ({ ...person, last: "Neu" })));
    expect(without.stderr).toContain("its keys are kept");
    const moved = people.map((person, index) => ({ ...person, phone: `0170 555000${index}`, email: "" }));
    const ran = await syncTo(moved, "--key", "Kundennummer");
    expect(ran.json).toMatchObject({ created: 0, updated: 5 });
    expect((await contacts()).map(({ id }) => id)).toEqual(before);
  });

  test("an import finds the keys in JSON objects regardless of the order of fields", async () => {
    const { run, home, contacts } = await office();
    const rows = [{ id: "1", first_name: "Anna" }, { first_name: "Ben", id: "2" }, { first_name: "Cleo" }];
    writeFileSync(join(home, "list.json"), JSON.stringify(rows));
    const words = ["contacts", "import", "list.json", "--group", "Kunden", "--key", "id", "-o", "json"];
    const imported = await run(...words);
    expect(imported.json, imported.stderr).toMatchObject({ created: 2, invalid: 1 });
    writeFileSync(join(home, "list.json"), JSON.stringify([{ id: "2", first_name: "Benno" }]));
    expect((await run(...words, "--on-match", "replace")).json).toMatchObject({ created: 0, updated: 1 });
    expect((await contacts()).map(({ first_name }) => first_name).sort()).toEqual(["Anna", "Benno"]);
  });

  test("an import with an unknown key column or a repeated key creates no group", async () => {
    const { importRows, run, home } = await office();
    const group = ["--group", "Neue", "--create-group"];
    writeFileSync(join(home, "kunden.csv"), formatCsv(createPeople(2)));
    const unknown = await run("contacts", "import", "kunden.csv", ...group, "--key", "Nr");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('has no column "Nr"')]);
    expect((await importRows([...createPeople(1), { key: "K1000", first: "B" }], ...group)).code).toBe(2);
    expect((await run("groups", "list", "-o", "json")).stdout).not.toContain("Neue");
  });
});
