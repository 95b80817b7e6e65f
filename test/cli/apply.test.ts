import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyWorld } from "../helpers/applied.js";

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error;

describe("apply", () => {
  test("sends a plan's steps exactly as they stand in it, and tells what came of them", async () => {
    const { seal, apply, create, rename, ids, list, group } = await applyWorld();
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
      [first, third, now.find((one: { first_name: string }) => one.first_name === "Neu").id].sort(),
    );
    expect(now).toContainEqual(expect.objectContaining({ id: first, last_name: "Weiss" }));
    expect(now).toContainEqual(expect.objectContaining({ first_name: "Neu", group_id: group }));
  });

  test("fills a reference in with what an earlier step made", async () => {
    const { seal, apply, list, json } = await applyWorld(0);
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

  test("sends nothing and ends with 10 where a precondition does not hold, with expected and found", async () => {
    const { seal, apply, create, rename, ids, writes } = await applyWorld();
    seal([create("Neu"), rename(ids[0] ?? "", "Weiss-Meier")]);
    const before = (await writes()).length;
    const { code, stderr } = await apply();
    expect(code).toBe(10);
    expect(stderr).toContain(`step 2  contacts/${ids[0]}  last_name: expected "Weiss-Meier", found "Weiß"`);
    expect((await writes()).length).toBe(before);
  });

  test("--skip-drifted leaves out what does not fit and what needs it, and ends with 68", async () => {
    const { seal, apply, create, rename, ids, list, json: run } = await applyWorld();
    seal([rename(ids[0] ?? "", "Other"), rename(ids[0] ?? "", "Weiss", "Again"), create("Neu")]);
    const { code, json } = await apply("--skip-drifted");
    expect(code).toBe(68);
    expect(json.steps).toMatchObject({ done: 1, skipped: 2 });
    expect(await list()).toContainEqual(expect.objectContaining({ first_name: "Neu" }));
    expect(await run("contacts", "get", ids[0] ?? "")).toMatchObject({ last_name: "Weiß" });
  });

  test("[A2] is done once: given again it sends no request and ends as it ended before", async () => {
    const { seal, apply, create, requests, writes } = await applyWorld();
    seal([create("Neu")]);
    expect((await apply()).code).toBe(0);
    const before = await requests();
    const written = (await writes()).length;
    const again = await apply();
    expect([again.code, again.json.applied_before, again.stderr]).toEqual([
      0,
      true,
      expect.stringContaining("was applied before"),
    ]);
    expect((await writes()).length).toBe(written);
    // An emulator is asked which world it is.
    expect((await requests()).slice(0, -before.length).every(({ path }) => path.endsWith("/ping"))).toBe(
      true,
    );
  });

  test("is refused (12) where the plan is too old, is another service's, or wants a word of its own", async () => {
    const { seal, apply, create, group, writes } = await applyWorld();
    const before = (await writes()).length;
    seal([create("Neu")], { made_at: "2020-01-01T00:00:00Z" });
    expect((await apply()).code).toBe(12);
    seal([create("Neu")], { target: { base_url: "https://voice.example.com/api/v1", anchors: [group] } });
    expect((await apply()).code).toBe(12);
    seal([{ op: "groups.delete", path: { group_id: group }, undo: "none" }]);
    const refused = await apply();
    expect([refused.code, errorOf(refused.stderr).hint]).toEqual([12, "--allow groups:delete"]);
    expect((await writes()).length).toBe(before);
  });

  test("a plan of a configuration project, and one that wants a secret that is not given, are refused (2)", async () => {
    const { seal, apply, create } = await applyWorld();
    seal([create("Neu")], { config: { project: "praxis", target: "prod" } });
    expect((await apply()).code).toBe(2);
    seal([
      {
        op: "tools.create",
        body: { name: "crm", url: "https://example.com", secret: { $secret: "tools/crm" } },
      },
    ]);
    const { code, stderr } = await apply();
    expect([code, errorOf(stderr).hint]).toEqual([2, "--secret tools/crm=env:VARIABLE"]);
  });

  test("[P3] takes a secret from the environment or a file, never from the command line, and keeps it nowhere", async () => {
    const { seal, home, run, json, data } = await applyWorld();
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
});
