// Tests which store and which secrets a command chooses. No server runs at the stores' addresses.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Keychain } from "../../src/cli/profiles/keychain.js";
import { commandLine, type RunOptions, scriptPrompts } from "../helpers/cli.js";

const addressOf = (database: string) => `postgres://anna@127.0.0.1:9/${database}`;

/** Each profile's store has the name of the profile. */
async function machine(options: RunOptions = {}) {
  const line = commandLine({ env: { KEY: "a-key-of-acme" }, ...options });
  const { run, home, config } = line;
  for (const name of ["acme", "praxis"]) {
    await run(
      ...["profiles", "add", name, "--url", "http://127.0.0.1:9/api/v1", "--key-env", "KEY", "--no-check"],
    );
    await run("profiles", "set", name, `store=${addressOf(name)}`);
  }
  const writeProject = (text: string) => {
    mkdirSync(join(home, "assistants"), { recursive: true });
    writeFileSync(join(home, "voxctl.project.yaml"), text);
  };
  const stored = () => JSON.parse(readFileSync(join(config, "config.json"), "utf8"));
  return { ...line, writeProject, stored };
}

describe("choosing a store", () => {
  test("the selected profile determines the store", async () => {
    const { run } = await machine();
    const shown = await run("store", "show", "--profile", "praxis");
    expect(shown.code).toBe(9);
    expect(shown.stderr).toContain("/praxis, schema voxctl");
  });

  test("a project file in a parent directory determines the store, even with --profile", async () => {
    const { runWith, home, writeProject } = await machine();
    writeProject("version: 1\nstore: { profile: praxis }\n");
    const cwd = join(home, "assistants");
    const shown = await runWith({ cwd }, "store", "show", "--profile", "acme");
    expect(shown.stderr).toContain("/praxis, schema voxctl");
  });

  test("VOXCTL_STORE takes precedence over the store of any profile", async () => {
    const { runWith, writeProject } = await machine();
    writeProject("store: { profile: praxis }\n");
    const env = { VOXCTL_STORE: addressOf("ci") };
    expect((await runWith({ env }, "store", "show")).stderr).toContain("/ci, schema voxctl");
  });

  test("with VOXCTL_STORE=local, no store is used", async () => {
    const { runWith } = await machine();
    const shown = await runWith({ env: { VOXCTL_STORE: "local" } }, "store", "show", "--profile", "acme");
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("no store selected")]);
  });
});

test("if no store is configured, the hint for an unknown run does not mention a store", async () => {
  const { run, data } = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  mkdirSync(join(data, "runs"), { recursive: true });
  // Listed, but not found, as a run that another process is removing.
  symlinkSync(join(data, "removed.sqlite"), join(data, "runs", "contacts-1.sqlite"));
  const shown = await run("runs", "list", "contacts-1");
  expect([shown.code, shown.stderr]).toEqual([4, expect.stringContaining("list runs: `voxctl runs list`")]);
});

test("with a store, a run on this machine is found only by its exact ID", async () => {
  const { run, data } = commandLine({
    env: { VOXCTL_STORE: addressOf("ops"), VOXCTL_STORE_KEY: "k".repeat(43) },
  });
  mkdirSync(join(data, "runs"), { recursive: true });
  writeFileSync(join(data, "runs", "fleet-1.sqlite"), "");
  const shown = await run("fleet", "show", "../runs/fleet-1");
  expect([shown.code, shown.stderr]).toEqual([9, expect.stringContaining("/ops, schema voxctl")]);
});

describe("a project file", () => {
  test("a project file with the address of a store is refused with exit code 2", async () => {
    const { run, writeProject } = await machine();
    writeProject(`store: ${addressOf("evil")}\n`);
    const shown = await run("store", "show");
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("store: { profile: NAME }")]);
  });

  test("a project file that names a profile without a store is refused with exit code 2", async () => {
    const { run, writeProject } = await machine();
    await run("profiles", "set", "praxis", "store=");
    writeProject("store: { profile: praxis }\n");
    const shown = await run("store", "show");
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('profile "praxis" has no store')]);
  });
});

describe("profiles set", () => {
  test("`profiles set` refuses a store's URL with a password", async () => {
    const { run, stored } = await machine();
    const refused = await run("profiles", "set", "acme", "store=postgres://anna:s3cret-word@db.example/ops");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("set store_password to env:VARIABLE"),
    ]);
    expect(refused.stderr).not.toContain("s3cret-word");
    expect(stored().profiles.acme.defaults.store).toBe(addressOf("acme"));
  });

  test("`profiles set` refuses a store's URL that is not a PostgreSQL URL", async () => {
    const refused = await (await machine()).run("profiles", "set", "acme", "store=mysql://db.example/ops");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("postgres://")]);
  });

  test("`profiles set` refuses a store key in the command line", async () => {
    const refused = await (await machine()).run("profiles", "set", "acme", "store_key=c2VjcmV0LWtleQ");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("such as env:NAME")]);
    expect(refused.stderr).not.toContain("c2VjcmV0LWtleQ");
  });

  test("`profiles set store_key=file:PATH` stores a relative path as an absolute path", async () => {
    const { run, stored, home } = await machine();
    await run("profiles", "set", "acme", "store_key=file:keys/acme");
    expect(stored().profiles.acme.defaults.store_key).toBe(`file:${join(home, "keys/acme")}`);
  });

  test("`profiles set` stores a typed store key in the keychain", async () => {
    const entries = new Map<string, string>();
    const keychain: Keychain = {
      read: async (accounts) => accounts.map((account) => entries.get(account) ?? null),
      write: async (account, value) => void entries.set(account, value),
      remove: async (account) => void entries.delete(account),
    };
    const { run, runWith, stored } = await machine({ overrides: { keychain } });
    const overrides = { keychain, prompts: scriptPrompts("typed-store-key") };
    const set = await runWith({ overrides, terminal: 80 }, "profiles", "set", "acme", "store_key=keychain:");
    expect(set.code, set.stderr).toBe(0);
    expect([...entries.values()]).toEqual(["typed-store-key"]);
    expect(stored().profiles.acme.defaults.store_key).toBe(`keychain:${[...entries.keys()][0]}`);
    await run("profiles", "remove", "acme", "--yes");
    expect(entries.size).toBe(0);
  });
});

test("a store's URL with a password is refused even if the profile was edited by hand", async () => {
  const { run, stored, config } = await machine();
  const edited = stored();
  edited.profiles.acme.defaults.store = "postgres://anna:s3cret-word@127.0.0.1:9/ops";
  writeFileSync(join(config, "config.json"), JSON.stringify(edited));
  const shown = await run("store", "show", "--profile", "acme");
  expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining("the URL contains a password")]);
  expect(shown.stderr).not.toContain("s3cret-word");
});

test("every command refuses to send a store key to the service", async () => {
  const { runWith } = await machine();
  await runWith({}, "profiles", "set", "acme", "store_key=env:SHARED_STORE");
  const create = ["groups", "create", "--type", "contacts", "--profile", "offline", "--name"];
  const key = "the-key-of-a-store";
  const refused = await runWith({ env: { SHARED_STORE: key } }, ...create, key);
  expect([refused.code, refused.stderr.includes(key)]).toEqual([12, false]);
});
