import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { createPlan, readTree, toTree } from "../helpers/provisioning.js";
import { reshapeResponses, type Shape } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00Z";
const plan = createPlan({ msps: 2, licenses: 8, customers: 6 });
const isList = ({ method, path }: { method: string; path: string }) =>
  method === "GET" && /\/organizations(\?|$)/.test(path);

const isTree = ({ path }: { path: string }) => path.includes("/organizations/tree");

async function deployment(
  ...shape: [
    reshape?: Parameters<typeof reshapeResponses>[1],
    rewrite?: Parameters<typeof reshapeResponses>[2],
  ]
) {
  const [reshape = () => undefined, rewrite] = shape;
  const emulator = await openSeededEmulator({ clock: "virtual", startTime, seed: "empty" });
  const shell = commandLine();
  writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
  const as = (overrides: ReturnType<typeof connectedTo>, ...argv: string[]) =>
    shell.runWith({ overrides }, "--profile", "offline", ...argv);
  return {
    ...shell,
    emulator,
    run: (...argv: string[]) => as(reshapeResponses(emulator, reshape, rewrite), ...argv),
    plain: (...argv: string[]) => as(connectedTo(emulator), ...argv),
    requests: async () =>
      (await emulator.control("GET", "/requests?limit=1000")) as { method: string; path: string }[],
  };
}

/** `envelope` adds paging fields that the emulator doesn't have. */
function firstThree(envelope: (all: number) => object) {
  return (request: { method: string; path: string }, { body }: Shape) =>
    isList(request) && body.data.length > 3
      ? { body: { status: "success", data: body.data.slice(0, 3), ...envelope(body.data.length) } }
      : undefined;
}

describe("a distributor's list that is paged differently", () => {
  const spellings = [
    { paging: { next: "abc" } },
    { links: { next: "https://api.example/organizations?page=2" } },
    { page: 1, totalPages: 3 },
  ];

  test("[T8] `orgs list --all` exits with code 9 if rows may be missing", async () => {
    for (const envelope of spellings) {
      const { run, plain } = await deployment(firstThree(() => envelope));
      expect((await plain("orgs", "provision", "plan.json", "--yes")).code).toBe(0);
      const shown = await run("orgs", "list");
      expect(shown.code).toBe(0);
      expect(shown.json).toHaveLength(3);
      expect(shown.stderr).toContain("showing 3 organizations; more may exist");
      const all = await run("orgs", "list", "--all", "-o", "json");
      expect(all.code).toBe(9);
      expect(all.json).toHaveLength(3);
      expect(JSON.parse(all.stderr).error).toMatchObject({
        code: "incomplete_list",
        outcome: "none",
        exit: 9,
      });
    }
  });

  test("[T8] provisioning and undo exit with code 9 before any write if rows may be missing", async () => {
    const { run, plain, emulator, requests } = await deployment(firstThree((all) => ({ total: all })));
    const first = await plain("orgs", "provision", "plan.json", "--yes");
    expect(first.code).toBe(0);
    const before = (await requests()).filter(({ method }) => method !== "GET").length;
    for (const argv of [
      ["orgs", "provision", "plan.json", "--yes"],
      ["orgs", "provision", "plan.json", "--dry-run"],
      ["runs", "undo", first.json.run_id, "--yes"],
      ["runs", "undo", first.json.run_id, "--dry-run"],
    ]) {
      const ran = await run(...argv, "-o", "json");
      expect(ran.code).toBe(9);
      expect(ran.stderr).toContain('"incomplete_list"');
      expect(ran.stderr).toContain('"outcome":"none"');
    }
    expect((await requests()).filter(({ method }) => method !== "GET")).toHaveLength(before);
    expect(await readTree(emulator)).toEqual(toTree(plan));
    expect((await plain("runs", "undo", first.json.run_id, "--yes")).json).toMatchObject({
      deleted: 8,
      with_msp: 6,
      gone: 0,
    });
    expect(await readTree(emulator)).toEqual([]);
  });
});

describe("lists of organizations in provisioning and its undo", () => {
  const treeTimes = async (requests: { path: string; at: string }[]) =>
    requests.filter(isTree).map(({ at }) => Date.parse(at));

  test("[T8] provisioning exits with code 9 if the organization list and tree disagree", async () => {
    const { run, plain, emulator, requests } = await deployment((request, { body }) =>
      isList(request) && body.data.length > 3
        ? { body: { ...body, data: body.data.slice(0, 3) } }
        : undefined,
    );
    const made = (await plain("orgs", "provision", "plan.json", "--yes")).json.run_id;
    const begun = emulator.clock.now();
    for (const argv of [
      ["orgs", "provision", "plan.json", "--yes"],
      ["runs", "undo", made, "--yes"],
    ]) {
      const ran = await run(...argv, "--settle", "2s", "-o", "json");
      expect(ran.code).toBe(9);
      expect(ran.stderr).toContain("it contains 3, but the organization tree contains 5 more");
      expect(ran.stderr).toContain('"outcome":"none"');
    }
    expect(emulator.clock.now() - begun).toBeGreaterThanOrEqual(120_000);
    const times = (await requests()).filter(isTree).length;
    // Each `orgs provision` reads the tree twice, even if it is refused (T21).
    expect(times).toBe(2 + 2 + 2);
    expect(await readTree(emulator)).toEqual(toTree(plan));
  });

  test("[T8] provisioning reads an incomplete list of organizations again later", async () => {
    let late = 0;
    const { run, plain, emulator } = await deployment((request, { body }) =>
      isList(request) && body.data.length > 3 && emulator.clock.now() < late
        ? { body: { ...body, data: body.data.slice(0, 3) } }
        : undefined,
    );
    await plain("orgs", "provision", "plan.json", "--yes");
    late = emulator.clock.now() + 1_500;
    const again = await run("orgs", "provision", "plan.json", "--yes", "--settle", "2s");
    expect(again.stderr).toContain("the tree shows organizations that the list lacks");
    expect(again).toMatchObject({ code: 0 });
    expect(again.json).toMatchObject({ created: 0, existing: 14 });
  });

  test("[T4a] an organization that is missing only briefly doesn't count as deleted", async () => {
    const hidden = (body: { data: { externalOrganizationId: string }[] }) => ({
      body: {
        ...body,
        data: body.data.filter(({ externalOrganizationId }) => !externalOrganizationId.endsWith("-1")),
      },
    });
    let late = 0;
    const { run, plain, emulator } = await deployment((request, { body }) =>
      (isList(request) || isTree(request)) && emulator.clock.now() < late ? hidden(body) : undefined,
    );
    const made = (await plain("orgs", "provision", "plan.json", "--yes")).json.run_id;
    // The tree and the list show the change late, so only a second read finds it.
    late = emulator.clock.now() + 1_500;
    const undone = await run("runs", "undo", made, "--yes", "--settle", "2s");
    expect(undone.json).toMatchObject({ deleted: 8, gone: 0, kept: 0 });
    expect(await readTree(emulator)).toEqual([]);
  });

  test("[T4a] an organization counts as deleted if it is missing from two reads", async () => {
    const { plain, emulator } = await deployment();
    const made = (await plain("orgs", "provision", "plan.json", "--yes")).json.run_id;
    expect((await plain("orgs", "delete", "customer-1", "--yes")).code).toBe(0);
    const undone = await plain("runs", "undo", made, "--yes", "--settle", "2s");
    expect(undone.json).toMatchObject({ deleted: 7, gone: 1 });
    const requests = (await emulator.control("GET", "/requests?limit=1000")) as {
      path: string;
      at: string;
    }[];
    const [first = 0, second = 0] = (await treeTimes(requests))
      .sort((number, right) => number - right)
      .slice(-2);
    expect(second - first).toBeGreaterThanOrEqual(60_000);
  });

  test("[v2.duplicate holds refuses] [T5a] after a 409, provisioning finds the MSP in the tree", async () => {
    let hides = false;
    const { run, plain, emulator } = await deployment((request, { body, status }) => {
      if (request.method === "POST" && status === 409) hides = true;
      const data = Array.isArray(body?.data) ? body.data : [];
      const otherRows = data.filter(
        (row: { externalOrganizationId?: string }) => row.externalOrganizationId !== "msp-0",
      );
      // Another user creates the MSP after the comparison. The tree shows the MSP only after the 409, and the
      // list never shows it.
      return isList(request) || (isTree(request) && !hides)
        ? { body: { ...body, data: otherRows } }
        : undefined;
    });
    await plain(
      ...["orgs", "create", "--type", "msp", "--name", "MSP 0"],
      ...["--external-id", "msp-0", "--license", "base-0", "--product", "MSP"],
    );
    const ran = await run("orgs", "provision", "plan.json", "--yes");
    expect(ran.json).toMatchObject({ created: 13, existing: 1, conflicting: 0 });
    expect(await readTree(emulator)).toEqual(toTree(plan));
  });
});

function renumbered(name: string, form: (number: number) => string | number) {
  const numbers = new Map<string, string | number>();
  const idOf = (id: string) => {
    const known = numbers.get(id) ?? form(4_710_000 + numbers.size);
    numbers.set(id, known);
    return known;
  };
  const hex = (value: unknown) => [...numbers].find(([, replacement]) => replacement === value)?.[0];
  const shaped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shaped);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => {
        if (!["id", "organizationId", "parentOrganizationId"].includes(field)) return [field, shaped(inner)];
        const given = typeof inner === "string" ? idOf(inner) : inner;
        return [field === "id" ? name : field, given];
      }),
    );
  };
  return [
    (_: unknown, { body }: Shape) => ({ body: shaped(body) }),
    ({ path, body }: { path: string; body: { parentOrganizationId?: unknown } | undefined }) => ({
      path: path
        .replace(/(?<=organizations\/)[^/?]+/, (id) =>
          id === "tree"
            ? id
            : ([...numbers].find(([, replacement]) => String(replacement) === decodeURIComponent(id))?.[0] ??
              id),
        )
        .replace(
          /(?<=rganizationId=)[^&]+/,
          (id) =>
            [...numbers].find(([, replacement]) => String(replacement) === decodeURIComponent(id))?.[0] ?? id,
        ),
      // A service that returned numeric IDs accepts only numbers.
      body:
        body?.parentOrganizationId === undefined
          ? body
          : { ...body, parentOrganizationId: hex(body.parentOrganizationId) ?? "not one of ours" },
    }),
  ] as const;
}

describe.each([
  ["numbers under id", "id", (number: number) => number],
  ["numbers under organizationId", "organizationId", (number: number) => number],
  ["texts under organization_id", "organization_id", (number: number) => `ORG/${number}`],
] as const)("organizations whose IDs are %s", (_, name, form) => {
  test("[T9] organizations with unusual IDs can be provisioned and undone", async () => {
    const { run, emulator } = await deployment(...renumbered(name, form));
    const made = await run("orgs", "provision", "plan.json", "--yes");
    expect(made.json).toMatchObject({ created: 14, conflicting: 0, failed: 0 });
    expect(await readTree(emulator)).toEqual(toTree(plan));
    expect((await run("orgs", "provision", "plan.json", "--yes")).json).toMatchObject({
      created: 0,
      existing: 14,
    });
    expect((await run("runs", "undo", made.json.run_id, "--yes")).json).toMatchObject({
      deleted: 8,
      with_msp: 6,
      gone: 0,
    });
    expect(await readTree(emulator)).toEqual([]);
  });

  test("[T9] organizations are found by ID, external ID or name", async () => {
    const { run, emulator } = await deployment(...renumbered(name, form));
    await run(
      "orgs",
      "create",
      "--type",
      "msp",
      "--name",
      "Elbe",
      "--external-id",
      "elbe",
      "--license",
      "base",
    );
    await run("licenses", "upsert", "elbe", "seat", "spare");
    const id = (await run("orgs", "get", "elbe")).json[name];
    expect(id).toBe(form(4_710_000));
    const customer = await run(
      ...["orgs", "create", "--type", "customer", "--name", "Optik", "--external-id", "optik"],
      ...["--license", "seat", "--parent", String(id)],
    );
    expect(customer.json).toMatchObject({ [name]: form(4_710_001), parentOrganizationId: id });
    expect((await run("orgs", "get", String(form(4_710_001)))).json).toEqual(customer.json);
    expect((await run("licenses", "list", String(id))).json).toHaveLength(3);
    expect((await run("usage", "--from", "7d", "--organization", String(id))).code).toBe(0);
    expect((await run("billing", "optik")).json).toMatchObject({ organizationId: form(4_710_001) });
    const table = await run("orgs", "list", "-o", "table");
    expect(table.stdout).toContain(String(form(4_710_001)));
    expect((await run("orgs", "list", "--tree", "-o", "table")).stdout).toContain(String(form(4_710_001)));
    expect((await run("orgs", "delete", "optik", "--yes")).json).toEqual({
      id: String(form(4_710_001)),
      deleted: true,
    });
    expect((await run("orgs", "delete", String(id), "--yes")).code).toBe(0);
    expect(await readTree(emulator)).toEqual([]);
  });
});

describe("a response in an unknown form", () => {
  async function practice(path: RegExp, data: unknown | ((known: object) => unknown)) {
    const emulator = await openSeededEmulator({ clock: "virtual", startTime, seed: "demo" });
    const overrides = reshapeResponses(emulator, (request, { body }) =>
      path.test(request.path)
        ? { body: { ...body, data: typeof data === "function" ? data(body.data) : data } }
        : undefined,
    );
    const shell = commandLine({ overrides });
    return (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  }

  test("[T10] usage in an unknown form is printed unchanged", async () => {
    const total = { period: "2026-02", minutes: 12.5 };
    const summed = await practice(/\/v2\/usage/, total);
    expect((await summed("usage", "--from", "7d")).json).toEqual(total);
    expect((await summed("usage", "--from", "7d", "-o", "table")).stdout).toMatch(/minutes +12.5/);
    const partners = await practice(/\/v1\/usage/, total);
    expect((await partners("usage", "--v1", "--from", "7d")).json).toEqual(total);
    const rows = [
      { org: "a", minutes: 3 },
      { org: "b", minutes: 4, extra: { x: 1 } },
    ];
    const renamed = await practice(/\/v2\/usage/, rows);
    expect((await renamed("usage", "--from", "7d")).json).toEqual(rows);
    const table = (await renamed("usage", "--from", "7d", "-o", "table")).stdout;
    expect(table).toMatch(/^ORG +MINUTES +EXTRA\n+a +3 +–\n+b +4 +\{"x":1\}\n$/);
    expect(table).not.toContain("TOTAL");
  });

  test("[T10] a table shows missing values as – and ignores them in totals", async () => {
    const rows = [
      { date: "2026-02-01", calls: 3 },
      { date: "2026-02-02", calls: 4, externalOrganizationId: null },
    ];
    const run = await practice(/\/v2\/usage/, rows);
    const lines = (await run("usage", "--from", "7d", "-o", "table")).stdout
      .split("\n")
      .map((line) => line.trim());
    expect(lines[1]).toMatch(/^2026-02-01 +– +3 +– +–$/);
    expect(lines[2]).toMatch(/^2026-02-02 +4 +– +–$/);
    expect(lines[3]).toMatch(/^TOTAL +7 +– +–$/);
  });

  test("[T23] usage and billing are printed unchanged if their fields have unknown names", async () => {
    const rows = [{ date: "2026-02-01", organization_id: "6b08a1", call_count: 31, seconds: 5400 }];
    for (const [path, ...argv] of [
      [/\/v2\/usage/, "usage", "--from", "7d"],
      [/\/v1\/usage/, "usage", "--v1", "--from", "7d"],
    ] as const) {
      const { stdout } = await (await practice(path, rows))(...argv, "-o", "table");
      expect(stdout).toMatch(/CALL_COUNT +SECONDS/);
      expect(stdout).toMatch(/2026-02-01 .* 31 +5400/);
    }
    const organizations = [{ externalOrganizationId: "praxis-sommer", used: { count: 31 } }];
    const billed = await practice(/billing-summary/, { month: "2026-02", organizations });
    for (const argv of [["billing", "havel-it"], ["billing"]])
      expect((await billed(...argv, "-o", "table")).stdout).toMatch(/praxis-sommer .*\{"count":31\}/);
  });

  test.each([
    ["figures", { weekly: { total: 31, days: [{ date: "2026-02-23", count: 31 }] }, last_24h: { total: 4 } }],
    ["lists", { weekly: [{ date: "2026-02-23", calls: 31 }], monthly: [{ week: 9, calls: 31 }] }],
    ["texts", { weekly: "31 calls", monthly: null }],
  ])("[T23] statistics are printed unchanged if the form of %s is unknown", async (_, data) => {
    const run = await practice(/statistics\/usage/, data);
    for (const flags of [["-o", "table"], ["-o", "csv"], ["--chart"]]) {
      const { stdout } = await run("stats", "usage", ...flags);
      expect(stdout).toContain("31");
      expect(stdout).not.toContain("Week 2026");
    }
  });

  test("[T23] unknown parts of statistics are printed unchanged, after the known parts", async () => {
    const run = await practice(/statistics\/usage/, (known: object) => ({
      ...known,
      weekly: { total_calls: 31, days: [{ date: "2026-02-23", count: 29, seconds: 1770 }] },
      hourly_call_counts_last_24h: [{ hour: 3, count: 17 }],
    }));
    const { stdout } = await run("stats", "usage", "-o", "table");
    expect(stdout).toMatch(/Total +31 /);
    for (const figure of ["29", "1770", "17"]) expect(stdout).toContain(figure);
    const { stdout: csv } = await run("stats", "usage", "-o", "csv");
    for (const figure of ["29", "1770", "17"]) expect(csv).toContain(figure);
    const summary = await practice(/statistics\/summary/, { weeks: [{ iso: "2026-W09" }], assistants: [] });
    expect((await summary("stats", "summary", "-o", "csv")).stdout).toContain("2026-W09");
  });

  test("[T10] a billing summary without a list of organizations is printed unchanged", async () => {
    const summary = { month: "2026-02", amount: { cents: 1234, currency: "EUR" } };
    const run = await practice(/billing-summary/, summary);
    expect((await run("billing", "havel-it")).json).toEqual(summary);
    expect((await run("billing", "havel-it", "-o", "table")).stdout).toMatch(/cents +1234/);
    expect((await run("billing", "havel-it", "-o", "csv")).stdout).toContain("1234");
    const all = await run("billing", "-o", "table");
    expect(all.stdout).toContain("1234");
    expect(all.stdout).not.toMatch(/TOTAL|\b0\b/);
  });

  test("[T10] `licenses list` exits with code 9 if the summary has no list of licenses", async () => {
    for (const data of [{ totals: { calls: 3 } }, { licenses: ["havel-001"] }, { licenses: { count: 4 } }]) {
      const run = await practice(/billing-summary/, data);
      for (const argv of [
        ["licenses", "list", "havel-it"],
        ["licenses", "disable", "havel-it", "havel-001"],
      ]) {
        const ran = await run(...argv, "-o", "json");
        expect(ran.code).toBe(9);
        expect(ran.stdout).toBe("");
        expect(JSON.parse(ran.stderr).error).toMatchObject({ code: "licenses_not_shown", outcome: "none" });
      }
    }
    const none = await practice(/billing-summary/, { licenses: [] });
    expect((await none("licenses", "list", "havel-it")).json).toEqual([]);
  });

  test("[T10] statistics in an unknown form are printed unchanged, and never as zeros", async () => {
    const renamedFields = { buckets: [{ from: "2026-02-23", n: 4 }] };
    const run = await practice(/statistics\/usage/, renamedFields);
    expect((await run("stats", "usage", "-o", "table")).stdout).toMatch(/n +4/);
    expect((await run("stats", "usage", "--chart")).stdout).not.toContain("Week");
    expect((await run("stats", "usage", "-o", "csv")).stdout).toContain("2026-02-23");
    const part = await practice(/statistics\/usage/, (known: object) => ({
      ...known,
      week: undefined,
      weekly: { days: [{ date: "2026-02-23", count: 4 }] },
      monthly: undefined,
      last_24h: { total_calls: 2 },
      hourly_call_counts_last_24h: undefined,
    }));
    const table = (await part("stats", "usage", "--week", "2026-W09", "-o", "table")).stdout;
    expect(table).toContain("Week 2026-W09, all assistants");
    expect(table).toMatch(/Mon 2026-02-23 +– +–\nTotal +– +–\n/);
    expect(table).toMatch(/Month\n.*\nTotal +– +–\n/);
    expect(table).toContain("Last 24 hours  2 (–)");
    expect((await part("stats", "usage", "--week", "2026-W09", "--chart")).stdout).toContain("– (–)");
    const renamed = await practice(/statistics\/usage/, (known: object) => ({
      ...known,
      monthly: undefined,
      month_breakdown: { count: 77 },
    }));
    expect((await renamed("stats", "usage", "-o", "table")).stdout).toMatch(/month_breakdown\n +count +77/);
    const summary = { weeks: ["2026-W09"], assistants: { count: 3 } };
    const summarized = await practice(/statistics\/summary/, summary);
    const shown = (await summarized("stats", "summary", "-o", "table")).stdout;
    expect(shown).toContain("2026-W09");
    expect(shown).toMatch(/count +3/);
  });

  test("[T10] tables show – for missing fields", async () => {
    const run = await practice(/\/calls(\?|$)/, [{ id: "c1", created_at: "2026-03-01T00:00:00Z" }]);
    const [, line] = (await run("calls", "list", "-o", "table")).stdout.split("\n");
    expect(line?.trim()).toMatch(/^c1 +2026-03-01T00:00:00Z( +–)+$/);
    const strange = await practice(/\/tools(\?|$)/, [{ tool: "x", kind: "hook" }]);
    expect((await strange("tools", "list", "-o", "table")).stdout).toMatch(/^TOOL +KIND\nx +hook\n$/);
    const selected = await run("calls", "list", "-o", "table", "--fields", "id,status");
    expect(selected.stdout).toMatch(/^ID +STATUS\nc1 +–\n$/);
  });

  test("[T10] `orgs list --tree` draws nested organizations", async () => {
    const node = (id: number, more: object) => ({ organizationId: id, name: `Org ${id}`, ...more });
    const run = await practice(/organizations\/tree/, {
      msps: [
        node(1, {
          type: "msp",
          externalOrganizationId: "elbe",
          children: [node(2, { type: "customer", externalOrganizationId: "optik" })],
        }),
        node(3, { externalOrganizationId: "flat", parentOrganizationId: 1 }),
      ],
    });
    const lines = (await run("orgs", "list", "--tree", "-o", "table")).stdout.split("\n");
    expect(lines[1]).toMatch(/^elbe +Org 1/);
    expect(lines[2]).toMatch(/^├─ optik +Org 2/);
    expect(lines[3]).toMatch(/^└─ flat +Org 3/);
    expect((await run("orgs", "list", "--tree", "-o", "csv")).stdout).toContain("optik");
    expect((await run("orgs", "list", "--tree")).json).toMatchObject({ msps: [{ organizationId: 1 }, {}] });
    const strange = await practice(/organizations\/tree/, { levels: 2 });
    expect((await strange("orgs", "list", "--tree", "-o", "table")).stdout).toMatch(/levels +2/);
  });

  test("[T10] a call's transcript, analyses and notes in an unknown form are printed unchanged", async () => {
    const run = await practice(/\/calls\/[0-9a-f]{24}$/, (known: object) => ({
      ...known,
      transcript: "Guten Tag. Auf Wiederhören.",
      analyses: { goal_reached: "yes" },
      notes: ["rückrufen"],
      recording: undefined,
    }));
    const [call] = (await run("calls", "list", "--limit", "1")).json;
    const text = (await run("calls", "get", call.id, "-o", "table")).stdout;
    expect(text).toContain("Guten Tag. Auf Wiederhören.");
    expect(text).toContain('{"goal_reached":"yes"}');
    expect(text).toContain('["rückrufen"]');
    expect(text).toMatch(/recording +–/);
  });
});
