import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo, type Ran, scriptPrompts, temporaryFolder } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { runBuilt, runKilledAt } from "../helpers/processes.js";
import { createPlan, killedAt, readTree, toTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { createSpreadsheet } from "../helpers/xlsx.js";

const startTime = "2026-03-02T09:00:00Z";
const small = createPlan({ msps: 2, licenses: 6, customers: 3 });

async function setUp() {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  writeFileSync(join(shell.home, "plan.json"), JSON.stringify(small));
  const provision = (...argv: string[]) => shell.run("--profile", "offline", "orgs", "provision", ...argv);
  const write = (name: string, text: string | Buffer) => writeFileSync(join(shell.home, name), text);
  const requests = async () =>
    (await emulator.control("GET", "/requests?limit=1000")) as {
      method: string;
      path: string;
      status: number;
    }[];
  const mutations = async () => (await requests()).filter(({ method }) => method !== "GET");
  return { ...shell, emulator, provision, write, requests, mutations };
}

describe("orgs provision", () => {
  test("[v2.create] [v2.licenses.upsert] a second run of a spec makes no changes", async () => {
    const { emulator, provision, mutations } = await setUp();
    const first = await provision("plan.json", "--yes");
    expect(first.stderr).toContain('+ msp-0 "MSP 0", license base-0');
    expect(first.json).toMatchObject({ created: 9, existing: 0, differing: 0 });
    expect(first.json.items[0]).toEqual({
      result: "created",
      kind: "msp",
      external_id: "msp-0",
      msp: "msp-0",
      name: "MSP 0",
      license: "base-0",
      product: "MSP",
      differences: [],
    });
    expect(first.json.items[1]).toMatchObject({
      kind: "license",
      external_id: "seat-0",
      name: null,
      product: "Seat",
    });
    expect(first.code).toBe(0);
    expect(await readTree(emulator)).toEqual(toTree(small));
    const sent = (await mutations()).length;
    expect(sent).toBe(7);
    const second = await provision("plan.json", "--yes");
    expect(second.json).toMatchObject({ created: 0, existing: 9, differing: 0 });
    expect(second.code).toBe(0);
    expect(await mutations()).toHaveLength(sent);
  });

  test("`orgs provision` shows a complete progress bar on a terminal", async () => {
    const { runWith } = await setUp();
    const provisioning = ["--profile", "offline", "orgs", "provision", "plan.json", "--yes"];
    const { stderr } = await runWith({ terminal: 100 }, ...provisioning);
    expect(stderr).toContain("9/9 · 100%");
  });

  test("`orgs provision --dry-run` shows the changes without making them", async () => {
    const { provision, mutations } = await setUp();
    const shown = await provision("plan.json", "--dry-run", "-o", "table");
    expect(shown.code).toBe(0);
    expect(shown.stdout).toBe(
      [
        '+ msp-0 "MSP 0", license base-0',
        "  + 2 licenses: seat-0, seat-2",
        '  + customer-0 "Customer 0", license seat-0',
        '  + customer-2 "Customer 2", license seat-2',
        '+ msp-1 "MSP 1", license base-1',
        "  + 2 licenses: seat-1, seat-3",
        '  + customer-1 "Customer 1", license seat-1',
        "",
      ].join("\n"),
    );
    expect(await mutations()).toEqual([]);
    const json = await provision("plan.json", "--dry-run");
    expect(json.json).toHaveLength(9);
    expect(json.json[0]).toMatchObject({ action: "create", kind: "msp", external_id: "msp-0" });
  });

  test("without --yes, `orgs provision` asks for confirmation on a terminal and fails in a script", async () => {
    const { emulator, runWith, provision, mutations } = await setUp();
    const refused = await provision("plan.json");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain('+ msp-0 "MSP 0", license base-0');
    expect(refused.stderr).toContain("error: confirmation required, but stdin is not a terminal");
    expect(refused.stderr).toContain("hint: use --yes to confirm");
    const overrides = { ...connectedTo(emulator), prompts: scriptPrompts(false) };
    const declined = await runWith({ overrides }, "--profile", "offline", "orgs", "provision", "plan.json");
    expect(declined.code).toBe(12);
    expect(overrides.prompts.messages).toEqual(["Create 2 MSPs, 4 licenses, 3 customers?"]);
    expect(await mutations()).toEqual([]);
  });

  test("[O1] `orgs provision` creates missing resources but changes no others (exit code 10)", async () => {
    const { emulator, provision, write } = await setUp();
    await provision("plan.json", "--yes");
    const changed = structuredClone(small);
    const [first, second] = changed.msps;
    if (!first || !second) throw new Error("the plan has two MSPs");
    first.name = "Renamed";
    first.customers = first.customers.map((customer) => ({ ...customer, license: "seat-9" })).slice(0, 1);
    first.licenses = [
      { id: "seat-0", product: "Other" },
      { id: "seat-9", product: "Seat" },
    ];
    second.customers.push({ external_id: "late", name: "Late", license: "seat-3" });
    write("changed.json", JSON.stringify(changed));
    const before = toTree(small);
    const ran = await provision("changed.json", "--yes");
    expect(ran.code).toBe(10);
    expect(ran.json).toMatchObject({ created: 2, differing: 3 });
    expect(ran.stderr).toContain('~ msp-0: is named "MSP 0", expected "Renamed"');
    expect(ran.stderr).toContain("~ customer-0: has the license seat-0, expected seat-9");
    expect(ran.stderr).toContain("~ license seat-0 has product Seat, expected Other");
    before[0]?.licenses.push({ id: "seat-9", product: "Seat", status: "available" });
    before[1]?.customers.push({ externalId: "late", name: "Late", license: "seat-3" });
    const seat = before[1]?.licenses.find(({ id }) => id === "seat-3");
    if (seat) seat.status = "assigned";
    expect(await readTree(emulator)).toEqual(before);
    const planned = await provision("changed.json", "--dry-run", "-o", "json");
    expect(planned.code).toBe(10);
    expect(planned.stderr).toContain('"outcome":"none"');
    expect((await provision("changed.json", "--yes", "-o", "json")).stderr).toContain('"outcome":"none"');
    const again = await provision("changed.json", "--yes", "-o", "table");
    expect(again.stderr).toContain("There is nothing to create. No changes were made.");
    expect(again.stderr).not.toContain("All organizations already exist");
    expect(again.stderr.match(/license seat-0 has product Seat, expected Other/g)).toHaveLength(1);
  });

  test("[v2.create.customer] an unavailable license is reported before any request", async () => {
    const { run, provision, write, mutations } = await setUp();
    await provision("plan.json", "--yes");
    await run("--profile", "offline", "licenses", "disable", "msp-1", "seat-3");
    const sent = (await mutations()).length;
    const customerOf = (license: string, msp = 1) => ({
      msps: small.msps.map((mspSpec, index) => ({
        ...mspSpec,
        licenses: [],
        customers: index === msp ? [{ external_id: "new", name: "New", license }] : [],
      })),
    });
    write("held.json", JSON.stringify(customerOf("seat-1")));
    const held = await provision("held.json", "--dry-run");
    expect(held.code).toBe(10);
    expect(held.stderr).toContain("its license seat-1 is assigned and held by customer-1");
    write("disabled.json", JSON.stringify(customerOf("seat-3")));
    expect((await provision("disabled.json", "--dry-run")).stderr).toContain(
      "its license seat-3 is disabled",
    );
    write("nobodys.json", JSON.stringify(customerOf("none")));
    const nobodys = await provision("nobodys.json", "--yes");
    expect(nobodys.code).toBe(2);
    expect(nobodys.stderr).toContain("msp-1 has no license none");
    expect((await mutations()).length).toBe(sent);
  });

  test("[D-v2-create holds refuses] a dry run explains that another MSP holds a license", async () => {
    const { emulator, run, runWith, provision, write, mutations } = await setUp();
    await provision("plan.json", "--yes");
    const command = "orgs create --type msp --name E --external-id e --license elsewhere";
    await run("--profile", "offline", ...command.split(" "));
    await run("--profile", "offline", "licenses", "upsert", "e", "spare");
    const sent = (await mutations()).length;
    write(
      "stolen.yaml",
      `msps:
  - {external_id: zz, name: Z, license: seat-0, customers: [{external_id: c, name: C, license: zz-1}], licenses: [zz-1]}
  - {external_id: yy, name: Y, license: elsewhere}
  - {external_id: msp-1, name: MSP 1, license: base-1, licenses: [seat-2]}
`,
    );
    const planned = await provision("stolen.yaml", "--dry-run", "-o", "table");
    expect(planned.code).toBe(10);
    expect(planned.stdout.split("\n")).toEqual([
      "! zz: its license seat-0 belongs to another MSP, msp-0 (a license can't be moved to another MSP: use a different license in the spec)",
      "  ! license zz-1 belongs to MSP zz, which can't be created",
      "  ! c: belongs to MSP zz, which can't be created",
      "! yy: its license elsewhere belongs to another MSP, e (a license can't be moved to another MSP: use a different license in the spec)",
      '= msp-1 "MSP 1", license base-1',
      "  ? 2 licenses not in the spec: seat-1, seat-3",
      "  ! license seat-2 belongs to another MSP, msp-0 (a license can't be moved to another MSP: use a different license in the spec)",
      '  ? customer-1 "Customer 1", license seat-1: not in the spec',
      "? 2 MSPs not in the spec: msp-0, e",
      "",
    ]);
    expect(planned.stderr).toContain(
      "To create: nothing; unchanged: 1 MSP; conflicting: 2 MSPs, 2 licenses, 1 customer",
    );
    expect(planned.stderr).toContain("error: 2 MSPs, 2 licenses, 1 customer can't be created\n");
    const ran = await provision("stolen.yaml", "--yes");
    expect(ran.code).toBe(10);
    expect(ran.json).toMatchObject({ created: 0, existing: 1, differing: 0, conflicting: 5 });
    expect((await mutations()).length).toBe(sent);
    write(
      "spare.yaml",
      `msps:
  - {external_id: msp-1, name: MSP 1, license: base-1, licenses: [spare], customers: [{external_id: n, name: N, license: spare}]}
  - {external_id: new, name: New, license: new-base, licenses: [spare-2], customers: [{external_id: m, name: M, license: spare-2}]}
`,
    );
    await run("--profile", "offline", "licenses", "upsert", "e", "spare-2");
    const previewed = await provision("spare.yaml", "--dry-run", "-o", "table");
    expect(previewed.code).toBe(10);
    expect(previewed.stdout).toContain("  ! license spare belongs to another MSP, e ");
    expect(previewed.stdout).toContain("  ! license spare-2 belongs to another MSP, e ");
    // Without the permission to read billing data, only the service's response reveals the license's owner.
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      const response = await transport(url, request);
      const isOther = String(url).includes("billing") && !String(url).includes(msp.id);
      return isOther ? { ...response, status: 403 } : response;
    });
    const [msp] = (await run("--profile", "offline", "orgs", "list", "--external-id", "msp-1")).json;
    const argv = ["--profile", "offline", "orgs", "provision", "spare.yaml"];
    expect((await runWith({ overrides }, ...argv, "--dry-run")).code).toBe(0);
    const conflict = await runWith({ overrides }, ...argv, "--yes");
    expect(conflict.code).toBe(10);
    expect(conflict.json).toMatchObject({ created: 1, conflicting: 4 });
    expect(conflict.stderr).toContain("the license spare belongs to another MSP");
    expect(conflict.stderr).toContain("n: its license spare can't be created");
    expect(conflict.stderr).toContain("error: 2 licenses, 2 customers can't be created\n");
    expect(await readTree(emulator)).toHaveLength(4);
  });

  test("`orgs provision` reports all mistakes in a spec before any request", async () => {
    const { provision, write, requests } = await setUp();
    write(
      "twice.yaml",
      `msps:
  - {external_id: a, name: A, license: l1, licenses: [l1, l2], customers: [{external_id: a, name: C, license: l2}, {external_id: d, name: D, license: l2}]}
  - {external_id: b, name: B, license: l3, customers: [{external_id: e, name: E, license: l2}]}
`,
    );
    const twice = await provision("twice.yaml", "--yes", "-o", "json");
    expect(twice.code).toBe(2);
    const { error } = JSON.parse(twice.stderr);
    expect(error.details.map(({ path }: { path: string[] }) => path[0])).toEqual([
      "line 2, MSP a",
      "line 2, customer a",
      "line 2, customer d",
      "line 3, customer e",
      "line 3, customer e",
    ]);
    write("typo.yaml", "msps:\n  - {external_id: a, nme: A, license: 5}\n");
    const typo = await provision("typo.yaml", "--yes");
    expect(typo.code).toBe(2);
    expect(typo.stderr.split("\n").slice(0, 4)).toEqual([
      "error: typo.yaml has 3 errors",
      "  line 2, MSP a: name is missing",
      "  line 2, MSP a: license must be a license ID in quotes, or an object with id, product and status",
      "  line 2, MSP a: nme is not a known field",
    ]);
    write("below.yaml", "msps:\n  - external_id: a\n    name: A\n    license: l\n    licenes:\n      - b\n");
    const below = await provision("below.yaml", "--yes");
    expect(below.stderr).toContain("line 5, MSP a: licenes is not a known field");
    write(
      "both.yaml",
      `msps:
  - external_id: a
    name: A
    license: l1
    customers:
      - {external_id: c, license: l1}
      - {external_id: c, name: 5, license: l2}
      - {name: Nameless}
  - external_id: b
    name:
`,
    );
    const both = await provision("both.yaml", "--yes");
    expect(both.stderr.split("\n").slice(0, 9)).toEqual([
      "error: both.yaml has 8 errors",
      "  line 6, customer c: name is missing",
      "  line 7, customer c: name must be text; enclose a number in quotes",
      "  line 8, customer Nameless: external_id is missing",
      "  line 8, customer Nameless: license is missing",
      "  line 10, MSP b: name must not be empty",
      "  line 9, MSP b: license is missing",
      "  line 6, customer c: the license l1 is already assigned in line 2, MSP a",
      "  line 7, customer c: the external id c is already listed in line 6, customer c",
    ]);
    write("broken.yaml", "msps:\n  - external_id: a\n   name: [\n");
    const broken = await provision("broken.yaml", "--yes");
    expect(broken.code).toBe(2);
    expect(broken.stderr).toMatch(
      /^error: <spec>: broken\.yaml is not valid YAML: .+ at line \d+, column \d+\n$/,
    );
    const none = await provision("none.yaml", "--yes");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("<spec>: none.yaml can't be read: no such file");
    expect(none.stderr).not.toContain("--data");
    expect(await requests()).toEqual([]);
  });

  test("[D-v2-org] [D-text] contract violations are reported with line numbers before any request", async () => {
    const { provision, write, mutations } = await setUp();
    write(
      "forms.yaml",
      `msps:
  - external_id: good-one
    name: Good
    license: "good bad"
    licenses: [fine, {id: fine-2, product: "${"P".repeat(201)}"}]
    customers: [{external_id: c, name: "${"N".repeat(201)}", license: fine}]
  - {external_id: schlecht ä, name: Bad, license: l2}
`,
    );
    for (const flag of ["--dry-run", "--yes"]) {
      const ran = await provision("forms.yaml", flag);
      expect(ran.code).toBe(2);
      const form = "must be 1 to 128 characters: letters, digits and . _ : -";
      expect(ran.stderr.split("\n").filter((line) => !line.startsWith("profile"))).toEqual([
        "error: forms.yaml has 4 errors",
        `  line 4, MSP good-one: the license ID "good bad" ${form}`,
        `  line 5, MSP good-one: the product "${"P".repeat(39)}…" must be at most 200 characters`,
        `  line 6, customer c: the name "${"N".repeat(39)}…" must be at most 200 characters`,
        `  line 7, MSP schlecht ä: the external id "schlecht ä" ${form}`,
        "",
      ]);
    }
    write("forms.csv", "type,external_id,name,parent,license\nmsp,a b,A,,l1\n");
    expect((await provision("forms.csv", "--yes")).stderr).toContain(
      'forms.csv: line 2: the external id "a b" must be 1 to 128 characters',
    );
    expect(await mutations()).toEqual([]);
  });

  test("an ID that the service refuses affects only its organization", async () => {
    const { emulator, runWith, write } = await setUp();
    write(
      "forms.yaml",
      'msps: [{external_id: a, name: A, license: l}, {external_id: "b c", name: B, license: m}]',
    );
    write("first.yaml", 'msps: [{external_id: "b c", name: B, license: m}]');
    const deployed: Overrides = {
      connect: async (profile, options) => ({
        ...connectEmulator(emulator, profile, options),
        profile: { ...profile, type: "remote", targets: {}, paths: {} },
        close: async () => {},
      }),
    };
    const provision = (...argv: string[]) =>
      runWith({ overrides: deployed }, "--profile", "offline", "orgs", "provision", ...argv);
    const planned = await provision("forms.yaml", "--dry-run");
    expect(planned.code).toBe(0);
    expect(planned.stderr).toContain('the external id "b c" must be 1 to 128');
    expect(planned.stderr).toContain("the service may reject it");
    const first = await provision("first.yaml", "--yes", "-o", "json");
    expect(first.code).toBe(68);
    expect(first.stderr).toContain('"outcome":"none"');
    expect(first.stderr).toContain("1 MSP was rejected by the service");
    expect(first.stderr).toContain('"hint":"fix the organization spec and run the command again"');
    const ran = await provision("forms.yaml", "--yes", "-o", "json");
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ created: 1, failed: 1 });
    expect(ran.json.items[1].differences[0]).toContain("externalOrganizationId must be 1 to 128");
    expect(ran.stderr).toContain('"outcome":"done"');
  });

  test("`orgs provision` accepts a spec as a table, with rows in any order", async () => {
    const { emulator, provision, write } = await setUp();
    const rows = small.msps.flatMap((msp) => [
      ...msp.customers.map(
        ({ external_id, name, license }) => `customer;${external_id};${name};${msp.external_id};${license};`,
      ),
      ...msp.licenses.map(({ id, product }) => `license;;;${msp.external_id};${id};${product}`),
      `msp;${msp.external_id};${msp.name};;${msp.license.id};${msp.license.product}`,
    ]);
    write("spec.csv", ["type;external_id;name;parent;license;product", ...rows].join("\r\n"));
    expect((await provision("spec.csv", "--yes")).code).toBe(0);
    expect(await readTree(emulator)).toEqual(toTree(small));
    const cells = [
      ["type", "external_id", "name", "parent", "license", "product"],
      ...rows.map((row) => row.split(";")),
    ];
    write("plan.xlsx", createSpreadsheet(cells));
    write("plan.tsv", cells.map((row) => row.join("\t")).join("\n"));
    for (const name of ["plan.xlsx", "plan.tsv"])
      expect((await provision(name, "--yes")).json).toMatchObject({ created: 0, existing: 9, differing: 0 });
    write("bad.csv", "type,external_id,name,parent,license\nmsp,a,,,l\nboss,b,B,,l\ncustomer,c,C,nobody,l\n");
    const bad = await provision("bad.csv", "--yes");
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("line 2: name must not be empty");
    expect(bad.stderr).toContain('line 3: type must be "msp", "license" or "customer"');
    expect(bad.stderr).toContain("line 4: the spec has no MSP nobody");
    write("odd.csv", "type,customer\nmsp,a\n");
    expect((await provision("odd.csv", "--yes")).stderr).toContain(
      "odd.csv: header: unknown columns: customer;",
    );
    const header = "type,external_id,name,parent,license,product\n";
    write("misplaced.csv", `${header}msp,weser,Weser,,weser-base,MSP\nlicense,weser-001,,weser,,\n`);
    expect((await provision("misplaced.csv", "--yes")).stderr).toContain(
      "line 3: license must not be empty; move the license ID weser-001 to the license column",
    );
    write("none.csv", `${header}msp,weser,Weser,,weser-base,MSP\ncustomer,c,C,weser,weser-001,\n`);
    const none = await provision("none.csv", "--yes");
    expect(none.stderr).toContain("weser has no license weser-001, and the spec doesn't list it");
    expect(none.stderr).toContain(
      "hint: to add a license, add a row with type license, the MSP in the parent column",
    );
  });

  test.each([
    ["msp,weser,Weser,elbe,weser-base,MSP", "line 2: parent must be empty in an MSP's row"],
    ["license,weser,Weser,weser,weser-001,", "line 2: external_id must be empty in a license's row"],
    ["customer,c,C,weser,weser-001,Gold", "line 2: product must be empty in a customer's row"],
  ])("a spec is refused if a cell would have no effect: %s", async (row, message) => {
    const { provision, write, mutations } = await setUp();
    write("unused.csv", `type,external_id,name,parent,license,product\n${row}\n`);
    const ran = await provision("unused.csv", "--yes");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await mutations()).toEqual([]);
  });

  test("a spec with a repeated column is refused", async () => {
    const { provision, write } = await setUp();
    write("repeated.csv", "type,external_id,name,license,license\nmsp,weser,Weser,weser-base,weser-001\n");
    const ran = await provision("repeated.csv", "--yes");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("repeated column: license")]);
  });

  test.each(["drop_before", "drop_after", "error_after", "truncate", "garbage", "error_before"])(
    "[v2.duplicate] provisioning creates nothing twice despite the fault %s",
    async (fault) => {
      const { emulator, provision } = await setUp();
      for (const operation of ["orgs.create", "licenses.upsert"]) {
        await emulator.control("POST", "/faults", { kind: fault, operation, probability: 0.4 });
      }
      const ran = await provision("plan.json", "--yes");
      expect(ran.stderr).not.toContain("error");
      expect(ran.json).toMatchObject({ created: 9, existing: 0, differing: 0 });
      expect(await readTree(emulator)).toEqual(toTree(small));
    },
  );

  test("[v2.duplicate] the second of two concurrent runs of a spec is refused", async () => {
    const { emulator, provision, runWith, mutations } = await setUp();
    let second: Promise<Ran> | undefined;
    // Before its first write, the first run waits until the second run has ended.
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      if (request.method === "POST") second ??= provision("plan.json", "--yes");
      await second;
      return transport(url, request);
    });
    const argv = ["--profile", "offline", "orgs", "provision", "plan.json", "--yes"];
    expect((await runWith({ overrides }, ...argv)).code).toBe(0);
    const refused = await second;
    expect(refused?.code).toBe(6);
    expect(refused?.stderr).toContain("another process is using this run");
    expect(await mutations()).toHaveLength(7);
    expect(await readTree(emulator)).toEqual(toTree(small));
  });

  test("after an error, `orgs provision` explains how to resume", async () => {
    const { emulator, provision } = await setUp();
    await emulator.control("POST", "/faults", { kind: "limiter_down", operation: "licenses.upsert" });
    const ran = await provision("plan.json", "--yes", "--max-wait", "5s", "-o", "json");
    expect(ran.code).toBe(7);
    const { error } = JSON.parse(ran.stderr.split("\n").at(-2) ?? "");
    expect(error.hint).toMatch(
      /^to resume, run the same command again \(run [0-9a-f]{12}: 1 done, 8 remaining\)$/,
    );
    expect(error.outcome).toBe("done");
  });
});

const plan = createPlan({ msps: 3, licenses: 60, customers: 50 });
const kills = process.env["PROOF"] ? 20 : 5;
const draw = (name: string, kill: number) => seededDraw(4, name, kill);

describe("`orgs provision`, interrupted repeatedly", () => {
  test(`[dist.limits.1 holds refuses] despite kills at ${kills} points, \`orgs provision\` creates one tree`, async () => {
    const emulator = await openSeededEmulator({ clock: "virtual", startTime });
    const shell = commandLine();
    writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
    const run = (overrides = connectedTo(emulator)) =>
      shell.runWith({ overrides }, "--profile", "offline", "orgs", "provision", "plan.json", "--yes");
    for (let kill = 0; kill < kills; kill += 1) {
      const effect = draw("effect", kill) < 0.5 ? "before" : "after";
      const killed = await run(killedAt(emulator, 1 + Math.floor(draw("request", kill) * 9), effect));
      expect(killed.code).not.toBe(0);
    }
    const last = await run();
    expect(last.code).toBe(0);
    expect(last.json).toMatchObject({ differing: 0 });
    expect(last.json.created + last.json.existing).toBe(110);
    expect(await readTree(emulator)).toEqual(toTree(plan));
    // The run sends more requests than one window allows, so it waited for the limit on the emulator's clock.
    expect(emulator.clock.now() - Date.parse(startTime)).toBeGreaterThanOrEqual(60_000);
    expect((await run()).json).toMatchObject({ created: 0, existing: 110 });
  });

  // More kills need a larger spec, so that each kill interrupts requests.
  const realKills = process.env["PROOF"] ? kills : 1;
  const long = createPlan({ msps: 3, licenses: 50 + 10 * realKills, customers: 40 + 10 * realKills });
  test(`\`orgs provision\` builds the spec's tree despite SIGKILLs at ${realKills} random points`, {
    timeout: 300_000,
  }, async () => {
    const folder = temporaryFolder();
    const [file, planFile] = [join(folder, "offline.db"), join(folder, "plan.json")];
    writeFileSync(planFile, JSON.stringify(long));
    await (await openEmulator({ db: file, clock: "virtual", startTime })).close();
    const env = { VOXCTL_CONFIG_DIR: folder, VOXCTL_DATA_DIR: folder };
    const argv = ["orgs", "provision", planFile, "--yes", "--profile", "offline"];
    for (let kill = 0; kill < realKills; kill += 1) {
      const nth = 2 + Math.floor(draw("request", 100 + kill) * 9);
      // Kills the process before a request, or between its response and the journal entry.
      const step = draw("effect", 100 + kill) < 0.5 ? `sent:${nth}` : `sending:${nth + 1}`;
      const killed = await runKilledAt(step, argv, { env });
      expect(killed.signal, killed.stderr).toBe("SIGKILL");
    }
    const last = await runBuilt(argv, { env });
    expect(last.code, last.stderr).toBe(0);
    const emulator = await openEmulator({ db: file });
    expect(await readTree(emulator)).toEqual(toTree(long));
    await emulator.close();
  });
});
