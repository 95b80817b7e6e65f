// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectText, setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";

const prompt = (name: string, text: string) => `---\nname: ${name}\nkind: answering\n---\n${text}\n`;
const files = {
  "prompts/a.md": prompt("A", "Text A"),
  "prompts/b.md": prompt("B", "Text B"),
  "glossary/fach.yaml":
    "group: Fach\nitems:\n  - { term: PZR, definition: eins } # bleibt\n  - { term: OPG, definition: zwei }\n",
};

type ConfigSetup = Awaited<ReturnType<typeof setUpConfig>>;

async function findId({ list }: ConfigSetup, resource: string, name: string): Promise<string> {
  const match = (await list(resource)).find(
    (candidate: Record<string, unknown>) => candidate["name"] === name || candidate["term"] === name,
  );
  return match.id;
}

async function inConflict() {
  const setup = await setUpConfig(files);
  await setup.apply();
  await setup.json("prompts", "update", await findId(setup, "prompts", "A"), "--text", "live");
  setup.write({ "prompts/a.md": prompt("A", "Datei") });
  return setup;
}

describe("`pull` after changes in both the file and the organization", () => {
  test("[U4] `pull` does not write a field that changed on both sides (exit code 10)", async () => {
    const { config, all, lock } = await inConflict();
    const [files, before] = [all(), lock()];
    const refused = await config("pull");
    expect([refused.code, refused.json]).toMatchObject([
      10,
      { written: [], conflicts: [{ key: "prompts/a", fields: ["text"] }] },
    ]);
    expect([all(), lock()]).toEqual([files, before]);
  });

  test("[U4] `pull --resolve live` writes the organization's value", async () => {
    const { config, read, apply, writes } = await inConflict();
    expect((await config("pull", "--resolve", "live")).code).toBe(0);
    expect(read("prompts/a.md")).toBe(prompt("A", "live"));
    const before = (await writes()).length;
    expect((await apply()).code).toBe(0);
    expect((await writes()).length).toBe(before);
  });

  test("[U4] `pull --resolve file` keeps the file's value", async () => {
    const setup = await inConflict();
    const { config, read, apply, json } = setup;
    expect((await config("pull", "--resolve", "file")).code).toBe(0);
    expect(read("prompts/a.md")).toBe(prompt("A", "Datei"));
    expect((await apply()).code).toBe(0);
    expect((await json("prompts", "get", await findId(setup, "prompts", "A"))).text).toBe("Datei");
  });
});

describe("a plan with live changes", () => {
  test("`plan --resolve file` shows the change that the file's value will make", async () => {
    const { config } = await inConflict();
    const left = (await config("plan", "-o", "table")).stdout;
    expect(left).toContain("text: conflict: changed in the file and in the organization\n");
    expect(left).toContain('text: "Datei" → "live"');
    const sent = (await config("plan", "--resolve", "file", "-o", "table")).stdout;
    expect(sent).toContain("changed in the file and in the organization; the file's value will be sent\n");
    expect(sent).toContain('text: "live" → "Datei"');
  });

  test("`plan --drift overwrite` shows the change that overwrites a live change", async () => {
    const { config, apply, json, idOf: findId } = await drifted();
    await apply();
    await json("prompts", "update", await findId(), "--text", "live");
    expect((await config("plan", "-o", "table")).stdout).toContain('→ "live"');
    const sent = (await config("plan", "--drift", "overwrite", "-o", "table")).stdout;
    expect(sent).toContain("since the last apply; will be overwritten\n");
    expect(sent).toContain('text: "live" → ');
  });

  async function drifted() {
    const setup = await setUpConfig(files);
    return { ...setup, idOf: () => findId(setup, "prompts", "A") };
  }
});

describe("deleted resources", () => {
  test("[U6] `pull --prune` removes only the files or entries of deleted resources", async () => {
    const setup = await setUpConfig(files);
    const { apply, config, json, read, root, all, lock } = setup;
    await apply();
    await json("prompts", "delete", await findId(setup, "prompts", "A"));
    await json("glossary", "delete", await findId(setup, "glossary", "OPG"));
    const before = all();
    expect((await config("pull")).json).toMatchObject({ gone: ["glossary/fach#OPG", "prompts/a"] });
    expect(all()).toEqual(before);
    expect((await config("pull", "--prune")).json.removed).toEqual(["prompts/a.md"]);
    expect(existsSync(join(root, "prompts/a.md"))).toBe(false);
    expect(read("glossary/fach.yaml")).toBe(
      "group: Fach\nitems:\n  - { term: PZR, definition: eins } # bleibt\n",
    );
    expect(Object.keys(lock())).toEqual(["glossary/fach", "glossary/fach#PZR", "prompts/b"]);
    expect((await config("plan")).json).toMatchObject({ writes: 0, refused: [] });
  });

  test("[U6] [F7] `pull --prune` removes a resource's file and the target's overlay of it", async () => {
    for (const overlay of ["name: B", "kind: email"]) {
      const setup = await setUpConfig({
        "voxctl.project.yaml": projectText().replace("offline }", "offline, overlay: overlays/dev }"),
        "prompts/a.md": prompt("A", "Text A"),
        "overlays/dev/prompts/a.md": `---\n${overlay}\n---\n`,
      });
      await setup.apply();
      const [made] = await setup.list("prompts");
      await setup.json("prompts", "delete", made.id);
      const pulled = await setup.config("pull", "--prune");
      expect(pulled.code, pulled.stderr).toBe(0);
      expect(pulled.json.removed).toEqual(["prompts/a.md", "overlays/dev/prompts/a.md"]);
      expect((await setup.config("plan")).json).toMatchObject({ create: [], writes: 0 });
    }
  });
});

describe("the location of a written value", () => {
  test("[U3] `pull --new` adds an item to the overlay if the overlay has the list", async () => {
    const setup = await setUpConfig({
      "voxctl.project.yaml": projectText("", "[glossary]").replace(
        "offline }",
        "offline, overlay: overlays/dev }",
      ),
      "glossary/fach.yaml": "group: Fach\nitems:\n  - { term: A, definition: a }\n",
      "overlays/dev/glossary/fach.yaml": "items:\n  - { term: B, definition: b }\n",
    });
    await setup.apply();
    await createTerm(setup, "Neu");
    for (const created of [["glossary/fach#Neu"], []])
      expect((await setup.config("pull", "--new", "--force", "glossary/fach")).json.created).toEqual(created);
    expect(setup.read("glossary/fach.yaml")).not.toContain("Neu");
    expect(setup.read("overlays/dev/glossary/fach.yaml")).toBe(
      'items:\n  - { term: B, definition: b }\n  - term: Neu\n    definition: "n"\n',
    );
    expect((await setup.config("plan")).json).toMatchObject({ needs_adopt: [], writes: 0 });
  });

  test("`pull --new` skips an item if its group's file was removed", async () => {
    const setup = await setUpConfig({ "glossary/fach.yaml": "group: Fach\nitems: []\n" });
    await setup.apply();
    await createTerm(setup, "Neu");
    setup.write({ "glossary/fach.yaml": undefined });
    const { created } = (await setup.config("pull", "--new")).json;
    expect(created).not.toContain("glossary/fach#Neu");
    expect(Object.keys(setup.all())).not.toContain("glossary/fach.yaml");
  });

  async function createTerm(setup: ConfigSetup, term: string) {
    const group = await findId(setup, "groups", "Fach");
    await setup.json("glossary", "create", "--group", group, "--term", term, "--definition", "n");
  }

  test("[U3] `pull` writes a value to the overlay if the overlay sets it, else to the base file", async () => {
    const setup = await setUpConfig({
      "voxctl.project.yaml": `version: 1
project: "0123456789ab"
kinds: [prompts, calendars]
targets:
  dev: { profile: offline, overlay: overlays/dev }
`,
      "prompts/a.md": prompt("A", "Text A"),
      "calendars/praxis.yaml": "name: Praxis\ntimezone: Europe/Berlin # von allen\n",
      "overlays/dev/calendars/praxis.yaml": "name: Praxis Test # nur hier\n",
    });
    const { apply, config, json, read } = setup;
    await apply();
    const id = await findId(setup, "calendars", "Praxis Test");
    await json("calendars", "update", id, "--name", "Praxis Probe", "--timezone", "Europe/Vienna");
    expect((await config("pull")).json.written).toEqual([
      { key: "calendars/praxis", fields: ["name", "timezone"] },
    ]);
    expect(read("overlays/dev/calendars/praxis.yaml")).toBe("name: Praxis Probe # nur hier\n");
    expect(read("calendars/praxis.yaml")).toBe("name: Praxis\ntimezone: Europe/Vienna # von allen\n");
  });

  test("[U7] `pull` overwrites a file with uncommitted changes only with --force", async () => {
    const setup = await setUpConfig(files);
    const { apply, config, json, read, root, write } = setup;
    const git = (...argv: string[]) =>
      execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", ...argv]);
    git("init", "-q");
    await apply();
    git("add", "-A");
    git("commit", "-qm", "as it is");
    await json("prompts", "update", await findId(setup, "prompts", "A"), "--text", "live");
    write({ "prompts/a.md": `${prompt("A", "Text A").replace("---\nText", "# mein\n---\nText")}` });
    const before = read("prompts/a.md");
    const refused = await config("pull");
    expect([refused.code, refused.stderr]).toEqual([
      12,
      expect.stringContaining("prompts/a.md has uncommitted changes"),
    ]);
    expect(read("prompts/a.md")).toBe(before);
    expect((await config("pull", "--force")).code).toBe(0);
    expect(read("prompts/a.md")).toBe(before.replace("Text A", "live"));
    expect(existsSync(join(root, "prompts/a.md.orig"))).toBe(false);
    // Uncommitted changes in another file don't block a pull.
    await json("prompts", "update", await findId(setup, "prompts", "B"), "--text", "live");
    expect((await config("pull")).code).toBe(0);
  });

  test("[U7] without git, `pull` keeps copies of the previous files", async () => {
    const setup = await setUpConfig(files);
    const { apply, config, json, read } = setup;
    await apply();
    await json("prompts", "update", await findId(setup, "prompts", "A"), "--text", "live");
    expect((await config("pull")).code).toBe(0);
    expect([read("prompts/a.md"), read("prompts/a.md.orig")]).toEqual([
      prompt("A", "live"),
      prompt("A", "Text A"),
    ]);
  });
});

describe("data that files omit", () => {
  test("[F4] `pull` reports the number of undocumented fields", async () => {
    const { emulator, runWith, root, config, apply, read } = await setUpConfig(files);
    await apply();
    const overrides = reshapeResponses(emulator, ({ path }, { body }) => {
      if (!/^\/api\/v1\/(prompts|glossary)/.test(path)) return undefined;
      const more = (record: Record<string, unknown>) => ({ ...record, priority: 3 });
      return { body: { ...body, data: Array.isArray(body.data) ? body.data.map(more) : more(body.data) } };
    });
    const pull = (...more: string[]) =>
      runWith({ cwd: root, overrides }, "config", "pull", "--target", "dev", ...more);
    const counted = await pull();
    expect([counted.code, counted.json]).toMatchObject([0, { written: [], unknown: { priority: 4 } }]);
    expect(read("prompts/a.md")).toBe(prompt("A", "Text A"));
    expect((await config("check")).code).toBe(0);
  });

  test("[U8] `pull` writes a reference for a live secret instead of the secret", async () => {
    const { apply, config, emulator, list, read, write, lock } = await setUpConfig({
      "tools/crm.yaml": "name: crm_lookup\nurl: https://crm.example.com/lookup\n",
    });
    await apply();
    const [tool] = await list("tools");
    await publicApi(emulator)("PATCH", `/tools/${tool.id}`, { secret: "geheim-4711" });
    expect((await config("pull")).json.written).toEqual([{ key: "tools/crm", fields: ["secret"] }]);
    expect(read("tools/crm.yaml")).toBe(
      "name: crm_lookup\nurl: https://crm.example.com/lookup\nsecret:\n  from: env:TODO\n",
    );
    const unfilled = await config("check");
    expect([unfilled.code, unfilled.stdout + unfilled.stderr]).toEqual([
      2,
      expect.stringContaining("env:TODO is a placeholder"),
    ]);
    // If the user removes the field from the file, `pull` does not add it again.
    write({ "tools/crm.yaml": "name: crm_lookup\nurl: https://crm.example.com/lookup\n" });
    expect((await apply()).code).toBe(0);
    expect((await config("pull")).json.written).toEqual([]);
    expect(JSON.stringify(lock())).not.toContain("4711");
  });
});

describe("a part of the directory", () => {
  test("[L3] --only applies and locks the selected resources and their references", async () => {
    const { apply, write, lock, list, config } = await setUpConfig({
      ...files,
      "prompts/c.md": prompt("C", "Text C"),
    });
    await apply("--only", "prompts/a", "--only", "glossary/fach");
    expect(Object.keys(lock())).toEqual([
      "glossary/fach",
      "glossary/fach#OPG",
      "glossary/fach#PZR",
      "prompts/a",
    ]);
    write({ "prompts/a.md": prompt("A", "neu"), "glossary/fach.yaml": undefined });
    const before = lock();
    expect((await config("plan", "--only", "prompts/a,prompts/b", "--prune")).json).toMatchObject({
      create: ["prompts/b"],
      update: [{ key: "prompts/a", fields: ["text"] }],
      delete: [],
      prune_candidates: [],
    });
    await apply("--only", "prompts/a,prompts/b", "--prune");
    const after = lock();
    for (const key of ["glossary/fach", "glossary/fach#OPG", "glossary/fach#PZR"])
      expect(after[key]).toEqual(before[key]);
    expect((await list("prompts")).map(({ name }: { name: string }) => name).sort()).toEqual(["A", "B"]);
  });

  test("[A10] --max-update limits changes of a type by count and percentage", async () => {
    const { apply, write, config, read, writes } = await setUpConfig({
      ...Object.fromEntries(["a", "b", "c", "d"].map((key) => [`prompts/${key}.md`, prompt(key, "eins")])),
    });
    await apply();
    const before = (await writes()).length;
    for (const key of ["a", "b", "c"]) write({ [`prompts/${key}.md`]: prompt(key, "zwei") });
    const planned = async (...more: string[]) => {
      const { code, json } = await config("plan", ...more);
      return [code, json.thresholds];
    };
    expect(await planned()).toEqual([0, []]);
    expect(await planned("--max-update", "3")).toEqual([0, []]);
    expect(await planned("--max-update", "2")).toEqual([
      12,
      ["3 of 4 prompts would be updated (75%), but the limit is 2"],
    ]);
    write({
      "voxctl.project.yaml": read("voxctl.project.yaml").replace(
        "{ profile: offline }",
        "{ profile: offline, limits: { max_update: 74% } }",
      ),
    });
    expect((await apply()).code).toBe(12);
    expect((await writes()).length).toBe(before);
    expect((await apply("--max-update", "75%")).code).toBe(0);
  });

  test("[L2] `adopt KEY=ID` binds a file to the resource with this ID if their types match", async () => {
    const setup = await setUpConfig(files);
    const { json, config, lock, list, apply } = setup;
    for (const text of ["eins", "zwei"])
      await json("prompts", "create", "--name", "A", "--kind", "answering", "--text", text);
    const [first, second] = await list("prompts");
    const unclear = await apply();
    expect([unclear.code, unclear.stderr]).toEqual([10, expect.stringContaining(second.id)]);
    expect((await config("adopt", `prompts/a=${second.id}`)).json.adopted).toEqual([
      { key: "prompts/a", id: second.id },
    ]);
    expect(lock()["prompts/a"]).toMatchObject({ id: second.id, made: false });
    const refused = async (...pair: string[]) => (await config("adopt", ...pair)).code;
    expect(await refused(`prompts/b=${second.id}`)).toBe(6);
    expect(await refused(`prompts/fehlt=${first.id}`)).toBe(4);
    expect(await refused("prompts/b=65f1a0b2c3d4e5f601234567")).toBe(4);
    expect(await refused("prompts/b")).toBe(2);
    // In one command, two files can't be bound to the same resource, nor a file to two resources.
    expect(await refused(`prompts/b=${first.id}`, `prompts/a=${first.id}`)).toBe(2);
    expect(await refused(`prompts/b=${first.id}`, `prompts/b=${second.id}`)).toBe(2);
    const [group] = (await list("groups")).filter(({ type }: { type: string }) => type === "contacts");
    expect(await refused(`glossary/fach=${group.id}`)).toBe(2);
    expect(Object.keys(lock())).toEqual(["prompts/a"]);
    expect((await apply()).code).toBe(0);
    expect((await json("prompts", "get", second.id)).text).toBe("Text A");
    expect((await json("prompts", "get", first.id)).text).toBe(first.text);
  });
});

describe("indexing after an apply", () => {
  const text = {
    "knowledge/preise/_group.yaml": "name: Preise\n",
    "knowledge/preise/zahn.md": "---\ntitle: Zahn\nactive: true\n---\n95 EUR\n",
  };

  test.each([
    ["index_failure", 11, "1 knowledge item could not be indexed: knowledge/preise/zahn"],
    ["index_queue_down", 8, "1 knowledge item is still being indexed: knowledge/preise/zahn"],
  ])(
    "[A9] `apply` writes text despite the indexing fault %s, and exits with code %i",
    async (fault, exit, message) => {
      const { apply, emulator, config, lock } = await setUpConfig(text);
      await emulator.control("POST", "/faults", { kind: fault });
      const ran = await apply("--wait", "30s");
      expect([ran.code, ran.stderr]).toEqual([exit, expect.stringContaining(message)]);
      expect(Object.keys(lock())).toEqual(["knowledge/preise", "knowledge/preise/zahn"]);
      expect((await config("plan")).json).toMatchObject({ writes: 0, refused: [] });
    },
  );

  test("[A9] `apply --wait 0s` does not wait for indexing", async () => {
    const { apply, emulator } = await setUpConfig(text);
    await emulator.control("POST", "/faults", { kind: "index_failure" });
    expect((await apply("--wait", "0s")).code).toBe(0);
  });
});
