import { describe, expect, onTestFinished, test } from "vitest";
import { buildAddresses } from "../../src/contract/addresses.js";
import { registerEmulator } from "../../src/features/emulate/registry.js";
import { commandLine } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function setUpShell(runs: boolean) {
  const cli = commandLine();
  if (!runs) return { ...cli, port: "" };
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
  const { url } = await emulator.listen({ port: 0 });
  const line = { ...emulator.startLine, ...buildAddresses(url) };
  const unregister = await registerEmulator({ data: cli.data }, line);
  onTestFinished(async () => {
    unregister();
    await emulator.close();
  });
  return { ...cli, port: new URL(url).port };
}

describe("profiles add --from-emulator", () => {
  test("`profiles add --from-emulator` adds URLs and keys of all APIs in one step", async () => {
    const { run } = await setUpShell(true);
    const added = await run("profiles", "add", "local", "--from-emulator");
    expect([added.code, added.stderr]).toEqual([
      0,
      "local is now the default. To switch back, run `voxctl profiles use offline`.\n",
    ]);
    for (const command of [["ping"], ["orgs", "list"], ["partners", "list"]]) {
      const { code, stderr } = await run(...command, "--profile", "local");
      expect(code, stderr).toBe(0);
    }
  });

  test("--from-emulator with --port uses only the emulator that listens on that port", async () => {
    const { run, port } = await setUpShell(true);
    const refused = await run("profiles", "add", "local", "--from-emulator", "--port", "1");
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("listening on port 1")]);
    expect((await run("profiles", "add", "local", "--from-emulator", "--port", port)).code).toBe(0);
    expect((await run("profiles", "show", "local", "-o", "json")).stdout).toContain(`:${port}/`);
  });

  test("--from-emulator replaces a service's URL only with --yes", async () => {
    const { run, runWith, port } = await setUpShell(true);
    const add = (name: string, url: string) =>
      runWith(
        { stdin: "a-key" },
        ...["profiles", "add", name, "--url", url, "--key-stdin", "--no-check", "--no-keychain"],
      );
    await add("acme", "https://voice.example/api/v1");
    const refused = await run("profiles", "add", "acme", "--from-emulator");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("--yes")]);
    expect((await run("profiles", "add", "acme", "--from-emulator", "--yes")).code).toBe(0);
    await add("local", "http://localhost:1/api/v1");
    const moved = await run("profiles", "add", "local", "--from-emulator");
    expect([moved.code, moved.stderr]).toEqual([0, expect.stringContaining(`:${port}/api/v1`)]);
    expect((await run("profiles", "add", "local", "--from-emulator")).stderr).toBe("");
  });

  test("--from-emulator explains how to start an emulator if none runs", async () => {
    const { run } = await setUpShell(false);
    const none = await run("profiles", "add", "local", "--from-emulator");
    expect([none.code, none.stderr]).toEqual([4, expect.stringContaining("voxctl emulator start --detach")]);
    expect(
      (await run("profiles", "add", "local", "--from-emulator", "--url", "https://x.example")).code,
    ).toBe(2);
    expect((await run("profiles", "add", "local", "--port", "4010")).code).toBe(2);
  });

  test("--from-emulator refuses --db", async () => {
    const { run } = await setUpShell(false);
    const { code, stderr } = await run("profiles", "add", "local", "--from-emulator", "--db", "a.db");
    expect([code, stderr]).toEqual([2, expect.stringContaining("hint: omit --db, or ")]);
  });

  test("with --from-emulator, --production marks the profile as production", async () => {
    const { run } = await setUpShell(true);
    await run("profiles", "add", "local", "--from-emulator", "--production");
    const { json } = await run("profiles", "list", "-o", "json");
    expect(json).toContainEqual(expect.objectContaining({ name: "local", production: true }));
  });
});
