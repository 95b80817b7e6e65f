import { describe, expect, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Emulator } from "../../src/emulator/types.js";
import { parseError, projectText, setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";

const prompt = (name: string) => `---\nname: ${name}\nkind: answering\n---\nText von ${name}\n`;
const glossary = (...terms: string[]) =>
  `group: Fach\nitems:\n${terms.map((term) => `  - term: ${term}\n    definition: D\n`).join("")}`;

describe("config commands on the command line", () => {
  test("--prune accepts types after an equals sign, but not as a separate argument", async () => {
    const { config, apply, write, list } = await setUpConfig({
      "prompts/a.md": prompt("A"),
      "prompts/b.md": prompt("B"),
      "glossary/fach.yaml": glossary("PZR", "OPG"),
    });
    await apply();
    write({ "prompts/b.md": undefined, "glossary/fach.yaml": glossary("PZR") });
    const ofGlossary = { delete: ["glossary/fach#OPG"], prune_candidates: ["prompts/b"] };
    expect((await config("plan", "--prune=glossary")).json).toMatchObject(ofGlossary);
    expect((await config("plan", "--prune=prompts, glossary")).json.delete).toEqual([
      "glossary/fach#OPG",
      "prompts/b",
    ]);
    expect((await config("plan", "--prune")).json.delete.length).toBe(2);
    expect((await config("plan", "--out", "p.plan")).code).toBe(0);
    // p.plan is an argument, not the value of --prune.
    expect((await apply("--prune", "p.plan")).code).toBe(0);
    expect((await list("prompts")).length).toBe(2);
    const refused = async (resourceTypes: string) =>
      parseError(await config("plan", `--prune=${resourceTypes}`, "-o", "json")).message;
    expect(await refused("glosary")).toContain(
      'invalid --prune "glosary": expected one of assistants, prompts',
    );
    // A script passes this value if its variable is empty.
    expect(await refused("")).toContain('invalid --prune ""');
  });

  test("if a parallel read fails, `config plan` waits for the other requests to end", async () => {
    const { emulator, root, runWith, write } = await setUpConfig({ "prompts/a.md": prompt("A") });
    write({ "glossary/fach.yaml": glossary("PZR") });
    let pending = 0;
    const transport: Emulator["transport"] = async (url, request) => {
      if (url.includes("/prompts")) return emulator.transport(url.replace("/prompts", "/nowhere"), request);
      pending += 1;
      // Delay every response except the one that fails the command.
      await new Promise((resolve) => setImmediate(resolve));
      return emulator.transport(url, request).finally(() => {
        pending -= 1;
      });
    };
    const slow = { ...emulator, startLine: emulator.startLine, transport };
    const connect: Overrides["connect"] = async (profile, options) => ({
      ...connectEmulator(slow, profile, options),
      close: async () => {},
    });
    const planned = await runWith({ cwd: root, overrides: { connect } }, "config", "plan", "--target", "dev");
    expect([planned.code === 0, pending]).toEqual([false, 0]);
  });

  test("`config plan` exits with code 4 and a suggestion for an unknown key", async () => {
    const { config, apply, write } = await setUpConfig({
      "prompts/empfang.md": prompt("Empfang"),
      "glossary/fach.yaml": glossary("PZR"),
    });
    await apply();
    write({ "prompts/empfang.md": prompt("Anders") });
    const commands: [string, ...string[]][] = [
      ["diff"],
      ["pull"],
      ["plan", "--only"],
      ["apply", "--yes", "--only"],
    ];
    for (const key of ["empfang", "prompts/empfang.md", "./prompts/empfang.md", "prompts/empfan", "Anders"])
      for (const command of commands) {
        const ran = await config(...command, key, "-o", "json");
        expect([command, ran.code]).toEqual([command, 4]);
        const { message, hint } = parseError(ran);
        expect(message).toBe(`key ${key} not found in dev`);
        expect(hint).toContain(key === "Anders" ? "a key is a file's path" : "did you mean prompts/empfang?");
      }
    expect((await config("diff", "prompts/empfang")).code).toBe(10);
    expect((await config("diff", "glossary/fach")).code).toBe(0);
    expect((await config("diff", "glossary/fach#PZR")).code).toBe(0);
  });

  test("[F6] `config check` names the targets that an error applies to", async () => {
    const { config, write } = await setUpConfig({
      "voxctl.project.yaml": `version: 1
project: "0123456789ab"
kinds: [prompts, tools]
targets:
  dev: { profile: offline }
  prod: { profile: offline, variables: { host: crm.example.com }, overlay: overlays/prod }
`,
      "tools/crm.yaml": `name: crm\nurl: https://\${var.host}/lookup\n`,
      "overlays/prod/prompts/a.md": "---\nkind: answering\nnam: A\n---\n",
    });
    const checked = await config("check");
    expect(checked.code).toBe(2);
    expect(checked.json).toEqual([
      {
        file: "tools/crm.yaml",
        line: 2,
        field: "url",
        message: "variable host not found in targets.dev.variables of voxctl.project.yaml",
        targets: ["dev"],
      },
      {
        file: "overlays/prod/prompts/a.md",
        line: 2,
        field: "name",
        message: "is missing",
        targets: ["prod"],
      },
      {
        file: "overlays/prod/prompts/a.md",
        line: 3,
        field: "nam",
        message: expect.stringContaining("unknown field"),
        targets: ["prod"],
      },
    ]);
    expect((await config("check", "-o", "table")).stdout).toContain("(only prod)");
    expect(parseError(await config("plan", "-o", "json")).message).toContain(
      "variable host not found in targets.dev.variables",
    );
    write({ "tools/crm.yaml": "nam: crm\n" });
    const { json } = await config("check", "tools/crm", "--target", "dev,prod");
    expect(json.map(({ field, targets }: Record<string, unknown>) => [field, targets])).toEqual([
      ["name", undefined],
      ["nam", undefined],
    ]);
  });

  test("an error for an unknown voice shows the command that lists voices", async () => {
    const { config } = await setUpConfig({
      "assistants/a.yaml":
        "name: A\nlanguage: de\nvoice: Katharina\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\n",
    });
    expect(parseError(await config("plan", "-o", "json"))).toMatchObject({
      message: 'assistants/a.yaml, line 3: voice: voice "Katharina" not found',
      hint: "list the voices: `voxctl voices list`",
    });
  });

  test("[F1] `check` refuses two files whose paths differ only in case", async () => {
    const { config } = await setUpConfig({
      "prompts/Empfang.md": prompt("Empfang"),
      "prompts/empfang.md": prompt("Zentrale"),
    });
    const { json } = await config("check");
    expect(json).toMatchObject([
      { file: "prompts/empfang.md", message: expect.stringContaining("prompts/Empfang.md") },
    ]);
  });

  test("[F2] a reference to a live resource requires a name that only one resource has", async () => {
    const { config, emulator } = await setUpConfig({
      "assistants/a.yaml":
        "name: A\nlanguage: de\nvoice: Clara\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\nprompt: { live: Zentrale }\n",
    });
    const ask = publicApi(emulator);
    const create = () => ask("POST", "/prompts", { name: "Zentrale", kind: "answering", text: "Text" });
    const codes: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      codes.push((await config("plan")).code);
      expect((await create()).status).toBe(201);
    }
    expect(codes).toEqual([12, 0, 12]);
  });

  test("[U6] `config pull` reports removed items", async () => {
    const { config, apply, write, json, all, list } = await setUpConfig({
      "knowledge/alt/text.md": "---\ntitle: Text\n---\nBleibt.\n",
      "knowledge/neu/anderer.md": "---\ntitle: Anderer\n---\nX\n",
      "glossary/fach.yaml": glossary("PZR", "OPG"),
    });
    await apply();
    const groups: { id: string; name: string }[] = await list("groups");
    const idOf = (name: string) => groups.find((group) => group.name === name)?.id ?? "";
    await json("knowledge", "update", "Text", "--group", idOf("neu"));
    await json("groups", "delete", idOf("alt"));
    await json("glossary", "delete", "OPG");
    expect((await config("pull")).json).toMatchObject({ gone: ["glossary/fach#OPG", "knowledge/alt"] });
    write({ "knowledge/neu/notiz.txt": "keine Datei des Projekts" });
    const pulled = await config("pull", "--prune", "-o", "table");
    expect(pulled.stdout).toContain("  - glossary/fach#OPG\n");
    expect(pulled.stdout).toContain("2 removed");
    expect(all()["knowledge/alt/text.md"]).toContain("Bleibt.");
    expect(all()["glossary/fach.yaml"]).toBe(glossary("PZR"));
  });

  test("[U5] `pull` skips and reports duplicate terms", async () => {
    const { config, apply, json, all, write } = await setUpConfig({
      "prompts/a.md": prompt("A"),
      "glossary/fach.yaml": glossary("PZR"),
    });
    await apply();
    await json("glossary", "create", "--group", "Fach", "--term", "pzr", "--definition", "anders");
    const pulled = await config("pull", "--new", "-o", "table");
    expect([pulled.code, all()["glossary/fach.yaml"]]).toEqual([0, glossary("PZR")]);
    expect(pulled.stdout).toMatch(
      /! glossary\/fach#pzr: term was skipped: [0-9a-f]{24} has the same term as another item, but a term must be unique in a file/,
    );
    expect(pulled.stdout).not.toContain("to write files for them");
    write({ locks: undefined });
    const unbound = await config("pull", "-o", "table");
    expect(unbound.stdout).toMatch(/! prompts\/a is not bound, but [0-9a-f]{24} has the same name/);
    expect((await config("plan")).json.unmanaged).not.toHaveProperty("prompts");
    expect((await config("pull")).json.unbound).toContain("prompts/a");
  });

  // plain-words: allow title-long
  test("[A7] a plan shows irreversible steps and the flag that allows deletions", async () => {
    const assistant = (name: string, promptName: string) =>
      `name: ${name}\nlanguage: de\nvoice: Clara\ncompany_name: P\ncompany_industry: Z\nintroduction: Hallo\nprompt: prompts/${promptName}\n`;
    const { config, apply, write, json } = await setUpConfig({
      "prompts/a.md": prompt("A"),
      "prompts/b.md": prompt("B"),
      "assistants/eins.yaml": assistant("Eins", "a"),
      "assistants/zwei.yaml": assistant("Zwei", "a"),
      "glossary/eins.yaml": glossary("PZR", "OPG"),
      "glossary/zwei.yaml": "group: Zwei\n",
    });
    await apply();
    await json("assistants", "update", "Eins", "--prompt", "B");
    write({
      "assistants/zwei.yaml": undefined,
      "glossary/eins.yaml": glossary("OPG"),
      "glossary/zwei.yaml": glossary("PZR").replace("Fach", "Zwei"),
    });
    const { stdout } = await config("plan", "-o", "table");
    expect(stdout).toContain('prompt: "prompts/a" → "prompts/b"\n');
    expect(stdout).toContain('group: "glossary/eins" → "glossary/zwei"\n');
    expect(stdout).toContain("- assistants/zwei  will be deleted only with --prune=assistants\n");
    const pruned = await config("plan", "-o", "table", "--prune=assistants,glossary", "--drift", "overwrite");
    expect(pruned.stdout).toContain("undo: all but 1 (1 deletion)");
    write({ "prompts/a.md": prompt("A").replace("answering", "email") });
    const again = await config("plan", "-o", "table", "--prune", "--drift", "overwrite");
    expect(again.stdout).toContain("-/+ prompts/a  with a new ID");
  });

  test("`pull` and `check --fix` update the directory's schemas", async () => {
    const { config, read, write, all } = await setUpConfig({ "voxctl.project.yaml": undefined });
    const path = ".voxctl/schema/tools.json";
    expect((await config("init", "--target", "dev", "--profile", "offline")).code).toBe(0);
    const schema = read(path);
    for (const [verb, ...flags] of [["pull"], ["check", "--fix"]] as const) {
      write({ [path]: "{}" });
      expect((await config(verb, ...flags)).code).toBe(0);
      expect(read(path)).toBe(schema);
    }
    write({ [path]: "{}" });
    expect((await config("check")).code).toBe(0);
    expect(read(path)).toBe("{}");
    write({ ".voxctl": undefined });
    expect((await config("pull")).code).toBe(0);
    expect(Object.keys(all()).filter((name) => name.startsWith(".voxctl"))).toEqual([]);
  });
});

describe("the environment's URL and key", () => {
  const env = { VOXCTL_BASE_URL: "https://voice.example.com/api/v1", VOXCTL_API_KEY: "k".repeat(40) };

  test("`config init` does not write the environment's URL and key to the project file", async () => {
    const { runWith, root, read } = await setUpConfig({ "voxctl.project.yaml": undefined });
    const init = await runWith({ env, cwd: root }, "config", "init", "--target", "prod");
    expect(init.code, init.stderr).toBe(0);
    expect(read("voxctl.project.yaml")).toContain("  prod: {}\n");
    expect((await runWith({ env, cwd: root }, "config", "plan", "--target", "prod")).code).toBe(0);
  });

  test("the environment's URL and key take precedence over the target's profile", async () => {
    const { runWith, root } = await setUpConfig({
      "voxctl.project.yaml": projectText().replace("profile: offline", "profile: praxis"),
      "prompts/a.md": prompt("A"),
    });
    const plan = await runWith({ env, cwd: root }, "config", "plan", "--target", "dev");
    expect(plan.code, plan.stderr).toBe(0);
    expect(plan.stderr).toBe(
      'using the URL and key from the environment; ignoring profile "praxis" of target dev\n',
    );
  });

  test("the environment's URL and key can't be used with several targets", async () => {
    const { runWith, root } = await setUpConfig({
      "voxctl.project.yaml": projectText("  prod: { profile: praxis }\n"),
    });
    const plan = await runWith({ env, cwd: root }, "config", "plan", "--target", "dev,prod");
    expect([plan.code, plan.stderr]).toEqual([2, expect.stringContaining("use one target per command")]);
  });
});
