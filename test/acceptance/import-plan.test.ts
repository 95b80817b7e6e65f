import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setUpApply } from "../helpers/set-up-apply.js";

const file =
  "Vorname;Nachname;Telefon\nAda;Weiß;+491510000001\nIda;Weiß;+491510000002\nAda;Weiß;+491510000001\n";

async function setUp() {
  const shell = await setUpApply(0);
  writeFileSync(join(shell.home, "kunden.csv"), file);
  const seal = (...flags: string[]) =>
    shell.run(
      "contacts",
      "import",
      "kunden.csv",
      "--group",
      "Kunden",
      "--plan",
      "kunden.plan",
      "-o",
      "json",
      ...flags,
    );
  return { ...shell, seal };
}

describe("contacts import --plan", () => {
  test("`apply` of a plan file from `contacts import` has the same result as the import itself", async () => {
    const { seal, apply, list, writes, run } = await setUp();
    const before = (await writes()).length;
    const sealed = await seal();
    expect(sealed.code).toBe(0);
    expect(sealed.json).toMatchObject({ run_id: null, created: 2, duplicates: 1, plan: "kunden.plan" });
    expect((await writes()).length).toBe(before);
    const shown = await run("plan", "show", "kunden.plan", "-o", "json");
    expect(shown.json).toMatchObject({
      id: sealed.json.plan_id,
      header: {
        command: ["contacts", "import", "kunden.csv", "--group", "Kunden"],
        summary: { contacts: { created: 2, updated: 0, deleted: 0 } },
      },
    });
    expect((await apply()).code).toBe(0);
    expect((await list()).map(({ first_name }: { first_name: string }) => first_name).sort()).toEqual([
      "Ada",
      "Ida",
    ]);
    const again = await run("contacts", "import", "kunden.csv", "--group", "Kunden", "-o", "json");
    expect(again.json).toMatchObject({ created: 0, updated: 0 });
  });

  test("`apply` refuses to overwrite a change that was made after the plan file was saved", async () => {
    const { seal, apply, json, group, home } = await setUp();
    const contact = await json(
      ...["contacts", "create", "--group", group, "--first-name", "Ada", "--phone-number", "+491510000001"],
    );
    writeFileSync(join(home, "kunden.csv"), "Vorname;Nachname;Telefon\nAda;Weiß;+491510000001\n");
    expect((await seal("--on-match", "update")).json).toMatchObject({ updated: 1 });
    await json("contacts", "update", contact.id, "--last-name", "Anders");
    const drifted = await apply();
    expect([drifted.code, drifted.stderr]).toEqual([10, expect.stringContaining('found "Anders"')]);
    await json("contacts", "update", contact.id, "--last-name", "");
    expect((await apply()).code).toBe(0);
    expect(await json("contacts", "get", contact.id)).toMatchObject({ last_name: "Weiß" });
  });

  test("[P4] `apply` refuses an update if a contact with a different name has the row's number", async () => {
    const { seal, apply, json, group, home, list, run } = await setUp();
    const create = (name: string, number: string) =>
      json("contacts", "create", "--group", group, "--first-name", name, "--phone-number", number);
    const ada = await create("Ada", "+491510000001");
    writeFileSync(
      join(home, "kunden.csv"),
      "Vorname;Telefon;E-Mail\nAda;+491510000001;ada@example.com\nIda;+491510000002;\nUdo;;udo@example.com\n",
    );
    const updating = ["--on-match", "update"];
    expect((await seal(...updating)).json).toMatchObject({ updated: 1, created: 2 });
    await json("contacts", "update", ada.id, "--phone-number", "+491510000009");
    await create("Bernd", "+49 151 0000002");
    await json("contacts", "create", "--group", group, "--first-name", "U", "--email", "Udo@Example.com");
    const before = await list();
    const drifted = await apply();
    expect([drifted.code, drifted.stderr]).toEqual([
      10,
      expect.stringContaining("is outdated: 3 steps no longer apply"),
    ]);
    expect(drifted.stderr).toContain('phone_numbers: expected ["+491510000001"], found ["+491510000009"]');
    expect(drifted.stderr).toContain('a resource with phone_numbers "+491510000002" already exists');
    expect((await run("plan", "check", "kunden.plan")).code).toBe(10);
    expect(await list()).toEqual(before);
    expect((await seal(...updating, "--force")).json).toMatchObject({ updated: 2, created: 1 });
    expect((await apply()).code).toBe(0);
    expect((await list()).map(({ first_name }: { first_name: string }) => first_name).sort()).toEqual([
      ...["Ada", "Ada", "Ida", "Udo"],
    ]);
  });

  test("[P4] `apply` creates a contact even if others with different names share the number", async () => {
    const { seal, apply, json, group, home, list } = await setUp();
    for (const name of ["Eva", "Uwe"])
      await json(
        "contacts",
        "create",
        "--group",
        group,
        "--first-name",
        name,
        "--phone-number",
        "+491510000001",
      );
    writeFileSync(join(home, "kunden.csv"), "Vorname;Telefon\nAda;+491510000001\nIda;+491510000002\n");
    const named = ["--match", "phone,name"];
    expect((await seal(...named)).json).toMatchObject({ created: 2 });
    await json(
      "contacts",
      "create",
      "--group",
      group,
      "--first-name",
      "Udo",
      "--phone-number",
      "+491510000002",
    );
    expect((await apply()).code).toBe(0);
    expect((await list()).length).toBe(5);
    expect((await seal(...named, "--force")).json).toMatchObject({ created: 0 });
  });

  test("if two rows match the same contact by name, the plan file has a step for each row", async () => {
    const { seal, apply, json, group, home } = await setUp();
    const ada = await json(
      ...["contacts", "create", "--group", group, "--first-name", "Ada"],
      ...["--phone-number", "+491510000001", "--phone-number", "+491510000002"],
    );
    const rows = [
      "Vorname;Telefon;E-Mail",
      "Ada;+491510000001;a@example.com",
      "Ada;+491510000002;b@example.com",
    ];
    writeFileSync(join(home, "kunden.csv"), rows.join("\n"));
    expect((await seal("--on-match", "update")).json).toMatchObject({ updated: 2 });
    expect((await apply()).code).toBe(0);
    expect(await json("contacts", "get", ada.id)).toMatchObject({
      emails: ["a@example.com", "b@example.com"],
    });
  });

  test("a plan file includes the creation of the group", async () => {
    const { run, apply, list } = await setUp();
    const importing = [
      "contacts",
      "import",
      "kunden.csv",
      "--group",
      "Neu",
      "--create-group",
      "--plan",
      "kunden.plan",
    ];
    expect((await run(...importing)).code).toBe(0);
    expect((await list("groups")).map(({ name }: { name: string }) => name)).not.toContain("Neu");
    const [second, forced] = [await run(...importing), await run(...importing, "--force")];
    expect([second.code, forced.code]).toEqual([12, 0]);
    expect((await apply()).json).toMatchObject({ created: 3 });
    expect(await list()).toHaveLength(2);
  });

  test("if a passphrase is set, plan files are encrypted", async () => {
    const { seal, home, runWith, list } = await setUp();
    expect((await seal("--encrypt-env", "PLAN_KEY")).code).toBe(2);
    const env = { PLAN_KEY: "korrekt Pferd" };
    const run = (...argv: string[]) => runWith({ env }, ...argv, "--encrypt-env", "PLAN_KEY");
    const importing = ["contacts", "import", "kunden.csv", "--group", "Kunden", "--plan", "kunden.plan"];
    expect((await run(...importing)).code).toBe(0);
    expect(readFileSync(join(home, "kunden.plan"), "latin1")).not.toContain("Ida");
    expect((await runWith({}, "apply", "kunden.plan", "--yes")).code).toBe(2);
    const shown = (await run("plan", "show", "kunden.plan", "--format", "text")).stdout;
    expect(shown).toContain("Ida");
    expect(shown).toContain("contacts import kunden.csv --group Kunden\n");
    const wrong = { env: { PLAN_KEY: "falsches Pferd" } };
    const refused = await runWith(wrong, "plan", "show", "kunden.plan", "--encrypt-env", "PLAN_KEY");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("the passphrase is wrong")]);
    expect((await run("plan", "check", "kunden.plan")).code).toBe(0);
    expect((await run("apply", "kunden.plan", "--yes")).code).toBe(0);
    expect(await list()).toHaveLength(2);
  });

  test("each command that writes a plan file has the flags --encrypt-env and --force", async () => {
    const { run } = await setUp();
    interface Listed {
      command: string;
      commands?: Listed[];
      flags?: { name: string; value?: string }[];
    }
    const all = (command: Listed): Listed[] => [command, ...(command.commands ?? []).flatMap(all)];
    const names = ({ flags = [] }: Listed) => flags.map(({ name }) => name);
    const writing = all((await run("commands", "-o", "json")).json).filter(
      (command) =>
        command.command === "voxctl config plan" ||
        (command.flags ?? []).some(({ name, value }) => /^(fix-)?plan$/.test(name) && value === "file"),
    );
    expect(writing.map(({ command }) => command)).toContain("voxctl contacts dedupe");
    expect(writing.length).toBeGreaterThan(10);
    const wanting = writing.filter(
      (command) => !["encrypt-env", "force"].every((name) => names(command).includes(name)),
    );
    expect(wanting.map(({ command }) => command)).toEqual([]);
  });

  test.each([
    ["glossary", "glossaries", "term,definition\nPZR,Zahnreinigung\nOPG,Panoramabild\n"],
    ["pronunciation", "pronunciations", "token,replacement\nPZR,P Z R\nOPG,O P G\n"],
  ])("%s import --plan saves a plan file", async (noun, type, text) => {
    const { run, apply, list, home } = await setUp();
    writeFileSync(join(home, "items.csv"), text);
    const sealed = await run(
      ...[
        noun,
        "import",
        "items.csv",
        "--group",
        "Praxis",
        "--create-group",
        "--plan",
        "kunden.plan",
        "-o",
        "json",
      ],
    );
    expect([sealed.code, sealed.json.created]).toEqual([0, 2]);
    expect((await apply()).json).toMatchObject({ created: 3, steps: { done: 3 } });
    expect(await list(noun)).toHaveLength(2);
    expect(
      (await list("groups")).filter(
        (group: { type: string; name: string }) => group.type === type && group.name === "Praxis",
      ),
    ).toHaveLength(1);
  });

  test("`apply` creates and updates items from plan files of `knowledge import`", async () => {
    const { run, apply, list, home, json } = await setUp();
    mkdirSync(join(home, "wissen"));
    writeFileSync(join(home, "wissen", "a.md"), "# Öffnungszeiten\n\nMo bis Fr\n");
    const importing = ["knowledge", "import", "wissen", "--group", "Wissen", "--create-group", "-o", "json"];
    const sealed = await run(...importing, "--plan", "kunden.plan");
    expect([sealed.code, sealed.json.created]).toEqual([0, 1]);
    expect((await apply()).code).toBe(0);
    const [item] = await list("knowledge");
    writeFileSync(join(home, "wissen", "a.md"), "# Öffnungszeiten\n\nMo bis Sa\n");
    expect((await run(...importing, "--plan", "kunden.plan", "--force")).json).toMatchObject({ updated: 1 });
    expect((await apply()).code).toBe(0);
    expect((await json("knowledge", "get", item.id)).text).toContain("Sa");
  });
});
