import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { connectedTo, scriptPrompts } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { interruptedAt } from "../helpers/interrupted.js";
import { countWrites, createPeople, formatCsv, parseError, setUpSync } from "../helpers/sync.js";

const isWhole = process.env["PROOF"] !== undefined;

const yes = ["--delete", "--yes"];

describe("contacts sync", () => {
  test("[S3] `contacts sync --delete` makes a group match a file", async () => {
    const { syncTo, sync, contacts } = await setUpSync();
    const people = createPeople(12);
    const first = await syncTo(people, ...yes);
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ rows: 12, created: 12, updated: 0, deleted: 0 });
    const [anna, ...remaining] = people;
    const changed = [
      { ...anna, first: "Anna" },
      ...remaining.slice(0, 4),
      ...remaining.slice(5),
      ...createPeople(1, 50),
    ];
    const second = await syncTo(changed, ...yes);
    expect(second.json).toMatchObject({ created: 1, updated: 1, deleted: 1, unchanged: 10 });
    const names = (await contacts()).map(({ first_name }) => first_name).sort();
    expect(names).toEqual(changed.map(({ first }) => first).sort());
    const third = await sync(...yes);
    expect(third.code).toBe(0);
    expect(third.json).toMatchObject({ created: 0, updated: 0, deleted: 0, unchanged: 12, run_id: null });
  });

  test("`contacts sync` without --delete counts and lists the contacts that have no row", async () => {
    const { syncTo, contacts } = await setUpSync();
    await syncTo(createPeople(12));
    const ran = await syncTo(createPeople(11));
    expect(ran.code).toBe(0);
    expect(ran.json).toMatchObject({ deleted: 0, left: 1, not_in_file: 1 });
    expect(ran.stderr).toContain(
      "1 contact in the group is not in the file and was kept. To delete it, use --delete.",
    );
    expect(readLines(ran.json.report)).toMatchObject([
      { outcome: "left", reason: "not_in_file", first_name: "Vor11" },
    ]);
    expect((await syncTo(createPeople(11), "--check")).code).toBe(10);
    expect(await contacts()).toHaveLength(12);
    expect((await syncTo(createPeople(12), "--check")).code).toBe(0);
  });

  test("a sync of an entirely different file is refused, because it has none of the earlier rows", async () => {
    const { syncTo } = await setUpSync();
    await syncTo(createPeople(4));
    const ran = await syncTo(createPeople(4, 50), ...yes);
    expect(ran.code).toBe(12);
    expect(parseError(ran.stderr).message).toContain("it has none of the 4 rows of the previous file");
  });

  test("the prompt of `contacts sync --delete` names the contact if it deletes only one", async () => {
    const { syncTo, runWith, emulator } = await setUpSync();
    await syncTo(createPeople(12));
    const prompts = scriptPrompts();
    let asked = "";
    prompts.confirm = async ({ message }) => {
      asked = message;
      return true;
    };
    const overrides = { ...connectedTo(emulator), prompts };
    const flags = ["--group", "Kunden", "--country", "DE", "--delete", "-o", "json"];
    await syncTo(createPeople(11), "--dry-run");
    expect((await runWith({ overrides }, "contacts", "sync", "kunden.csv", ...flags)).code).toBe(0);
    expect(asked).toContain('Delete 1 contact (Vor11 Nach11) in group "Kunden"?');
  });

  test("without a terminal, `contacts sync --delete` requires --yes (exit code 12)", async () => {
    const { syncTo } = await setUpSync();
    await syncTo(createPeople(12));
    const ran = await syncTo(createPeople(11), "--delete");
    expect(ran.code).toBe(12);
    expect(parseError(ran.stderr)).toMatchObject({ hint: expect.stringContaining("--yes") });
  });

  test("[K2] a row updates the contact with its key, even if all other columns have changed", async () => {
    const { syncTo, contacts } = await setUpSync();
    const people = createPeople(8);
    await syncTo(people, "--key", "Kundennummer", ...yes);
    const before = (await contacts()).map(({ id }) => id);
    const married = people.map((person, index) =>
      index === 3
        ? {
            key: person.key ?? "",
            first: "Eva",
            last: "Neu",
            phone: "030 55555555",
            email: "neu@example.org",
          }
        : person,
    );
    const ran = await syncTo(married, "--key", "Kundennummer", ...yes);
    expect(ran.json).toMatchObject({ created: 0, updated: 1, deleted: 0, unchanged: 7 });
    expect((await contacts()).map(({ id }) => id)).toEqual(before);
    expect(await contacts()).toContainEqual(
      expect.objectContaining({
        first_name: "Eva",
        last_name: "Neu",
        phone_numbers: ["+493055555555"],
        emails: ["neu@example.org"],
      }),
    );
  });
});

describe("[S1] a sync of an incomplete file deletes no contact", () => {
  const people = createPeople(12);

  const cuts = [
    ["is empty", () => "", "file_incomplete"],
    ["has a header alone", () => formatCsv([]), "file_incomplete"],
    [
      "ends within a quoted cell",
      () => `${formatCsv(people.slice(0, 11)).trimEnd()}\nK;"Eva`,
      "file_incomplete",
    ],
    [
      "ends with fewer cells than its header",
      () => `${formatCsv(people.slice(0, 11))}K2;Eva`,
      "file_incomplete",
    ],
    [
      "lacks the last line's end, which the last file had",
      () => formatCsv(people.slice(0, 11)).trimEnd(),
      "too_many_invalid",
    ],
    ["has less than half of the last file's rows", () => formatCsv(people.slice(7)), "file_shrunk"],
    ["lacks exactly the last two rows", () => formatCsv(people.slice(0, 10)), "file_shrunk"],
    [
      "has more than a quarter of invalid rows",
      () => formatCsv(people.map((person, index) => (index < 4 ? { ...person, phone: "x" } : person))),
      "too_many_invalid",
    ],
    [
      "has more than three times as many invalid rows as the last one",
      () => formatCsv(people.map((person, index) => (index < 1 ? { ...person, phone: "x" } : person))),
      "too_many_invalid",
    ],
  ] as const;
  const tried = isWhole ? cuts : cuts.filter((_, index) => [0, 6, 7].includes(index));
  test.each(tried)("a sync exits with code 12 before any request if its file %s", async (_, file, code) => {
    const { syncTo, contacts, emulator } = await setUpSync();
    await syncTo(people, ...yes);
    const writes = await countWrites(emulator);
    const ran = await syncTo(file(), "--max-delete", "99%", ...yes);
    expect(ran.code).toBe(12);
    expect(parseError(ran.stderr)).toMatchObject({ code, outcome: "none" });
    expect(await countWrites(emulator)).toBe(writes);
    expect(await contacts()).toHaveLength(12);
  });

  test("the results file marks a contact as deleted only after `contacts sync` deleted it", async () => {
    const { syncTo, home } = await setUpSync();
    const report = ["--report", "sync.ndjson", ...yes];
    const listOutcomes = () => readLines(join(home, "sync.ndjson")).map(({ outcome }) => outcome);
    await syncTo(createPeople(12), ...yes);
    expect((await syncTo(createPeople(10), "--max-delete", "1", ...report)).code).toBe(12);
    expect(listOutcomes()).toEqual(["to_delete", "to_delete"]);
    expect((await syncTo(createPeople(10), "--max-delete", "2", ...report)).code).toBe(0);
    expect(listOutcomes()).toEqual(["deleted", "deleted"]);
  });

  test("after an interrupted sync, the results file marks only deleted contacts as deleted", async () => {
    const { runWith, write, syncTo, home, emulator, contacts } = await setUpSync();
    const many = createPeople(24);
    await syncTo(many, ...yes);
    write(many.slice(0, 12));
    const words = ["kunden.csv", "--group", "Kunden", "--country", "DE", "--report", "sync.ndjson"];
    const options = interruptedAt(emulator, 2);
    const cut = await runWith(options, "contacts", "sync", ...words, "--max-delete", "12", ...yes);
    expect(cut.code, cut.stderr).toBe(130);
    const lines = readLines(join(home, "sync.ndjson"));
    const listIds = (wanted: string) => lines.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
    const remaining = new Set((await contacts()).map(({ id }) => id));
    expect(listIds("to_delete").filter((id) => !remaining.has(String(id)))).toEqual([]);
    expect(listIds("deleted").filter((id) => remaining.has(String(id)))).toEqual([]);
    expect(listIds("deleted").length).toBeGreaterThan(0);
  });

  test("a file without a final line break counts as truncated if the previous file had one", async () => {
    const { syncTo, contacts } = await setUpSync();
    const many = createPeople(30);
    await syncTo(many, ...yes);
    const ran = await syncTo(formatCsv(many.slice(0, 29)).trimEnd(), "--max-delete", "99%", ...yes);
    expect([ran.code, parseError(ran.stderr).code]).toEqual([12, "file_shrunk"]);
    expect(await contacts()).toHaveLength(30);
  });

  test("a file that looks truncated requires --max-delete with the exact number of deletions", async () => {
    const { syncTo, names } = await setUpSync();
    await syncTo(people, ...yes);
    const expected = await syncTo(people.slice(0, 10), "--max-delete", "2", "--expect-rows", "11-12", ...yes);
    expect(expected.code).toBe(12);
    expect(parseError(expected.stderr)).toMatchObject({ code: "unexpected_rows" });
    const many = await syncTo(people.slice(0, 10), "--max-delete", "3", ...yes);
    expect(many.code).toBe(12);
    expect(parseError(many.stderr)).toMatchObject({
      code: "file_shrunk",
      hint: expect.stringContaining("--max-delete 2"),
    });
    const confirmed = await syncTo(people.slice(0, 10), "--max-delete", "2", ...yes);
    expect(confirmed.json).toMatchObject({ deleted: 2 });
    expect(await names()).toHaveLength(10);
  });

  test("a sync of a truncated file deletes at most the contact of one missing line", async () => {
    const { syncTo, contacts } = await setUpSync();
    const whole = formatCsv(createPeople(5));
    await syncTo(whole, ...yes);
    const isTried = (end: number) =>
      isWhole || end % 97 === 0 || whole.slice(end - 1, end + 1).includes("\n");
    for (let end = 0; end < whole.length; end += 1) {
      if (!isTried(end)) continue;
      const ran = await syncTo(whole.slice(0, end), "--dry-run", "--max-delete", "99%", ...yes);
      const deleted = ran.code === 0 || ran.code === 68 ? ran.json.deleted : 0;
      const isSingleRow =
        whole.slice(0, end).endsWith("\n") && whole.slice(end).trimEnd().split("\n").length === 1;
      if (deleted > (isSingleRow ? 1 : 0)) expect.fail(`cut at ${end}: ${deleted} deleted`);
    }
    expect(await contacts()).toHaveLength(5);
  });
});

describe("`contacts sync` without an earlier run or --expect-rows", () => {
  test("[S1] a sync of a file that is truncated within a row deletes no contact", async () => {
    const { run, sync, contacts, write } = await setUpSync();
    const whole = formatCsv(createPeople(6));
    write(whole, "alle.csv");
    await run("contacts", "import", "alle.csv", "--group", "Kunden", "--country", "DE");
    const isTried = (end: number) => isWhole || end % 67 === 0;
    for (let end = 0; end < whole.length; end += 1) {
      const lastLine = whole.slice(whole.lastIndexOf("\n", end - 1) + 1, end);
      // Truncation within the last cell can't be detected, because the row looks complete.
      const isIncomplete = end === 0 || (lastLine !== "" && lastLine.split(";").length < 5);
      if (!isTried(end) || !isIncomplete) continue;
      write(whole.slice(0, end));
      const ran = await sync("--dry-run", "--delete", "--delete-newer", "--max-delete", "100%");
      expect([end, ran.code]).toEqual([end, end === 0 ? 12 : expect.toBeOneOf([2, 12])]);
    }
    expect(await contacts()).toHaveLength(6);
  });
});

describe("`contacts sync` of a truncated file without --delete", () => {
  const people = createPeople(12);

  test.each([
    ["ends within a quoted cell", 'K1011;"Eva'],
    ["ends with fewer cells than its header", "K1011;Eva"],
    ["lacks the final line break that the previous file had", "K1011;Eva;Au;0151 10000011;e@examp.le"],
  ])("if a file %s, a sync reports its last row as invalid and skips the row", async (_, last) => {
    const { syncTo, names } = await setUpSync();
    await syncTo(people);
    const ran = await syncTo(`${formatCsv(people.slice(0, 11))}${last}`);
    expect([ran.code, ran.json.invalid, ran.json.updated]).toEqual([68, 1, 0]);
    expect(await names()).not.toContain("Eva");
    const { code, json } = await syncTo(`${formatCsv(people.slice(0, 11))}${last}`, "--max-delete", "100%");
    expect([code, json.invalid]).toEqual(last.includes("@") ? [0, 0] : [68, 1]);
  });
});

describe("contacts without a row in the file", () => {
  test("[S2] a sync keeps contacts that share a number, an email or a name with an invalid row", async () => {
    const { syncTo, names } = await setUpSync();
    const people = createPeople(24);
    await syncTo(people, "--match", "phone,email", ...yes);
    const broken = people.map((person, index) => (index === 7 ? { ...person, phone: "folgt" } : person));
    const ran = await syncTo(broken, "--match", "phone,email", ...yes);
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ invalid: 1, deleted: 0, row_unusable: 1, protected: 0 });
    expect(await names()).toHaveLength(24);
    expect(ran.stderr).toContain("1 contact was kept because its row is invalid or ambiguous.");
  });

  test("a sync keeps contacts that are in the --protect file", async () => {
    const { syncTo, write, names } = await setUpSync();
    const people = createPeople(14);
    await syncTo(people, ...yes);
    write(
      [people[3], people[5]].flatMap((person) => person ?? []),
      "bleiben.csv",
    );
    const remaining = people.filter((_, index) => ![3, 5, 7].includes(index));
    const ran = await syncTo(remaining, "--protect", "bleiben.csv", ...yes);
    expect(ran.json).toMatchObject({ deleted: 1, protected: 2 });
    expect(await names()).not.toContain("Vor7");
    expect(await names()).toEqual(expect.arrayContaining(["Vor3", "Vor5"]));
  });

  test("[S5] a sync keeps contacts that others created or changed after the file was written", async () => {
    const { syncTo, sync, write, run, contacts } = await setUpSync();
    const people = createPeople(14);
    await syncTo(people, ...yes);
    write(people.filter((_, index) => ![1, 2].includes(index)));
    const unmanaged = ["--first-name", "Neu", "--phone-number", "+4930999999"];
    await run("contacts", "create", "--group", "Kunden", ...unmanaged);
    const [, second] = await contacts();
    await run("contacts", "update", second?.id ?? "", "--last-name", "Anders");
    const bound = ["--max-delete", "5", ...yes];
    expect((await sync(...bound)).json).toMatchObject({ deleted: 1, newer: 2 });
    expect((await sync("--delete-newer", ...bound)).json).toMatchObject({ deleted: 2, newer: 0 });
  });

  test("[S4] a sync deletes a contact's duplicates only if --delete-duplicates is set", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    const people = createPeople(12);
    await syncTo(people, ...yes);
    const [first] = await contacts();
    const twin = [
      "--group",
      "Kunden",
      "--first-name",
      "Zwilling",
      "--phone-number",
      first?.phone_numbers[0] ?? "",
    ];
    await run("contacts", "create", ...twin);
    const ran = await syncTo(people, "--delete-newer", ...yes);
    expect(ran.json).toMatchObject({ deleted: 0, updated: 0, duplicate_contacts: 1 });
    const confirmed = await syncTo(people, "--delete-duplicates", "--delete-newer", "--yes");
    expect(confirmed.json).toMatchObject({ deleted: 1 });
    expect((await contacts())[0]?.id).toBe(first?.id);
    expect(await contacts()).toHaveLength(12);
  });

  test("[S2] [S4] a sync keeps a contact if its row was skipped because of a shared number", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    const people = createPeople(12);
    const [first, ...remaining] = people;
    await syncTo(people, ...yes);
    const [number = ""] = (await contacts())[0]?.phone_numbers ?? [];
    const secondPerson = ["--first-name", "Eva", "--last-name", "Özil"];
    await run("contacts", "create", "--group", "Kunden", ...secondPerson, "--phone-number", number);
    const shared = { ...createPeople(1, 40)[0], first: "Eva", last: "Özil", phone: first?.phone ?? "" };
    const ran = await syncTo(
      [first, ...remaining, shared].flatMap((person) => person ?? []),
      "--delete-duplicates",
      "--delete-newer",
      ...yes,
    );
    expect(ran.json).toMatchObject({ deleted: 0, duplicates: 1, row_unusable: 1 });
    expect((await contacts()).map(({ first_name }) => first_name)).toContain("Eva");
  });
});

test.each([
  ["synchronizations", ["contacts", "sync"]],
  ["an import and a synchronization", ["contacts", "import"]],
])("[T6] undoing %s in reverse order deletes all contacts", async (_, first) => {
  const { run, write, contacts } = await setUpSync();
  const flags = ["kunden.csv", "--group", "Kunden", "--country", "DE", "-o", "json"];
  write("Vorname;Nachname;Telefon\nAnna;A;030 9000001\nBea;B;030 9000002\n");
  const made = await run(...first, ...flags);
  write("Vorname;Nachname;Telefon;E-Mail\nAnna;A2;030 9000001;a@b.de\nBea;B;030 9000002;b@b.de\n");
  const changed = await run("contacts", "sync", ...flags);
  expect([made.json, changed.json]).toMatchObject([{ created: 2 }, { updated: 2 }]);
  const undo = (id: string) => run("runs", "undo", id, "--yes", "-o", "json");
  expect((await undo(changed.json.run_id)).json).toMatchObject({ restored: 2, changed_since: 0 });
  expect((await undo(made.json.run_id)).json).toMatchObject({ deleted: 2, changed_since: 0 });
  expect(await contacts()).toEqual([]);
});

describe("keys from the file", () => {
  const key = ["--key", "Kundennummer"];
  const people = createPeople(12);

  test("[K3] an existing contact gets a key only if --match finds exactly one contact", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    await syncTo(people);
    const [first] = await contacts();
    const twin = [
      "--group",
      "Kunden",
      "--first-name",
      "Zwilling",
      "--phone-number",
      first?.phone_numbers[0] ?? "",
    ];
    await run("contacts", "create", ...twin);
    const ran = await syncTo(people, ...key);
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ created: 0, updated: 0, unchanged: 11, ambiguous: 1 });
  });

  test("[K3] two rows with the same number but different keys are two contacts", async () => {
    const { syncTo, contacts } = await setUpSync();
    const family = [...people, { ...createPeople(1)[0], key: "K9", first: "Kind" }];
    expect((await syncTo(family, ...key)).json).toMatchObject({ created: 13 });
    expect((await syncTo(family, ...key)).json).toMatchObject({ created: 0, updated: 0, unchanged: 13 });
    expect(await contacts()).toHaveLength(13);
  });

  test("[K3] [S4] a sync deletes a contact whose key is not in the file, even if its number is", async () => {
    const { syncTo, contacts } = await setUpSync();
    const child = people.map((person) => ({ ...person, key: "K9", first: "Kind" })).slice(0, 1);
    await syncTo([...people, ...child], ...key);
    const ran = await syncTo(people, ...key, "--delete", "--delete-newer", "--yes");
    expect(ran.json).toMatchObject({ deleted: 1, duplicate_contacts: 0 });
    expect(await contacts()).toHaveLength(12);
    expect((await contacts()).map(({ first_name }) => first_name)).not.toContain("Kind");
  });

  test("[S0] a sync reports that a contact keeps its last number despite an empty cell", async () => {
    const { syncTo, contacts } = await setUpSync();
    const people = createPeople(4).map(({ email: _, ...person }) => person);
    await syncTo(people, "--key", "Kundennummer");
    const emptied = people.map((person, index) => (index === 2 ? { ...person, phone: "" } : person));
    const ran = await syncTo(emptied, "--key", "Kundennummer");
    expect([ran.code, ran.json.unchanged]).toEqual([0, 4]);
    expect(ran.stderr).toContain(
      "accepting 1 row without a phone number or email (row 3, line 4); existing contacts keep their last phone number or email, unless you use --clear-empty Telefon",
    );
    expect((await contacts()).every(({ phone_numbers }) => phone_numbers.length === 1)).toBe(true);
    const cleared = await syncTo(emptied, "--key", "Kundennummer", "--clear-empty", "Telefon");
    expect(cleared.json.updated).toBe(1);
  });

  test("a sync reports a field whose column was in an earlier file but is now missing", async () => {
    const { syncTo } = await setUpSync();
    const people = createPeople(3);
    const lost = "unlike earlier files, this file has no column for phone_numbers";
    expect((await syncTo(people, "--key", "Kundennummer")).stderr).not.toContain("this file has no column");
    const renamed = formatCsv(people).replace("Telefon", "Erreichbar");
    expect((await syncTo(renamed, "--key", "Kundennummer")).stderr).toContain(lost);
    const mapped = await syncTo(renamed, "--key", "Kundennummer", "--map", "phone_numbers=Erreichbar");
    expect(mapped.stderr).not.toContain("this file has no column");
  });

  test("[S0] a sync counts the contacts that keep their only email despite an empty cell", async () => {
    const { syncTo } = await setUpSync();
    const people = createPeople(5);
    await syncTo(people);
    const emptied = people.map((person, index) => (index < 2 ? { ...person, email: "" } : person));
    const kept = await syncTo(emptied);
    expect([kept.code, kept.json.unchanged, kept.json.kept_values]).toEqual([0, 5, 2]);
    expect(kept.stderr).toContain(
      "2 contacts keep their phone numbers or emails although the file has an empty cell",
    );
    expect((await syncTo(emptied, "--check")).code).toBe(10);
    const cleared = await syncTo(emptied, "--check", "--clear-empty", "E-Mail");
    expect([cleared.code, cleared.json.updated, cleared.json.kept_values]).toEqual([0, 2, undefined]);
  });

  test("[K2] a sync finds contacts even if their keys gained leading zeros", async () => {
    const { syncTo, contacts } = await setUpSync();
    const numbered = (zeros: string) =>
      createPeople(24).map((person, index) => ({ ...person, key: `${zeros}${417 + index}` }));
    await syncTo(numbered(""), ...key);
    const before = await contacts();
    const moved = numbered("00").map((person, index) =>
      index < 3 ? { ...person, phone: `0160 ${20000000 + index}`, email: `neu${index}@example.org` } : person,
    );
    const ran = await syncTo(moved, ...key, "--delete", "--delete-newer", "--yes");
    expect(ran.json).toMatchObject({ created: 0, updated: 3, deleted: 0 });
    expect(ran.stderr).toContain('24 contacts have new keys, such as "417" is now "00417"');
    expect((await contacts()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const again = await syncTo(moved, ...key, "--delete", "--delete-newer", "--yes");
    expect([again.json, again.stderr.includes("have new keys")]).toMatchObject([
      { updated: 0, run_id: null },
      false,
    ]);
    // An invalid row keeps its contact, even if its key has a different spelling.
    const broken = numbered("").map((person, index) =>
      index === 5 ? { ...person, first: "", last: "", phone: "0160 29999999", email: "" } : person,
    );
    expect((await syncTo(broken, ...key, "--delete", "--delete-newer", "--yes")).json).toMatchObject({
      deleted: 0,
      invalid: 1,
    });
    // Two rows have keys with the same numeric value. Neither counts as a new spelling of a known key.
    const twice = [...numbered(""), { ...createPeople(1, 70)[0], key: "0417", first: "Neu" }];
    expect((await syncTo(twice, ...key)).json).toMatchObject({ created: 1 });
  });

  test("[K3] if the file has new keys, a sync finds contacts by number and name", async () => {
    const { syncTo, contacts } = await setUpSync();
    await syncTo(people, ...key);
    const before = await contacts();
    const renumbered = people.map((person) => ({ ...person, key: `CRM-${person.key}` }));
    const ran = await syncTo(renumbered, ...key, ...yes);
    expect(ran.json).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    expect(ran.stderr).toContain('"K1000" is now "CRM-K1000"');
    expect(await contacts()).toEqual(before);
    // A row with the same number but a different name is another contact.
    const [first, ...remaining] = renumbered;
    const child = { ...first, key: "CRM-Kind", first: "Kind" };
    expect((await syncTo([child, ...remaining], ...key)).json).toMatchObject({ created: 1, updated: 0 });
    expect((await contacts()).length).toBe(13);
  });

  test("[K4] without a key map, a sync refuses a file that matches none of the group's contacts", async () => {
    const { syncTo, contacts } = await setUpSync();
    await syncTo(people);
    const renumbered = people.map((person, index) => ({ ...person, phone: `0160 ${20000000 + index}` }));
    const ran = await syncTo(renumbered, ...key);
    expect(ran.code).toBe(12);
    expect(parseError(ran.stderr)).toMatchObject({
      code: "map_lost",
      hint: expect.stringContaining("--accept-new-map"),
    });
    expect(await contacts()).toHaveLength(12);
    expect((await syncTo(renumbered, ...key, "--accept-new-map")).json).toMatchObject({ created: 12 });
  });

  test("[K4] a sync prints both lines if two rows have the same key", async () => {
    const { syncTo, emulator } = await setUpSync();
    const writes = await countWrites(emulator);
    const ran = await syncTo(
      [...people, { ...createPeople(1, 40)[0], key: "K1000", first: "Doppelt" }],
      ...key,
    );
    expect(ran.code).toBe(2);
    expect(parseError(ran.stderr).message).toContain("lines 2 and 14 have the same key");
    expect(await countWrites(emulator)).toBe(writes);
  });

  test("[K5] a sync refuses renumbered keys and lists ten examples", async () => {
    const { syncTo, contacts } = await setUpSync();
    await syncTo(people, ...key);
    const before = await contacts();
    const shifted = people.map((person, index) => ({ ...person, key: `K${1000 + ((index + 1) % 12)}` }));
    const ran = await syncTo(shifted, ...key, ...yes);
    expect(ran.code).toBe(12);
    const { code, message } = parseError(ran.stderr);
    expect(code).toBe("keys_reassigned");
    expect(message.match(/K10\d\d: /g)).toHaveLength(10);
    expect(await contacts()).toEqual(before);
  });

  test("[T4] a sync recreates a contact that was deleted but is still in the file", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    await syncTo(people, ...key);
    const [first] = await contacts();
    await run("contacts", "delete", first?.id ?? "", "--yes");
    expect((await syncTo(people, ...key)).json).toMatchObject({ created: 1, unchanged: 11 });
    expect((await syncTo(people, ...key)).json).toMatchObject({ created: 0, unchanged: 12 });
  });

  test("[K1] --state stores the keys in a private file", async () => {
    const { syncTo, home, run } = await setUpSync();
    await syncTo(people, ...key, "--state", "stand.jsonl");
    expect(statSync(join(home, "stand.jsonl")).mode & 0o777).toBe(0o600);
    chmodSync(join(home, "stand.jsonl"), 0o640);
    rmSync(join(home, "data", "sync"), { recursive: true, force: true });
    const moved = people.map((person) => ({ ...person, phone: person.phone?.replace("0151", "0160") ?? "" }));
    const ran = await syncTo(moved, ...key, "--state", "stand.jsonl", "--max-update", "100%");
    expect(ran.json).toMatchObject({ created: 0, updated: 12 });
    expect(statSync(join(home, "stand.jsonl")).mode & 0o777).toBe(0o640);
    await run("groups", "create", "--type", "contacts", "--name", "Andere");
    const otherGroup = await run(
      "contacts",
      "sync",
      "kunden.csv",
      "--group",
      "Andere",
      "--state",
      "stand.jsonl",
      "-o",
      "json",
    );
    expect(otherGroup.code).toBe(12);
    expect(parseError(otherGroup.stderr)).toMatchObject({ code: "state_of_other_group" });
  });

  test("a sync refuses an invalid --state file", async () => {
    const { syncTo, home } = await setUpSync();
    writeFileSync(join(home, "notes.txt"), "precious\n");
    const refused = await syncTo(people, ...key, "--state", "notes.txt");
    expect(parseError(refused.stderr)).toMatchObject({ code: "state_unreadable" });
    expect(readFileSync(join(home, "notes.txt"), "utf8")).toBe("precious\n");
    expect(readdirSync(home).filter((name) => name.startsWith("notes"))).toEqual(["notes.txt"]);
  });
});

describe("[R2a] updating the key map when a plan file is applied, resumed or undone", () => {
  const key = ["--key", "Kundennummer"];
  const people = createPeople(12);
  const moved = people.map(({ key: own = "" }, index) => ({
    key: own,
    first: `Neu${index}`,
    last: "Neu",
    phone: `0160 ${20000000 + index}`,
    email: `n${index}@example.org`,
  }));
  const anything = ["--max-update", "100%", "--accept-rekey"];

  test.each([
    ["in the data directory", []],
    ["in a specified file", ["--state", "stand.jsonl"]],
  ])("with the key map %s, later syncs find the contacts that `apply` created", async (_, state) => {
    const { syncTo, run, contacts } = await setUpSync();
    await syncTo(people, ...key, ...state, "--plan", "kunden.plan");
    expect((await run("apply", "kunden.plan", "--yes")).code).toBe(0);
    const ids = (await contacts()).map(({ id }) => id);
    const ran = await syncTo(moved, ...key, ...state, ...anything);
    expect(ran.json).toMatchObject({ created: 0, updated: 12 });
    expect((await contacts()).map(({ id }) => id)).toEqual(ids);
  });

  test("`apply` also saves new keys of contacts that no step changes", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    await syncTo(people.slice(0, 10));
    await syncTo(people, ...key, "--plan", "kunden.plan");
    expect((await run("apply", "kunden.plan", "--yes", "-o", "json")).json).toMatchObject({ created: 2 });
    expect((await syncTo(moved, ...key, ...anything)).json).toMatchObject({ created: 0, updated: 12 });
    expect(await contacts()).toHaveLength(12);
  });

  test("`apply` works on another machine with the specified key map", async () => {
    const { syncTo, run, runWith, home, contacts } = await setUpSync();
    await syncTo(people, ...key, "--state", "stand.jsonl", "--plan", "kunden.plan");
    const elsewhere = { env: { VOXCTL_DATA_DIR: join(home, "elsewhere") } };
    const applied = await runWith(elsewhere, "apply", "kunden.plan", "--yes", "--state", "anders.jsonl");
    expect(applied.code, applied.stderr).toBe(0);
    const ran = await syncTo(moved, ...key, "--state", "anders.jsonl", ...anything);
    expect(ran.json).toMatchObject({ created: 0, updated: 12 });
    expect(await contacts()).toHaveLength(12);
    await run("contacts", "import", "kunden.csv", "--group", "Kunden", "--plan", "import.plan");
    expect((await run("apply", "import.plan", "--yes", "--state", "anders.jsonl")).code).toBe(2);
  });

  test("if the key map can't be saved, `apply` refuses the plan file before any request", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    await syncTo(people, ...key, "--state", "stand.jsonl", "--plan", "kunden.plan");
    const applied = await run("apply", "kunden.plan", "--yes", "--state", "missing/stand.jsonl");
    expect([applied.code, await contacts()]).toEqual([2, []]);
  });

  test("`apply` in another directory uses the key map in the plan file's directory", async () => {
    const { syncTo, runWith, home } = await setUpSync();
    const state = ["--state", "stand.jsonl"];
    await syncTo(people, ...key, ...state, "--plan", "kunden.plan");
    mkdirSync(join(home, "elsewhere"));
    const cwd = join(home, "elsewhere");
    expect((await runWith({ cwd }, "apply", "../kunden.plan", "--yes")).code).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
    expect((await syncTo(moved, ...key, ...state, ...anything)).json).toMatchObject({ updated: 12 });
  });

  test("`apply` keeps keys that another run saved after the plan file was created", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    const state = ["--state", "stand.jsonl"];
    await syncTo(people.slice(0, 4), ...key, ...state);
    await syncTo(people.slice(0, 8), ...key, ...state, "--plan", "kunden.plan");
    await syncTo(people.slice(4), ...key, ...state, "--accept-new-map");
    expect((await run("apply", "kunden.plan", "--yes", "--skip-drifted")).code).toBe(68);
    const ran = await syncTo(moved, ...key, ...state, ...anything);
    expect(ran.json).toMatchObject({ created: 0, updated: 12 });
    expect(await contacts()).toHaveLength(12);
  });

  test("undo updates the key map for recreated and deleted contacts", async () => {
    const { emulator, syncTo, run, contacts } = await setUpSync();
    await syncTo(people, ...key, ...yes);
    const changedPeople = [...people.slice(0, 10), people[11] ?? {}, ...createPeople(1, 60)] as typeof people;
    const ran = await syncTo(changedPeople, ...key, ...yes);
    expect(ran.json).toMatchObject({ created: 1, deleted: 1 });
    await emulator.control("POST", "/faults", { operation: "contacts.create", kind: "drop_after", times: 1 });
    expect((await run("runs", "undo", ran.json.run_id, "--yes")).code).toBe(0);
    const ids = (await contacts()).map(({ id }) => id);
    const again = await syncTo(moved, ...key, ...anything, ...yes);
    expect(again.json).toMatchObject({ created: 0, updated: 12, deleted: 0 });
    expect((await contacts()).map(({ id }) => id)).toEqual(ids);
  });

  test("`runs resume` saves the keys of the sync that it resumes", async () => {
    const { emulator, syncTo, write, run, runWith } = await setUpSync();
    write(people);
    let sent = 0;
    const onJournalStep = (step: Step) => {
      if (step === "recorded" && ++sent === 2) throw new Error("killed");
    };
    const overrides = { ...connectedTo(emulator), onJournalStep };
    await runWith(
      { overrides },
      ...["contacts", "sync", "kunden.csv", "--group", "Kunden", "--country", "DE"],
      ...key,
    );
    const [{ id, command, group }] = (await run("runs", "list", "-o", "json")).json;
    expect([command, group]).toEqual(["contacts sync", "Kunden"]);
    expect((await run("runs", "resume", id)).code).toBe(0);
    expect((await syncTo(moved, ...key, ...anything)).json).toMatchObject({ created: 0, updated: 12 });
  });

  test("[S1] --delete refuses a truncated file even if a sync without --delete accepted it", async () => {
    const { syncTo, names } = await setUpSync();
    await syncTo(people, ...yes);
    for (const cut of [formatCsv([]), formatCsv(people.slice(0, 4)), formatCsv(people.slice(0, 10))]) {
      expect((await syncTo(cut)).code).toBe(0);
      const ran = await syncTo(cut, "--max-delete", "99%", ...yes);
      expect([ran.code, parseError(ran.stderr).code]).toEqual([12, expect.stringMatching("file_")]);
    }
    expect(await names()).toHaveLength(12);
  });
});

describe("ways to run `contacts sync`", () => {
  test("`contacts sync --dry-run` shows the changes without making them", async () => {
    const { syncTo, emulator } = await setUpSync();
    const people = createPeople(12);
    await syncTo(people, ...yes);
    const writes = await countWrites(emulator);
    const changed = people.map((person, index) =>
      index === 0
        ? { ...person, last: "Anders" }
        : index === 1
          ? { ...person, phone: "0160 1234567" }
          : person,
    );
    const ran = await syncTo(changed, "--dry-run", "--delete");
    expect(ran.json).toMatchObject({ created: 1, updated: 1, deleted: 1, run_id: null });
    expect(ran.stderr).toContain("~ Vor0 Nach0  last_name: Nach0 → Anders");
    expect(ran.stderr).toContain("-/+ Vor1 Nach1  phone_numbers: +4915110000001 → +491601234567");
    expect(await countWrites(emulator)).toBe(writes);
  });

  test("a sync's preview lists deletes before changes and creates", async () => {
    const { syncTo } = await setUpSync();
    const people = createPeople(12);
    await syncTo(people, ...yes);
    const changed = [
      ...people.slice(0, 1).map((person) => ({ ...person, last: "Anders" })),
      ...people.slice(2),
      ...createPeople(1, 12),
    ];
    const { code, stdout, stderr } = await syncTo(changed, "--dry-run", "--delete", "-o", "table");
    expect([code, stdout]).toEqual([0, 'Will delete 1, update 1 and create 1 contact in group "Kunden".\n']);
    expect(stderr).toMatch(/^- Vor1 .*\n~ Vor0 Nach0 .*\n\+ Vor12 /m);
    expect(stderr).not.toContain("Will ");
  });

  test("a sync's plan file shows the command with its flags", async () => {
    const { syncTo, run } = await setUpSync();
    await run("groups", "create", "--type", "contacts", "--name", "Andere");
    await syncTo(createPeople(12), "--key", "Kundennummer", ...yes, "--plan", "kunden.plan");
    const { stdout } = await run("plan", "show", "kunden.plan", "--format", "text");
    expect(stdout).toContain("sync kunden.csv --group Kunden --delete --key Kundennummer --country DE\n");
    const [group] = (await run("groups", "list", "--type", "contacts", "-o", "json")).json.filter(
      ({ name }: { name: string }) => name === "Kunden",
    );
    expect((await run("groups", "delete", group.id, "--yes")).code).toBe(0);
    const { code, stderr } = await run("apply", "kunden.plan", "--yes");
    expect([code, stderr]).toEqual([10, expect.stringContaining(`groups/${group.id}: no longer exists`)]);
  });

  test("a sync does not warn about a new name if the contact's key is known", async () => {
    const { syncTo } = await setUpSync();
    const people = createPeople(8);
    await syncTo(people, "--key", "Kundennummer");
    const renamed = people.map((person, index) => (index === 0 ? { ...person, first: "Eva" } : person));
    const { stderr, json } = await syncTo(renamed, "--key", "Kundennummer", "--dry-run");
    expect(json).toMatchObject({ updated: 1 });
    expect(stderr).toContain("Kundennummer → key");
    expect(stderr).not.toContain("--match");
  });

  test("a sync that can be undone completely does not warn about irreversible changes", async () => {
    const { syncTo, write, run, home } = await setUpSync();
    await syncTo(createPeople(12));
    const declined = await syncTo(createPeople(11), "--delete");
    expect([declined.code, declined.stderr]).toEqual([12, expect.not.stringContaining("can't be undone")]);
    write(createPeople(2), "wichtig.csv");
    for (const command of [
      ["contacts", "dedupe", "--dry-run"],
      ["contacts", "sync", "kunden.csv", "--group", "Kunden"],
      ["contacts", "import", "kunden.csv", "--group", "Kunden"],
    ]) {
      const ran = await run(...command, "--report", "wichtig.csv");
      expect([ran.code, ran.stderr]).toEqual([12, expect.stringContaining("is not a voxctl results file")]);
    }
    expect(readFileSync(join(home, "wichtig.csv"), "utf8")).toBe(formatCsv(createPeople(2)));
    expect((await syncTo(createPeople(11), "--report", "bericht.ndjson")).code).toBe(0);
    expect((await syncTo(createPeople(11), "--report", "bericht.ndjson")).code).toBe(0);
  });

  test("`apply` makes the changes that `contacts sync --plan` saved", async () => {
    const { syncTo, run, names, sync } = await setUpSync();
    const people = createPeople(12);
    await syncTo(people, ...yes);
    const ran = await syncTo(
      [...people.slice(0, 11), ...createPeople(1, 60)],
      "--delete",
      "--plan",
      "kunden.plan",
    );
    expect(ran.json).toMatchObject({ created: 1, deleted: 1, plan_id: expect.any(String) });
    expect(await names()).toContain("Vor11");
    const applied = await run("apply", "kunden.plan", "--yes", "-o", "json");
    expect(applied.code).toBe(0);
    expect(await names()).not.toContain("Vor11");
    expect(await names()).toContain("Vor60");
    expect((await sync(...yes)).json).toMatchObject({ created: 0, updated: 0, deleted: 0 });
  });

  test("`runs undo` of a sync restores the changed contacts and recreates the deleted ones", async () => {
    const { syncTo, run, contacts } = await setUpSync();
    const people = createPeople(12);
    await syncTo(people, ...yes);
    const values = async () =>
      (await contacts())
        .map(({ id: _, ...fields }) => JSON.stringify({ ...fields, created_at: 0, updated_at: 0 }))
        .sort();
    const before = await values();
    const ran = await syncTo(
      [{ ...people[0], first: "Anna" }, ...people.slice(1, 11), ...createPeople(1, 60)],
      ...yes,
    );
    expect(ran.json).toMatchObject({ created: 1, updated: 1, deleted: 1 });
    const undone = await run("runs", "undo", ran.json.run_id, "--yes", "-o", "json");
    expect(undone.code).toBe(0);
    expect(await values()).toEqual(before);
  });
});

describe("a run of `contacts sync` that was interrupted", () => {
  test("an interrupted sync can be resumed only with the same file", async () => {
    const { emulator, syncTo, write, contacts, run, runWith } = await setUpSync();
    const people = createPeople(12);
    await syncTo(people, ...yes);
    write(
      people.filter((_, index) => index % 3 !== 0),
      "fewer.csv",
    );
    let sent = 0;
    const onJournalStep = (step: Step) => {
      if (step === "recorded" && ++sent === 2) throw new Error("killed");
    };
    const overrides = { ...connectedTo(emulator), onJournalStep };
    const given = ["--group", "Kunden", "--country", "DE", "--max-delete", "4", ...yes];
    const cut = await runWith({ overrides }, "contacts", "sync", "fewer.csv", ...given);
    expect(cut.stderr, cut.stdout).toContain("killed");
    const left = (await contacts()).length;
    expect(left).toBeLessThan(12);
    const refusedSync = await syncTo(people, ...yes);
    expect([refusedSync.code, parseError(refusedSync.stderr).code]).toEqual([12, "sync_unfinished"]);
    expect(await contacts()).toHaveLength(left);
    const id = /run (\S+) for this group/.exec(parseError(refusedSync.stderr).message)?.[1] ?? "";
    expect((await run("runs", "undo", id, "--yes")).code).toBe(0);
    expect((await syncTo(people, ...yes)).json).toMatchObject({ created: 0, deleted: 0 });
    expect(await contacts()).toHaveLength(12);
  });
});

test('[S0] a sync keeps a name if the file has "?" instead of its special letters', async () => {
  const { syncTo, contacts } = await setUpSync();
  const named = (...names: string[]) =>
    createPeople(names.length).map((person, index) => ({ ...person, last: names[index] ?? "" }));
  await syncTo(named("Yılmaz", "Šťastný", "Meier", "Lang"));
  const blurred = named("Y?lmaz", "??astný", "Me?er", "Lang?");
  expect((await syncTo(blurred)).json).toMatchObject({ updated: 2, unchanged: 2 });
  const names = (await contacts()).map(({ last_name }) => last_name);
  expect(names).toEqual(["Yılmaz", "Šťastný", "Me?er", "Lang?"]);
  expect((await syncTo(blurred)).json).toMatchObject({ updated: 0, unchanged: 4 });
});

test("a run that was killed before its first change doesn't block a sync of another file", async () => {
  const { emulator, syncTo, contacts, runWith, write, data } = await setUpSync();
  const people = createPeople(12);
  await syncTo(people);
  const argv = ["contacts", "sync", "kunden.csv", "--group", "Kunden", "--country", "DE"];
  const killed = { VOXCTL_DATA_DIR: `${data}-killed`, VOXCTL_PROFILE: "offline" };
  const onJournalStep = (step: Step) => {
    if (step !== "planned") return;
    // Copy the files in their current state, as a kill would leave them.
    cpSync(data, killed.VOXCTL_DATA_DIR, { recursive: true });
    throw new Error("killed");
  };
  write(people.map((person) => ({ ...person, last: "Anders" })));
  await runWith({ overrides: { ...connectedTo(emulator), onJournalStep } }, ...argv);
  write(people.map((person) => ({ ...person, email: "" })));
  const next = await runWith({ env: killed }, ...argv);
  expect([next.code, next.stderr]).toEqual([
    0,
    expect.stringContaining("which was interrupted before its first change"),
  ]);
  expect((await contacts()).map(({ last_name }) => last_name)).not.toContain("Anders");
  const { json } = await runWith({ env: killed }, "runs", "list", "-o", "json");
  expect(json.filter(({ state }: { state: string }) => state === "unfinished")).toEqual([]);
});

describe("a resumed run", () => {
  test("the summary of a resumed sync covers the whole run", async () => {
    const { emulator, write, contacts, run, runWith } = await setUpSync();
    write(createPeople(12), "list.csv");
    let sent = 0;
    const onJournalStep = (step: Step) => {
      if (step === "recorded" && ++sent === 2) throw new Error("killed");
    };
    const overrides = { ...connectedTo(emulator), onJournalStep };
    const given = [
      "contacts",
      "sync",
      "list.csv",
      "--group",
      "Kunden",
      "--country",
      "DE",
      "-o",
      "json",
      ...yes,
    ];
    expect((await runWith({ overrides }, ...given)).code).not.toBe(0);
    const { json } = await run(...given);
    expect(json).toMatchObject({ created: 12, unchanged: 0, rows: 12, run_id: expect.any(String) });
    expect(json.requests).toBeGreaterThan(0);
    expect((await run("runs", "undo", json.run_id, "--yes", "--include-matched")).code).toBe(0);
    expect(await contacts()).toEqual([]);
  });
});

test("a resumed sync doesn't list its steps as rows of the file", async () => {
  const { emulator, syncTo, write, contacts, run, runWith } = await setUpSync();
  const people = createPeople(40);
  await syncTo(people);
  write(people.map((person) => ({ ...person, last: "Anders" })));
  const onJournalStep = (step: Step) => {
    if (step === "recorded") throw new Error("killed");
  };
  const overrides = { ...connectedTo(emulator), onJournalStep };
  const given = [
    ...["contacts", "sync", "kunden.csv", "--group", "Kunden", "--country", "DE"],
    ...["--max-update", "40", "-o", "table"],
  ];
  await runWith({ overrides }, ...given);
  const open = (await contacts()).filter(({ last_name }) => last_name !== "Anders");
  for (const { id } of open) await run("contacts", "update", id, "--last-name", "Anders");
  const resumed = await run(...given);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining("Resuming run")]);
  expect(resumed.stderr).not.toContain("REASON");
  expect(new Set((await contacts()).map(({ last_name }) => last_name))).toEqual(new Set(["Anders"]));
});

describe("the input file of `contacts sync`", () => {
  test.each([["--report"], ["--plan"]])(
    "`contacts sync` never overwrites its input file with %s, even with --force",
    async (flag) => {
      const { syncTo, home } = await setUpSync();
      const people = createPeople(3);
      const { code } = await syncTo(
        people,
        flag,
        "kunden.csv",
        ...(flag === "--plan" ? ["--force"] : []),
        "--yes",
      );
      expect(code).toBe(2);
      expect(readFileSync(join(home, "kunden.csv"), "utf8")).toBe(formatCsv(people));
    },
  );
});
