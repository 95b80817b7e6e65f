import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { formatPlan } from "../helpers/plan.js";
import { setUpApply } from "../helpers/set-up-apply.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUp(people = 3) {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const json = async (...argv: string[]) => (await shell.run(...argv, "-o", "json")).json;
  const group: string = (await json("groups", "create", "--type", "contacts", "--name", "Kunden")).id;
  const contacts: { id: string; updated_at: string }[] = [];
  for (let index = 0; index < people; index += 1)
    contacts.push(
      await json(
        "contacts",
        "create",
        "--group",
        group,
        "--first-name",
        `Anna${index}`,
        "--last-name",
        "Weiß",
      ),
    );
  const check = (steps: readonly object[], target: { anchors?: string[]; base_url?: string } = {}) => {
    const text = formatPlan({
      header: { target: { base_url: emulator.startLine.base_url, anchors: [group], ...target } },
      steps: steps.map((step, index) => ({ step: index + 1, undo: "full", ...step })),
    });
    writeFileSync(join(shell.home, "kunden.plan"), text);
    return shell.run("plan", "check", "kunden.plan", "-o", "json");
  };
  const rename = (id: string, expected: string) => ({
    op: "contacts.update",
    path: { contact_id: id },
    body: { last_name: "Weiss" },
    if: { fields: { last_name: expected } },
  });
  const requests = async () =>
    emulator.control("GET", "/requests?limit=1000") as Promise<{ method: string }[]>;
  return { ...shell, emulator, requests, group, contacts, check, rename, json };
}

describe("plan check", () => {
  test("`plan check` prints the number of checked steps if everything matches the plan", async () => {
    const { check, rename, contacts, run } = await setUp(2);
    await check(contacts.map(({ id }) => rename(id, "Weiß")));
    const { stdout, stderr } = await run("plan", "check", "kunden.plan", "-o", "table");
    expect(stdout + stderr).toContain("2 steps checked: the plan is up to date.");
  });

  test("`plan check` lists outdated steps by the name and number that `plan show` prints", async () => {
    const { check, rename, contacts, run, group } = await setUp(1);
    const [{ id } = { id: "" }] = contacts;
    const create = {
      op: "contacts.create",
      body: { group_id: group, phone_numbers: ["+491510000003"] },
      if: { absent: { in: `contacts?group_id=${group}`, count: 1 } },
    };
    await check([rename(id, "Weiss-Meier"), create]);
    const { stdout } = await run("plan", "check", "kunden.plan", "-o", "table");
    const name = `Weiss (step 1, ${id.slice(0, 4)}…${id.slice(-4)})`;
    expect(stdout).toContain(`Update contact ${name}: last_name: expected "Weiss-Meier"`);
    expect(stdout).toContain("Create contact +4915…03 (step 2)");
    expect(stdout).not.toContain(group);
    const shown = await run("plan", "show", "kunden.plan", "-o", "table");
    expect(shown.stdout).toContain(`~ ${name}\n`);
    expect(shown.stdout).toContain("+ +4915…03 (step 2)\n");
  });

  test("`plan check` shows the whole values on a narrow terminal, wrapped between words", async () => {
    const { check, rename, contacts, runWith } = await setUp(1);
    const [{ id } = { id: "" }] = contacts;
    await check([rename(id, "Weiss-Meier aus der Gartenstraße")]);
    const { stdout } = await runWith({ terminal: 50 }, "plan", "check", "kunden.plan");
    const lines = stdout.trimEnd().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    expect(lines.map((line) => line.trim()).join(" ")).toContain(
      'last_name: expected "Weiss-Meier aus der Gartenstraße", found "Weiß"',
    );
  });

  test("`plan check` of an applied plan shows the command to undo the run", async () => {
    const { check, rename, contacts, run } = await setUp(1);
    await check(contacts.map(({ id }) => rename(id, "Weiß")));
    const applied = await run("apply", "kunden.plan", "--yes", "--max-age", "9999d", "-o", "json");
    expect(applied.stderr).toContain(`voxctl runs undo ${applied.json.run_id}`);
    const { code, stdout, stderr } = await run("plan", "check", "kunden.plan");
    expect(code).toBe(10);
    expect(stderr).toContain(`was already applied by run ${applied.json.run_id}`);
    expect(stderr).toContain(`voxctl runs undo ${applied.json.run_id}`);
    expect(stdout).toBe("");
  });

  test("`plan check` and `apply --dry-run` report the unfinished run of a plan", async () => {
    const { seal, interrupt, run, create, json } = await setUpApply(0);
    seal(Array.from({ length: 150 }, (_, index) => create(`Neu${index}`)));
    expect((await interrupt()).code).toBe(130);
    const [{ id }] = await json("runs", "list");
    for (const words of [
      ["plan", "check", "kunden.plan"],
      ["apply", "kunden.plan", "--dry-run"],
    ]) {
      const { code, stdout, stderr } = await run(...words);
      expect([code, stdout, stderr]).toEqual([10, "", expect.stringContaining(`run ${id} of plan `)]);
      expect(stderr).toContain("is unfinished");
      expect(stderr).toContain("to resume the run, run `voxctl apply kunden.plan`");
    }
  });

  test("for an applied plan, `plan check` counts the unconfirmed steps", async () => {
    const { check, group, emulator, runWith, run } = await setUp(0);
    await check([{ op: "contacts.create", body: { group_id: group, first_name: "Neu" } }]);
    // Another user creates the same contact while voxctl waits for a response, which is then lost.
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      const response = await transport(url, request);
      if (request.method !== "POST") return response;
      await transport(url, request);
      return { ...response, status: 503 };
    });
    const applied = await runWith({ overrides }, "apply", "kunden.plan", "--yes", "--max-age", "9999d");
    expect(applied.code, applied.stderr).toBe(75);
    const { code, stderr } = await run("plan", "check", "kunden.plan");
    expect([code, stderr]).toEqual([
      10,
      expect.stringMatching(/already applied by run \w+; 1 step is unconfirmed/),
    ]);
  });

  test("`plan check` reports that all steps are ready", async () => {
    const { check, rename, contacts, group, requests } = await setUp();
    const before = await requests();
    const { code, json } = await check([
      ...contacts.map(({ id }) => rename(id, "Weiß")),
      {
        op: "contacts.create",
        body: { group_id: group, first_name: "Neu" },
        if: { absent: { in: `contacts?group_id=${group}` }, exists: [`groups/${group}`] },
      },
    ]);
    expect(code).toBe(0);
    const ready = { state: "ready", resource: null, reason: null };
    expect(json).toEqual([1, 2, 3, 4].map((step) => ({ step, ...ready })));
    const after = await requests();
    expect(after.slice(0, after.length - before.length).every(({ method }) => method === "GET")).toBe(true);
  });

  test("`plan check` prints expected and actual values of changed resources (exit code 10)", async () => {
    const { check, rename, contacts, json, run } = await setUp();
    const [changed, gone, same] = contacts.map(({ id }) => id);
    await json("contacts", "update", changed ?? "", "--last-name", "Weiss-Meier");
    await run("contacts", "delete", gone ?? "", "--yes");
    const { code, json: failures } = await check([changed, gone, same].map((id) => rename(id ?? "", "Weiß")));
    expect(code).toBe(10);
    expect(failures).toEqual([
      {
        ...{ step: 1, state: "outdated", resource: `contacts/${changed}` },
        reason: 'last_name: expected "Weiß", found "Weiss-Meier"',
      },
      { step: 2, state: "outdated", resource: `contacts/${gone}`, reason: "no longer exists with this ID" },
      { step: 3, state: "ready", resource: null, reason: null },
    ]);
  });

  test("[T3] `plan check` detects a duplicate with different spelling", async () => {
    const { check, group } = await setUp();
    const create = (first_name: string) => ({
      op: "contacts.create",
      body: { group_id: group, first_name, last_name: "Weiß" },
      if: { absent: { in: `contacts?group_id=${group}` } },
    });
    const { code, json } = await check([create("Neu"), create("  anna1 ")]);
    expect(code).toBe(10);
    expect(json).toMatchObject([
      { step: 1, state: "ready" },
      { step: 2, state: "outdated", resource: `contacts?group_id=${group}`, reason: "already exists" },
    ]);
  });

  test("`plan check` and `apply` count a step once even if two preconditions fail", async () => {
    const { check, run, rename, contacts, group } = await setUp(1);
    const [{ id } = { id: "" }] = contacts;
    await run("contacts", "update", id, "--last-name", "Berg");
    const create = {
      ...{ op: "contacts.create", body: { group_id: group, first_name: "Anna0", last_name: "Berg" } },
      if: { absent: { in: `contacts?group_id=${group}` }, exists: [`contacts/${"0".repeat(24)}`] },
    };
    const { json, stderr } = await check([create, rename(id, "Weiß")]);
    expect(json.map(({ step }: { step: number }) => step)).toEqual([1, 2]);
    expect(json[0].reason).toContain("; ");
    const table = await run("plan", "check", "kunden.plan", "-o", "table");
    const preview = await run("apply", "kunden.plan", "--dry-run");
    for (const text of [stderr, table.stderr]) expect(text).toContain("2 steps no longer apply");
    expect(preview.stderr).toContain("2 steps no longer apply");
  });

  test("`plan check` reports that a group to create already exists", async () => {
    const { check } = await setUp();
    const group = { op: "groups.create", body: { type: "contacts", name: "Kunden" } };
    const { json } = await check([
      { ...group, if: { absent: { in: "groups?type=contacts", name: "Kunden" } } },
    ]);
    expect(json).toMatchObject([{ step: 1, resource: "groups?type=contacts", reason: "already exists" }]);
  });

  test("`plan check` requests a resource individually only if the list lacks it", async () => {
    const { check, rename, contacts, requests, run } = await setUp(30);
    const gone = contacts[7]?.id ?? "";
    await run("contacts", "delete", gone, "--yes");
    const before = await requests();
    const { json } = await check(contacts.map(({ id }) => rename(id, "Weiß")));
    expect(json.filter(({ state }: { state: string }) => state === "outdated")).toMatchObject([
      { step: 8, resource: `contacts/${gone}`, reason: "no longer exists with this ID" },
    ]);
    const after = await requests();
    // Four requests: to identify the emulator and the organization, for one page, and for one resource.
    expect(after.length - before.length).toBe(4);
  });

  test("`plan check` exits with code 12 for another service or organization", async () => {
    const { check, rename, contacts } = await setUp();
    const steps = contacts.map(({ id }) => rename(id, "Weiß"));
    const elsewhere = await check(steps, { base_url: "https://voice.example.com/api/v1" });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      12,
      expect.stringContaining("https://voice.example.com/api/v1"),
    ]);
    const refused = await check(steps, { anchors: ["65f100000000000000004567"] });
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("another organization")]);
  });

  test("`plan check` exits with code 2 for a plan with an unknown operation", async () => {
    const { check } = await setUp();
    const { code, stderr } = await check([{ op: "contacts.explode" }]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("is not supported by this version of voxctl"),
    ]);
  });
});
