import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function project() {
  const emulator = await openSeededEmulator({ seed: "empty" });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator) });
  await shell.run("profiles", "add", "other", "--offline");
  const root = join(shell.home, "project");
  mkdirSync(root);
  const write = (...flags: string[]) =>
    shell.runWith({ cwd: root }, "groups", "create", "--type", "contacts", "--name", "X", ...flags);
  const read = () => shell.runWith({ cwd: root }, "groups", "list");
  return { ...shell, root, pin: join(root, ".voxctl.yaml"), write, read };
}

/** Creates a socket, which can't be opened as a file. */
async function listenAt(path: string): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, () => resolve()));
}

describe("an unreadable .voxctl.yaml", () => {
  test.each<[string, (pin: string, root: string) => void | Promise<void>]>([
    ["a dangling link", (pin) => symlinkSync("shared.yaml", pin)],
    ["a link to itself", (pin) => symlinkSync(".voxctl.yaml", pin)],
    [
      "a link through a file",
      (pin, root) => {
        writeFileSync(join(root, "file"), "");
        symlinkSync("file/pin.yaml", pin);
      },
    ],
    ["a directory", (pin) => void mkdirSync(pin)],
    ["a link to a directory", (pin) => symlinkSync(".", pin)],
    ["a socket", (pin) => listenAt(pin)],
    ["a dangling link with the other extension", (pin) => symlinkSync("shared", pin.replace("yaml", "yml"))],
  ])("an unreadable .voxctl.yaml stops writes: %s", async (_, make) => {
    const { root, pin, write, read } = await project();
    await make(pin, root);
    const refused = await write();
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining(pin.replace(".yaml", "."))]);
    expect((await read()).json).toHaveLength(5);
  });

  test("an unreadable .voxctl.yaml allows reads, but allows writes only with --profile", async () => {
    const { pin, write, read } = await project();
    mkdirSync(pin);
    const listed = await read();
    expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining(`cannot read ${pin}`)]);
    expect((await write("--profile", "other")).code).toBe(0);
  });

  test("an unreadable .voxctl.yaml also blocks writes and `emulator reset` in subdirectories", async () => {
    const { root, pin, runWith } = await project();
    mkdirSync(pin);
    mkdirSync(join(root, "below"));
    const cwd = join(root, "below");
    for (const argv of [
      ["groups", "create", "--type", "contacts", "--name", "X"],
      ["api", "POST", "/groups", "--data", "{}"],
      ["emulator", "reset", "--yes"],
    ])
      expect((await runWith({ cwd }, ...argv)).code).toBe(12);
  });
});

describe("a .voxctl.yaml file", () => {
  test(".voxctl.yaml can have the extension .yml", async () => {
    const { pin, runWith, root } = await project();
    writeFileSync(pin.replace("yaml", "yml"), "profile: offline\n");
    const shown = await runWith({ cwd: root }, "profiles", "show");
    expect(shown.json).toMatchObject({ name: "offline", chosen_by: "folder" });
  });

  test(".voxctl.yaml and .voxctl.yml must name the same profile", async () => {
    const { pin, runWith, root } = await project();
    writeFileSync(pin, "profile: offline\n");
    writeFileSync(pin.replace("yaml", "yml"), "profile: other\n");
    const refused = await runWith({ cwd: root }, "ping");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("select different profiles")]);
  });
});
