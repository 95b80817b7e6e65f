import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../src/write/plan/canonical.js";
import { readLines } from "../helpers/import.js";
import { setUpApply } from "../helpers/set-up-apply.js";
import { startTime } from "../helpers/templates.js";

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error;

describe("voxctl apply", () => {
  test("`apply` sends a plan's steps unchanged and reports their results", async () => {
    const { seal, apply, create, rename, ids, list, group } = await setUpApply();
    const [first, second, third] = ids;
    seal([
      rename(first ?? ""),
      create("Neu"),
      { op: "contacts.delete", path: { contact_id: second ?? "" }, undo: "new-id" },
    ]);
    const { code, json } = await apply();
    expect(code).toBe(0);
    expect(json).toMatchObject({
      created: 1,
      updated: 1,
      deleted: 1,
      applied_before: false,
      steps: { done: 3, drifted: 0, blocked: 0, rejected: 0, unknown: 0, skipped: 0 },
      stored_otherwise: 0,
    });
    const now = await list();
    expect(now.map(({ id }: { id: string }) => id).sort()).toEqual(
      [first, third, now.find((contact: { first_name: string }) => contact.first_name === "Neu").id].sort(),
    );
    expect(now).toContainEqual(expect.objectContaining({ id: first, last_name: "Weiss" }));
    expect(now).toContainEqual(expect.objectContaining({ first_name: "Neu", group_id: group }));
  });

  test("`apply` replaces a reference with the result of an earlier step", async () => {
    const { seal, apply, list, json } = await setUpApply(0);
    seal([
      {
        op: "groups.create",
        body: { type: "glossaries", name: "Zahn" },
        if: { absent: { in: "groups?type=glossaries", name: "Zahn" } },
      },
      { op: "glossary.create", body: { group_id: { $ref: 1 }, term: "PZR", definition: "Zahnreinigung" } },
      { op: "glossary.update", path: { glossary_id: { $ref: 2 } }, body: { term: "PZR neu" } },
    ]);
    expect((await apply()).code).toBe(0);
    const groups = await list("groups");
    const zahn = groups.find(({ name }: { name: string }) => name === "Zahn");
    expect(await json("glossary", "list", "--all")).toEqual([
      expect.objectContaining({ group_id: zahn.id, term: "PZR neu" }),
    ]);
  });

  test("`apply` exits with code 10 without a write if a precondition fails", async () => {
    const { seal, apply, create, rename, ids, writes } = await setUpApply();
    seal([create("Neu"), rename(ids[0] ?? "", "Weiss-Meier")]);
    const before = (await writes()).length;
    const { code, stderr } = await apply();
    expect(code).toBe(10);
    expect(stderr).toMatch(
      /^Update contact Weiss \(step 2, \w{4}…\w{4}\): last_name: expected "Weiss-Meier", found "Weiß"$/m,
    );
    expect((await writes()).length).toBe(before);
  });

  test("`apply --digest` refuses a plan file with a different digest before any read", async () => {
    const { seal, run, apply, create, requests } = await setUpApply(0);
    const header = { made_at: new Date().toISOString() };
    seal([create("Neu")], header);
    const { digest } = (await run("plan", "show", "kunden.plan", "-o", "json")).json;
    expect((await run("plan", "show", "kunden.plan", "-o", "table")).stdout).toContain(`Digest: ${digest}\n`);
    seal([create("Anders")]);
    const before = (await requests()).length;
    const refused = await apply("--digest", digest);
    expect([refused.code, errorOf(refused.stderr).code]).toEqual([12, "plan_differs"]);
    expect((await apply("--digest", digest.slice(1))).code).toBe(2);
    expect((await requests()).length).toBe(before);
    seal([create("Neu")], header);
    expect((await apply("--digest", digest.toUpperCase())).json).toMatchObject({ created: 1 });
  });

  test("`apply --skip-drifted` also skips steps that depend on a skipped step", async () => {
    const { seal, apply, create, rename, ids, list, json: run } = await setUpApply();
    seal([rename(ids[0] ?? "", "Other"), rename(ids[0] ?? "", "Weiss", "Again"), create("Neu")]);
    const { code, json, stderr } = await apply("--skip-drifted");
    expect(code).toBe(68);
    expect(json.steps).toMatchObject({ done: 1, skipped: 2 });
    expect(errorOf(stderr).hint).toContain("create a new plan");
    expect(await list()).toContainEqual(expect.objectContaining({ first_name: "Neu" }));
    expect(await run("contacts", "get", ids[0] ?? "")).toMatchObject({ last_name: "Weiß" });
  });

  test("`plan check` counts the steps that `apply` skipped", async () => {
    const { seal, apply, create, rename, ids, run } = await setUpApply();
    seal([rename(ids[0] ?? "", "Other"), create("Neu")]);
    await apply("--skip-drifted");
    const { code, stderr } = await run("plan", "check", "kunden.plan");
    expect([code, stderr]).toEqual([10, expect.stringMatching(/except for 1 step\n.* create a new plan;/)]);
  });

  test("`runs list` counts the steps that `apply` skipped, also after an undo", async () => {
    const { seal, apply, rename, ids, run } = await setUpApply();
    seal([rename(ids[0] ?? "", "Other"), rename(ids[0] ?? "", "Weiss", "Again")]);
    const { json } = await apply("--skip-drifted");
    const counts = { done: 0, rejected: 0, skipped: 2, open: 0 };
    expect((await run("runs", "list", json.run_id, "-o", "json")).json).toMatchObject(counts);
    await run("runs", "undo", json.run_id, "--yes");
    expect((await run("runs", "list", json.run_id, "-o", "json")).json).toMatchObject({
      ...counts,
      state: "undone",
    });
  });

  test("`apply` lists rejected steps with their number and name", async () => {
    const { seal, create, run, group, requests } = await setUpApply(0);
    const refused = { body: { group_id: group, first_name: "Neu", phone_numbers: ["x"] } };
    seal([create("Alt"), create("Neu", refused)]);
    const words = ["apply", "kunden.plan", "--yes"];
    const first = await run(...words, "-o", "table");
    expect(first.stderr).toMatch(/^STEP +NAME +FIELD +REASON\n +2 +Neu +phone_numbers/m);
    const before = (await requests()).length;
    const { json } = await run(...words, "--retry", "-o", "json");
    expect(json.requests).toBe((await requests()).length - before);
  });

  test("[A2] a repeated `apply` reports that the plan was already applied", async () => {
    const { seal, apply, create, requests, writes } = await setUpApply();
    seal([create("Neu")]);
    expect((await apply()).code).toBe(0);
    const before = await requests();
    const written = (await writes()).length;
    const again = await apply();
    expect([again.code, again.json.applied_before, again.stderr]).toEqual([
      0,
      true,
      expect.stringMatching(/^Plan \w+ was already applied by run/),
    ]);
    expect((await writes()).length).toBe(written);
    // All later requests are pings, which identify the emulator.
    expect((await requests()).slice(0, -before.length).every(({ path }) => path.endsWith("/ping"))).toBe(
      true,
    );
  });

  test("`apply` exits with code 12 for an old plan, another service's plan or a missing --allow", async () => {
    const { seal, apply, create, group, writes } = await setUpApply();
    const before = (await writes()).length;
    seal([create("Neu")], { made_at: "2020-01-01T00:00:00Z" });
    expect((await apply()).code).toBe(12);
    seal([create("Neu")], { target: { base_url: "https://voice.example.com/api/v1", anchors: [group] } });
    expect((await apply()).code).toBe(12);
    seal([{ op: "groups.delete", path: { group_id: group }, undo: "none" }]);
    const refused = await apply();
    expect([refused.code, errorOf(refused.stderr).hint]).toEqual([
      12,
      "if this is intended, use --allow groups:delete",
    ]);
    expect((await writes()).length).toBe(before);
  });

  test("`apply` exits with code 2 for a configuration project's plan or a missing secret", async () => {
    const { seal, apply, create } = await setUpApply();
    seal([create("Neu")], { config: { project: "praxis", target: "prod" } });
    expect((await apply()).code).toBe(2);
    seal([
      {
        op: "tools.create",
        body: { name: "crm", url: "https://example.com", secret: { $secret: "tools/crm" } },
      },
    ]);
    const { code, stderr } = await apply();
    expect([code, errorOf(stderr).hint]).toEqual([2, "use --secret tools/crm=env:VARIABLE"]);
  });

  test("[P3] `apply` reads secrets from the environment or a file without storing them", async () => {
    const { seal, home, run, json, data } = await setUpApply();
    seal([
      {
        op: "tools.create",
        body: { name: "crm", url: "https://example.com", secret: { $secret: "tools/crm" } },
      },
    ]);
    const typed = await run("apply", "kunden.plan", "--yes", "--secret", "tools/crm=hunter2hunter2");
    expect([typed.code, typed.stderr]).toEqual([2, expect.not.stringContaining("hunter2")]);
    writeFileSync(join(home, "secret.txt"), "hunter2hunter2\n");
    const { code } = await run("apply", "kunden.plan", "--yes", "--secret", "tools/crm=file:secret.txt");
    expect(code).toBe(0);
    expect(await json("tools", "list")).toEqual([expect.objectContaining({ name: "crm", has_secret: true })]);
    const kept = readdirSync(join(data, "runs")).map((name) =>
      readFileSync(join(data, "runs", name), "latin1"),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join("")).not.toContain("hunter2");
  });

  test("[A9] `apply` reports values that the service normalized", async () => {
    const { seal, apply, create, requests } = await setUpApply(0);
    seal([create("  Neu ", { if: {} }), create("Alt")]);
    const before = (await requests("GET")).length;
    const { code, json, stderr } = await apply("--verify");
    expect([code, json.verified, json.stored_otherwise]).toEqual([0, 2, 1]);
    expect(stderr).toContain(`Checked 2 changed resources: 1 differs from the plan; see ${json.report}`);
    const [line] = readFileSync(json.report, "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(line.stored_otherwise).toEqual([{ field: "first_name", expected: "  Neu ", found: "Neu" }]);
    expect((await requests("GET")).length).toBeGreaterThan(before + 3);
  });

  test("[A9] a value that the service stored as sent is not reported as normalized", async () => {
    const { seal, apply, create } = await setUpApply(0);
    // As in a plan whose body was edited by hand after the rehearsal.
    seal([create("Neu", { after: { first_name: "Alt" } })]);
    const { code, json, stderr } = await apply();
    expect([code, json.stored_otherwise]).toEqual([0, 0]);
    expect(stderr).not.toContain("normalized");
  });

  test("[A9] `apply --verify` reports that all changed resources match the plan", async () => {
    const { seal, apply, create, rename, ids } = await setUpApply(1);
    seal([rename(ids[0] ?? ""), create("Neu")]);
    const { json, stderr } = await apply("--verify");
    expect([json.verified, json.stored_otherwise]).toEqual([2, 0]);
    expect(stderr).toContain("Checked 2 changed resources: all match the plan");
    // Without --verify, a repeated apply doesn't read the resources, which others may have changed.
    expect((await apply()).stderr).not.toContain("all match the plan");
  });

  test("[A8] [P6] `apply` refuses calls without --allow, or beyond --max-calls", async () => {
    const { seal, apply, writes } = await setUpApply(0);
    const assistant = "65f100000000000000004567";
    const call = {
      op: "calls.create",
      body: { assistant_id: assistant, to: "+4915112345678" },
      if: { no_call: { assistant, to: "+4915112345678", since: "2026-01-01T00:00:00Z" } },
      undo: "none",
    };
    seal([call, call]);
    const before = (await writes()).length;
    const hints: string[] = [];
    for (const flags of [[], ["--allow", "calls:create"], ["--allow", "calls:create", "--max-calls", "1"]]) {
      const { code, stderr } = await apply(...flags);
      expect(code).toBe(12);
      hints.push(errorOf(stderr).hint);
    }
    expect(hints).toEqual([
      "if this is intended, use --allow calls:create --max-calls 2",
      "if this is intended, use --max-calls 2",
      null,
    ]);
    expect((await writes()).length).toBe(before);
  });

  test("[A2] [P4] `apply` repeats an already placed call only if --again is set", async () => {
    const { seal, run, runWith, json, home } = await setUpApply(0);
    const [voice] = await json("voices", "list");
    const made = await json(
      ...["assistants", "create", "--name", "A", "--language", "de", "--voice", voice.id],
      ...["--company-name", "C", "--company-industry", "I", "--introduction", "Hallo", "--yes"],
    );
    const to = "+4915112345678";
    const body = { assistant_id: made.id, to };
    const call = { op: "calls.create", body, undo: "none" };
    const since = new Date(Date.parse(startTime) - 3_600_000).toISOString();
    const flags = [
      "apply",
      "kunden.plan",
      "--yes",
      "-o",
      "json",
      "--allow",
      "calls:create",
      "--max-calls",
      "1",
    ];
    const elsewhere = { env: { VOXCTL_DATA_DIR: join(home, "elsewhere") } };
    const calls = async () => (await json("calls", "list", "--all")).length;
    seal([{ ...call, if: { no_call: { assistant: made.id, to, since } } }]);
    const first = await run(...flags, "-o", "table");
    expect([first.code, await calls()], first.stderr).toEqual([0, 1]);
    expect(first.stdout).toMatch(/^Made 1 call: applied 1 of 1 step in /);
    const again = await runWith(elsewhere, ...flags);
    expect([again.code, again.stderr, await calls()]).toEqual([10, expect.stringContaining("has called"), 1]);
    seal([call], { nonce: "another nonce" });
    const refused = await run(...flags);
    expect([refused.code, errorOf(refused.stderr).hint, await calls()]).toEqual([
      12,
      expect.stringContaining("--again"),
      1,
    ]);
    const confirmed = await run(...flags, "--again");
    expect([confirmed.code, await calls()], confirmed.stderr).toEqual([0, 2]);
  });

  test("[P4] `apply` deletes a group only if its members match the plan file", async () => {
    const { seal, apply, group, contacts, run, list, writes } = await setUpApply(3);
    const prints = contacts.map((contact) => fingerprintOf("contacts", contact)).sort();
    const hash = createHash("sha256").update(prints.join("")).digest("hex").slice(0, 32);
    const remove = { op: "groups.delete", path: { group_id: group }, undo: "none" };
    seal([{ ...remove, if: { members: { count: 3, hash } } }]);
    const unmanaged = await run(
      ...["contacts", "create", "--group", group, "--first-name", "Fremd", "-o", "json"],
    );
    const before = (await writes()).length;
    const refused = await apply("--allow", "groups:delete");
    expect([refused.code, (await writes()).length]).toEqual([10, before]);
    await run("contacts", "delete", unmanaged.json.id, "--yes");
    await run("contacts", "update", String(contacts[0]?.["id"]), "--last-name", "Anders");
    expect((await apply("--allow", "groups:delete")).code).toBe(10);
    await run("contacts", "update", String(contacts[0]?.["id"]), "--last-name", "Weiß");
    expect((await apply("--allow", "groups:delete")).code).toBe(0);
    expect(await list()).toEqual([]);
  });

  test("on Ctrl-C, `apply` finishes its open requests", async () => {
    const { seal, interrupt, run, create, list } = await setUpApply(0);
    seal(Array.from({ length: 150 }, (_, index) => create(`Neu${index}`)));
    const cut = await interrupt();
    expect([cut.code, errorOf(cut.stderr).retryable]).toEqual([130, true]);
    const [unfinished] = (await run("runs", "list", "-o", "json")).json;
    expect(unfinished).toMatchObject({ kind: "apply", state: "unfinished", file: "kunden.plan" });
    const resumed = await run("runs", "resume", unfinished.id, "-o", "json");
    expect([resumed.code, resumed.json.steps.done], resumed.stderr).toEqual([0, 150]);
    expect(await list()).toHaveLength(150);
  });

  test("[A3] a resumed `apply` skips a contact that another user added to the plan's group", async () => {
    const { seal, interrupt, run, json, list } = await setUpApply(0);
    const create = (first_name: string) => ({
      op: "contacts.create",
      body: { group_id: { $ref: 1 }, first_name, phone_numbers: ["+491510000003"] },
    });
    const group = { op: "groups.create", body: { type: "contacts", name: "Viele" } };
    seal([group, ...Array.from({ length: 150 }, (_, index) => create(`Neu${index}`))]);
    expect((await interrupt()).code).toBe(130);
    await json(
      ...["contacts", "create", "--group", "Viele", "--first-name", "Neu149"],
      ...["--phone-number", "+491510000003"],
    );
    const [{ id }] = await json("runs", "list");
    const resumed = await run("runs", "resume", id, "-o", "json");
    expect([resumed.code, resumed.json.steps], resumed.stderr).toEqual([
      68,
      expect.objectContaining({ done: 150, drifted: 1 }),
    ]);
    expect(await list()).toHaveLength(150);
  });

  test("[T5a] after a lost response, `apply` sends a calendar again without creating a duplicate", async () => {
    const { seal, apply, fault, noFaults, list } = await setUpApply(0);
    for (const [index, faultType] of ["drop_after", "drop_before"].entries()) {
      const body = { name: `Labor ${index}`, schedules: [] };
      seal([{ op: "calendars.create", body }], { nonce: `nonce number ${index}` });
      await fault({ operation: "calendars.create", kind: faultType, times: 1 });
      const { code, json, stderr } = await apply();
      await noFaults();
      expect([code, json.steps.done], stderr).toEqual([0, 1]);
    }
    const names = (await list("calendars")).map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(["Labor 0", "Labor 1"]);
  });

  test("[T5a] after a lost response, `apply` doesn't report a refused rename as done", async () => {
    const { seal, apply, fault, json: runJson } = await setUpApply(0);
    const create = (name: string) =>
      runJson("calendars", "create", "--data", JSON.stringify({ name, schedules: [] }));
    const { id } = await create("Labor");
    await create("Praxis");
    seal([{ op: "calendars.update", path: { calendar_id: id }, body: { name: "Praxis" } }]);
    await fault({ operation: "calendars.update", kind: "drop_before", times: 1 });
    const { code, json } = await apply();
    expect([code, json.updated, json.steps.rejected]).toEqual([68, 0, 1]);
    expect(readLines(json.report)).toEqual([expect.objectContaining({ id, outcome: "failed", status: 409 })]);
  });

  test("`apply` does not accept --yes as the confirmation for a production profile", async () => {
    const { seal, create, run, writes } = await setUpApply(0);
    seal([create("Neu")]);
    await run("profiles", "add", "echt", "--offline", "--production");
    const before = (await writes()).length;
    const { code } = await run("apply", "kunden.plan", "--yes", "--profile", "echt");
    expect(code).toBe(12);
    expect((await writes()).length).toBe(before);
  });
});
