import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChosenProfile } from "../../src/cli/profiles/profile.js";
import { environmentVariables } from "../../src/contract/environment-variables.js";
import { commandLine, connectedTo, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const key = "s3cret-key-that-nobody-sees";

async function shellWithProfiles() {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const chosen: ChosenProfile[] = [];
  const { connect } = connectedTo(emulator);
  const shell = commandLine({
    overrides: {
      connect: async (profile, options) => {
        chosen.push(profile);
        if (!connect) throw new Error("no connection");
        return connect(profile, options);
      },
    },
  });
  const add = (name: string, ...flags: string[]) =>
    shell.runWith(
      { stdin: `${key}\n` },
      "profiles",
      "add",
      name,
      "--url",
      "https://voice.example/api/v1",
      "--key-stdin",
      "--no-check",
      ...flags,
    );
  return { ...shell, chosen, add };
}

describe("the selection of the profile", () => {
  test("--profile takes precedence over environment keys, VOXCTL_PROFILE and .voxctl.yaml", async () => {
    const { run, runWith, chosen, add, home } = await shellWithProfiles();
    for (const name of ["first", "second", "third"]) await add(name);
    const folder = join(home, "project", "deep");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, "project", ".voxctl.yaml"), "profile: second\n");
    const pair = { VOXCTL_BASE_URL: "https://other.example/api/v1", VOXCTL_API_KEY: "other" };
    await run("ping");
    await runWith({ cwd: folder }, "ping");
    await runWith({ cwd: folder, env: { VOXCTL_PROFILE: "third" } }, "ping");
    await runWith({ cwd: folder, env: { VOXCTL_PROFILE: "third", ...pair } }, "ping");
    await runWith({ cwd: folder, env: { VOXCTL_PROFILE: "third", ...pair } }, "ping", "--profile", "first");
    expect(chosen.map(({ name, chosenBy }) => [name, chosenBy])).toEqual([
      ["first", "default"],
      ["second", "folder"],
      ["third", "VOXCTL_PROFILE"],
      ["environment", "environment"],
      ["first", "flag"],
    ]);
  });

  test("without a selected profile, reads use the local emulator", async () => {
    const { run, chosen } = await shellWithProfiles();
    const listed = await run("contacts", "list");
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain("Working offline");
    expect(chosen[0]).toMatchObject({ name: "offline", type: "offline", chosenBy: "nobody" });
  });

  test("a script without a selected profile can't make changes", async () => {
    const { run, chosen } = await shellWithProfiles();
    for (const command of [
      ["groups", "create", "--type", "contacts", "--name", "X"],
      ["groups", "delete", "0".repeat(24), "--yes"],
      ["contacts", "update", "0".repeat(24), "--first-name", "X"],
      ["api", "POST", "/groups", "--data", "{}"],
    ]) {
      const refused = await run(...command);
      expect([command[1], refused.code]).toEqual([command[1], 12]);
      expect(refused.stderr).toContain("--profile offline");
    }
    expect(chosen).toEqual([]);
    expect(
      (await run("groups", "create", "--type", "contacts", "--name", "X", "--profile", "offline")).code,
    ).toBe(0);
  });

  test("without a selected profile, changes are allowed on a terminal but not in CI", async () => {
    const { runWith } = await shellWithProfiles();
    const emulator = await openSeededEmulator({ seed: "empty" });
    const create = ["groups", "create", "--type", "contacts", "--name", "X"];
    const overrides = { ...connectedTo(emulator), prompts: scriptPrompts() };
    expect((await runWith({ terminal: 80, overrides }, ...create)).code).toBe(0);
    expect(
      (await runWith({ terminal: 80, overrides: connectedTo(emulator), env: { CI: "true" } }, ...create))
        .code,
    ).toBe(12);
  });

  test.each([
    { VOXCTL_BASE_URL: "https://voice.example/api/v1" },
    { VOXCTL_API_KEY: key },
    { VOXCTL_BASE_URL: "https://voice.example/api/v1", VOXCTL_API_KEY: "" },
    { VOXCTL_BASE_URL: "", VOXCTL_API_KEY: key },
    { VOXCTL_BASE_URL: key, VOXCTL_API_KEY: "https://voice.example/api/v1" },
    { VOXCTL_BASE_URL: `https://me:${key}@voice.example:99999/api/v1`, VOXCTL_API_KEY: "k" },
    { VOXCTL_DISTRIBUTOR_KEY: key },
    {
      VOXCTL_BASE_URL: "https://voice.example/api/v1",
      VOXCTL_API_KEY: key,
      VOXCTL_LEGACY_URL: "https://voice.example",
    },
    { VOXCTL_PROFILE: "" },
    { VOXCTL_PROFILE: "nobody" },
    { VOXCTL_CONFIG_DIR: "" },
  ])("an incomplete or invalid configuration in environment variables is refused: %j", async (env) => {
    const { runWith, chosen } = await shellWithProfiles();
    const refused = await runWith({ env }, "ping");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("VOXCTL_");
    expect(refused.stderr).not.toContain(key);
    expect(chosen).toEqual([]);
  });

  test("each API has its own environment variables", async () => {
    const { runWith, chosen } = await shellWithProfiles();
    const env = {
      [environmentVariables.public.url]: "https://voice.example/api/v1/",
      [environmentVariables.public.key]: "p",
      VOXCTL_DISTRIBUTOR_URL: "https://voice.example/api/distributor/v2",
      VOXCTL_DISTRIBUTOR_KEY: "d2",
      VOXCTL_DISTRIBUTOR_V1_URL: "https://voice.example/api/distributor/v1",
      VOXCTL_DISTRIBUTOR_V1_KEY: "d1",
    };
    await runWith({ env }, "ping");
    await runWith(
      { env: { ...env, VOXCTL_LEGACY_URL: "https://old.example", VOXCTL_LEGACY_KEY: "l" } },
      "ping",
    );
    expect(chosen.map((profile) => profile.type === "remote" && profile.targets)).toEqual([
      {
        public: { baseUrl: "https://voice.example/api/v1", key: "p" },
        "distributor-v2": { baseUrl: "https://voice.example/api/distributor/v2", key: "d2" },
        "distributor-v1": { baseUrl: "https://voice.example/api/distributor/v1", key: "d1" },
        legacy: { baseUrl: "https://voice.example", key: "p" },
      },
      expect.objectContaining({ legacy: { baseUrl: "https://old.example", key: "l" } }),
    ]);
  });

  test("using an API that the profile lacks is an error, with a hint to add the API", async () => {
    const { runWith } = commandLine();
    const env = { VOXCTL_BASE_URL: "https://voice.example/api/v1", VOXCTL_API_KEY: "p" };
    const refused = await runWith({ env }, "orgs", "list");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("neither a URL nor a key is configured for the distributor-v2 API");
    expect(refused.stderr).toContain("run `voxctl profiles add NAME --url URL`");
  });

  test.each(["url: https://evil.example/api/v1\n", "profile: a\nkey: b\n", "- a\n", "profile: [\n", ""])(
    "a directory's .voxctl.yaml can contain only the name of a profile: %j",
    async (text) => {
      const { run, home } = await shellWithProfiles();
      writeFileSync(join(home, ".voxctl.yaml"), text);
      expect((await run("ping")).code).toBe(2);
    },
  );
});

describe("profiles add", () => {
  test("`profiles add` makes the first profile the default", async () => {
    const { add, config, run } = await shellWithProfiles();
    expect((await add("acme")).code).toBe(0);
    expect(statSync(join(config, "config.json")).mode & 0o777).toBe(0o600);
    expect((await run("profiles", "list")).json).toMatchObject([
      { name: "offline", default: false },
      { name: "acme", default: true },
    ]);
  });

  test.each([
    [
      "https://voice.example.com/api/distributor",
      /distributor\/v2 \(distributor-v2\).*distributor\/v1/,
      /api\/v1/,
    ],
    ["https://distributor.example.com", /distributor\/v2 \(distributor-v2\)/, /api\/v1/],
    ["https://voice.example.com", /api\/v1 \(public\).*distributor\/v2/, /^$/],
  ])("for the ambiguous URL %s, `profiles add` lists possible URLs", async (url, hint, never) => {
    const { code, stderr } = await commandLine().run("profiles", "add", "acme", "--url", url, "--no-check");
    expect(code).toBe(2);
    expect(stderr).toContain("cannot detect the API");
    expect(stderr).toMatch(hint);
    expect(stderr).not.toMatch(never);
  });

  test("`profiles add` can add several APIs to a profile, each with its own key", async () => {
    const { add, runWith, run, chosen } = await shellWithProfiles();
    await add("acme");
    await runWith(
      { env: { DISTRIBUTOR: "d" } },
      "profiles",
      "add",
      "acme",
      "--api",
      "distributor-v2",
      "--url",
      "https://voice.example/api/distributor/v2",
      "--key-env",
      "DISTRIBUTOR",
    );
    expect((await run("profiles", "show", "acme")).json.apis).toEqual({
      public: { url: "https://voice.example/api/v1", key: "stored" },
      "distributor-v2": {
        url: "https://voice.example/api/distributor/v2",
        key: "environment DISTRIBUTOR",
        expires: expect.any(String),
      },
    });
    const { json: named } = await run("profiles", "show", "acme");
    expect((await run("profiles", "show")).json).toEqual({ ...named, chosen_by: "default" });
    await runWith({ env: { DISTRIBUTOR: "d" } }, "ping");
    expect(chosen.at(-1)).toMatchObject({ targets: { public: { key }, "distributor-v2": { key: "d" } } });
  });

  test("`profiles add` refuses a key that is valid only for a different API version", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const env = { V1_KEY: emulator.startLine.keys.distributor_v1 };
    const { run } = commandLine({ env, overrides: { transport: emulator.transport } });
    const url = "http://127.0.0.1:4711/api/distributor/v2";
    const refused = await run("profiles", "add", "acme", "--url", url, "--key-env", "V1_KEY");
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(`the service at ${url} rejected the key: `);
    expect(refused.stderr).toContain("nothing was saved");
    expect((await run("profiles", "list")).json).toMatchObject([{ name: "offline" }]);
  });

  test("an API's unreadable key causes an error only in commands that use the API", async () => {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const server = await emulator.listen({ port: 0 });
    const { keys } = emulator.startLine;
    const base_url = `${server.url}/api/v1`;
    const distributor_v2_url = `${server.url}/api/distributor/v2`;
    const { run, runWith } = commandLine({ env: { ACME: keys.admin } });
    const all = { env: { ACME: keys.admin, DISTRIBUTOR: keys.distributor_v2 } };
    const add = (url: string, variable: string, ...flags: string[]) =>
      runWith(all, "profiles", "add", "acme", "--url", url, "--key-env", variable, ...flags);
    await add(base_url, "ACME");
    await add(distributor_v2_url, "DISTRIBUTOR", "--api", "distributor-v2");
    expect((await run("ping")).code).toBe(0);
    const refused = await run("orgs", "list");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("DISTRIBUTOR, which is not set"),
    ]);
    const checked = (await run("doctor")).json as { check: string; state: string; message: string }[];
    const of = (check: string) => checked.find((row) => row.check === check);
    expect(of("public: key")?.state).toBe("ok");
    expect(of("distributor-v2: reachable")?.message).toContain("DISTRIBUTOR, which is not set");
    expect(of("legacy: key")?.state).toBe("ok");
    expect((await run("profiles", "show")).json.apis["distributor-v2"].url).toBe(distributor_v2_url);
    expect((await runWith(all, "orgs", "list")).code).toBe(0);
    await server.close();
    await emulator.close();
  });

  test("`profiles add` reads a key from a file or a prompt, never from a flag", async () => {
    const { run, runWith, home, chosen } = await shellWithProfiles();
    writeFileSync(join(home, "key"), `${key}\n`);
    const url = ["--url", "http://localhost:4010/api/v1", "--no-check"];
    expect((await run("profiles", "add", "file", ...url, "--key-file", "key")).code).toBe(0);
    expect((await run("profiles", "use", "file")).code).toBe(0);
    await run("ping");
    expect(chosen.at(-1)).toMatchObject({ name: "file", targets: { public: { key } } });
    const overrides = { prompts: scriptPrompts("typed") };
    expect((await runWith({ overrides, terminal: 80 }, "profiles", "add", "typed", ...url)).code).toBe(0);
    expect((await run("profiles", "add", "none", ...url)).code).toBe(2);
    expect((await run("profiles", "add", "none", ...url, "--key", key)).code).toBe(2);
  });

  test.each([
    ["http://voice.example/api/v1", "unencrypted"],
    ["https://user:pass@voice.example/api/v1", "password"],
    ["https://voice.example", "https://voice.example/api/v1"],
    ["https://voice.example/api/v1?x=1", "without ? or #"],
    ["voice.example", "expected a URL"],
    ["ftp://voice.example/api/v1", "https://"],
  ])("`profiles add` refuses an invalid URL: %s", async (url, reason) => {
    const { runWith } = await shellWithProfiles();
    const refused = await runWith({ stdin: key }, "profiles", "add", "acme", "--url", url, "--key-stdin");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(reason);
  });

  test("each offline profile has its own database", async () => {
    const { run, chosen, data, home } = await shellWithProfiles();
    await run("profiles", "add", "rehearsal", "--offline");
    await run("profiles", "add", "other", "--offline", "--db", "other.db");
    await run("ping", "--profile", "rehearsal");
    await run("ping", "--profile", "other");
    expect(chosen.map((profile) => profile.type === "offline" && profile.db)).toEqual([
      join(data, "rehearsal.db"),
      join(home, "other.db"),
    ]);
  });

  test("`profiles add` changes an emulator's URL only with --yes", async () => {
    const { run, home } = await shellWithProfiles();
    const add = (...flags: string[]) => run("profiles", "add", "other", "--offline", ...flags);
    await add("--db", "one.db");
    const refused = await add("--db", "two.db");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining(join(home, "one.db"))]);
    expect((await add()).json.db).toBe(join(home, "one.db"));
    expect((await add("--db", "two.db", "--yes")).json.db).toBe(join(home, "two.db"));
  });

  test('the profile name "offline" is reserved', async () => {
    const { add, run, config } = await shellWithProfiles();
    expect((await add("offline")).code).toBe(2);
    const another = await run("profiles", "add", "offline", "--offline");
    expect(another).toMatchObject({ code: 2, stdout: "" });
    expect(another.stderr).toContain('profile name "offline" is reserved; use another name');
    expect(existsSync(join(config, "config.json"))).toBe(false);
  });
});

describe("`profiles remove` and `profiles use`", () => {
  test("`profiles remove` deletes the profile's key", async () => {
    const { add, run, config, chosen } = await shellWithProfiles();
    await add("acme");
    expect((await run("profiles", "remove", "acme")).code).toBe(12);
    expect((await run("profiles", "remove", "acme", "--yes")).json).toEqual({ name: "acme", deleted: true });
    expect(readFileSync(join(config, "config.json"), "utf8")).not.toContain(key);
    await run("ping");
    expect(chosen.at(-1)?.chosenBy).toBe("nobody");
  });

  test("`profiles remove` deletes the profile's cached completions", async () => {
    const { run, data } = await shellWithProfiles();
    await run("profiles", "add", "rehearsal", "--offline");
    await run("profiles", "use", "rehearsal");
    await run("groups", "list", "--profile", "rehearsal");
    const known = join(data, "completion", "rehearsal.json");
    expect(existsSync(known)).toBe(true);
    await run("profiles", "remove", "rehearsal", "--yes");
    expect(existsSync(known)).toBe(false);
  });

  test("`profiles use` makes the profile the default", async () => {
    const { add, run, chosen } = await shellWithProfiles();
    await add("acme");
    await run("profiles", "use", "offline");
    await run("ping");
    expect(chosen.at(-1)).toMatchObject({ name: "offline", chosenBy: "default" });
    expect((await run("profiles", "use", "nobody")).code).toBe(2);
  });

  test("the error for an invalid configuration file does not repeat its content", async () => {
    const { run, config } = await shellWithProfiles();
    mkdirSync(config);
    writeFileSync(join(config, "config.json"), `{"profiles": {"a": {"key": "${key}"`);
    const refused = await run("ping", "--debug");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("config.json");
    expect(refused.stderr).not.toContain(key);
  });
});

describe("a production profile", () => {
  test("with a production profile, destructive commands require --confirm", async () => {
    const { add, run } = await shellWithProfiles();
    await add("live", "--production");
    const created = await run("groups", "create", "--type", "contacts", "--name", "X");
    expect(created.stderr).toContain("PRODUCTION");
    const { id } = created.json;
    const refused = await run("groups", "delete", id, "--yes");
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("--confirm=live");
    expect((await run("groups", "delete", id, "--confirm=other")).code).toBe(2);
    expect((await run("groups", "delete", id, "--confirm=live")).code).toBe(0);
  });

  test("on a terminal, destructive commands ask a user to type a production profile's name", async () => {
    const { add, run, runWith } = await shellWithProfiles();
    await add("live", "--production");
    const emulator = await openSeededEmulator({ seed: "empty" });
    const { id } = (
      await runWith(
        { overrides: connectedTo(emulator) },
        "groups",
        "create",
        "--type",
        "contacts",
        "--name",
        "X",
      )
    ).json;
    const typing = (text: string) => ({
      terminal: 80,
      overrides: { ...connectedTo(emulator), prompts: scriptPrompts(text) },
    });
    expect((await runWith(typing("yes"), "groups", "delete", id)).code).toBe(12);
    expect((await runWith(typing("live"), "groups", "delete", id)).code).toBe(0);
    expect((await run("profiles", "show", "live")).json.production).toBe(true);
  });
});

describe("the value of a key", () => {
  test("no command prints a key's value, even with --debug", async () => {
    const { add, run } = await shellWithProfiles();
    const printed = [await add("acme")];
    for (const command of [
      ["profiles", "list"],
      ["profiles", "show"],
      ["profiles", "show", "acme"],
      ["doctor"],
      ["ping", "--debug"],
      ["api", "GET", "/nowhere", "--debug"],
      ["contacts", "create", "--group", "0".repeat(24), "--first-name", key, "--dry-run", "--debug"],
    ]) {
      printed.push(await run(...command));
    }
    for (const { stdout, stderr } of printed) expect(stdout + stderr).not.toContain(key);
  });
});
