import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { type Keychain, KeychainError } from "../../src/cli/profiles/keychain.js";
import { askHelper } from "../../src/cli/profiles/keychain-helper.js";
import type { ChosenProfile } from "../../src/cli/profiles/profile.js";
import { commandLine, connectedTo, type RunOptions, scriptPrompts, temporaryFolder } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const key = "s3cret-key-that-nobody-sees";
const url = "https://voice.example/api/v1";
const distributorUrl = "https://voice.example/api/distributor/v2";

function memoryKeychain(): Keychain & { kept: Map<string, string>; reads: number } {
  const kept = new Map<string, string>();
  return {
    kept,
    reads: 0,
    async read(accounts) {
      this.reads += 1;
      return accounts.map((account) => kept.get(account) ?? null);
    },
    async write(account, value) {
      kept.set(account, value);
    },
    async remove(account) {
      kept.delete(account);
    },
  };
}

const locked: Keychain = {
  read: () => Promise.reject(new KeychainError("no response within 3 s")),
  write: () => Promise.reject(new KeychainError("no response within 3 s")),
  remove: () => Promise.reject(new KeychainError("no response within 3 s")),
};

async function somebody(keychain: Keychain) {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const chosen: ChosenProfile[] = [];
  const { connect } = connectedTo(emulator);
  const overrides: RunOptions["overrides"] = {
    keychain,
    connect: async (profile, options) => {
      chosen.push(profile);
      if (!connect) throw new Error("no connection");
      return connect(profile, options);
    },
  };
  const shell = commandLine({ overrides });
  const add = (...flags: string[]) =>
    shell.runWith(
      { stdin: `${key}\n` },
      ...["profiles", "add", "acme", "--url", url, "--key-stdin", "--no-check", ...flags],
    );
  const file = () => readFileSync(join(shell.config, "config.json"), "utf8");
  return { ...shell, overrides, add, file, chosen };
}

describe("the keychain", () => {
  test("`profiles add` stores a piped key in the keychain, and no key in the file", async () => {
    const keychain = memoryKeychain();
    const { add, run, file, chosen } = await somebody(keychain);
    const added = await add();
    expect(added.json.apis.public.key).toBe("keychain");
    expect(file()).not.toContain(key);
    expect([...keychain.kept.values()]).toEqual([key]);
    expect((await run("ping")).code).toBe(0);
    expect(chosen[0]).toMatchObject({ targets: { public: { key } } });
  });

  test("the keychain is read once for all keys of a profile", async () => {
    const keychain = memoryKeychain();
    const { add, runWith, run } = await somebody(keychain);
    await add();
    const second = ["profiles", "add", "acme", "--api", "distributor-v2", "--url", distributorUrl];
    await runWith({ stdin: "other" }, ...second, "--key-stdin");
    expect(keychain.kept.size).toBe(2);
    await run("ping");
    expect(keychain.reads).toBe(1);
    await run("profiles", "remove", "acme", "--yes");
    expect(keychain.kept.size).toBe(0);
  });

  test("without a usable keychain, the key is stored in a file that only its owner can read", async () => {
    const { add, file, config, run } = await somebody(locked);
    const added = await add();
    expect(added.code).toBe(0);
    expect(added.stderr.split("\n")[0]).toBe(
      `No keychain is available: storing the key in ${join(config, "config.json")}, which only you can read`,
    );
    expect((await add("--debug")).stderr).toContain("keychain: no response within 3 s");
    expect(added.json.apis.public.key).toBe("stored");
    expect(file()).toContain(key);
    expect(statSync(join(config, "config.json")).mode & 0o777).toBe(0o600);
    expect((await run("ping")).code).toBe(0);
  });

  test("`profiles add --keychain` requires the keychain, and --no-keychain does not use it", async () => {
    const refusing = await somebody(locked);
    const refused = await refusing.add("--keychain");
    expect(refused.code).toBe(2);
    expect(refused.stderr).not.toContain(key);
    const keychain = memoryKeychain();
    const { add } = await somebody(keychain);
    expect((await add("--no-keychain")).json.apis.public.key).toBe("stored");
    expect(keychain.kept.size).toBe(0);
  });

  test("the error explains that the keychain is locked or lacks the key", async () => {
    const keychain = memoryKeychain();
    const { add, runWith } = await somebody(keychain);
    await add();
    keychain.kept.clear();
    const lost = await runWith({ overrides: { keychain } }, "ping");
    expect(lost.code).toBe(2);
    expect(lost.stderr).toContain('the keychain has no key for profile "acme"');
    expect(lost.stderr).toContain("profiles add acme");
    const refused = await runWith({ overrides: { keychain: locked } }, "ping");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("no response within 3 s");
  });

  test("voxctl ends a keychain process that does not respond", async () => {
    const folder = temporaryFolder();
    const library = join(folder, "library.cjs");
    const pid = join(folder, "pid");
    writeFileSync(
      library,
      `exports.Entry = class { getPassword() { require("fs").writeFileSync(${JSON.stringify(pid)}, String(process.pid)); for (;;) {} } };`,
    );
    // On a busy machine a process may take seconds to start.
    for (let seconds = 1; !existsSync(pid); seconds *= 4) {
      const reply = askHelper(
        { action: "read", accounts: ["acme/public"] },
        { timeout: seconds * 1_000 },
        library,
      );
      await expect(reply).rejects.toThrow(`no response within ${seconds} s`);
    }
    expect(() => process.kill(Number(readFileSync(pid, "utf8")), 0)).toThrow("ESRCH");
  });

  test("the keychain process receives no key in its command line", async () => {
    const library = join(temporaryFolder(), "library.cjs");
    writeFileSync(
      library,
      `exports.Entry = class {
        constructor(...where) { this.where = where; }
        getPassword() { return JSON.stringify([this.where, process.argv.join(" ")]); }
        setPassword(value) { if (value !== "${key}" || process.argv.join().includes(value)) throw new Error("?"); }
      };`,
    );
    const patience = { timeout: 10_000 };
    expect(await askHelper({ action: "write", accounts: ["a"], value: key }, patience, library)).toEqual({
      answers: [null],
    });
    expect(await askHelper({ action: "read", accounts: ["a"] }, patience, library)).toEqual({
      answers: [expect.stringContaining('["voxctl","a",{"linux":{"store":"secret-service"}}]')],
    });
  });

  test("profiles with the same name in two directories have separate keys in the keychain", async () => {
    const keychain = memoryKeychain();
    const [firstUser, secondUser] = [await somebody(keychain), await somebody(keychain)];
    await firstUser.add();
    await secondUser.add();
    expect(keychain.kept.size).toBe(2);
  });
});

describe("the expiry of a key", () => {
  const day = 86_400_000;
  const now = Date.parse("2026-03-02T09:00:00Z");
  const clock: Clock = { now: () => now, sleep: async () => {} };
  const distributor = ["profiles", "add", "acme", "--api", "distributor-v2", "--url", distributorUrl];

  test("[dist.auth.expired] a distributor's key expires in 365 days by default", async () => {
    const { runWith, overrides } = await somebody(memoryKeychain());
    const options = { stdin: key, overrides: { ...overrides, clock } };
    const added = await runWith(options, ...distributor, "--key-stdin");
    expect(added.json.apis["distributor-v2"].expires).toBe(
      new Date(now + 365 * day).toISOString().slice(0, 10),
    );
    expect(added.stderr).toContain("--expires");
    const updated = await runWith(options, ...distributor, "--key-stdin", "--expires", "2026-06-30");
    expect(updated.json.apis["distributor-v2"].expires).toBe("2026-06-30");
    expect((await runWith(options, ...distributor, "--key-stdin", "--expires", "soon")).code).toBe(2);
  });

  test("`doctor` warns 30 days before a key expires", async () => {
    const { add, runWith, overrides } = await somebody(memoryKeychain());
    await add();
    const options = { stdin: key, overrides: { ...overrides, clock } };
    const keyRow = async () => {
      const { json } = await runWith(options, "doctor", "--profile", "acme", "-o", "json");
      return json.find(({ check }: { check: string }) => check === "distributor-v2: key");
    };
    for (const [expires, state] of [
      ["2026-03-20", "warning"],
      ["2026-05-20", "ok"],
    ] as const) {
      await runWith(options, ...distributor, "--key-stdin", "--expires", expires);
      expect(await keyRow()).toMatchObject({ state, details: [{ expires }] });
    }
  });
});

describe("--require-profile", () => {
  test.each([
    [["--require-profile"], {}],
    [[], { VOXCTL_REQUIRE_PROFILE: "1" }],
  ])("--require-profile accepts only a specified profile, not the default (%j %j)", async (flags, env) => {
    const { add, runWith, chosen } = await somebody(memoryKeychain());
    const refused = await runWith({ env, terminal: 80 }, "ping", ...flags);
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("--profile NAME");
    await add();
    const byDefault = await runWith({ env }, "ping", ...flags);
    expect([byDefault.code, byDefault.stderr]).toEqual([12, expect.stringContaining("only the default")]);
    expect(chosen).toEqual([]);
    expect((await runWith({ env }, "ping", ...flags, "--profile", "acme")).code).toBe(0);
    expect((await runWith({ env: { ...env, VOXCTL_PROFILE: "acme" } }, "ping", ...flags)).code).toBe(0);
  });

  test("VOXCTL_REQUIRE_PROFILE=0 has no effect", async () => {
    const { runWith } = await somebody(memoryKeychain());
    expect((await runWith({ env: { VOXCTL_REQUIRE_PROFILE: "0" } }, "ping")).code).toBe(0);
  });
});

test("`profiles add` also saves a typed key in the keychain", async () => {
  const keychain = memoryKeychain();
  const { runWith, overrides } = await somebody(keychain);
  const options = { overrides: { ...overrides, prompts: scriptPrompts(key) }, terminal: 80 };
  const added = await runWith(options, "profiles", "add", "acme", "--url", url, "-o", "json");
  expect(added.json.apis.public.key).toBe("keychain");
  expect(added.stdout + added.stderr).not.toContain(key);
});
