import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readLines, wrapTransport } from "../helpers/import.js";
import { setUpApply } from "../helpers/set-up-apply.js";

type Resource = Record<string, unknown> & { id: string };

const compareByName = (left: Resource, right: Resource) =>
  String(left["first_name"] ?? left["name"]) < String(right["first_name"] ?? right["name"]) ? -1 : 1;
/** Removes IDs and times, because they change if a resource is created again. */
const formatNames = (resources: Resource[]) =>
  resources.map(({ id: _, created_at: __, updated_at: ___, ...fields }) => fields).sort();

describe("undoing an applied plan file", () => {
  test("[A10] undo reverts the steps in reverse order", async () => {
    const { seal, apply, create, rename, ids, list, run } = await setUpApply();
    const before: Resource[] = (await list()).sort(compareByName);
    const [first = "", second = ""] = ids;
    seal([
      rename(first),
      rename(first, "Weiss", "Weisz"),
      { op: "contacts.delete", path: { contact_id: second }, undo: "new-id" },
      create("Neu"),
      { op: "contacts.update", path: { contact_id: { $ref: 4 } }, body: { last_name: "Neumann" } },
    ]);
    const applied = await apply();
    expect(applied.code).toBe(10);
    seal([
      rename(first),
      { op: "contacts.update", path: { contact_id: first }, body: { last_name: "Weisz" } },
      { op: "contacts.delete", path: { contact_id: second }, undo: "new-id" },
      create("Neu"),
      { op: "contacts.update", path: { contact_id: { $ref: 4 } }, body: { last_name: "Neumann" } },
    ]);
    const { code, json } = await apply();
    expect(code).toBe(0);
    const preview = await run("runs", "undo", json.run_id, "--dry-run", "-o", "json");
    expect(preview.json).toMatchObject({ deleted: 1, recreated: 1 });
    expect(preview.stderr).toMatch(/^STEP +ITEM +UNDO$/m);
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect(undone.code).toBe(0);
    expect(undone.json).toMatchObject({ deleted: 1, restored: 2, recreated: 1, changed_since: 0, failed: 0 });
    const after: Resource[] = (await list()).sort(compareByName);
    expect(formatNames(after)).toEqual(formatNames(before));
    expect(after.map(({ id }) => id)).not.toContain(second);
    expect(after.map(({ id }) => id)).toContain(first);
    const again = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect([again.code, again.json.deleted + again.json.recreated]).toEqual([0, 0]);
    expect((await list()).length).toBe(before.length);
  });

  test("an undo's preview counts all deletions, including that of the plan's group", async () => {
    const { seal, apply, run } = await setUpApply();
    seal([
      { op: "groups.create", body: { type: "contacts", name: "Neukunden" }, undo: "full" },
      { op: "contacts.create", body: { group_id: { $ref: 1 }, first_name: "Anna" }, undo: "full" },
    ]);
    const { run_id } = (await apply()).json;
    const preview = await run("runs", "undo", run_id, "--dry-run", "-o", "json");
    const undone = await run("runs", "undo", run_id, "--yes", "-o", "json");
    const expected = { deleted: 2, changed_since: 0 };
    expect([preview.json, undone.json]).toMatchObject([expected, expected]);
  });

  test.each(["drop_after", "error_after", "truncate", "garbage"])(
    "[A10, T5] after lost responses, a repeated undo recreates each resource only once: %s",
    async (faultType) => {
      const { seal, apply, ids, list, run, fault, noFaults } = await setUpApply();
      const before: Resource[] = await list();
      seal(ids.map((contact_id) => ({ op: "contacts.delete", path: { contact_id }, undo: "new-id" })));
      const { json } = await apply();
      await fault({ operation: "contacts.create", kind: faultType, times: 2 });
      const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
      expect([undone.code, undone.json]).toEqual([0, expect.objectContaining({ recreated: 3, unknown: 0 })]);
      await noFaults();
      const preview = await run("runs", "undo", json.run_id, "--dry-run", "-o", "json");
      expect(preview.json).toMatchObject({ recreated: 0 });
      const again = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
      expect([again.code, again.json.recreated]).toEqual([0, 0]);
      expect(formatNames((await list()).sort(compareByName))).toEqual(
        formatNames(before.sort(compareByName)),
      );
    },
  );

  test.each([
    ["arrived late", true],
    ["never arrived", false],
  ])("[A10, T5] a repeated undo first checks an unconfirmed write that %s", async (_, isLate) => {
    const { seal, apply, ids, group, list, run, json: runJson, fault, noFaults } = await setUpApply(1);
    seal(ids.map((contact_id) => ({ op: "contacts.delete", path: { contact_id }, undo: "new-id" })));
    const { json } = await apply();
    await fault({ operation: "contacts.create", kind: "drop_before", times: 1 });
    // Only a newer contact in the list proves that the create of the missing contact was lost.
    const undo = ["runs", "undo", json.run_id, "--yes", "--settle", "2s", "-o", "json"];
    expect((await run(...undo)).json).toMatchObject({ recreated: 0, unknown: 1 });
    await noFaults();
    const late = ["--group", group, "--first-name", "Anna0", "--last-name", "Weiß"];
    if (isLate) await runJson("contacts", "create", ...late);
    const again = await run(...undo);
    expect([again.code, again.json]).toEqual([0, expect.objectContaining({ recreated: 1, unknown: 0 })]);
    expect(await list()).toHaveLength(1);
    expect((await run(...undo)).json).toMatchObject({ recreated: 0 });
    expect(await list()).toHaveLength(1);
  });

  test("[T5a] after a lost response, undo doesn't recreate a calendar twice", async () => {
    const { seal, apply, run, json: runJson, list, fault } = await setUpApply(0);
    const calendar = JSON.stringify({ name: "Labor", schedules: [] });
    const { id } = await runJson("calendars", "create", "--data", calendar);
    seal([{ op: "calendars.delete", path: { calendar_id: id }, undo: "new-id" }]);
    const { json } = await apply();
    await fault({ operation: "calendars.create", kind: "drop_after", times: 1 });
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect([undone.code, undone.json]).toEqual([0, expect.objectContaining({ recreated: 1, failed: 0 })]);
    expect(await list("calendars")).toHaveLength(1);
  });

  test("an undo reverts changes whose responses were lost", async () => {
    const { seal, emulator, home, run, runWith, json: runJson, list } = await setUpApply(0);
    const { id } = await runJson("tools", "create", "--name", "crm", "--url", "https://example.com");
    seal([
      { op: "calendars.create", body: { name: "Labor", schedules: [] } },
      {
        op: "tools.update",
        path: { tool_id: id },
        body: { name: "neu", secret: { $secret: "crm" } },
        undo: "none",
      },
    ]);
    writeFileSync(join(home, "secret.txt"), "hunter2hunter2\n");
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      const response = await transport(url, request);
      return request.method === "GET" ? response : { ...response, status: 503 };
    });
    const flags = ["--secret", "crm=file:secret.txt", "--outage", "0s", "--yes"];
    expect((await runWith({ overrides }, "apply", "kunden.plan", ...flags)).code).toBe(75);
    expect(await list("calendars")).toHaveLength(1);
    expect(await list("tools")).toEqual([expect.objectContaining({ name: "neu" })]);
    const [{ id: runId }] = await runJson("runs", "list");
    const undone = await run("runs", "undo", runId, "--yes", "--include-matched", "-o", "json");
    expect([undone.code, undone.json], undone.stderr).toEqual([
      68,
      expect.objectContaining({ deleted: 1, restored: 1, not_undoable: 1, unknown: 0 }),
    ]);
    expect(await list("calendars")).toEqual([]);
    expect(await list("tools")).toEqual([expect.objectContaining({ name: "crm" })]);
  });

  test("undo restores fields, except one that another client changed (exit code 68)", async () => {
    const { seal, apply, ids, list, run, json: runJson } = await setUpApply();
    const [id = ""] = ids;
    const before = (await list()).find((resource: Resource) => resource.id === id);
    const body = { first_name: "Neu", last_name: "Neu" };
    seal([{ op: "contacts.update", path: { contact_id: id }, body, undo: "full" }]);
    const { json } = await apply();
    await runJson("contacts", "update", id, "--last-name", "Anders");
    const preview = await run("runs", "undo", json.run_id, "--dry-run", "-o", "json");
    expect([preview.code, preview.json]).toEqual([68, expect.objectContaining({ restored: 1, partly: 1 })]);
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect([undone.code, undone.json]).toEqual([68, expect.objectContaining({ restored: 1, partly: 1 })]);
    expect(readLines(undone.json.report)).toEqual([expect.objectContaining({ id, left: ["last_name"] })]);
    const after = (await list()).find((resource: Resource) => resource.id === id);
    expect(after).toMatchObject({ first_name: before?.["first_name"], last_name: "Anders" });
  });

  test("undo keeps resources that other clients changed after the apply (exit code 68)", async () => {
    const { seal, apply, create, rename, ids, list, run, json: runJson } = await setUpApply();
    seal([rename(ids[0] ?? ""), create("Neu")]);
    const { json } = await apply();
    const made = (await list()).find((resource: Resource) => resource["first_name"] === "Neu");
    await runJson("contacts", "update", made.id, "--last-name", "Anders");
    await runJson("contacts", "update", ids[0] ?? "", "--last-name", "Anders");
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect([undone.code, undone.json]).toEqual([
      68,
      expect.objectContaining({ deleted: 0, restored: 0, changed_since: 2 }),
    ]);
  });

  test("undo deletes the group that the plan created, unless others added contacts", async () => {
    const { seal, apply, list, run, json: runJson } = await setUpApply(0);
    const steps = [
      { op: "groups.create", body: { type: "contacts", name: "Neu" } },
      { op: "contacts.create", body: { group_id: { $ref: 1 }, first_name: "Ada" } },
    ];
    seal(steps);
    const first = await apply();
    await run("runs", "undo", first.json.run_id, "--yes");
    expect((await list("groups")).map(({ name }: Resource) => name)).not.toContain("Neu");
    seal(steps, { nonce: "another nonce" });
    const second = await apply();
    const made = (await list("groups")).find(({ name }: Resource) => name === "Neu");
    await runJson("contacts", "create", "--group", made.id, "--first-name", "Fremd");
    const undone = await run("runs", "undo", second.json.run_id, "--yes", "-o", "json");
    expect(undone.json).toMatchObject({ deleted: 1, changed_since: 1 });
    expect((await list()).map(({ first_name }: Resource) => first_name)).toEqual(["Fremd"]);
  });

  test.each([
    ["every response arrives", []],
    ["responses are lost", ["groups.create", "prompts.create", "contacts.create"]],
  ])("[P5] undo restores the members of a deleted group and an assistant's prompt: %s", async (_, lost) => {
    const { seal, apply, list, run, json: runJson, group, contacts, fault } = await setUpApply();
    const prompt = await runJson(
      "prompts",
      "create",
      "--name",
      "P",
      "--kind",
      "answering",
      "--text",
      "Hallo",
    );
    const [voice] = await runJson("voices", "list");
    const assistant = await runJson(
      ...[
        "assistants",
        "create",
        "--name",
        "A",
        "--language",
        "de",
        "--voice",
        voice.id,
        "--prompt",
        prompt.id,
      ],
      ...["--company-name", "C", "--company-industry", "I", "--introduction", "Hallo", "--yes"],
    );
    seal([
      {
        op: "assistants.update",
        path: { assistant_id: assistant.id },
        body: { prompt_id: null },
        if: { fields: { prompt_id: prompt.id } },
      },
      { op: "prompts.delete", path: { prompt_id: prompt.id }, undo: "new-id" },
      { op: "groups.delete", path: { group_id: group }, undo: "new-id" },
      ...contacts.map(({ first_name, last_name }) => ({
        members: 3,
        op: "contacts.create",
        body: { first_name, last_name },
      })),
    ]);
    const { code, json } = await apply("--allow", "groups:delete");
    expect(code).toBe(0);
    expect(await list()).toEqual([]);
    for (const operation of lost) await fault({ operation, kind: "drop_after", times: 1 });
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect(undone.json).toMatchObject({ restored: 1, recreated: 5, failed: 0 });
    const again = (await list("groups")).find(({ name }: Resource) => name === "Kunden");
    const people: Resource[] = await list();
    expect(people.map(({ first_name }) => first_name).sort()).toEqual(["Anna0", "Anna1", "Anna2"]);
    expect(people.every(({ group_id }) => group_id === again.id)).toBe(true);
    const [used] = await list("prompts");
    expect(used).toMatchObject({ name: "P", text: "Hallo" });
    expect(await runJson("assistants", "get", assistant.id)).toMatchObject({ prompt_id: used.id });
    const repeated = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect(repeated.json).toMatchObject({ restored: 0, recreated: 0, references_mended: 0 });
    expect([await list(), await list("prompts")]).toEqual([people, [used]]);
  });

  test("[P5] `runs undo` lists the steps that can't be undone", async () => {
    const { seal, apply, run, group } = await setUpApply();
    seal([{ op: "groups.delete", path: { group_id: group }, undo: "none" }]);
    const { json } = await apply("--allow", "groups:delete");
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect([undone.code, undone.json.not_undoable, undone.stderr]).toEqual([
      68,
      1,
      expect.stringContaining("1 can't be undone"),
    ]);
  });

  test("[P5] if a secret can't be restored, `runs undo` reports it and restores the other fields", async () => {
    const { seal, apply, run, home, json } = await setUpApply(0);
    const fields = ["--name", "crm", "--url", "https://example.com", "--description", "Alt"];
    const { id } = await json("tools", "create", ...fields);
    const body = { description: "Neu", secret: { $secret: "tools/crm" } };
    seal([{ op: "tools.update", path: { tool_id: id }, body, undo: "none" }]);
    writeFileSync(join(home, "secret.txt"), "hunter2hunter2\n");
    const { run_id } = (await apply("--secret", "tools/crm=file:secret.txt")).json;
    const undo = async (flag: string) => {
      const { code, json, stderr } = await run("runs", "undo", run_id, flag, "-o", "json");
      return [code, json.restored, json.not_undoable, stderr.includes("1 can't be undone")];
    };
    expect(await undo("--dry-run")).toEqual([68, 1, 1, true]);
    expect(await undo("--yes")).toEqual([68, 1, 1, true]);
    expect(await json("tools", "get", id)).toMatchObject({ description: "Alt", has_secret: true });
    expect(await undo("--yes")).toEqual([68, 0, 1, true]);
  });

  test("a plan file can be applied again after its run was undone", async () => {
    const { seal, apply, create, run, list } = await setUpApply(0);
    seal([create("Neu")]);
    const { json } = await apply();
    await run("runs", "undo", json.run_id, "--yes");
    expect(await list()).toEqual([]);
    const again = await apply();
    expect([again.code, again.json.applied_before, again.json.created]).toEqual([0, false, 1]);
  });
});
