import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Keychain, KeychainError } from "../../src/cli/profiles/keychain.js";
import { fakeClock } from "../client/fakes.js";
import { serve } from "../client/network.js";
import { commandLine, scriptPrompts } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const url = "https://voice.example/api/v1";

function shell() {
  const line = commandLine({ env: { ACME: "a-key", OTHER: "another-key" } });
  const file = join(line.config, "config.json");
  const add = (name: string, ...flags: string[]) => {
    const key = flags.includes("--key-env") ? [] : ["--key-env", "ACME"];
    return line.run("profiles", "add", name, "--url", url, ...key, "--no-check", ...flags);
  };
  const stored = () => JSON.parse(readFileSync(file, "utf8"));
  const write = (content: unknown) => {
    mkdirSync(line.config, { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  };
  return { ...line, file, add, stored, write };
}

describe("the profiles file", () => {
  test("the profiles file keeps twelve profiles that are added concurrently", async () => {
    const { add, stored } = shell();
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const added = await Promise.all(names.map((name) => add(name)));
    expect(added.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(Object.keys(stored().profiles).sort()).toEqual(names.sort());
  });

  test("the profiles file keeps all APIs of a profile that are added concurrently", async () => {
    const { run, add, stored } = shell();
    const distributor = "https://voice.example/api/distributor/v2";
    const more = ["--api", "distributor-v2", "--url", distributor, "--key-env", "OTHER", "--no-check"];
    await Promise.all([add("acme"), run("profiles", "add", "acme", ...more)]);
    expect(Object.keys(stored().profiles.acme.surfaces).sort()).toEqual(["distributor-v2", "public"]);
  });

  test("only the owner can read the profiles file and its backup", async () => {
    const { add, stored, config, file } = shell();
    await add("acme");
    expect(stored().version).toBe(1);
    const copy = join(config, "config.last-good.json");
    expect(readFileSync(copy, "utf8")).toBe(readFileSync(file, "utf8"));
    for (const path of [file, copy]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("the profiles file keeps unknown fields at every depth", async () => {
    const { add, stored, write } = shell();
    const target = { url, key: { from: "environment", variable: "ACME", rotated: true }, ca_bundle: "/ca" };
    const acme = { kind: "remote", surfaces: { public: target, sms: { url } }, colour: "red" };
    write({ profiles: { acme }, theme: { dark: true } });
    expect((await add("acme")).code).toBe(0);
    expect((await add("other")).code).toBe(0);
    expect(stored()).toMatchObject({
      version: 1,
      theme: { dark: true },
      profiles: { acme: { colour: "red", surfaces: { public: { ca_bundle: "/ca" }, sms: { url } } } },
    });
    // Replacing a key removes the stored facts about the previous key.
    expect(stored().profiles.acme.surfaces.public.key).toEqual({ from: "environment", variable: "ACME" });
  });

  test("`profiles list` shows no default profile until the user chooses one", async () => {
    const { run } = shell();
    expect((await run("profiles", "list")).json).toMatchObject([{ name: "offline", default: false }]);
    await run("profiles", "use", "offline");
    expect((await run("profiles", "list")).json).toMatchObject([{ name: "offline", default: true }]);
  });

  test("a profiles file from a newer voxctl is read but never written", async () => {
    const { add, run, write, file } = shell();
    const acme = { kind: "remote", surfaces: { public: { url, key: { from: "stored", value: "k" } } } };
    write({ version: 2, profiles: { acme }, default: "acme" });
    const before = readFileSync(file, "utf8");
    expect((await run("profiles", "list")).json).toMatchObject([{ name: "offline" }, { name: "acme" }]);
    for (const refused of [
      await add("other"),
      await run("profiles", "use", "offline"),
      await run("profiles", "remove", "acme", "--yes"),
    ])
      expect([refused.code, refused.stderr]).toEqual([
        12,
        expect.stringContaining("newer voxctl (file version 2)"),
      ]);
    expect(readFileSync(file, "utf8")).toBe(before);
    write({ version: 2, profiles: { acme: { kind: "hosted" } } });
    const unread = await run("ping");
    expect([unread.code, unread.stderr]).toEqual([
      2,
      expect.stringContaining("newer voxctl (file version 2)"),
    ]);
  });

  test("the error for a damaged profiles file names the last good backup", async () => {
    const { add, run, write, config } = shell();
    await add("acme");
    await add("other");
    const copy = join(config, "config.last-good.json");
    const good = readFileSync(copy, "utf8");
    write(good.slice(0, 40));
    for (const command of [["ping"], ["profiles", "use", "offline"]]) {
      const refused = await run(...command);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(copy)]);
    }
    expect(readFileSync(copy, "utf8")).toBe(good);
    write(good);
    expect((await run("profiles", "list")).json).toHaveLength(3);
  });

  test("when a profile is removed, its key is also removed from the backup", async () => {
    const { runWith, run, config } = shell();
    const words = ["profiles", "add", "acme", "--url", url, "--key-stdin", "--no-check"];
    await runWith({ stdin: "s3cret-key-of-acme" }, ...words);
    const copy = join(config, "config.last-good.json");
    expect(readFileSync(copy, "utf8")).toContain("s3cret-key-of-acme");
    await run("profiles", "remove", "acme", "--yes");
    expect(readFileSync(copy, "utf8")).not.toContain("s3cret-key-of-acme");
  });

  test("the error names an invalid directory in which the profiles file can't be created", async () => {
    const { runWith, home } = shell();
    writeFileSync(join(home, "taken"), "");
    const env = { VOXCTL_CONFIG_DIR: join(home, "taken", "config") };
    const refused = await runWith({ env }, "profiles", "add", "acme", "--offline");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(join(home, "taken"))]);
  });
});

describe("`profiles add` during an open prompt", () => {
  function replyAfter(happens: () => Promise<unknown>, reply: unknown) {
    const prompts = scriptPrompts(reply);
    return {
      ...prompts,
      secret: async (question: { message: string }) => {
        await happens();
        return prompts.secret(question);
      },
      confirm: async (question: { message: string }) => {
        await happens();
        return prompts.confirm(question);
      },
    };
  }

  test("`profiles add` keeps profiles that are added while its prompt is open", async () => {
    const { add, runWith, stored } = shell();
    const prompts = replyAfter(() => add("other"), "typed-key");
    const options = { terminal: 80, overrides: { prompts } };
    expect((await runWith(options, "profiles", "add", "acme", "--url", url, "--no-check")).code).toBe(0);
    expect(Object.keys(stored().profiles).sort()).toEqual(["acme", "other"]);
  });

  test("`profiles add` exits with code 6 if the key was added during its prompt", async () => {
    const { add, runWith, stored } = shell();
    const kept = new Map<string, string>();
    const keychain: Keychain = {
      read: async (accounts) => accounts.map((account) => kept.get(account) ?? null),
      write: async (account, value) => void kept.set(account, value),
      remove: async (account) => void kept.delete(account),
    };
    const overrides = { prompts: replyAfter(() => add("acme"), "typed-key"), keychain };
    const words = ["profiles", "add", "acme", "--url", url, "--no-check"];
    const refused = await runWith({ terminal: 80, overrides }, ...words);
    expect([refused.code, refused.stderr]).toEqual([
      6,
      expect.stringContaining("another voxctl process changed profile acme"),
    ]);
    expect(stored().profiles.acme.surfaces.public.key).toEqual({ from: "environment", variable: "ACME" });
    expect(kept.size).toBe(0);
  });

  test("`profiles remove` keeps a profile that is replaced while the prompt is open", async () => {
    const { add, runWith, stored } = shell();
    await add("acme");
    const prompts = replyAfter(() => add("acme", "--key-env", "OTHER"), true);
    const refused = await runWith({ terminal: 80, overrides: { prompts } }, "profiles", "remove", "acme");
    expect(refused.code).toBe(6);
    expect(stored().profiles.acme.surfaces.public.key.variable).toBe("OTHER");
  });
});

describe("the key of a new profile", () => {
  async function service() {
    const emulator = await openSeededEmulator({ seed: "demo" });
    const server = await emulator.listen({ port: 0 });
    onTestFinished(async () => {
      await server.close();
      await emulator.close();
    });
    return { ...emulator.startLine, url: server.url, control: emulator.control };
  }

  test.each([
    ["public", "/api/v1", "admin"],
    ["distributor-v1", "/api/distributor/v1", "distributor_v1"],
    ["distributor-v2", "/api/distributor/v2", "distributor_v2"],
    ["legacy", "", "legacy"],
  ] as const)(
    "`profiles add` tests the key for the %s API before it stores the key",
    async (api, path, name) => {
      const { url: host, keys } = await service();
      const { runWith, file } = shell();
      const words = ["profiles", "add", "acme", "--api", api, "--url", host + path, "--key-stdin"];
      const refused = await runWith({ stdin: "not-this-one" }, ...words);
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("rejected the key")]);
      expect(refused.stderr).toContain("--no-check");
      expect(refused.stderr).not.toContain("not-this-one");
      expect(existsSync(file)).toBe(false);
      expect((await runWith({ stdin: keys[name] }, ...words)).code).toBe(0);
      expect((await runWith({ stdin: "not-this-one" }, ...words, "--no-check")).code).toBe(0);
    },
  );

  test("`profiles add` stores a valid key that lacks a permission, with a warning", async () => {
    const testService = await service();
    const { runWith } = shell();
    await testService.control("PATCH", `/organizations/${testService.organization_id}`, {
      status: "blocked",
    });
    const words = ["profiles", "add", "acme", "--url", `${testService.url}/api/v1`, "--key-stdin"];
    const added = await runWith({ stdin: testService.keys.admin }, ...words);
    expect([added.code, added.stderr]).toEqual([
      0,
      expect.stringContaining("responded to this key with 402"),
    ]);
  });

  test("`profiles add` and `doctor` reject a web page as the service's response", async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<p>Please log in</p>");
    });
    const { runWith, file } = shell();
    const url = `http://127.0.0.1:${port}/api/v1`;
    const overrides = { clock: fakeClock() };
    const add = ["profiles", "add", "acme", "--url", url, "--key-env", "ACME"];
    const refused = await runWith({ overrides }, ...add);
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("is not JSON")]);
    expect(existsSync(file)).toBe(false);
    const env = { VOXCTL_BASE_URL: url, VOXCTL_API_KEY: "k" };
    const { json } = await runWith({ env, overrides }, "doctor", "-o", "json");
    expect(json).toContainEqual(expect.objectContaining({ check: "public: reachable", state: "failed" }));
  });

  test("`profiles add` and `doctor` use the paths that are set in the profile", async () => {
    const paths: (string | undefined)[] = [];
    const port = await serve(({ url: path }, response) => {
      paths.push(path);
      response.writeHead(path === "/api/distributor/v1/resellers" ? 200 : 404);
      response.end(JSON.stringify({ status: "success", data: [] }));
    });
    const { run, file } = shell();
    const url = `http://127.0.0.1:${port}/api/distributor/v1`;
    const words = ["profiles", "add", "acme", "--url", url, "--key-env", "ACME"];
    expect((await run(...words, "--no-check")).code).toBe(0);
    const configuration = JSON.parse(readFileSync(file, "utf8"));
    configuration.profiles.acme.paths = { "partners.list": "/resellers" };
    writeFileSync(file, JSON.stringify(configuration));
    expect((await run(...words)).code).toBe(0);
    expect(paths).toEqual(["/api/distributor/v1/resellers"]);
  });

  test("`profiles add` stores a key for an unreachable service only with --no-check", async () => {
    const { runWith, file } = shell();
    const overrides = { clock: fakeClock() };
    const words = ["profiles", "add", "acme", "--url", "http://127.0.0.1:9/api/v1", "--key-env", "ACME"];
    const refused = await runWith({ overrides }, ...words);
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("nothing was saved")]);
    expect(existsSync(file)).toBe(false);
    expect((await runWith({ overrides }, ...words, "--no-check")).code).toBe(0);
  });

  test("`profiles add` reports that the keychain could not delete a replaced key", async () => {
    const { runWith } = shell();
    const keychain: Keychain = {
      read: async (accounts) => accounts.map(() => null),
      write: async () => {},
      remove: () => Promise.reject(new KeychainError("it is locked")),
    };
    const words = ["profiles", "add", "acme", "--url", url, "--key-stdin", "--no-check"];
    await runWith({ stdin: "first-key", overrides: { keychain } }, ...words);
    const replaced = await runWith({ stdin: "second-key", overrides: { keychain } }, ...words);
    expect(replaced.code).toBe(0);
    expect(replaced.stderr).toContain("could not delete key");
  });
});
