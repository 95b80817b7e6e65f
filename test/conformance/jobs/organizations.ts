import assert from "node:assert/strict";
import { type Bench, parseOutput } from "../harness/bench.js";
import type { Fields } from "../server/exchange.js";
import { fieldsOf, longAgo } from "../server/service-state.js";
import { used } from "../server/usage.js";
import { assertUnchanged, readContents } from "./contents.js";
import type { Job } from "./job.js";
import { writes } from "./people.js";
import { undoRuns } from "./undo-runs.js";

const customers = ["optik", "praxis", "kanzlei"];
const plan = [
  "msps:",
  ...["elbe", "havel"].flatMap((msp) => [
    `  - external_id: ${msp}`,
    `    name: ${msp === "elbe" ? "Elbe  Systemhaus" : "Havel IT"}`,
    `    license: {id: ${msp}-base, product: MSP}`,
    `    licenses: [${customers.map((_, count) => `${msp}-00${count}`).join(", ")}]`,
    "    customers:",
    ...customers.map(
      (name, count) =>
        `      - {external_id: ${msp}-${name}, name: ${name} ${msp}, license: ${msp}-00${count}}`,
    ),
  ]),
  "",
].join("\n");

/** Returns whether the client needs configuration to follow the pages. */
export function pagesUnknown({ switches }: Bench): boolean {
  const unknown = ["pages: next URL", "pages: next token", "pages: numbers", "pages: total", "pages: isLast"];
  return switches.some((name) => unknown.includes(name));
}

/** Adds organizations of a distributor: more than fit on one page. */
export function furnishOrganizations({ service }: Bench): void {
  const { state } = service;
  const insert = (fields: Fields) =>
    state.insert("organizations", { status: "active", blockedReason: null, ...fields }, "somebody", longAgo);
  const msp = insert({
    type: "msp",
    name: "Alt",
    externalOrganizationId: "alt",
    externalLicenseId: "alt-base",
  });
  state.insert(
    "licenses",
    { externalLicenseId: "alt-base", status: "assigned", owner: msp.id, holder: msp.id },
    "somebody",
    longAgo,
  );
  for (let count = 1; count <= 4; count += 1) {
    const row = insert({
      type: "customer",
      name: `Kunde ${count}`,
      externalOrganizationId: `alt-${count}`,
      externalLicenseId: `alt-00${count}`,
      parentOrganizationId: msp.id,
    });
    const license = {
      externalLicenseId: `alt-00${count}`,
      status: "assigned",
      owner: msp.id,
      holder: row.id,
    };
    state.insert("licenses", license, "somebody", longAgo);
  }
}

/** Checks that the command fails before any changes because it can't read a list to the end. */
async function assertRefused(bench: Bench, ...argv: string[]): Promise<void> {
  const before = writes(bench);
  const ran = await bench.run(...argv);
  assert.equal(ran.code, 9, `exit ${ran.code}: ${ran.stderr}${ran.stdout}`);
  assert.equal(writes(bench), before, "nothing was written");
}

export const provisioning: Job = {
  about: "`orgs provision`, twice",
  async run(bench) {
    furnishOrganizations(bench);
    const file = bench.write("spec.yaml", plan);
    const command = ["orgs", "provision", file, "--yes", "-o", "json", ...bench.settle];
    if (pagesUnknown(bench)) return assertRefused(bench, ...command);
    const ran = await bench.run(...command);
    assert.ok(ran.code === 0 || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
    assertProvisioned(bench);
    const before = writes(bench);
    const again = await bench.run(...command);
    assert.equal(again.code, 0, `exit ${again.code}: ${again.stderr}`);
    // Without a list of licenses, the second run sends the creates of the licenses again, without effect.
    const blind = bench.switches.some((name) => name.startsWith("billing"));
    if (ran.code === 0 && !blind) assert.equal(writes(bench), before, "a second run writes nothing");
    assertProvisioned(bench);
  },
};

/**
 * The spec after three changes: two customers swap licenses, a customer is removed, a license has a new
 * product.
 */
const laterPlan = `name: offices
${plan}`
  .replace(
    "{external_id: elbe-optik, name: optik elbe, license: elbe-000}",
    "{external_id: elbe-optik, name: optik elbe, license: elbe-001}",
  )
  .replace(
    "{external_id: elbe-praxis, name: praxis elbe, license: elbe-001}",
    "{external_id: elbe-praxis, name: praxis elbe, license: elbe-000}",
  )
  .replace(/ *- \{external_id: elbe-kanzlei.*\n/, "")
  .replace("elbe-000, elbe-001, elbe-002]", "elbe-000, {id: elbe-001, product: Plus}]");

export const converging: Job = {
  about: "`orgs provision --converge --prune` from one spec to another, twice",
  async run(bench) {
    furnishOrganizations(bench);
    if (pagesUnknown(bench)) return;
    const command = (file: string) => ["orgs", "provision", file, "--yes", "-o", "json", ...bench.settle];
    const first = await bench.run(...command(bench.write("spec.yaml", `name: offices\n${plan}`)));
    assert.ok(first.code === 0 || (first.code === 75 && bench.lossy), `exit ${first.code}: ${first.stderr}`);
    if (first.code !== 0) return;
    await bench.pass();
    const later = bench.write("later.yaml", laterPlan);
    const second = [...command(later), "--converge", "--prune", "--max-delete", "100%"];
    const ran = await bench.run(...second);
    // Without a list of licenses, a run can't detect swapped or disabled licenses.
    const blind = bench.switches.some((name) => name.startsWith("billing"));
    assert.ok(ran.code === 0 || blind || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
    if (ran.code !== 0) return;
    assertConverged(bench, blind);
    await bench.pass();
    const before = writes(bench);
    const again = await bench.run(...second);
    assert.equal(again.code, 0, `exit ${again.code}: ${again.stderr}`);
    if (!blind) assert.equal(writes(bench), before, "a second run writes nothing");
    assertConverged(bench, blind);
  },
};

export const plannedConverging: Job = {
  about: "`orgs provision --converge --prune` saved as a plan file, which is checked and then applied twice",
  async run(bench) {
    furnishOrganizations(bench);
    if (pagesUnknown(bench)) return;
    const first = await applied(bench, bench.write("spec.yaml", `name: offices\n${plan}`));
    if (first !== 0) return;
    assertProvisioned(bench);
    await bench.pass();
    // Without a list of licenses, a run can't detect swapped or disabled licenses.
    const blind = bench.switches.some((name) => name.startsWith("billing"));
    const second = await applied(bench, bench.write("later.yaml", laterPlan), { blind });
    if (second === 0) assertConverged(bench, blind);
  },
};

async function applied(
  bench: Bench,
  file: string,
  { blind = false }: { blind?: boolean } = {},
): Promise<number | null> {
  const path = bench.path("organizations.plan");
  const before = writes(bench);
  const converging = ["--converge", "--prune", "--max-delete", "100%"];
  const sealed = await bench.run(
    ...["orgs", "provision", file, ...converging, "--plan", path, "--force", "-o", "json", ...bench.settle],
  );
  assert.ok(sealed.code === 0 || blind, `exit ${sealed.code}: ${sealed.stderr}`);
  assert.equal(writes(bench), before, "saving a plan file writes nothing");
  if (sealed.code !== 0) return sealed.code;
  const apply = ["apply", path, "--allow", "orgs:delete", "--yes", "-o", "json", ...bench.settle];
  const ran = await bench.run(...apply);
  assert.ok(ran.code === 0 || blind || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
  if (ran.code !== 0) return ran.code;
  const done = writes(bench);
  const again = await bench.run(...apply);
  assert.deepEqual(
    [again.code, parseOutput(again).applied_before, writes(bench)],
    [0, true, done],
    "applied once",
  );
  return 0;
}

function assertConverged({ service }: Bench, blind: boolean): void {
  const { state } = service;
  const held = Object.fromEntries(
    state
      .rows("organizations")
      .map(fieldsOf)
      .filter((fields) => String(fields["externalOrganizationId"]).startsWith("elbe"))
      .map((fields) => [fields["externalOrganizationId"], fields["externalLicenseId"]]),
  );
  assert.deepEqual(held, { elbe: "elbe-base", "elbe-optik": "elbe-001", "elbe-praxis": "elbe-000" });
  // Organizations of another distributor and organizations outside the spec are unchanged.
  assert.equal(state.rows("organizations").filter(({ author }) => author === "somebody").length, 5);
  if (blind) return;
  const license = (id: string) =>
    state
      .rows("licenses")
      .map(fieldsOf)
      .find((fields) => fields["externalLicenseId"] === id) ?? {};
  assert.equal(license("elbe-002")["status"], "disabled");
  assert.match(String(license("elbe-001")["product"]), /plus/i);
}

function assertProvisioned({ service }: Bench): void {
  const made = service.state.rows("organizations").filter(({ author }) => author === "client");
  const ids = made.map((row) => String(fieldsOf(row)["externalOrganizationId"])).sort();
  const expected = ["elbe", "havel"]
    .flatMap((msp) => [msp, ...customers.map((name) => `${msp}-${name}`)])
    .sort();
  assert.deepEqual(ids, expected);
  for (const row of made) {
    const license = service.state
      .rows("licenses")
      .find((candidate) => fieldsOf(candidate)["externalLicenseId"] === fieldsOf(row)["externalLicenseId"]);
    assert.equal(license && fieldsOf(license)["holder"], row.id, "each has its license");
  }
}

export const provisioningUndo: Job = {
  about: "`orgs provision`, and its undo",
  async run(bench) {
    furnishOrganizations(bench);
    const before = readContents(bench);
    const file = bench.write("spec.yaml", plan);
    const command = ["orgs", "provision", file, "--yes", "-o", "json", ...bench.settle];
    if (pagesUnknown(bench)) return assertRefused(bench, ...command);
    const ran = await bench.run(...command);
    assert.ok(ran.code === 0 || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
    const { certain, deleted } = await undoRuns(bench);
    await bench.pass();
    if (bench.switches.includes("licenses are kept"))
      // Eight organizations were deleted. The deployment keeps their licenses, so voxctl must not count the
      // licenses as deleted.
      assert.ok(deleted <= 8, `${deleted} deleted`);
    if (certain) assertUnchanged(bench, before);
  },
};

export const usage: Job = {
  about: "`usage`, as JSON and as tables",
  async run(bench) {
    furnishOrganizations(bench);
    await bench.pass();
    const range = ["usage", "--from", "2026-03-01", "--to", "2026-03-31"];
    if (pagesUnknown(bench)) return assertRefused(bench, ...range, "-o", "json");
    const ran = await bench.run(...range, "-o", "json");
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(parseOutput(ran).length, 5, "every record once");
    const table = await bench.run(...range, "-o", "table");
    assert.equal(table.code, 0, table.stderr);
    assertNoZeros(table.stdout);
    const total = used.calls * 5;
    const known = !bench.switches.some((name) => /usage$/.test(name));
    if (known) assert.ok(new RegExp(`\\b${total}\\b`).test(table.stdout), table.stdout);
  },
};

export const billing: Job = {
  about: "`billing` for one organization and for all, as JSON and as tables",
  async run(bench) {
    furnishOrganizations(bench);
    await bench.pass();
    const all = ["billing", "--month", "2026-03"];
    if (pagesUnknown(bench)) return assertRefused(bench, ...all, "-o", "json");
    const ran = await bench.run(...all, "-o", "json");
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(parseOutput(ran).length, 1, "one MSP");
    for (const command of [["billing", "alt", "--month", "2026-03"], all]) {
      const table = await bench.run(...command, "-o", "table");
      assert.equal(table.code, 0, table.stderr);
      assertNoZeros(table.stdout + table.stderr);
      assert.ok(/\b3\b/.test(table.stdout), table.stdout);
    }
    if (bench.switches.some((name) => name.startsWith("billing without"))) {
      const listed = await bench.run("licenses", "list", "alt", "-o", "json");
      assert.ok(
        listed.code !== 0 || parseOutput(listed).length > 0,
        "no list of licenses is not an empty one",
      );
    }
  },
};

/** Checks that a missing value is not shown as zero (T10). */
function assertNoZeros(text: string): void {
  assert.ok(!/(^|\s)0(\s|$)|licenses: none/m.test(text), text);
}
