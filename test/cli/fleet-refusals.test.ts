import { existsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scriptPrompts } from "../helpers/cli.js";
import { createFleet } from "../helpers/fleet.js";

const requests = async (fleet: Awaited<ReturnType<typeof createFleet>>) =>
  (await fleet.emulator.control("GET", "/requests")).filter(({ method }) => method !== "GET").length;

describe("`fleet run` refuses invalid commands before it writes anything", () => {
  test.each([
    [["orgs", "list"], "orgs provision"],
    [["contacts", "list", "--profile", "offline"], "--profile"],
    [["contacts", "list", "--confirm", "x"], "--confirm"],
    [["fleet", "list"], "can't be used with"],
    [["contacts", "import", "-", "--group", "K"], "standard input"],
    [["contacts", "import", "missing.csv", "--group", "K"], "cannot read missing.csv"],
    [["contacts", "lits"], "did you mean"],
    [["contacts", "list", "--no-such-flag"], "--no-such-flag"],
    [["contacts", "list", "--search", "{label.missing}"], "{label.missing} has no value"],
    [["contacts", "list", "--search", "{label.constructor}"], "{label.constructor} has no value"],
    [["contacts", "get", "{label.dash}"], "looks like a flag"],
  ])(
    "`fleet run` exits with code 2 for a command that no member can run: %j [G1, G1a, G2]",
    async (command, message) => {
      const fleet = await createFleet(["a", "b"], { labels: () => "dash: '-x'" });
      const ran = await fleet.run(
        "fleet",
        "run",
        "--fleet",
        "fleet.yaml",
        "--confirm",
        "2 members",
        "--",
        ...command,
      );
      expect([ran.code, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr.toLowerCase()).toContain(message.toLowerCase());
      expect(await requests(fleet)).toBe(0);
    },
  );

  test("`fleet run` lists the errors of all members together [G2]", async () => {
    const fleet = await createFleet(["a", "b", "c"]);
    const env = { KEY_A: "wrong-key-of-a-member", KEY_C: "another-wrong-key" };
    const words = ["--", "groups", "create", "--type", "contacts", "--name", "Neu"];
    const ran = await fleet.runWith(
      { env },
      "fleet",
      "run",
      "--fleet",
      "fleet.yaml",
      "--confirm",
      "3 members",
      ...words,
    );
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/a: [\s\S]*c: /);
    const missing = { KEY_A: undefined, KEY_C: undefined };
    const unset = await fleet.runWith({ env: missing }, "fleet", "run", "--fleet", "fleet.yaml", ...words);
    expect([unset.code, unset.stderr]).toEqual([3, expect.stringMatching(/env:KEY_A[\s\S]*env:KEY_C/)]);
    expect(await requests(fleet)).toBe(0);
  });

  test("`fleet run` exits with code 2 if two keys belong to one organization [E2]", async () => {
    const fleet = await createFleet(["a"]);
    const { key } = await fleet.emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: fleet.member("a").organizationId,
    });
    const member = (name: string) =>
      `  ${name}: { url: ${fleet.url}, key: 'env:KEY_${name.toUpperCase()}' }\n`;
    fleet.write("fleet.yaml", `version: 1\nmembers:\n${member("a")}${member("b")}`);
    const ran = await fleet.runWith(
      { env: { KEY_B: key } },
      ...["fleet", "run", "--fleet", "fleet.yaml", "--confirm", "2 members", "--", "groups", "list"],
    );
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("the same organization")]);
  });

  test("`fleet run` exits with code 2 if a target's profile belongs to another organization [G1a]", async () => {
    const fleet = await createFleet(["a", "b"]);
    for (const name of ["a", "b"]) {
      const flags = ["--url", fleet.url, "--key-env", fleet.member(name).variable];
      await fleet.run("profiles", "add", name, ...flags);
    }
    fleet.write(
      "voxctl.project.yaml",
      'version: 1\nproject: "5f2c9a7e41d0"\nkinds: [groups]\ntargets: { t: { profile: b } }\n',
    );
    fleet.write("voxctl.fleet.yaml", "version: 1\nmembers: { a: { profile: a }, b: { profile: b } }\n");
    const ran = await fleet.run("fleet", "run", "--dry-run", "--", "config", "apply", "--target", "t");
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("different address or key than the member"),
    ]);
  });
});

test("`fleet plan` refuses a key where a variable name is expected, before it writes anything", async () => {
  const fleet = await createFleet(["a"]);
  fleet.write("rows.csv", "");
  const key = "aB3".repeat(15);
  const command = ["contacts", "import", "rows.csv", "--group", "Kunden", "--encrypt-env", key];
  const ran = await fleet.run("fleet", "plan", "--fleet", "fleet.yaml", "--out", "plans", "--", ...command);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("--encrypt-env contains a key, but")]);
  expect(ran.stdout + ran.stderr).not.toContain(key);
  expect(existsSync(join(fleet.home, "plans"))).toBe(false);
});

test.each([
  ["tools", "create", "--name", "a", "--url", "https://crm.example", "--secret", "env:"],
  ["tools", "create", "--name", "a", "--url", "https://crm.example", "--secret", ""],
  ["apply", "a.plan", "--secret", "crm=env:"],
])("`fleet run` refuses a key where a secret's source is expected: %s %s …", async (...command) => {
  const fleet = await createFleet(["a"]);
  const key = "aB3".repeat(15);
  const words = [...command.slice(0, -1), `${command.at(-1)}${key}`];
  const ran = await fleet.run("fleet", "run", "--fleet", "fleet.yaml", "--dry-run", "--", ...words);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/--secret (?:contains a key|must be)/)]);
  expect(ran.stdout + ran.stderr).not.toContain(key);
});

test("`fleet run` accepts the sources of secrets that contain no name", async () => {
  const fleet = await createFleet(["a"]);
  const command = ["tools", "update", "a", "--secret", "none"];
  const ran = await fleet.run("fleet", "run", "--fleet", "fleet.yaml", "--dry-run", "--", ...command);
  expect(ran.stderr).not.toContain("--secret");
});

describe("the files of a command that runs on other machines", () => {
  const address = "postgres://owner@127.0.0.1:9/postgres";
  const env = { VOXCTL_STORE: address, VOXCTL_STORE_KEY: "k".repeat(43) };
  const dryRun = ["fleet", "run", "--fleet", "fleet.yaml", "--dry-run", "--"];
  const command = ["contacts", "import", "rows.csv", "--group", "Kunden"];

  test("`fleet run` refuses files of more than 64 MB and suggests `fleet plan`", async () => {
    const fleet = await createFleet(["a"]);
    const limit = 64 * 1_024 * 1_024;
    fleet.write("rows.csv", "");
    truncateSync(join(fleet.home, "rows.csv"), limit);
    expect((await fleet.runWith({ env }, ...dryRun, ...command)).code).toBe(0);
    truncateSync(join(fleet.home, "rows.csv"), limit + 1);
    const ran = await fleet.runWith({ env }, ...dryRun, ...command);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/64 MB[\s\S]*voxctl fleet plan/)]);
  });

  test("`fleet run` refuses a command that writes a file", async () => {
    const fleet = await createFleet(["a"]);
    fleet.write("rows.csv", "");
    const ran = await fleet.runWith({ env }, ...dryRun, ...command, "--report", "report.ndjson");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("--report is a path")]);
  });
});

describe("the confirmation of a fleet [G3]", () => {
  const command = ["--", "groups", "create", "--type", "contacts", "--name", "Neu"];

  test.each([
    [["--confirm", "3 members"], "2 members are selected"],
    [["--yes"], '--confirm "2 members"'],
    [[], '--confirm "2 members"'],
  ])("without a terminal, `fleet run` %j exits with code 12", async (flags, message) => {
    const fleet = await createFleet(["a", "b"]);
    const ran = await fleet.run("fleet", "run", "--fleet", "fleet.yaml", ...flags, ...command);
    expect([ran.code, ran.stderr]).toEqual([12, expect.stringContaining(message)]);
    expect(await requests(fleet)).toBe(0);
  });

  test("`fleet run` asks for confirmation only once", async () => {
    const fleet = await createFleet(["a", "b"]);
    const prompts = scriptPrompts(false);
    const overrides = { ...fleet.overrides, prompts };
    const ran = await fleet.runWith(
      { overrides },
      "fleet",
      "run",
      "--fleet",
      "fleet.yaml",
      "--waves",
      "1,rest",
      ...command,
    );
    expect(ran.code).toBe(12);
    expect(prompts.messages).toEqual([
      "Run `voxctl groups create --type contacts --name Neu` for 2 members in 2 waves?",
    ]);
  });

  async function createWithMissingKey() {
    const fleet = await createFleet(["a"]);
    const url = `${fleet.emulator.url}/api/distributor/v2`;
    const stdin = fleet.emulator.keys.distributor_v2;
    await fleet.runWith(
      { stdin },
      ...["profiles", "add", "d", "--api", "distributor-v2", "--url", url, "--key-stdin", "--no-check"],
    );
    const { createMsp } = await import("../helpers/distributor.js");
    await createMsp(fleet.emulator, "elbe");
    fleet.write(
      "fleet.yaml",
      `version: 1\nmembers: { a: { url: ${fleet.url}, key: 'env:KEY_A' } }\n` +
        "from: [ { profile: d, organizations: { type: msp }, key: 'env:NO_{externalOrganizationId}' } ]\n",
    );
    const words = ["fleet", "run", "--fleet", "fleet.yaml", "--select", "name=a", "--select", "name=elbe"];
    return { ...fleet, words };
  }

  test("`fleet run --require-keys` exits with code 12 without a key for a listed organization [E3]", async () => {
    const { run, words } = await createWithMissingKey();
    const refused = await run(...words, "--dry-run", "--require-keys", ...command);
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("elbe")]);
  });

  test("a listed organization without a key is reported, but does not count as a failure [E3]", async () => {
    const { run, words } = await createWithMissingKey();
    const ran = await run(...words, "--confirm", "1 member", "-o", "json", "--", "groups", "list");
    expect([ran.code, ran.json.counts]).toEqual([0, { ok: 1, "no key": 1 }]);
  });

  test("a wave without members is skipped and reported [G4]", async () => {
    const { run, words } = await createWithMissingKey();
    const ran = await run(...words, "--waves", "1,2,rest", "--dry-run", ...command);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      expect.stringContaining("Wave 2 has no members; skipping it."),
    ]);
  });

  test("`fleet run --dry-run` sends only read requests", async () => {
    const fleet = await createFleet(["a", "b", "c"]);
    const ran = await fleet.run(
      ...["fleet", "run", "--fleet", "fleet.yaml", "--waves", "1,50%", "--dry-run", "-o", "json"],
      ...["--", "groups", "create", "--type", "contacts", "--name", "{name}"],
    );
    expect(ran.json).toMatchObject([
      { name: "a", wave: 1, command: "groups create --type contacts --name a" },
      { name: "b", wave: 2 },
      { name: "c", wave: 2 },
    ]);
    expect(await requests(fleet)).toBe(0);
  });

  test("`fleet work` requires a store (exit code 2)", async () => {
    const fleet = await createFleet([]);
    expect((await fleet.run("fleet", "work")).code).toBe(2);
  });
});
