import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, type Ran, type TestIo } from "../helpers/cli.js";
import { parseError, setUpConfig } from "../helpers/config.js";

function filesOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\/locks\/|\/\.|voxctl\.project\.yaml$/.test(path))
      .sort()
      .map((path) => [relative(root, path), readFileSync(path, "utf8")]),
  );
}

const seedFile = `features: [public_api, knowledge, outbound_calls]
assistants:
  empfang:
    name: Empfang
    language: de
    voice: Klara aus dem Alten Haus
    company_name: Praxis Weiß
    company_industry: Zahnmedizin
    introduction: "Guten Tag, \${env.NAME_OF_ALL}"
    prompt: prompts/empfang
    knowledge: [knowledge/preise]
    tools: [tools/crm]
prompts:
  empfang: { name: Empfang, kind: answering, text: "Du nimmst Anrufe an.\\n" }
knowledge:
  preise:
    name: Preise
    items:
      zahn: { title: Zahnreinigung, active: true, text: 95 EUR }
glossary:
  fach: { group: Fachbegriffe, items: [{ term: PZR, definition: Zahnreinigung }] }
tools:
  crm: { name: crm_lookup, url: "https://crm.example.com/lookup", secret: { from: env:CRM } }
groups:
  kunden: { name: Kunden }
contacts:
  - { group: groups/kunden, first_name: Anna, phone_numbers: ["+49301234567"] }
calls:
  - { assistant: assistants/empfang, direction: inbound, from: "+49301234567", minutes_ago: 90, duration_seconds: 75 }
keys:
  - { name: ci, role: editor, limits: { write: 7 } }
organizations:
  - name: Filiale
    prompts: { abend: { name: Abends, kind: answering, text: Geschlossen. } }
    keys: [{ name: filiale, role: viewer }]
`;

function person(env: Record<string, string> = {}) {
  const shell = commandLine({ env });
  const file = (name: string, text: string) => {
    writeFileSync(join(shell.home, name), text);
    return name;
  };
  const seeded = (seed: string, ...more: string[]) =>
    shell.run(
      ...["emulator", "reset", "--profile", "offline", "--yes", "-o", "json", "--seed", seed],
      ...["--allow-env", "NAME_OF_ALL", "--allow-env", "CRM", ...more],
    );
  const list = async (...argv: string[]) =>
    (await shell.run(...argv, "--profile", "offline", "-o", "json")).json;
  return { ...shell, file, seeded, list };
}

describe("emulator --seed PATH", () => {
  test("--seed with a directory that `config init` wrote restores the same state", async () => {
    const { run, seeded, home } = person({ CRM: "geheim" });
    await run("config", "init", "eins", "--target", "eins", "--profile", "offline");
    const first = filesOf(join(home, "eins"));
    expect(Object.keys(first).length).toBeGreaterThan(20);
    const seededRun = await seeded("eins");
    expect([seededRun.code, seededRun.stderr]).toEqual([0, expect.stringContaining("env:TODO")]);
    await run("config", "init", "zwei", "--target", "zwei", "--profile", "offline");
    // If a voice can't be selected, the files name it by its ID, which differs between emulators.
    const plain = (files: Record<string, string>) =>
      JSON.parse(JSON.stringify(files).replaceAll(/id: \\"[0-9a-f]{24}\\"/g, "id: ID"));
    expect(plain(filesOf(join(home, "zwei")))).toEqual(plain(first));
    expect((await run("emulator", "logs", "--profile", "offline", "-o", "json")).json).not.toContainEqual(
      expect.objectContaining({ method: "POST" }),
    );
  });

  test("`emulator exec` refuses a seed if two API keys need the same environment variable", async () => {
    const { file, run } = person();
    file("zwei.yaml", "keys: [{ name: ci-bot, role: editor }, { name: ci_bot, role: viewer }]\n");
    const ran = await run("emulator", "exec", "--seed", "zwei.yaml", "--", process.execPath, "-e", "0");
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining("ci-bot and ci_bot have the same variable, VOXCTL_SEED_KEY_CI_BOT"),
    ]);
  });

  test("a single seed file can contain types, contacts, calls, organizations and keys", async () => {
    const { file, seeded, list, run } = person({ NAME_OF_ALL: "Praxis Weiß", CRM: "geheim" });
    const ran = await seeded(file("welt.yaml", seedFile));
    const { code, stderr } = ran;
    expect([code, stderr]).toEqual([0, expect.stringContaining("Klara aus dem Alten Haus")]);
    expect(Object.keys(ran.json.seed_keys)).toEqual(["ci", "filiale"]);
    const [assistant] = await list("assistants", "list");
    expect(assistant).toMatchObject({ name: "Empfang", introduction: "Guten Tag, Praxis Weiß" });
    const [item] = await list("knowledge", "list");
    expect(await list("knowledge", "get", item.id)).toMatchObject({ name: "Zahnreinigung", text: "95 EUR" });
    expect(await list("tools", "list")).toMatchObject([{ name: "crm_lookup", has_secret: true }]);
    expect(await list("contacts", "list")).toMatchObject([{ first_name: "Anna" }]);
    expect(await list("calls", "list")).toMatchObject([
      { assistant_id: assistant.id, status: "completed", duration_seconds: 75 },
    ]);
    expect(await list("glossary", "list")).toMatchObject([{ term: "PZR", definition: "Zahnreinigung" }]);
    const organizations = (await run("emulator", "control", "organizations.list", "--profile", "offline"))
      .json;
    expect(organizations.map(({ name }: { name: string }) => name)).toContain("Filiale");
    expect(await list("prompts", "list")).toMatchObject([{ name: "Empfang" }]);
    // voxctl has deleted the temporary key that it created for the import of the seed.
    const keys = (await run("emulator", "control", "keys.list", "--profile", "offline")).json;
    expect(keys.map(({ name }: { name: string }) => name)).not.toContain("seed");
    expect(keys.find(({ name }: { name: string }) => name === "ci")).toMatchObject({
      role: "editor",
      limits: { write: 7 },
    });
  });

  test("errors in a seed are reported with file, line and field", async () => {
    const { file, seeded, list, run } = person();
    await run("ping", "--profile", "offline");
    const before = await list("assistants", "list");
    const wrong = async (text: string) => {
      const ran = await seeded(file("welt.yaml", text));
      const { message, details } = parseError(ran);
      return [ran.code, [message, ...details.map((detail) => detail.message)].join("\n")];
    };
    expect(await wrong("prompts:\n  a: { name: A, kind: answering, text: b }\nsurprise: 1\n")).toEqual([
      2,
      expect.stringContaining("welt.yaml, line 3: surprise: unknown seed field"),
    ]);
    expect(await wrong("surprise: 1\nfurther: 2\n")).toEqual([
      2,
      expect.stringMatching(/^welt\.yaml has 2 errors\n.*surprise.*\n.*further/),
    ]);
    expect(await wrong("assistants:\n  a:\n    name: A\n    prompt: prompts/fehlt\n")).toEqual([
      2,
      expect.stringContaining("welt.yaml, line 4: prompt: prompts/fehlt not found"),
    ]);
    expect(await wrong("knowledge:\n  a:\n    items:\n      b:\n        title: 5\n")).toEqual([
      2,
      expect.stringContaining("welt.yaml, line 5: title: must be text: put the value in quotes"),
    ]);
    expect(await wrong("calls:\n  - { assistant: assistants/keiner }\n")).toEqual([
      2,
      expect.stringContaining("welt.yaml, line 2: calls.0.assistant: assistants/keiner not found"),
    ]);
    expect(await wrong('{"voxctl_snapshot": 1, "tables": {"calls": [{"a": "\\ufffd"}]}}')).toEqual([
      2,
      "welt.yaml is a snapshot, not a seed",
    ]);
    expect(await wrong("prompts: [\n")).toEqual([2, expect.stringContaining("invalid YAML")]);
    expect(await list("assistants", "list")).toEqual(before);
  });

  test("--seed reports an unknown path and a directory with several targets", async () => {
    const { seeded } = person();
    const missing = await seeded("dmeo");
    expect([missing.code, parseError(missing).message]).toEqual([
      2,
      `invalid --seed "dmeo": expected demo, empty, or an existing directory or file`,
    ]);
    const { root, write, runWith } = await setUpConfig();
    const start = (...more: string[]) =>
      runWith({ cwd: root }, "emulator", "start", "--db", ":memory:", "--port", "0", "-o", "json", ...more);
    write({
      "voxctl.project.yaml":
        'version: 1\nproject: "0123456789ab"\nkinds: [prompts]\ntargets: { dev: {}, prod: {} }\n',
    });
    const unclear = await start("--seed", ".");
    expect([unclear.code, parseError(unclear).message]).toEqual([
      2,
      "voxctl.project.yaml has several targets: dev, prod",
    ]);
    expect((await start("--seed", ".", "--seed-target", "test")).code).toBe(2);
    expect((await start("--seed-target", "dev", "--seed", "demo")).stderr).toContain("--seed-target");
  });

  test("`emulator start --seed` fills a new database only once", async () => {
    const { home, file, run, runWith } = person({ NAME_OF_ALL: "Praxis", CRM: "x" });
    const db = join(home, "welt.db");
    const name = file("welt.yaml", seedFile);
    await run("profiles", "add", "welt", "--offline", "--db", db);
    const start = async (...more: string[]) => {
      let io: TestIo | undefined;
      const argv = [
        "emulator",
        "start",
        "--db",
        db,
        "--port",
        "0",
        "-o",
        "json",
        ...more,
        "--allow-env",
        "*",
      ];
      const running = { ended: Promise.resolve<Ran | undefined>(undefined) };
      await new Promise<void>((resolve) => {
        const before = (made: TestIo) => {
          io = made;
          made.stdout.once("data", () => resolve());
        };
        running.ended = runWith({ before }, ...argv).finally(resolve);
      });
      io?.signal("SIGTERM");
      const ran = await running.ended;
      if (ran === undefined) throw new Error("it was not run");
      return ran;
    };
    const first = await start("--seed", name, "--clock", "2026-03-02T09:00:00Z");
    expect([first.code, Object.keys(first.json.seed_keys)]).toEqual([0, ["ci", "filiale"]]);
    // The texts are already indexed, although the clock still shows the start time.
    const [item] = (await run("knowledge", "list", "-o", "json", "--profile", "welt")).json;
    expect(item).toMatchObject({ sync_status: { state: "synced" } });
    expect((await run("emulator", "clock", "--db", db, "-o", "json")).json.now).toBe(
      "2026-03-02T09:00:00.000Z",
    );
    const second = await start("--seed", name);
    expect([second.code, second.json.seed_keys]).toEqual([0, undefined]);
    expect(second.stderr).toContain("already has data");
    writeFileSync(`${db}.seeding`, "");
    const half = await start();
    expect([half.code, half.stderr]).toEqual([2, expect.stringContaining("was interrupted")]);
    const third = await start("--seed", name);
    expect([third.code, third.stderr]).toEqual([0, expect.stringContaining("Klara")]);
    expect(Object.keys(third.json.seed_keys)).toEqual(["ci", "filiale"]);
    expect(existsSync(`${db}.seeding`)).toBe(false);
  });
});
