import { describe, expect, test } from "vitest";
import { parseMembersFile } from "../../src/features/fleet/index.js";
import { createMsp } from "../helpers/distributor.js";
import { createFleet } from "../helpers/fleet.js";

const kinds = (name: string) => `kind: ${name.startsWith("optik") ? "optician" : "dental"}`;
const names = ["praxis-ohm", "praxis-kern", "optik-lange"];

describe("fleet list", () => {
  test("`fleet list` shows which members have a key, but never the key itself", async () => {
    const fleet = await createFleet(names, { labels: kinds });
    const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml", "-o", "json");
    expect(ran.json.map((row: { name: string }) => row.name)).toEqual([...names].sort());
    expect(ran.json[0]).toMatchObject({ labels: { kind: "optician" }, key: "available", url: fleet.url });
    for (const { key } of fleet.members) expect(ran.stdout + ran.stderr).not.toContain(key);
  });

  test.each([
    [["kind=dental"], ["praxis-kern", "praxis-ohm"]],
    [["kind=dental,name!=praxis-ohm"], ["praxis-kern"]],
    [["name=praxis-*", "kind=optician"], names],
    [["ring!=canary"], names],
    [["constructor!=a*"], names],
  ])("`fleet list --select` %j selects the members whose labels match", async (selections, expected) => {
    const fleet = await createFleet(names, { labels: kinds });
    const flags = selections.flatMap((text) => ["--select", text]);
    const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml", ...flags);
    expect(ran.json.map(({ name }: { name: string }) => name)).toEqual([...expected].sort());
  });

  test.each(["", "kind=nothing", "kind", "kind=a*b"])(
    "a selection without members or with an error is refused with exit code 2: %j",
    async (text) => {
      const fleet = await createFleet(["praxis-ohm"], { labels: kinds });
      const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml", "--select", text);
      expect([ran.code, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr).toContain("--select");
    },
  );

  test("`fleet list --check` names a member with an invalid key (exit code 68)", async () => {
    const fleet = await createFleet(["praxis-kern", "praxis-ohm"]);
    const env = { [fleet.member("praxis-ohm").variable]: "wrong-key-of-a-member" };
    const ran = await fleet.runWith({ env }, "fleet", "list", "--fleet", "fleet.yaml", "--check");
    expect(ran.code).toBe(68);
    expect(ran.json.map(({ status }: { status: string }) => status)).toEqual(["ok", "failed"]);
    expect(ran.stderr.match(/praxis-ohm/g)).toHaveLength(1);
  });
});

describe("the members file", () => {
  test("`help fleet` shows a valid members file", async () => {
    const { run } = await createFleet([]);
    const { stdout } = await run("help", "fleet");
    const example = stdout.split("\n").filter((line) => /^ {2}(?:version:|members:| {2}praxis-)/.test(line));
    const { members } = await parseMembersFile(example.join("\n"), { file: "help", mayNameAddresses: false });
    expect(members.map(({ name }) => name)).toEqual(["praxis-weiss", "praxis-kern"]);
  });

  const fails = async (text: string, file = "voxctl.fleet.yaml", ...flags: string[]) => {
    const fleet = await createFleet([]);
    fleet.write(file, text);
    const named = file === "voxctl.fleet.yaml" ? [] : ["--fleet", file];
    return fleet.run("fleet", "list", ...named, ...flags, "-o", "json");
  };

  test("an unknown field of the members file is refused with its line and column [E1]", async () => {
    const ran = await fails("version: 1\nmembers:\n  a: { profile: offline, lables: {} }\n");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("(line 3, column 26)")]);
    expect(ran.stderr).toContain("did you mean labels?");
  });

  test.each([
    ["members:\n  a b: { profile: offline }", "invalid name"],
    ["members:\n  a: { profile: offline, labels: { ring: 1 } }", "must be text"],
    ["members:\n  a: { profile: offline, key: 'env:A' }", "either profile, or url and key"],
    ["members: {}\nmax_failures: some", "max_failures"],
    ["members: {}\nwaves: [{ percent: 10, rest: true }]", "exactly one of"],
    ["members: {}", "has no members"],
  ])("an invalid members file is refused with exit code 2: %j", async (text, message) => {
    const ran = await fails(`version: 1\n${text}\n`);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a key that was pasted instead of the name of its variable is refused and never printed", async () => {
    const fleet = await createFleet(["a"]);
    const { key: real } = fleet.member("a");
    for (const key of [real, real.replace(/\d|-/g, "x"), `A${real.slice(1)}1a`, "7GUq-2"]) {
      fleet.write("fleet.yaml", `version: 1\nmembers:\n  a: { url: ${fleet.url}, key: "env:${key}" }\n`);
      const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml", "--check");
      expect([ran.code, ran.stderr]).toEqual([
        2,
        expect.stringMatching(/must be (?:a source such as|the name of)/),
      ]);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    }
  });

  test.each(["name", "profile"])("a members file can't set the label %s [E5]", async (label) => {
    const ran = await fails(`version: 1\nmembers:\n  a: { profile: offline, labels: { ${label}: b } }\n`);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("choose another label")]);
  });

  test("only a members file that is specified with --fleet can contain addresses [E0]", async () => {
    const text = "version: 1\nmembers:\n  a: { url: https://evil.example/api/v1, key: 'env:HOME' }\n";
    const ran = await fails(text);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("--fleet")]);
    expect((await fails(text, "named.yaml")).code).toBe(0);
  });

  test("two members with the same address and key are refused [E2]", async () => {
    const text = "version: 1\nmembers:\n  a: { profile: offline }\n  b: { profile: offline }\n";
    const ran = await fails(text);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("members a and b")]);
  });
});

describe("members that a distributor lists", () => {
  const from = (key: string, more = "") =>
    `version: 1\nfrom:\n  - { profile: distributor, organizations: { type: msp }, key: "${key}"${more} }\n`;

  async function createDistributor() {
    const fleet = await createFleet(["elbe"]);
    await createMsp(fleet.emulator, "elbe");
    await createMsp(fleet.emulator, "weser:1");
    const url = `${fleet.emulator.url}/api/distributor/v2`;
    await fleet.runWith(
      { stdin: fleet.emulator.keys.distributor_v2 },
      ...[
        "profiles",
        "add",
        "distributor",
        "--api",
        "distributor-v2",
        "--url",
        url,
        "--key-stdin",
        "--no-check",
      ],
    );
    return fleet;
  }

  test("a distributor's organizations become members with simplified names [E1, E3]", async () => {
    const fleet = await createDistributor();
    fleet.write("fleet.yaml", from("env:NO_SUCH_KEY", ", labels: { type: '{type}' }"));
    const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml");
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    const rows = ran.json.filter(({ name }: { name: string }) => ["elbe", "weser-1"].includes(name));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ key: "missing", listed: true, labels: { type: "msp" } });
  });

  test("two listed organizations with the same simplified name are refused [E1]", async () => {
    const fleet = await createDistributor();
    await createMsp(fleet.emulator, "weser-1");
    fleet.write("fleet.yaml", from("env:NO_SUCH_KEY"));
    const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('the name "weser-1"')]);
  });

  test("a distributor's organization is refused if its ID is not a single path segment [E4]", async () => {
    const fleet = await createDistributor();
    await createMsp(fleet.emulator, "..");
    fleet.write("fleet.yaml", from("file:keys/{externalOrganizationId}"));
    const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("organization ..")]);
  });

  test("a members file in the directory can refer to keys only with --allow-env [E0]", async () => {
    const fleet = await createDistributor();
    fleet.write("voxctl.fleet.yaml", from("env:KEY_ELBE", ", name: '{externalOrganizationId}'"));
    const refused = await fleet.run("fleet", "list", "--select", "name=elbe");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("--allow-env KEY_ELBE")]);
    const allowed = await fleet.run("fleet", "list", "--select", "name=elbe", "--allow-env", "KEY_ELBE");
    expect(allowed.json).toMatchObject([{ name: "elbe", key: "available" }]);
  });

  test("a member from the file takes precedence over a distributor's member of the same name", async () => {
    const fleet = await createDistributor();
    fleet.write(
      "fleet.yaml",
      `${from("env:NO_SUCH_KEY")}members:\n  elbe: { url: ${fleet.url}, key: 'env:KEY_ELBE' }\n`,
    );
    const ran = await fleet.run("fleet", "list", "--fleet", "fleet.yaml", "--select", "name=elbe");
    expect(ran.json).toMatchObject([{ name: "elbe", key: "available", listed: false }]);
  });
});
