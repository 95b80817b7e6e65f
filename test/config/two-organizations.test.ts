import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { parseError, projectText, setUpConfig } from "../helpers/config.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUpTwoEmulators() {
  const demo = await openSeededEmulator({
    seed: "demo",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  const empty = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  onTestFinished(() => demo.close());
  onTestFinished(() => empty.close());
  const setup = await setUpConfig({ "voxctl.project.yaml": undefined });
  const { runWith, root } = setup;
  for (const name of ["eins", "zwei"])
    await setup.run("profiles", "add", name, "--offline", "--db", join(setup.home, `${name}.db`));
  for (const name of ["eins", "zwei"]) await setup.run("profiles", "set", name, "allow_env=CRM");
  const run = (...argv: string[]) =>
    runWith(
      {
        cwd: root,
        env: { CRM: "geheim-4711" },
        overrides: {
          connect: async (profile, options) => ({
            ...connectEmulator(profile.name === "zwei" ? empty : demo, profile, options),
            close: async () => {},
          }),
        },
      },
      "config",
      ...argv,
    );
  return { ...setup, run, demo, empty };
}

describe("two organizations", () => {
  test("`pull` and `apply` copy the demo state to an empty organization without any difference", async () => {
    const { run, read, write, all } = await setUpTwoEmulators();
    const made = await run("init", "--target", "eins", "--profile", "eins");
    expect(made.code).toBe(0);
    write({
      "voxctl.project.yaml": `${read("voxctl.project.yaml")}  zwei:\n    profile: zwei\n`,
    });
    const files = all();
    for (const [path, text] of Object.entries(files))
      if (text.includes("env:TODO")) write({ [path]: text.replaceAll("env:TODO", "env:CRM") });
    const checked = await run("check");
    expect([checked.code, checked.stdout]).toEqual([0, "[]\n"]);
    const applied = await run(
      "apply",
      "--target",
      "zwei",
      "--adopt",
      "--yes",
      "--allow",
      "assistants:create",
    );
    expect([applied.code, applied.stderr.split("\n").filter((line) => !line.startsWith("Waiting"))]).toEqual([
      0,
      [""],
    ]);
    const compared = await run("diff", "--target", "eins", "--against", "zwei");
    expect(compared.json).toMatchObject({ different: [], only_here: [], only_there: [] });
    expect(compared.code).toBe(0);
    const before = all();
    expect((await run("pull", "--target", "zwei", "--new")).code).toBe(0);
    expect(all()).toEqual(before);
    expect((await run("plan", "--target", "zwei")).json).toMatchObject({ writes: 0, refused: [] });
    expect(Object.values(all()).join("\n")).not.toContain("geheim-4711");
  });
});

describe("two organizations of one service", () => {
  const url = "http://127.0.0.1:4711/api/v1";
  const prompt = (name: string) => `---\nname: ${name}\nkind: answering\n---\nText\n`;

  async function setUpKeys() {
    const setup = await setUpConfig({
      "voxctl.project.yaml": projectText().replace("{ profile: offline }", "{}"),
      ...Object.fromEntries([0, 1, 2, 3].map((number) => [`prompts/p${number}.md`, prompt(`P${number}`)])),
    });
    const { emulator, root, runWith } = setup;
    const post = async (path: string, body: object) =>
      (await emulator.control("POST", path, body)) as { id: string; key: string };
    const other = await post("/organizations", { name: "B" });
    const own = (await post("/keys", { kind: "public" })).key;
    const others = (await post("/keys", { kind: "public", organization_id: other.id })).key;
    const run = (key: string, argv: readonly string[], overrides: Overrides = {}) =>
      runWith(
        {
          cwd: root,
          env: { VOXCTL_BASE_URL: url, VOXCTL_API_KEY: key },
          overrides: { transport: emulator.transport, clock: emulator.clock, ...overrides },
        },
        ...argv,
      );
    const names = async (key: string) =>
      (await run(key, ["prompts", "list", "--all", "-o", "json"])).json.map(
        ({ name }: { name: string }) => name,
      );
    return { ...setup, run, names, own, others };
  }

  test.each([
    ["apply", ["config", "apply", "--target", "dev", "--yes"]],
    ["apply of a plan file", ["config", "apply", "--target", "dev", "--yes", "a.plan"]],
  ])("an interrupted %s is not resumed in another organization", async (_, command) => {
    const { run, names, read, own, others } = await setUpKeys();
    expect((await run(own, ["config", "plan", "--target", "dev", "--out", "a.plan"])).code).toBe(0);
    let steps = 0;
    const onJournalStep = () => {
      steps += 1;
      if (steps === 8) throw new Error("the process ends here");
    };
    expect((await run(own, command, { onJournalStep })).code).toBe(1);
    const lock = read("locks/dev.jsonl");
    const elsewhere = await run(others, [...command, "-o", "json"]);
    expect([elsewhere.code, parseError(elsewhere).code]).toEqual([12, "run_elsewhere"]);
    expect(await names(others)).toEqual([]);
    expect(read("locks/dev.jsonl")).toBe(lock);
    const resumed = await run(own, command);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((await names(own)).sort()).toEqual(["P0", "P1", "P2", "P3"]);
  });

  test.each([
    ["plan", ["plan"]],
    ["apply", ["apply", "--drift", "overwrite", "--yes"]],
    ["pull", ["pull", "--prune", "--new"]],
    ["pull KEY", ["pull", "--prune", "prompts/p0"]],
    ["adopt", ["adopt"]],
  ])("[L5] `config %s` refuses a lock of another organization", async (_, [name = "", ...flags]) => {
    const { run, names, all, write, own, others } = await setUpKeys();
    expect((await run(own, ["config", "apply", "--target", "dev", "--yes"])).code).toBe(0);
    for (const number of [1, 2, 3]) write({ [`prompts/p${number}.md`]: undefined });
    const before = all();
    const refused = await run(others, ["config", name, "--target", "dev", ...flags, "-o", "json"]);
    expect([refused.code, parseError(refused)]).toEqual([
      12,
      expect.objectContaining({
        code: "config_refused",
        message: expect.stringContaining("the lock file of target dev may belong to another organization"),
      }),
    ]);
    expect(all()).toEqual(before);
    expect(await names(others)).toEqual([]);
  });

  test("[L5] `secrets confirm` refuses a lock of another organization", async () => {
    const { runWith, root, read, write, own, others, emulator } = await setUpKeys();
    write({ "tools/crm.yaml": "name: crm\nurl: https://crm.example.com\nsecret: { from: env:CRM }\n" });
    const run = (key: string, ...argv: string[]) =>
      runWith(
        {
          cwd: root,
          env: { VOXCTL_BASE_URL: url, VOXCTL_API_KEY: key, CRM: "geheim-4711" },
          overrides: { transport: emulator.transport, clock: emulator.clock },
        },
        ...["config", ...argv, "--target", "dev", "--allow-env", "CRM", "-o", "json"],
      );
    expect((await run(own, "apply", "--yes")).code).toBe(0);
    const lock = read("locks/dev.jsonl");
    const refused = await run(others, "secrets", "confirm", "tools/crm");
    expect([refused.code, parseError(refused).code]).toEqual([12, "config_refused"]);
    expect(read("locks/dev.jsonl")).toBe(lock);
    expect((await run(own, "secrets", "confirm", "tools/crm")).code).toBe(0);
  });

  test("[L5] `apply` removes deleted resources from the lock, even if all were deleted", async () => {
    const { run, names, read, write, own } = await setUpKeys();
    const apply = () => run(own, ["config", "apply", "--target", "dev", "--yes"]);
    expect((await apply()).code).toBe(0);
    const [header] = read("locks/dev.jsonl").split("\n");
    const prompts = (await run(own, ["prompts", "list", "--all", "-o", "json"])).json;
    for (const { id } of prompts) expect((await run(own, ["prompts", "delete", id, "--yes"])).code).toBe(0);
    for (const number of [0, 1, 2, 3]) write({ [`prompts/p${number}.md`]: undefined });
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    expect(read("locks/dev.jsonl")).toBe(`${header}\n`);
    expect(await names(own)).toEqual([]);
  });
});

describe("deletions", () => {
  const prompt = (name: string) => `---\nname: ${name}\nkind: answering\n---\nText von ${name}\n`;
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`prompts/p${index}.md`, prompt(`P${index}`)]),
    );

  test("[A10] deletions above a threshold require --max-delete", async () => {
    const { apply, write, config, list } = await setUpConfig(many(10));
    await apply();
    write({
      "prompts/p0.md": undefined,
      "prompts/p1.md": undefined,
      "prompts/p2.md": undefined,
      "prompts/p3.md": undefined,
    });
    expect((await apply()).code).toBe(0);
    expect((await list("prompts")).length).toBe(10);
    const refused = await apply("--prune", "-o", "json");
    expect(refused.code).toBe(12);
    expect(parseError(refused)).toMatchObject({
      message: expect.stringContaining(
        "4 of 10 prompts would be deleted (40%), but the limit is 30%, at least 3",
      ),
      hint: "if this is correct, use --max-delete 4",
    });
    expect((await list("prompts")).length).toBe(10);
    write({ "prompts/p3.md": prompt("P3") });
    expect((await config("plan", "--prune")).json.delete).toEqual(["prompts/p0", "prompts/p1", "prompts/p2"]);
    expect((await apply("--prune")).code).toBe(0);
    expect((await list("prompts")).map(({ name }: { name: string }) => name).sort()).toEqual([
      "P3",
      "P4",
      "P5",
      "P6",
      "P7",
      "P8",
      "P9",
    ]);
  });

  test("[A11] a lost lock, directory or project file causes no deletions", async () => {
    const { apply, write, list, config, read } = await setUpConfig(many(2));
    await apply();
    const lock = read("locks/dev.jsonl");
    const project = read("voxctl.project.yaml");
    write({ prompts: undefined });
    expect((await config("plan")).json).toMatchObject({
      delete: [],
      prune_candidates: ["prompts/p0", "prompts/p1"],
    });
    write({ ...many(2), "locks/dev.jsonl": undefined });
    const unbound = await apply("--prune");
    expect(unbound.code).toBe(10);
    write({ "locks/dev.jsonl": lock, "voxctl.project.yaml": "version: 1\nkinds: [" });
    expect((await apply("--prune")).code).toBe(2);
    write({
      "voxctl.project.yaml": project.replace("kinds: [assistants, prompts, ", "kinds: [assistants, "),
      prompts: undefined,
    });
    expect((await apply("--prune")).code).toBe(0);
    expect((await list("prompts")).length).toBe(2);
  });

  test("[A3] `apply --prune` keeps a group with an unmanaged resource", async () => {
    const file = "group: Fach\nitems:\n  - { term: PZR, definition: a }\n";
    const { apply, write, list, json } = await setUpConfig({ "glossary/fach.yaml": file });
    await apply();
    const group = (await list("groups")).find(({ name }: { name: string }) => name === "Fach");
    await json("glossary", "create", "--group", group.id, "--term", "Fremd");
    write({ "glossary/fach.yaml": undefined });
    const refused = await apply("--prune", "-o", "json");
    expect(refused.code).toBe(12);
    expect(
      parseError(refused)
        .details.map(({ message }) => message)
        .join(),
    ).toContain("it contains 1 item that this plan does not delete");
    const [unmanaged] = (await list("glossary")).filter(({ term }: { term: string }) => term === "Fremd");
    await json("glossary", "delete", unmanaged.id);
    expect((await apply("--prune")).code).toBe(0);
    expect((await list("groups")).some(({ name }: { name: string }) => name === "Fach")).toBe(false);
  });
});

describe("unique names in a configuration", () => {
  const calendar = (name: string) => `name: ${name}\ntimezone: Europe/Berlin\n`;

  test("[A4] resources can swap unique names", async () => {
    const { apply, write, list, lock } = await setUpConfig({
      "calendars/a.yaml": calendar("A"),
      "calendars/b.yaml": calendar("B"),
      "calendars/c.yaml": calendar("C"),
    });
    await apply();
    const ids = Object.fromEntries(Object.entries(lock()).map(([key, { id }]) => [key, id]));
    write({
      "voxctl.project.yaml": projectText("moved: [{ to: calendars/d }]\n"),
      "calendars/a.yaml": calendar("B"),
      "calendars/b.yaml": calendar("A"),
      "calendars/c.yaml": undefined,
      "calendars/d.yaml": "name: C\ntimezone: Europe/Paris\n",
    });
    const applied = await apply("--prune", "-o", "json");
    expect([applied.code, applied.stderr]).toEqual([0, ""]);
    const now = Object.fromEntries(
      (await list("calendars")).map(({ id, name }: { id: string; name: string }) => [name, id]),
    );
    expect(now).toMatchObject({ A: ids["calendars/b"], B: ids["calendars/a"] });
    expect(Object.keys(now).sort()).toEqual(["A", "B", "C"]);
  });
});
