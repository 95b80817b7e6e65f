import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin } from "../helpers/installed-cli.js";
import { openRehearsedSource } from "../helpers/rehearsal.js";
import { createPeople, formatCsv, type Person } from "../helpers/sync.js";

const people = createPeople(3);
const moved: Person[] = people.map(({ key = "" }, index) => ({
  key,
  first: `Neu${index}`,
  phone: `0160 ${20000000 + index}`,
}));
const anything = ["--max-update", "100%", "--accept-rekey"];

async function keyedOffice() {
  const source = await openRehearsedSource({ mirror: false });
  const { line } = source;
  const groups = async (...names: string[]) => {
    for (const name of names) await line.run("groups", "create", "--type", "contacts", "--name", name);
  };
  await groups("Neukunden", "Altkunden");
  expect((await line.run("mirror", "create", "acme")).code).toBe(0);
  const write = (rows: readonly Person[]) => writeFileSync(join(line.home, "kunden.csv"), formatCsv(rows));
  const words = (group: string, ...more: string[]) => [
    ...["contacts", "sync", "kunden.csv", "--group", group, "--country", "DE", "--key", "Kundennummer"],
    ...["-o", "json", ...more],
  ];
  const sync = (...more: string[]) => line.run(...words("Neukunden", ...more));
  const seal = ["rehearse", "--profile", "acme", "--plan", "kunden.plan", "--"];
  const rehearse = (...command: string[]) => line.run(...seal, process.execPath, bin, ...command);
  return { ...source, write, words, sync, rehearse, seal };
}

describe("[R2a] a synchronization by keys that is rehearsed and applied", () => {
  test.each([
    ["in the data directory", []],
    ["in the --state file", ["--state", "keys.jsonl"]],
  ])("after a rehearsed sync is applied, the next sync uses the keys %s", async (_, state) => {
    const { line, write, words, sync, rehearse } = await keyedOffice();
    write(people);
    const rehearsed = await rehearse(...words("Neukunden", ...state));
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    const applied = await line.run("apply", "kunden.plan", "--yes", "-o", "json");
    expect(applied.json).toMatchObject({ created: 3 });
    write(moved);
    expect((await sync(...state, ...anything)).json).toMatchObject({ created: 0, updated: 3 });
  });

  test("`apply` finds the --state file relative to the rehearsal's directory", async () => {
    const { line, write, words, sync, rehearse } = await keyedOffice();
    write(people);
    await rehearse(...words("Neukunden", "--state", "keys.jsonl"));
    mkdirSync(join(line.home, "elsewhere"));
    const cwd = join(line.home, "elsewhere");
    const applied = await line.runWith({ cwd }, "apply", "../kunden.plan", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    write(moved);
    const ran = await sync("--state", "keys.jsonl", ...anything);
    expect(ran.json).toMatchObject({ created: 0, updated: 3 });
  });

  test("undoing a rehearsed and applied sync removes the new keys", async () => {
    const { line, write, words, sync, rehearse } = await keyedOffice();
    write(people);
    await rehearse(...words("Neukunden"));
    const { json } = await line.run("apply", "kunden.plan", "--yes", "-o", "json");
    expect((await line.run("runs", "undo", json.run_id, "--yes")).code).toBe(0);
    expect((await sync()).json).toMatchObject({ created: 3, updated: 0 });
  });

  test("a sync matches a contact by its key after a rehearsed update", async () => {
    const { line, write, words, sync, rehearse } = await keyedOffice();
    write(people);
    await sync();
    await line.run("mirror", "refresh", "acme");
    write(moved);
    const rehearsed = await rehearse(...words("Neukunden", ...anything));
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    await line.run("apply", "kunden.plan", "--yes");
    expect((await sync(...anything)).json).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    write(people);
    expect((await sync(...anything)).json).toMatchObject({ created: 0, updated: 3 });
  });

  test("`apply` saves the keys of a group that the plan file creates", async () => {
    const { line, write, rehearse } = await keyedOffice();
    write(people);
    const words = ["contacts", "import", "kunden.csv", "--group", "Frisch", "--country", "DE"];
    const keyed = [...words, "--key", "Kundennummer", "-o", "json"];
    const rehearsed = await rehearse(...keyed, "--create-group");
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    const applied = await line.run("apply", "kunden.plan", "--yes", "-o", "json");
    expect(applied.json).toMatchObject({ created: 4 });
    write(moved);
    const ran = await line.run(...keyed, "--on-match", "replace", ...anything);
    expect(ran.json).toMatchObject({ created: 0, updated: 3 });
  });

  test("`rehearse` refuses a plan file if the command saved keys for contacts of two groups", async () => {
    const { line, write, words, seal, script } = await keyedOffice();
    write(people);
    const commands = [words("Neukunden"), words("Altkunden")];
    const calls = commands.map(
      (argv) =>
        `require("node:child_process").execFileSync(process.execPath, ${JSON.stringify([bin, ...argv])});`,
    );
    const rehearsed = await line.run(...seal, ...script(calls.join("\n")));
    expect([rehearsed.code, rehearsed.stderr]).toEqual([12, expect.stringContaining("keys for 2 groups")]);
  });
});
