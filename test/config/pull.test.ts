// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of configuration files look like this
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { setUpConfig } from "../helpers/config.js";

describe("config pull", () => {
  test("`pull --new` writes an assistant's introduction even if it is empty", async () => {
    const { apply, config, list, read, root } = await setUpConfig({
      "assistants/a.yaml":
        'name: A\nlanguage: de\nvoice: Clara\ncompany_name: P\ncompany_industry: Z\nintroduction: ""\n',
    });
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    expect(await list("assistants")).toMatchObject([{ name: "A", introduction: "" }]);
    rmSync(join(root, "assistants/a.yaml"));
    rmSync(join(root, "locks"), { recursive: true });
    expect((await config("pull", "--new")).code).toBe(0);
    expect(read("assistants/a.yaml")).toContain('introduction: ""\n');
  });

  test("`pull` writes live changes to the files, and keeps comments, variables and order", async () => {
    const file = `# Begriffe der Praxis
items: # alle
  - definition: Professionelle Zahnreinigung   # lang
    term: PZR

  - term: OPG # Röntgen
    definition: |-
      Aufnahme
      aller Zähne
  # die letzte
  - { term: KFO, definition: "Zahnspangen" }
group: Fachbegriffe
`;
    const { apply, config, list, json, read, all } = await setUpConfig({ "glossary/fach.yaml": file });
    expect((await apply()).code).toBe(0);
    const before = all();
    expect((await config("pull")).code).toBe(0);
    expect(all()).toEqual(before);
    for (const { id, term } of await list("glossary")) {
      if (term === "PZR") await json("glossary", "update", id, "--definition", "Kurz: sauber");
      if (term === "OPG") await json("glossary", "update", id, "--definition", "Eine Zeile");
      if (term === "KFO") await json("glossary", "update", id, "--definition", "Zwei\nZeilen");
    }
    const pulled = await config("pull");
    expect(pulled.json.written.length).toBe(3);
    expect(read("glossary/fach.yaml")).toBe(
      file
        .replace("Professionelle Zahnreinigung", '"Kurz: sauber"')
        .replace("|-\n      Aufnahme\n      aller Zähne", "Eine Zeile")
        .replace('"Zahnspangen"', '"Zwei\\nZeilen"'),
    );
    expect((await config("plan")).json).toMatchObject({ update: [], drift: [], writes: 0 });
  });

  test("`init` can be repeated if the organization could not be read", async () => {
    const { emulator, runWith, root } = await setUpConfig({ "voxctl.project.yaml": undefined });
    const init = () => runWith({ cwd: root }, "config", "init", "--target", "dev", "--profile", "offline");
    await emulator.control("POST", "/faults", { kind: "error_before" });
    expect((await init()).code).toBe(9);
    await emulator.control("DELETE", "/faults");
    const repeated = await init();
    expect(repeated.code, repeated.stderr).toBe(0);
  });

  test("after `init`, the directory doesn't differ from the organization", async () => {
    const { runWith, root, config, all, write } = await setUpConfig(
      { "voxctl.project.yaml": undefined },
      { seed: "demo" },
    );
    const made = await runWith({ cwd: root }, "config", "init", "--target", "dev", "--profile", "offline");
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("Replace env:TODO in the files")]);
    const before = all();
    expect(Object.keys(before).length).toBeGreaterThan(10);
    expect((await config("plan")).json).toMatchObject({
      create: [],
      update: [],
      drift: [],
      writes: 0,
      unmanaged: {},
    });
    expect((await config("pull", "--new")).code).toBe(0);
    expect(all()).toEqual(before);
    void write;
  });
});

describe("`config check`, `render`, `plan` and `apply`", () => {
  const files = {
    "prompts/a.md": "---\nkind: answering # Art\n# der Name\nname: A\n---\nText  \n\n",
    "assistants/x.yaml": "voice: Clara\nname: ${var.name}\n",
    "overlays/dev/assistants/x.yaml": "company_name: Praxis\n",
  };

  test("[F8] `check --fix` sorts fields together with their comments", async () => {
    const { config, read, write } = await setUpConfig({ "prompts/a.md": files["prompts/a.md"] });
    const isFormatted = async () => {
      const { code, stderr } = await config("check", "--fix");
      expect(code).toBe(0);
      return !stderr.includes("formatted prompts/a.md");
    };
    expect(await isFormatted()).toBe(false);
    expect(read("prompts/a.md")).toBe("---\n# der Name\nname: A\nkind: answering # Art\n---\nText  \n\n");
    expect(await isFormatted()).toBe(true);
    // Line endings that are all CRLF come from a checkout; mixed ones are kept (F5).
    write({ "prompts/a.md": "---\r\nname: A\r\nkind: answering\r\n---\r\nText\r\n" });
    expect(await isFormatted()).toBe(true);
    write({ "prompts/a.md": "---\r\nname: A\nkind: answering\r\n---\r\nText\r\n" });
    expect(await isFormatted()).toBe(false);
  });

  test("[F6] [F7] `render` prints a file with its overlay and variables", async () => {
    const { config, write, read } = await setUpConfig(files);
    const unset = await config("check");
    expect([unset.code, unset.json]).toMatchObject([
      2,
      [{ file: "assistants/x.yaml", line: 2, field: "name" }],
    ]);
    const project = read("voxctl.project.yaml").replace(
      "{ profile: offline }",
      "{ profile: offline, overlay: overlays/dev, variables: { name: Empfang } }",
    );
    write({ "voxctl.project.yaml": project });
    expect((await config("render", "assistants/x")).json.fields).toEqual({
      name: "Empfang",
      voice: "Clara",
      company_name: "Praxis",
    });
    expect((await config("render", "assistants/y")).code).toBe(4);
  });

  test("requires_applied_to requires that files were first applied to the specified target", async () => {
    const { apply, config, write, read, list } = await setUpConfig({ "prompts/a.md": files["prompts/a.md"] });
    write({
      "voxctl.project.yaml": `${read("voxctl.project.yaml")}  prod: { profile: offline, requires_applied_to: dev }\n`,
    });
    const prod = (...flags: string[]) => config("plan", "--target", "prod", ...flags);
    expect((await prod()).code).toBe(12);
    expect((await apply()).code).toBe(0);
    expect((await prod()).json.refused).toEqual(["needs_adopt"]);
    write({ "prompts/a.md": files["prompts/a.md"].replace("Text", "Neuer Text") });
    expect((await prod("--adopt")).json.refused).toEqual(["promotion"]);
    expect((await list("prompts")).length).toBe(1);
  });

  test("[A1] `apply` applies a plan file unchanged and only once", async () => {
    const { config, apply, runWith, root, write, list } = await setUpConfig({
      "prompts/a.md": files["prompts/a.md"],
    });
    expect((await config("plan", "--out", "a.plan")).code).toBe(0);
    const plain = await runWith({ cwd: root }, "apply", "a.plan", "--yes", "--profile", "offline");
    expect(plain.code).toBe(2);
    expect(plain.stderr).toContain("voxctl config apply --target dev");
    write({ "prompts/a.md": files["prompts/a.md"].replace("Text", "Später") });
    expect((await apply("a.plan")).code).toBe(0);
    expect((await list("prompts"))[0].text).toBe("Text  \n");
    expect((await apply("a.plan")).stderr).toContain("was already applied");
    expect((await config("plan", "--out", "b.plan")).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect((await apply("b.plan")).code).toBe(10);
  });
});
