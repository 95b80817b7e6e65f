import { describe, expect, test } from "vitest";
import { createSuggester } from "../../src/base/suggestions.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function practice() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  return (...argv: string[]) => shell.run("--profile", "offline", ...argv);
}

describe("a mistyped name", () => {
  test.each([
    [["assistants", "get", "Empfan"], "did you mean Empfang?"],
    [["contacts", "list", "--group", "Patinten"], "did you mean Patienten?"],
    [["orgs", "get", "havel-ti"], "did you mean havel-it?"],
    [["orgs", "list", "--parent", "Havel IT-Systemhaus"], "did you mean 'Havel IT-Systemhaus GmbH'?"],
    [["licenses", "list", "Havel-ITT"], "did you mean havel-it?"],
    [["contacts", "get", "Wolf"], "did you mean one of 6 names, such as 'Thomas Wolf'?"],
    [["orgs", "get", "sommer"], "did you mean praxis-sommer?"],
    [["groups", "get", "Praxis"], "did you mean Praxiswissen or Praxisteam?"],
  ])("the error for %j suggests similar names", async (argv, hint) => {
    const run = await practice();
    const { code, stderr } = await run(...argv);
    expect(code).toBe(4);
    expect(stderr).toContain(`hint: ${hint} to `);
  });

  test("for a mistyped group, an import suggests the nearest group of the imported type", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const shell = commandLine({
      overrides: connectedTo(emulator),
      stdin: "Vorname;Telefon\nAnna;+4930123456\n",
    });
    const { code, stderr } = await shell.run(
      ..."--profile offline contacts import - --group Patinten".split(" "),
    );
    expect(code).toBe(4);
    expect(stderr).toContain("did you mean Patienten? use --create-group to create it");
  });

  test("a mistyped name gets no suggestion if no name is similar", async () => {
    const run = await practice();
    const { stderr } = await run("assistants", "get", "Buchhaltung");
    expect(stderr).toContain("hint: to list the assistants, run `voxctl assistants list`");
  });

  test.each([
    ["Empfnag", ["Notdienst", "Empfang"], "Empfang"],
    ["hav", ["nordlicht", "havel-it"], "havel-it"],
    ["EMPFANG", ["Empfang 2", "Empfang"], "Empfang"],
    [
      "Müller-Lüdenscheidt",
      ["Mia Meyer-Lüdenscheidt", "Meyer-Lüdenscheid", "Jürgen Müller-Lüdenscheidt"],
      "Jürgen Müller-Lüdenscheidt",
    ],
    ["ab", ["cd"], undefined],
    ["", ["a"], undefined],
    ["x", ["y".repeat(1_000)], undefined],
  ])("the nearest name to %j among %j is %j", (typed, names, expectedName) => {
    const nearest = createSuggester(typed);
    for (const name of names) nearest.consider(name);
    expect(nearest.suggestion).toBe(expectedName);
  });
});

describe("an organization's name", () => {
  test("every command accepts an organization's name", async () => {
    const run = await practice();
    const byName = (await run("orgs", "get", "Blumen Petersen")).json;
    expect(byName.externalOrganizationId).toBe("blumen-petersen");
    expect((await run("orgs", "delete", "Blumen Petersen", "--yes")).json).toEqual({
      id: byName.id,
      deleted: true,
    });
    expect((await run("licenses", "list", "Havel IT-Systemhaus GmbH")).json.length).toBeGreaterThan(0);
  });

  test("`orgs list --search` finds an organization by a part of its name", async () => {
    const run = await practice();
    const result = await run("orgs", "list", "--search", "SOMMER dr");
    expect(result.json.map((row: Record<string, string>) => row["externalOrganizationId"])).toEqual([
      "praxis-sommer",
    ]);
    expect((await run("orgs", "get", "zahn sommer")).stderr).toContain(
      "voxctl orgs list --search 'zahn sommer'",
    );
  });

  test("names match regardless of case", async () => {
    const run = await practice();
    expect((await run("orgs", "get", "HAVEL-IT")).json.externalOrganizationId).toBe("havel-it");
    expect((await run("licenses", "list", "havel it-systemhaus gmbh")).json.length).toBeGreaterThan(0);
    const [{ assistant_id: assistantId }] = (await run("calls", "list", "--assistant", "EMPFANG")).json;
    expect(assistantId).toBe((await run("assistants", "get", "Empfang")).json.id);
    for (const name of ["ab", "AB"])
      await run("prompts", "create", "--kind", "email", "--name", name, "--text", "x");
    expect((await run("prompts", "get", "AB")).json.name).toBe("AB");
    const either = await run("prompts", "get", "Ab");
    expect([either.code, either.stderr]).toEqual([2, expect.stringMatching(/\(ab, email\).*\(AB, email\)/)]);
  });

  test("a name is refused if it is also the external ID of another organization", async () => {
    const run = await practice();
    const created = await run(
      ...["orgs", "create", "--type", "msp", "--name", "havel-it", "--external-id", "elbe"],
      ...["--license", "elbe-base"],
    );
    expect(created.code).toBe(0);
    const { code, stderr } = await run("orgs", "delete", "havel-it", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain('2 organizations are named "havel-it"; use one of these IDs');
  });
});

test("the error for an ambiguous name uses the plural of the resource", async () => {
  const run = await practice();
  const twice = async (...argv: string[]) => {
    await run(...argv);
    await run(...argv);
  };
  await twice("prompts", "create", "--kind", "email", "--name", "Bericht", "--text", "Kurz");
  await twice("glossary", "create", "--group", "Zahnmedizin", "--term", "ZE", "--definition", "Zahnersatz");
  const update = await run("assistants", "update", "Empfang", "--email-prompt", "Bericht");
  expect([update.code, update.stderr]).toEqual([2, expect.stringContaining("2 email prompts are named")]);
  const get = await run("glossary", "get", "ZE");
  expect([get.code, get.stderr]).toEqual([2, expect.stringContaining("2 glossary entries are named")]);
});

test("`profiles get` shows a profile, and `profiles delete` deletes a profile", async () => {
  const shell = commandLine({ env: { WORK_KEY: "a-key" } });
  const url = "https://voice.example.com/api/v1";
  await shell.run("profiles", "add", "work", "--url", url, "--key-env", "WORK_KEY", "--no-check");
  expect((await shell.run("profiles", "get", "work")).json.apis.public.url).toBe(url);
  expect((await shell.run("profiles", "delete", "work", "--yes")).json).toEqual({
    name: "work",
    deleted: true,
  });
});

test("for a mistyped profile, the error suggests the nearest name", async () => {
  const shell = commandLine({ env: { WORK_KEY: "a-key" } });
  const url = "https://voice.example.com/api/v1";
  await shell.run("profiles", "add", "work", "--url", url, "--key-env", "WORK_KEY", "--no-check");
  const stderrOf = async (...argv: string[]) => (await shell.run(...argv)).stderr;
  for (const verb of ["show", "use", "remove"])
    expect(await stderrOf("profiles", verb, "wrok", "--yes")).toContain("hint: did you mean work?\n");
  expect(await stderrOf("ping", "--profile", "wrok")).toContain("hint: did you mean work?\n");
});

describe("names instead of IDs in tables", () => {
  /** Removes the cursor that the test invented, so that the emulator returns the first page. */
  const withoutCursor = ({ path }: { path: string }) => ({ path: path.replace(/&?cursor=[^&]*/, "") });
  const startTime = "2026-03-02T09:00:00.000Z";
  async function practice(reshape: Parameters<typeof reshapeResponses>[1] = () => undefined) {
    const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual", startTime });
    const shell = commandLine({ overrides: reshapeResponses(emulator, reshape, withoutCursor) });
    const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
    const requests = async () =>
      ((await emulator.control("GET", "/requests?limit=200")) as { path: string }[]).map(({ path }) => path);
    return { run, requests };
  }

  test("tables show names of groups and assistants, and JSON shows IDs", async () => {
    const { run, requests } = await practice();
    expect((await run("calls", "list", "-o", "table")).stdout).toMatch(/Empfang|Notdienst|Terminservice/);
    const before = (await requests()).length;
    const contacts = await run("contacts", "list", "-o", "table");
    expect((await requests()).length - before).toBe(2);
    const [header = "", first = ""] = contacts.stdout.split("\n");
    expect(first.slice(header.indexOf("GROUP"))).not.toMatch(/[0-9a-f]{24}/);
    expect((await run("contacts", "list", "-o", "json")).json[0].group_id).toMatch(/^[0-9a-f]{24}$/);
  });

  test("a table shows IDs if the list of names can't be read or has more than two pages", async () => {
    const endless = await practice(({ path }, { body }) =>
      /\/groups\?/.test(path)
        ? { body: { ...body, meta: { has_more: true, next_cursor: `c${Math.random()}` } } }
        : undefined,
    );
    const long = await endless.run("contacts", "list", "-o", "table");
    expect(long.code).toBe(0);
    expect(long.stdout.split("\n")[1]).toMatch(/[0-9a-f]{24}$/);
    expect((await endless.requests()).filter((path) => path.includes("/groups"))).toHaveLength(2);
    const refused = await practice(({ path }) =>
      /\/groups\?/.test(path)
        ? { status: 403, body: { error: { code: "forbidden", message: "no" } } }
        : undefined,
    );
    expect((await refused.run("contacts", "list", "-o", "table")).code).toBe(0);
  });

  test("tables and CSV of usage, billing and licenses show names of organizations", async () => {
    const { run } = await practice(({ path }, { body }) =>
      /\/v2\/usage|billing-summary/.test(path)
        ? { body: JSON.parse(JSON.stringify(body).replace(/"externalOrganizationId":"[^"]*",/g, "")) }
        : undefined,
    );
    const usage = await run("usage", "--from", "30d", "-o", "csv");
    expect(usage.stdout.split("\n")[0]).toContain("organizationName");
    expect(usage.stdout).toContain("praxis-sommer");
    expect((await run("billing", "-o", "csv")).stdout).toContain("praxis-sommer");
    const held = await run("licenses", "list", "havel-it", "-o", "table");
    expect(held.stdout).toContain("praxis-sommer");
  });

  test("`usage` of an MSP without calls suggests the command for its customers", async () => {
    const { run } = await practice();
    const { json, stderr } = await run("usage", "--organization", "havel-it", "--from", "30d");
    expect(json).toEqual([]);
    expect(stderr).toContain(
      "havel-it is an MSP without calls in this period; for its customers, run `voxctl billing havel-it`",
    );
    const earlier = await run("usage", "--organization", "havel-it", "--to", "2020-01-31");
    expect(earlier.stderr).toContain("run `voxctl billing havel-it --month 2020-01`");
    const unknown = await run("customers", "list", "nobody");
    expect([unknown.code, unknown.stderr]).toEqual([
      4,
      expect.stringContaining("hint: list partners with their external IDs"),
    ]);
  });

  test("CSV of usage and billing shows names of a partner's customers if they can be read", async () => {
    const { run } = await practice();
    const period = ["--from", "30d", "--to", "today"];
    const usage = await run("usage", "--v1", ...period, "-o", "csv");
    const [header = "", first = ""] = usage.stdout.split("\n");
    expect(header).toMatch(/,customerName$/);
    expect(first).toMatch(/,praxis-sommer,.*,Zahnarztpraxis Dr\. Sommer$/);
    const long = ["--from", "2020-01-01", "--to", "2020-01-02"];
    expect((await run("usage", "--v1", ...long, "-o", "csv")).stdout).toBe(`${header}\n`);
    expect((await run("usage", "--v1", ...period)).json[0]).not.toHaveProperty("customerName");
    const billing = await run("billing", "--v1", "altstadt-edv", "-o", "csv");
    expect(billing.stdout).toMatch(/,altstadt-optik,.*,Altstadt Optik\n/);
    const all = await run("billing", "--v1", "-o", "table");
    expect([all.code, all.stdout], all.stderr).toEqual([0, expect.stringContaining("altstadt-optik")]);
    expect(all.stderr).toMatch(/^omitted \d+ partners? without a subscription plan: .*havel-it/m);
    const refused = await practice(({ path }) =>
      /\/v1\/partners\/[^/]+\/customers/.test(path)
        ? { status: 403, body: { status: "error", errorCode: "FORBIDDEN", message: "no" } }
        : undefined,
    );
    const without = await refused.run("billing", "--v1", "altstadt-edv", "-o", "csv");
    expect([without.code, without.stdout]).toEqual([0, expect.stringMatching(/,altstadt-optik,.*,\n/)]);
    expect(without.stderr).toContain("omitted the customer names for 1 partner");
  });
});
