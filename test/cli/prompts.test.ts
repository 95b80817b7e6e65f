import { describe, expect, test } from "vitest";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function practice(...replies: unknown[]) {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const prompts = scriptPrompts(...replies);
  const shell = commandLine({
    env: { NO_COLOR: "1" },
    overrides: { ...connectedTo(emulator), prompts },
  });
  const requests = async () =>
    (await emulator.control("GET", "/requests?limit=200")) as { method: string; path: string }[];
  return {
    ...shell,
    run: (...argv: string[]) => shell.run("--profile", "offline", ...argv),
    requests,
    prompts,
  };
}

function copied(stderr: string): string | undefined {
  return /Equivalent command:\n {2}(.*)\n/.exec(stderr)?.[1];
}

describe("`orgs create` without flags", () => {
  test("`orgs create` asks for all values of a customer and prints the command", async () => {
    const { run, prompts } = await practice(
      ...["customer", "Optik Lange", "optik-lange", "havel-it", "havel-004", true],
    );
    const created = await run("orgs", "create");
    expect(created.json).toMatchObject({
      type: "customer",
      externalOrganizationId: "optik-lange",
      externalLicenseId: "havel-004",
    });
    expect(prompts.messages.at(-1)).toBe("Create this organization?");
    expect(created.stderr).toMatch(/\n {2}parent {7}havel-it\n/);
    expect(copied(created.stderr)).toBe(
      "voxctl orgs create --type customer --name 'Optik Lange' --external-id optik-lange --parent havel-it --license havel-004 --profile offline",
    );
  });

  test("`orgs create` sends no write unless the user confirms", async () => {
    const { run, requests } = await practice("msp", "Elbe", "elbe", "elbe-base", "Standard", false);
    const refused = await run("orgs", "create");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("not confirmed; no changes were made");
    expect(copied(refused.stderr)).toBeUndefined();
    expect((await requests()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("`orgs create` refuses --product if the type entered at the prompt is customer", async () => {
    const { run, requests } = await practice("customer", "Optik Lange", "optik-lange");
    const refused = await run("orgs", "create", "--product", "Premium");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("--product can't be used with --type customer"),
    ]);
    expect((await requests()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("`orgs create --license` asks only for the remaining values", async () => {
    const { run } = await practice("msp", "Elbe", "elbe", "", true);
    const created = await run("orgs", "create", "--license", "elbe-base");
    expect(created.json).toMatchObject({ type: "msp", externalLicenseId: "elbe-base" });
    expect(copied(created.stderr)).toBe(
      "voxctl orgs create --type msp --name Elbe --external-id elbe --license elbe-base --profile offline",
    );
  });
});

describe("prompts for distributor API v1", () => {
  test("`partners create` asks for values and prints the command", async () => {
    const { run } = await practice("neustadt-edv", "Neustadt EDV", "no, finish", true);
    const created = await run("partners", "create");
    expect(created.json).toMatchObject({ externalPartnerId: "neustadt-edv", name: "Neustadt EDV" });
    expect(copied(created.stderr)).toBe(
      "voxctl partners create --external-id neustadt-edv --name 'Neustadt EDV' --profile offline",
    );
  });

  test("`customers create` asks for the partner and prints the command", async () => {
    const { run } = await practice("altstadt-edv", "backhaus", "Backhaus", "plan", "starter", true);
    const created = await run("customers", "create");
    expect(created.stderr).toContain("Equivalent command:");
    expect(created.json).toMatchObject({ externalCustomerId: "backhaus", plan: "starter" });
    expect(copied(created.stderr)).toBe(
      "voxctl customers create --external-id backhaus --name Backhaus --plan starter --partner altstadt-edv --profile offline",
    );
  });
});

describe("`profiles add` without a URL", () => {
  const url = "https://voice.example.com/api/distributor/v2";

  test("`profiles add` asks for all values and prints a command without the key", async () => {
    const { runWith, prompts } = await practice(url, true, "s3cret-key-9", true);
    const added = await runWith({}, "profiles", "add", "acme");
    expect(added.json).toMatchObject({ production: true, apis: { "distributor-v2": { url } } });
    expect(prompts.messages.at(-1)).toBe("Create this profile?");
    expect(added.stderr).toMatch(/\n {2}key {9}\*{3}\n/);
    expect(added.stderr + added.stdout).not.toContain("s3cret-key-9");
    expect(copied(added.stderr)).toBe(
      `printf %s "$ACME_KEY" | voxctl profiles add acme --url ${url} --key-stdin --production`,
    );
  });

  test("`profiles add` stores the profile only after a confirmation", async () => {
    const { runWith } = await practice("https://voice.example.com/api/v1", false, "a-key", false);
    expect((await runWith({}, "profiles", "add", "acme")).code).toBe(12);
    expect((await runWith({}, "profiles", "list")).json).toMatchObject([{ name: "offline" }]);
  });

  test("`profiles add` reads the key from the source that a flag specifies", async () => {
    const { runWith } = await practice("https://voice.example.com/api/v1", false, true);
    const added = await runWith(
      { env: { NO_COLOR: "1", ACME: "a-key" } },
      ...["profiles", "add", "acme", "--key-env", "ACME"],
    );
    expect(copied(added.stderr)).toBe(
      "voxctl profiles add acme --url https://voice.example.com/api/v1 --key-env ACME",
    );
  });
});

test("--keychain can't be combined with another source of the key", async () => {
  const { run } = commandLine({ env: { ACME: "a-key" } });
  const { code, stderr } = await run(
    ...["profiles", "add", "acme", "--url", "https://voice.example.com/api/v1", "--key-env", "ACME"],
    "--keychain",
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("--keychain and --key-env can't be combined")]);
});

test("`profiles add` refuses --key-env with an unset variable", async () => {
  const { code, stderr } = await commandLine().run(
    ...["profiles", "add", "acme", "--url", "https://voice.example.com/api/v1", "--key-env", "NOPE"],
  );
  expect(code).toBe(2);
  expect(stderr).toContain("error: --key-env: the variable NOPE is not set");
});

describe("prompts for resources with nested fields", () => {
  test("a prompt for nested fields accepts JSON", async () => {
    const schedules = '[{"kind":"opening","weekly":{"monday":[{"from":"09:00","to":"17:00"}]}}]';
    const { run } = await practice("Werkstatt", "schedules", schedules, "no, finish", true);
    const created = await run("calendars", "create");
    expect(created.json.schedules[0].weekly.monday).toEqual([{ from: "09:00", to: "17:00" }]);
    expect(copied(created.stderr)).toBe(
      `voxctl calendars create --name Werkstatt --set 'schedules=${schedules}' --profile offline`,
    );
  });
});
