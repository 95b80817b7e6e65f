import { describe, expect, test } from "vitest";
import { nearestTo } from "../../src/cli/nearest.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeeded } from "../helpers/templates.js";

async function practice() {
  const emulator = await openSeeded({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  return (...argv: string[]) => shell.run("--profile", "offline", ...argv);
}

describe("a mistyped name", () => {
  test.each([
    [["assistants", "get", "Empfan"], "Did you mean Empfang?"],
    [["contacts", "list", "--group", "Patinten"], "Did you mean Patienten?"],
    [["orgs", "get", "havel-ti"], "Did you mean havel-it?"],
    [["orgs", "list", "--parent", "Havel IT-Systemhaus"], "Did you mean 'Havel IT-Systemhaus GmbH'?"],
    [["licenses", "list", "Havel-IT"], "Did you mean havel-it?"],
  ])("in %j brings the nearest one", async (argv, hint) => {
    const run = await practice();
    const { code, stderr } = await run(...argv);
    expect(code).toBe(4);
    expect(stderr).toContain(`hint: ${hint} voxctl `);
  });

  test("of the group of an import brings the nearest one of its type", async () => {
    const emulator = await openSeeded({ seed: "demo" });
    const shell = commandLine({
      overrides: connectedTo(emulator),
      stdin: "Vorname;Telefon\nAnna;+4930123456\n",
    });
    const { code, stderr } = await shell.run(
      ..."--profile offline contacts import - --group Patinten".split(" "),
    );
    expect(code).toBe(4);
    expect(stderr).toContain("Did you mean Patienten? --create-group makes it");
  });

  test("brings none where nothing is near", async () => {
    const run = await practice();
    const { stderr } = await run("assistants", "get", "Buchhaltung");
    expect(stderr).toContain("hint: voxctl assistants list shows those there are");
  });

  test.each([
    ["Empfnag", ["Notdienst", "Empfang"], "Empfang"],
    ["hav", ["nordlicht", "havel-it"], "havel-it"],
    ["EMPFANG", ["Empfang 2", "Empfang"], "Empfang"],
    ["ab", ["cd"], undefined],
    ["", ["a"], undefined],
    ["x", ["y".repeat(1_000)], undefined],
  ])("%j among %j means %j", (typed, names, meant) => {
    const nearest = nearestTo(typed);
    for (const name of names) nearest.consider(name);
    expect(nearest.found).toBe(meant);
  });
});

describe("an organization", () => {
  test("goes by its name, too, everywhere", async () => {
    const run = await practice();
    const byName = (await run("orgs", "get", "Blumen Petersen")).json;
    expect(byName.externalOrganizationId).toBe("blumen-petersen");
    expect((await run("orgs", "delete", "Blumen Petersen", "--yes")).json).toEqual({
      id: byName.id,
      deleted: true,
    });
    expect((await run("licenses", "list", "Havel IT-Systemhaus GmbH")).json.length).toBeGreaterThan(0);
  });

  test("is not guessed where one's name is another's external id", async () => {
    const run = await practice();
    const created = await run(
      ...["orgs", "create", "--type", "msp", "--name", "havel-it", "--external-id", "elbe"],
      ...["--license", "elbe-base"],
    );
    expect(created.code).toBe(0);
    const { code, stderr } = await run("orgs", "delete", "havel-it", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain('2 organizations are named "havel-it"; give the id of one');
  });
});

test("several of one name are called by their plural", async () => {
  const run = await practice();
  const twice = async (...argv: string[]) => {
    await run(...argv);
    await run(...argv);
  };
  await twice("prompts", "create", "--kind", "email", "--name", "Bericht", "--text", "Kurz");
  await twice("glossary", "create", "--group", "Zahnmedizin", "--term", "ZE", "--definition", "Zahnersatz");
  const update = await run("assistants", "update", "Empfang", "--email-prompt", "Bericht");
  expect([update.code, update.stderr]).toEqual([
    2,
    expect.stringContaining("2 prompts of kind email are named"),
  ]);
  const get = await run("glossary", "get", "ZE");
  expect([get.code, get.stderr]).toEqual([2, expect.stringContaining("2 glossary entries are named")]);
});

test("profiles know the verbs of everything else", async () => {
  const shell = commandLine({ env: { WORK_KEY: "a-key" } });
  const url = "https://voice.example.com/api/v1";
  await shell.run("profiles", "add", "work", "--url", url, "--key-env", "WORK_KEY", "--no-check");
  expect((await shell.run("profiles", "get", "work")).json.surfaces.public.url).toBe(url);
  expect((await shell.run("profiles", "delete", "work", "--yes")).json).toEqual({
    name: "work",
    deleted: true,
  });
});

test("a mistyped profile brings the nearest one", async () => {
  const shell = commandLine({ env: { WORK_KEY: "a-key" } });
  const url = "https://voice.example.com/api/v1";
  await shell.run("profiles", "add", "work", "--url", url, "--key-env", "WORK_KEY", "--no-check");
  const told = async (...argv: string[]) => (await shell.run(...argv)).stderr;
  for (const verb of ["show", "use", "remove"])
    expect(await told("profiles", verb, "wrok", "--yes")).toContain("hint: Did you mean work?\n");
  expect(await told("ping", "--profile", "wrok")).toContain("hint: Did you mean work? voxctl profiles add");
});
