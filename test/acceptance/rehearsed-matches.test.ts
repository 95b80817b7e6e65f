import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin } from "../helpers/installed-cli.js";
import { openRehearsedSource } from "../helpers/rehearsal.js";

const people = "Vorname;Nachname;Telefon\nAda;Weiß;+491510000001\nIda;Weiß;+491510000002\n";
const importing = ["contacts", "import", "kunden.csv", "--on-match", "update"];

async function rehearsedOffice(command: readonly string[]) {
  const source = await openRehearsedSource({ mirror: false });
  const { line } = source;
  await line.run("groups", "create", "--type", "contacts", "--name", "Neukunden");
  const create = async (...fields: string[]) => {
    const created = await line.run("contacts", "create", "--group", "Neukunden", ...fields);
    expect(created.code, created.stderr).toBe(0);
    return created.json;
  };
  const ada = await create("--first-name", "Ada", "--phone-number", "+491510000001");
  expect((await line.run("mirror", "create", "acme")).code).toBe(0);
  writeFileSync(join(line.home, "kunden.csv"), people);
  const words = [...command, "--group", "Neukunden"];
  const rehearsed = await line.run("rehearse", "--plan", "k.plan", "--", process.execPath, bin, ...words);
  expect(rehearsed.code, rehearsed.stderr).toBe(0);
  const check = () => line.run("plan", "check", "k.plan");
  const apply = () => line.run("apply", "k.plan", "--yes");
  await source.writes();
  return { ...source, ada, create, check, apply };
}

describe("[P4] applying the plan file of a rehearsed command", () => {
  test.each([
    ["import", importing],
    ["synchronization", ["contacts", "sync", "kunden.csv"]],
  ])(
    "after a rehearsed %s, `apply` creates no contact if its number is already in use",
    async (_, command) => {
      const { create, check, apply, writes } = await rehearsedOffice(command);
      await create("--first-name", "Bernd", "--last-name", "Neu", "--phone-number", "+49 151 0000002");
      await writes();
      const reason = 'a resource with phone_numbers "+491510000002" already exists';
      const { code, json } = await check();
      expect([code, json]).toEqual([10, expect.arrayContaining([expect.objectContaining({ reason })])]);
      expect(await apply()).toMatchObject({ code: 10, stderr: expect.stringContaining(reason) });
      expect(await writes()).toEqual([]);
    },
  );

  test("`apply` refuses to update a contact that no longer has the matched number", async () => {
    const { line, ada, apply } = await rehearsedOffice(importing);
    await line.run("contacts", "update", ada.id, "--phone-number", "+491510000009");
    const changed = 'phone_numbers: expected ["+491510000001"], found ["+491510000009"]';
    expect(await apply()).toMatchObject({ code: 10, stderr: expect.stringContaining(changed) });
  });

  test("after a rehearsed --on-match create, `apply` accepts a contact with an existing number", async () => {
    const command = ["contacts", "import", "kunden.csv", "--on-match", "create"];
    const { create, apply } = await rehearsedOffice(command);
    await create("--first-name", "Bernd", "--phone-number", "+491510000002");
    expect((await apply()).code).toBe(0);
  });
});
