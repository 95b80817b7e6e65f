import { expect, it, onTestFinished } from "vitest";
import { parseExactJson } from "../../src/base/exact-json.js";
import type { Emulator } from "../../src/emulator/index.js";
import { createClockBench } from "../conformance/harness/in-process.js";
import { keys } from "../conformance/server/service.js";
import { type SwitchName, switchNames } from "../conformance/server/switches.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openFork } from "../helpers/mirror.js";
import { askScript, openRehearsedSource } from "../helpers/rehearsal.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type ApiData = any;

const asker =
  ({ fetch, startLine }: Emulator) =>
  async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: ApiData; headers: Headers }> => {
    const response = await fetch(`${startLine.distributor_v2_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${startLine.keys.distributor_v2}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };

const create = ["mirror", "create", "elbe", "--api", "distributor-v2", "-o", "json"];

it("[M12] a distributor mirror returns the lists, tree and licenses of the source", async () => {
  await using source = await openTestEmulator("in process", { seed: "demo" });
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  const made = await run(...create);
  expect(made.code, made.stderr).toBe(0);
  expect(made.json).toMatchObject({
    surface: "distributor-v2",
    consistency: "consistent",
    dangling: [],
  });
  const copy = asker((await openFork(data, "elbe")).emulator);
  const real = asker(source.instance);
  for (const path of ["/organizations?limit=200", "/organizations/tree"])
    expect(JSON.stringify((await copy("GET", path)).body)).toBe(
      JSON.stringify((await real("GET", path)).body),
    );
  for (const { id, type } of (await real("GET", "/organizations?limit=200")).body.data) {
    if (type !== "msp") continue;
    const path = `/organizations/${id}/billing-summary`;
    const [shown, actual] = [(await copy("GET", path)).body.data, (await real("GET", path)).body.data];
    expect(shown.licenses).toEqual(actual.licenses);
    expect(shown).not.toHaveProperty("totals");
  }
});

it("[M12] a refresh finds changed, moved and deleted resources", async () => {
  await using source = await openTestEmulator("in process", { seed: "demo" });
  const { run, data } = commandLine({ overrides: connectedTo(source.instance) });
  expect((await run(...create)).code).toBe(0);
  const real = asker(source.instance);
  const { data: all } = (await real("GET", "/organizations?limit=200")).body;
  const customers = all.filter(({ type }: { type: string }) => type === "customer");
  const [gone, moved] = customers;
  await source.advance(61);
  await real("DELETE", `/organizations/${gone.id}`);
  const msp = moved.parentOrganizationId;
  await real("PATCH", `/organizations/${msp}/licenses`, { licenses: [{ externalLicenseId: "new-1" }] });
  await real("PATCH", `/organizations/${moved.id}/license`, { externalLicenseId: "new-1" });
  await source.advance(61);
  const refreshed = await run("mirror", "refresh", "elbe", "-o", "json");
  expect([refreshed.code, refreshed.json?.consistency], refreshed.stderr).toEqual([0, "consistent"]);
  const copy = asker((await openFork(data, "elbe")).emulator);
  for (const path of ["/organizations?limit=200", "/organizations/tree"])
    expect((await copy("GET", path)).body).toEqual((await real("GET", path)).body);
  const path = `/organizations/${msp}/billing-summary`;
  expect((await copy("GET", path)).body.data.licenses).toEqual((await real("GET", path)).body.data.licenses);
});

it("[M12] a distributor mirror refuses Public API flags, call suites and profiles", async () => {
  await using source = await openTestEmulator("in process", { seed: "demo" });
  const { run } = commandLine({ overrides: connectedTo(source.instance) });
  const refused = await run(...create, "--calls", "30d");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("--calls applies only to the Public API"),
  ]);
  const estimated = await run(...create, "--dry-run");
  expect(estimated.json).toMatchObject({ at_least: false, reads: expect.any(Number) });
  expect((await run(...create)).code).toBe(0);
  const profile = await run("profiles", "add", "kept", "--from-mirror", "elbe");
  expect([profile.code, profile.stderr]).toEqual([
    12,
    expect.stringContaining("a distributor's organizations"),
  ]);
});

it("[M11] a distributor mirror accepts external IDs in the same format as the source", async () => {
  await using source = await openTestEmulator("in process", { seed: "demo" });
  const overrides = reshapeResponses(source.instance, (_, { body }) => ({
    body: JSON.parse(JSON.stringify(body).replace(/("external(?:License|Organization)Id":")/g, "$1Nr. ")),
  }));
  const { run, data } = commandLine({ overrides });
  const made = await run(...create);
  expect(made.code, made.stderr).toBe(0);
  const copy = asker((await openFork(data, "elbe")).emulator);
  const [msp] = (await copy("GET", "/organizations?type=msp")).body.data;
  const path = `/organizations?externalOrganizationId=${encodeURIComponent(msp.externalOrganizationId)}`;
  expect((await copy("GET", path)).body.data).toEqual([msp]);
  const licenses = [{ externalLicenseId: "Nr. 7" }];
  expect((await copy("PATCH", `/organizations/${msp.id}/licenses`, { licenses })).status).toBe(200);
  const customer = { type: "customer", name: "Neu", externalOrganizationId: "Nr. 8" };
  const added = await copy("POST", "/organizations", {
    ...customer,
    parentOrganizationId: msp.id,
    externalLicenseId: "Nr. 7",
  });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
});

it("[M12] the plan file of a rehearsal with a distributor API can be applied", async () => {
  const source = await openRehearsedSource({ api: "distributor-v2" });
  const script = source.script(`${askScript}
    (async () => {
      const [msp] = await ask("GET", "/organizations?type=msp");
      await ask("PATCH", "/organizations/" + msp.id + "/licenses", { licenses: [{ externalLicenseId: "neu-1" }] });
      await ask("POST", "/organizations", { type: "customer", name: "Neu", externalOrganizationId: "neu", parentOrganizationId: msp.id, externalLicenseId: "neu-1" });
      await ask("POST", "/organizations", { type: "customer", name: "Neu", externalOrganizationId: "neu", parentOrganizationId: msp.id, externalLicenseId: "neu-1" });
      await ask("GET", "/usage?from=2026-11-01&to=2026-11-02");
    })();`);
  await source.requests();
  const words = ["rehearse", "-o", "json", "--plan", "n.plan", "--", ...script];
  const { code, json, stderr } = await source.line.run(...words);
  expect(code, stderr).toBe(0);
  expect(json).toMatchObject({
    effect: {
      orgs: { created: 1, updated: 0, deleted: 0 },
      licenses: { created: 1, updated: 0, deleted: 0 },
    },
    requests: { writes: 2, reads: 2, refused: [{ code: "DUPLICATE_EXTERNAL_ORGANIZATION_ID", count: 1 }] },
    limits: { distributor: { limit: 60 } },
    absent_reads: { usage: 1 },
  });
  expect(json).toMatchObject({ steps: 2, undo: { full: 1, new_id: 0, partial: 0, none: 1 } });
  expect((await source.requests()).filter((request) => !request.startsWith("GET "))).toEqual([]);
  const applied = await source.line.run("apply", "n.plan", "--yes", "--settle", "0s");
  expect([applied.code, applied.json?.steps.done], applied.stderr).toEqual([0, 2]);
  const { body } = await source.ask("GET", "/organizations?externalOrganizationId=neu");
  expect(body.data).toMatchObject([{ name: "Neu", externalLicenseId: "neu-1", status: "active" }]);
});

/** Sends requests to the service directly, like another program. */
const createBenchAsk =
  ({ service }: ReturnType<typeof createClockBench>) =>
  async (method: string, path: string, body?: unknown): Promise<ApiData> => {
    const { body: bytes, status } = await service.handle({
      method,
      target: `/api/distributor/v2${path}`,
      headers: { authorization: `Bearer ${keys.distributor}`, "content-type": "application/json" },
      // A large ID is sent as a string, because the service rounds large numbers.
      body: body === undefined ? "" : JSON.stringify(body),
    });
    expect(status, `${method} ${path}`).toBeLessThan(300);
    // IDs can have more digits than a double can store.
    const parsed: ApiData = parseExactJson(bytes.toString());
    return parsed.data ?? parsed;
  };

const cells: readonly SwitchName[] =
  process.env["PROOF"] === undefined
    ? ["pages: total", "IDs are numbers"]
    : switchNames.filter((name) =>
        /^(pages|ids (are)|ids:|tree|billing|data alone|nested errors|lists lag|no order|empty)/.test(name),
      );

/**
 * Switches with which voxctl can't read a distributor's lists completely. `mirror create` refuses them (T8).
 */
const refusals: readonly (readonly [names: RegExp, code: number, words: string])[] = [
  [/^pages: (next|numbers|total|isLast)/, 9, "may be incomplete"],
];

it.each(cells)(
  "[M12] `mirror create` copies a service with the switch %s completely, or fails",
  async (name) => {
    const bench = createClockBench([name]);
    onTestFinished(bench.remove);
    const ask = createBenchAsk(bench);
    const expected: string[] = [];
    for (const msp of ["a", "b"]) {
      const organization = { type: "msp", name: msp, externalOrganizationId: msp };
      const made = await ask("POST", "/organizations", {
        ...organization,
        license: { externalLicenseId: `${msp}-0` },
      });
      const id = made.id ?? made.organizationId ?? made.organization_id;
      expected.push(`${msp} ${msp}-0 `);
      await ask("PATCH", `/organizations/${id}/licenses`, {
        licenses: [1, 2, 3].map((number) => ({ externalLicenseId: `${msp}-${number}` })),
      });
      for (const number of [1, 2]) {
        const customer = { type: "customer", name: "C", externalOrganizationId: `${msp}c${number}` };
        await ask("POST", "/organizations", {
          ...customer,
          parentOrganizationId: id,
          externalLicenseId: `${msp}-${number}`,
        });
        expected.push(`${msp}c${number} ${msp}-${number} ${msp}`);
      }
    }
    await bench.pass();
    const made = await bench.run("mirror", "create", "copy", "--api", "distributor-v2", "-o", "json");
    const refusal = refusals.find(([names]) => names.test(name));
    if (refusal) {
      expect([made.code, made.stderr]).toEqual([refusal[1], expect.stringContaining(refusal[2])]);
      return;
    }
    expect(made.code, made.stderr).toBe(0);
    const { absent, counts } = JSON.parse(made.stdout);
    const { emulator } = await openFork(bench.path("data"), "copy");
    const { body } = await asker(emulator)("GET", "/organizations/tree");
    const tree: ApiData[] = body.data;
    const shown = tree.flatMap((msp) => [
      `${msp.externalOrganizationId} ${msp.externalLicenseId} `,
      ...msp.customers.map(
        (customer: ApiData) =>
          `${customer.externalOrganizationId} ${customer.externalLicenseId} ${msp.externalOrganizationId}`,
      ),
    ]);
    expect(shown.sort()).toEqual(expected.sort());
    if (name.startsWith("billing")) expect(absent).toEqual({ licenses: "not-shown" });
    else expect([absent, counts.licenses]).toEqual([{}, 8]);
  },
);

const idCells: readonly SwitchName[] =
  process.env["PROOF"] === undefined
    ? ["IDs: organization_id"]
    : switchNames.filter((name) => /^ids(:| are| beyond)/.test(name));

it.each(idCells)(
  "[T9][M12] `apply` makes rehearsed changes at a distributor with the switch %s",
  async (name) => {
    const bench = createClockBench([name]);
    onTestFinished(bench.remove);
    const ask = createBenchAsk(bench);
    const idOf = (row: ApiData) => row.id ?? row.organizationId ?? row.organization_id;
    const organization = { type: "msp", name: "Elbe", externalOrganizationId: "elbe" };
    const msp = await ask("POST", "/organizations", {
      ...organization,
      license: { externalLicenseId: "elbe-0" },
    });
    const licenses = ["elbe-1", "elbe-2", "elbe-3"].map((externalLicenseId) => ({ externalLicenseId }));
    await ask("PATCH", `/organizations/${idOf(msp)}/licenses`, { licenses });
    const customer = { type: "customer", name: "C", parentOrganizationId: idOf(msp) };
    for (const number of [1, 2])
      await ask("POST", "/organizations", {
        ...customer,
        externalOrganizationId: `c${number}`,
        externalLicenseId: `elbe-${number}`,
      });
    await bench.pass();
    const ran = async (...argv: string[]) => {
      const { code, stdout, stderr } = await bench.run("-o", "json", ...argv);
      expect(code, `${argv.join(" ")}\n${stderr}`).toBe(0);
      return JSON.parse(stdout);
    };
    await ran("mirror", "create", "copy", "--api", "distributor-v2");
    const script = bench.write(
      "script.cjs",
      `${askScript}
      (async () => {
        const idOf = (row) => row.id ?? row.organizationId ?? row.organization_id;
        const all = await ask("GET", "/organizations");
        const [msp, first, second] = ["elbe", "c1", "c2"].map((one) => all.find((row) => row.externalOrganizationId === one));
        const under = await ask("GET", "/organizations?parentOrganizationId=" + idOf(msp));
        if (under.length !== 2 || first.parentOrganizationId !== idOf(msp)) throw new Error("another form: " + JSON.stringify(all));
        await ask("PATCH", "/organizations/" + idOf(first) + "/license", { externalLicenseId: "elbe-3" });
        await ask("DELETE", "/organizations/" + idOf(second));
        await ask("POST", "/organizations", { type: "customer", name: "Neu", externalOrganizationId: "neu", parentOrganizationId: idOf(msp), externalLicenseId: "elbe-1" });
      })();`,
    );
    const words = ["rehearse", "--mirror", "copy", "--plan", "o.plan", "--", process.execPath];
    const { effect, steps } = await ran(...words, script);
    expect([effect.orgs, steps]).toMatchObject([{ created: 1, updated: 1, deleted: 1 }, 3]);
    const applied = await ran("apply", "o.plan", "--yes", "--allow", "orgs:delete", ...bench.settle);
    expect(applied.steps.done).toBe(3);
    await bench.pass();
    const held: ApiData[] = await ask("GET", "/organizations");
    const parent = (row: ApiData) => (`${row.parentOrganizationId}` === `${idOf(msp)}` ? " under elbe" : "");
    expect(held.map((row) => `${row.externalOrganizationId} ${row.externalLicenseId}${parent(row)}`)).toEqual(
      ["elbe elbe-0", "c1 elbe-3 under elbe", "neu elbe-1 under elbe"],
    );
  },
);
