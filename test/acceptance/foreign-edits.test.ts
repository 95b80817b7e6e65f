// Another user edits a contact during an update. voxctl must not mistake the edit for a normalized value.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { createColleague, editContact } from "../helpers/foreign-edits.js";
import { createPeople, parseError, setUpSync } from "../helpers/sync.js";

const whole = process.env["PROOF"] !== undefined;
const seed = Number(process.env["PROOF_SEED"] ?? (whole ? Date.now() % 1e6 : 3));

async function setUp(...flags: string[]) {
  const colleague = createColleague();
  let steps = 0;
  let endAt = 0;
  const group = await setUpSync({
    around: colleague.around,
    overrides: {
      onJournalStep: (step) => {
        if (step !== "sent") return;
        steps += 1;
        if (steps === endAt) throw new Error("the process ends here");
      },
    },
  });
  const { run, syncTo, write, contacts } = group;
  const [ben = { first: "" }] = createPeople(1);
  expect((await syncTo([ben], ...flags)).json).toMatchObject({ created: 1 });
  write([{ ...ben, first: "Benno" }]);
  return {
    ...group,
    edit: () => editContact(group.emulator, 0, { last_name: "Boss" }),
    editsAt: (when: Parameters<typeof colleague.edits>[0], nth = 0) =>
      colleague.edits(when, (emulator) => editContact(emulator, nth, { last_name: "Boss" })),
    endAtFirstWrite(isEnding: boolean) {
      steps = 0;
      endAt = isEnding ? 1 : 0;
    },
    importAs: (onMatch: string) =>
      run(
        ...["contacts", "import", "kunden.csv", "--group", "Kunden", "--country", "DE"],
        ...["--on-match", onMatch, "-o", "json", ...flags],
      ),
    names: async () => (await contacts()).map(({ first_name, last_name }) => [first_name, last_name]),
  };
}

const keys = [
  ["with keys", ["--key", "Kundennummer"]],
  ["without keys", []],
] as const;

describe.each(keys)("changes by other users, %s", (_, flags) => {
  test("a sync's plan file is outdated if another user changed one of its contacts", async () => {
    const { run, sync, edit, names } = await setUp(...flags);
    expect((await sync(...flags, "--plan", "d.plan")).code).toBe(0);
    await edit();
    const refused = await run("apply", "d.plan", "--yes", "-o", "json");
    expect(refused.code).toBe(10);
    expect(refused.stderr).toContain('last_name: expected \\"Nach0\\", found \\"Boss\\"');
    const skipped = await run("apply", "d.plan", "--yes", "--skip-drifted", "-o", "json");
    expect(skipped).toMatchObject({ code: 68, json: { updated: 0, steps: { skipped: 1 } } });
    expect((await sync(...flags)).json).toMatchObject({ updated: 1, drifted: 0 });
    expect(await names()).toEqual([["Benno", "Nach0"]]);
  });

  test("a sync skips a contact that another user changed right before its update", async () => {
    const { sync, editsAt, names } = await setUp(...flags);
    let reads = 0;
    // Once it has read the group's list twice, voxctl reads only the contact itself.
    editsAt(({ method, path }) => {
      if (method === "GET" && path.endsWith("/contacts")) reads += 1;
      return reads === 2;
    });
    expect(await sync(...flags)).toMatchObject({ code: 68, json: { updated: 0, drifted: 1 } });
    expect(await names()).toEqual([["Vor0", "Boss"]]);
    expect(await sync(...flags)).toMatchObject({ code: 0, json: { updated: 1 } });
    expect(await names()).toEqual([["Benno", "Nach0"]]);
    expect((await sync(...flags)).json).toMatchObject({ updated: 0, unchanged: 1 });
  });

  test("a sync reports another user's change that appears only in the update's response", async () => {
    const { sync, editsAt, names } = await setUp(...flags);
    editsAt(({ method }) => method === "PATCH");
    const synced = await sync(...flags);
    expect(synced).toMatchObject({ code: 68, json: { updated: 1, drifted: 0, changed_elsewhere: 1 } });
    expect(parseError(synced.stderr)).toMatchObject({ code: "changed_elsewhere" });
    expect(readFileSync(synced.json.report, "utf8")).toContain(
      '"changed_elsewhere":[{"field":"last_name","expected":"Nach0","found":"Boss"}]',
    );
    expect(await names()).toEqual([["Benno", "Boss"]]);
    expect((await sync(...flags)).json).toMatchObject({ updated: 1 });
    expect(await names()).toEqual([["Benno", "Nach0"]]);
  });

  test("a sync corrects another user's change to a contact whose create had no response", async () => {
    const { sync, emulator, write, editsAt, names } = await setUp(...flags);
    const [ben = { first: "" }, vera = { first: "" }] = createPeople(2);
    write([vera, ben]);
    await emulator.control("POST", "/faults", {
      ...{ kind: "drop_after", operation: "contacts.create", times: 1 },
    });
    let isCreated = false;
    // The list contains the contact as it was sent. The edit precedes the reading of the contact itself.
    editsAt(({ method, path }) => {
      isCreated ||= method === "POST";
      return isCreated && method === "GET" && path.endsWith("/contacts");
    }, 1);
    expect(await sync(...flags)).toMatchObject({ code: 0, json: { created: 1 } });
    expect((await names()).map(([, last]) => last).sort()).toEqual(["Boss", "Nach0"]);
    expect((await sync(...flags)).json).toMatchObject({ updated: 1 });
    expect((await names()).map(([, last]) => last).sort()).toEqual(["Nach0", "Nach1"]);
  });

  test("a resumed sync overwrites changes that were made after the sync was killed", async () => {
    const { sync, edit, endAtFirstWrite, names } = await setUp(...flags);
    endAtFirstWrite(true);
    await sync(...flags);
    endAtFirstWrite(false);
    await edit();
    await sync(...flags);
    await sync(...flags);
    expect(await names()).toEqual([["Benno", "Nach0"]]);
  });

  test.each(["replace", "update"])(
    "an import with --on-match %s reports another user's change",
    async (onMatch) => {
      const { importAs, editsAt, names } = await setUp(...flags);
      editsAt(({ method }) => method === "PATCH");
      const imported = await importAs(onMatch);
      expect(imported).toMatchObject({ code: 68, json: { updated: 1, changed_elsewhere: 1 } });
      expect(await names()).toEqual([["Benno", "Boss"]]);
      expect(await importAs(onMatch)).toMatchObject({ code: 0, json: { updated: 1 } });
      expect(await names()).toEqual([["Benno", "Nach0"]]);
      expect(await importAs(onMatch)).toMatchObject({ code: 0, json: { updated: 0, unchanged: 1 } });
    },
  );

  test("a resumed import overwrites changes that were made after the import was killed", async () => {
    const { importAs, edit, endAtFirstWrite, names } = await setUp(...flags);
    endAtFirstWrite(true);
    await importAs("replace");
    endAtFirstWrite(false);
    await edit();
    await importAs("replace");
    await importAs("replace");
    expect(await names()).toEqual([["Benno", "Nach0"]]);
  });
});

test("a sync detects changed contacts even with a key map from an earlier version of voxctl", async () => {
  const { home, sync, edit, write, names } = await setUp("--state", "state.jsonl");
  const flags = ["--state", "state.jsonl"];
  expect((await sync(...flags)).json).toMatchObject({ updated: 1 });
  await edit();
  const path = join(home, "state.jsonl");
  const text = readFileSync(path, "utf8");
  // In version 1, the state file stored the other user's edit as the service's response.
  writeFileSync(
    path,
    text
      .replace('"voxctl_state":2', '"voxctl_state":1')
      .replace(/("answer":.*"last_name":)"Nach0"/, '$1"Boss"'),
  );
  expect((await sync(...flags)).json).toMatchObject({ updated: 1 });
  expect(await names()).toEqual([["Benno", "Nach0"]]);
  write([{ ...createPeople(1)[0], first: "Benno" }]);
  expect((await sync(...flags)).json).toMatchObject({ updated: 0, unchanged: 1 });
});

const rounds = whole ? 100 : 4;

test.each(Array.from({ length: rounds }, (_, index) => [index]))(
  `import %i of seed ${seed}: a second import overwrites edits made during the first`,
  async (index) => {
    const draw = (...names: (string | number)[]) => seededDraw(seed, "imports", index, ...names);
    const colleague = createColleague();
    const { run, syncTo, write, contacts } = await setUpSync({ around: colleague.around });
    const people = createPeople(3 + Math.floor(draw("size") * 10));
    const flags = draw("keyed") < 0.5 ? ["--key", "Kundennummer"] : [];
    await syncTo(people, ...flags);
    const file = people.map((person) =>
      draw("changed", person.key ?? "") < 0.5 ? { ...person, first: `Neu${person.key}` } : person,
    );
    write(file);
    const onMatch = draw("replaces") < 0.7 ? "replace" : "update";
    const importFile = () =>
      run(
        ...["contacts", "import", "kunden.csv", "--group", "Kunden", "--country", "DE", "-o", "json"],
        ...["--on-match", onMatch, ...(onMatch === "replace" ? ["--max-update", "100%"] : []), ...flags],
      );
    const at = 1 + Math.floor(draw("at") * (4 + file.length));
    colleague.edits(
      ({ number }) => number === at,
      (emulator) =>
        editContact(emulator, Math.floor(draw("contact") * 100), {
          [draw("field") < 0.5 ? "first_name" : "last_name"]: "Fremd",
        }),
    );
    expect([0, 68]).toContain((await importFile()).code);
    colleague.stop();
    expect((await importFile()).code).toBe(0);
    expect((await contacts()).map(({ first_name, last_name }) => [first_name, last_name])).toEqual(
      file.map(({ first, last }) => [first, last]),
    );
    expect((await importFile()).json).toMatchObject({ created: 0, updated: 0 });
  },
);
