// biome-ignore-all lint/suspicious/noTemplateCurlyInString: files of directories have variables
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectedTo } from "../helpers/cli.js";
import { type Files, parseError, setUpConfig } from "../helpers/config.js";
import { publicApi } from "../helpers/public-api.js";

const value = "MARKIERT-Zahnmedizin-4711";
const key = "MARKIERT-prod-key-0123456789";

const assistant = (industry: string) => `name: Empfang
language: de
voice: Clara
company_name: Praxis
company_industry: ${JSON.stringify(industry)}
introduction: Hallo
`;

async function cloned(files: Files) {
  const setup = await setUpConfig(files);
  const url = "https://voice.example/api/v1";
  await setup.runWith(
    { env: { PROD_KEY: key } },
    ...["profiles", "add", "praxis", "--url", url, "--key-env", "PROD_KEY", "--no-check"],
  );
  const texts: string[] = [];
  const run = async (env: Record<string, string>, ...argv: string[]) => {
    const [verb = "", ...args] = argv;
    const target = verb === "check" ? [] : ["--target", "dev"];
    const ran = await setup.runWith({ cwd: setup.root, env }, "config", verb, ...target, ...args);
    texts.push(ran.stdout, ran.stderr);
    return ran;
  };
  const everything = () => [
    ...texts,
    ...Object.entries(setup.all()).flatMap(([path, text]) => (path.startsWith("tools/own") ? [] : [text])),
    ...filesUnder(setup.data).map((path) => readFileSync(path, "latin1")),
  ];
  return { ...setup, run, everything };
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("offline.db"))
    .map((entry) => join(entry.parentPath, entry.name));
}

const tool = (secret: string, more = "") =>
  `name: crm\nurl: https://crm.example.com/x\nsecret: { from: "${secret}" }\n${more}`;

describe("sources that a directory may read", () => {
  test.each([
    ["a field", { "tools/a.yaml": 'name: a\nurl: https://x.example.com\ndescription: "${env.OPEN}"\n' }],
    [
      "a text in Markdown",
      { "prompts/a.md": "---\nname: A\nkind: answering\nvariables: true\n---\n${env.OPEN}\n" },
    ],
    ["a secret", { "tools/a.yaml": tool("env:OPEN") }],
    ["a header", { "tools/a.yaml": `${tool("env:OPEN")}headers: { X-A: { from: env:OPEN } }\n` }],
    ["a keychain entry", { "tools/a.yaml": tool("keychain:OPEN") }],
  ])(
    "[S4a] a variable or keychain entry is refused by default, with a hint to allow it: %s",
    async (_, files) => {
      const { run, everything, writes } = await cloned(files);
      for (const verb of ["plan", "diff", "apply", "pull"]) {
        const refused = await run(
          { OPEN: value },
          verb,
          ...(verb === "apply" ? ["--yes"] : []),
          "-o",
          "json",
        );
        expect(refused.code).toBe(12);
        expect(parseError(refused).hint).toContain("voxctl profiles set offline allow_env=OPEN");
        expect(parseError(refused).hint).toContain("--allow-env OPEN");
      }
      expect(await writes()).toEqual([]);
      for (const text of everything()) expect(text).not.toContain("MARKIERT");
    },
  );

  test("--allow-env allows matching variables for only one command", async () => {
    const { run, config } = await cloned({ "tools/a.yaml": tool("env:CRM_SECRET") });
    const env = { CRM_SECRET: value };
    expect((await run(env, "plan", "--allow-env", "CRM_SECRET")).code).toBe(0);
    expect((await run(env, "plan", "--allow-env", "CRM_*")).code).toBe(0);
    expect((await run(env, "plan", "--allow-env", "CRM")).code).toBe(12);
    expect((await config("plan")).code).toBe(12);
  });

  test("`profiles set offline allow_env` allows a directory to use a variable", async () => {
    const { run, json } = await cloned({ "tools/a.yaml": tool("env:CRM_SECRET") });
    await json("profiles", "set", "offline", "allow_env=OTHER,CRM_*");
    expect((await run({ CRM_SECRET: value }, "plan")).code).toBe(0);
  });

  test("a secret outside the directory is refused even if a glob matches its path", async () => {
    const { run, root, home, data, everything } = await cloned({ "own/secret": `${value}\n` });
    mkdirSync(data, { recursive: true });
    mkdirSync(join(home, "ssh"));
    writeFileSync(join(home, "ssh", "id"), `${value}\n`);
    symlinkSync(join(home, "ssh", "id"), join(root, "own", "link"));
    symlinkSync(join(home, "ssh"), join(root, "own", "folder"));
    for (const path of ["../ssh/id", "own/../../ssh/id", "own/link", "own/folder/id", join(home, "ssh/id")]) {
      writeFileSync(join(root, "a.yaml"), "");
      mkdirSync(join(root, "tools"), { recursive: true });
      writeFileSync(join(root, "tools", "a.yaml"), tool(`file:${path}`));
      const refused = await run({}, "plan", "--allow-file", "own/**", "-o", "json");
      expect(refused.code).toBe(12);
      expect(parseError(refused).hint).toContain(`--allow-file ${join(home, "ssh", "id")}`);
    }
    writeFileSync(join(root, "tools", "a.yaml"), tool("file:own/secret"));
    expect((await run({}, "plan", "--allow-file", "own/*")).code).toBe(0);
    expect((await run({}, "plan", "--allow-file", join(root, "own", "secret"))).code).toBe(0);
    for (const text of everything().filter((candidate) => candidate !== `${value}\n`))
      expect(text).not.toContain("MARKIERT");
  });

  test("the secrets of a directory have their own namespace in the keychain", async () => {
    const questions: string[] = [];
    const keychain = {
      read: async (accounts: readonly string[]) => {
        questions.push(...accounts);
        return accounts.map(() => null);
      },
      write: async () => {},
      remove: async () => {},
    };
    const clone = await cloned({ "tools/a.yaml": tool("keychain:praxis/public@1234") });
    await clone.runWith(
      { cwd: clone.root, overrides: { ...connectedTo(clone.emulator), keychain } },
      ...["config", "plan", "--target", "dev", "--allow-env", "praxis/**"],
    );
    expect(questions).toEqual(["config:praxis/public@1234"]);
  });

  test("the placeholder env:TODO that `pull` writes needs no permission", async () => {
    const { run } = await cloned({ "tools/a.yaml": tool("env:TODO") });
    expect((await run({ TODO: value }, "plan")).code).toBe(0);
  });
});

describe("a key that voxctl uses", () => {
  test.each<[string, Files]>([
    ["by its variable", { "tools/a.yaml": tool("env:PROD_KEY") }],
    ["by another variable", { "tools/a.yaml": tool("env:COPY") }],
    ["within a text", { "tools/a.yaml": tool("env:OPEN", 'description: "a ${env.COPY} b"\n') }],
    ["in the file itself", { "prompts/a.md": `---\nname: A\nkind: answering\n---\nDer Key ist ${key}.\n` }],
    ["by a variable of the environment itself", { "tools/a.yaml": tool("env:VOXCTL_API_KEY") }],
    ["by the configuration file", { "tools/a.yaml": tool("file:../config/config.json") }],
  ])(
    "voxctl's own API keys are refused as values even if all variables are allowed: %s",
    async (_, files) => {
      const { run, everything, writes } = await cloned(files);
      const env = { PROD_KEY: key, COPY: key, OPEN: "offen" };
      for (const argv of [["plan"], ["plan", "--out", "a.plan"], ["diff"], ["apply", "--yes"]]) {
        const refused = await run(env, ...argv, "--allow-env", "*", "--allow-file", "/**");
        expect(refused.code).toBe(12);
      }
      expect(await writes()).toEqual([]);
      const own = files["prompts/a.md"];
      for (const text of everything().filter((candidate) => candidate !== own))
        expect(text).not.toContain(key);
    },
  );

  test("no command sends one of voxctl's API keys in a request body", async () => {
    const { runWith, writes } = await cloned({});
    const env = { PROD_KEY: key };
    const profile = ["--profile", "offline"];
    for (const argv of [
      ["groups", "create", "--type", "contacts", "--name", `K ${key}`],
      ["api", "POST", "/groups", "--data", JSON.stringify({ type: "contacts", name: key })],
    ]) {
      const refused = await runWith({ env }, ...argv, ...profile);
      expect([refused.code, refused.stderr.includes(key)]).toEqual([12, false]);
    }
    expect(await writes()).toEqual([]);
  });
});

describe("a field that comes from the environment", () => {
  const allowed = ["--allow-env", "PLACE"];

  test("a value from the environment is stored in plan files and journals as a reference", async () => {
    const { run, everything, list } = await cloned({
      "assistants/a.yaml": assistant("Praxis: ${env.PLACE}, immer"),
    });
    const create = ["--allow", "assistants:create", "--yes"];
    expect((await run({ PLACE: value }, "apply", ...create, ...allowed)).code).toBe(0);
    expect((await list("assistants"))[0].company_industry).toBe(`Praxis: ${value}, immer`);
    const env = { PLACE: "MARKIERT-neu-4712" };
    const shown = await run(env, "plan", ...allowed, "-o", "table");
    expect(shown.stdout).toContain("company_industry: (changed) from env:PLACE");
    for (const argv of [["diff"], ["render", "assistants/a"], ["plan", "-o", "json"], ["check"]])
      await run(env, ...argv, ...allowed);
    expect((await run(env, "plan", "--out", "a.plan", ...allowed)).code).toBe(0);
    const refused = await run(env, "apply", "a.plan", "--yes");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("allow_env=PLACE")]);
    expect((await run(env, "apply", "a.plan", "--yes", ...allowed)).code).toBe(0);
    expect((await list("assistants"))[0].company_industry).toBe("Praxis: MARKIERT-neu-4712, immer");
    expect((await run(env, "plan", ...allowed)).json.update).toEqual([]);
    for (const text of everything()) expect(text).not.toContain("MARKIERT");
  });

  test("`plan show` prints a value from the environment as a reference", async () => {
    const { run, runWith, root } = await cloned({ "assistants/a.yaml": assistant("${env.PLACE}") });
    await run({ PLACE: value }, "plan", "--out", "a.plan", ...allowed);
    const shown = await runWith({ cwd: root }, "plan", "show", "a.plan", "-o", "table");
    expect(shown.stdout).toContain("company_industry: (changed) from env:PLACE");
  });

  test("an apply stops if a resource was changed after the plan was made", async () => {
    const { run, list, emulator } = await cloned({
      "tools/a.yaml": tool("env:PLACE", 'description: "${env.PLACE}"\n'),
    });
    expect((await run({ PLACE: "eins-eins" }, "apply", "--yes", ...allowed)).code).toBe(0);
    const env = { PLACE: "zwei-zwei" };
    expect((await run(env, "plan", "--out", "a.plan", ...allowed)).code).toBe(0);
    const [{ id }] = await list("tools");
    await publicApi(emulator)("PATCH", `/tools/${id}`, { description: "drei" });
    expect((await run(env, "apply", "a.plan", "--yes", ...allowed)).code).not.toBe(0);
    expect((await list("tools"))[0].description).toBe("drei");
  });

  test("if a resource has drifted, a value from the environment is shown as a reference", async () => {
    const { run, list, emulator, write } = await cloned({ "assistants/a.yaml": assistant("${env.PLACE}") });
    const create = ["--allow", "assistants:create", "--yes"];
    await run({ PLACE: value }, "apply", ...create, ...allowed);
    write({ "assistants/a.yaml": assistant("${env.PLACE}").replace("Hallo", "Guten Tag") });
    const plan = await run({ PLACE: value }, "plan", ...allowed, "-o", "table");
    expect(plan.stdout).toContain('introduction: "Hallo" → "Guten Tag"');
    const [{ id }] = await list("assistants");
    await publicApi(emulator)("PATCH", `/assistants/${id}`, { company_industry: "anders" });
    const drifted = await run({ PLACE: value }, "plan", ...allowed, "-o", "table");
    expect(drifted.stdout).toContain("company_industry: drift");
    expect((await run({ PLACE: value }, "pull", ...allowed)).json.left).toMatchObject([
      { field: "company_industry", reason: expect.stringContaining("env:PLACE") },
    ]);
  });
});
