import { expect, test } from "vitest";
import { createInstalledCli } from "../helpers/installed-cli.js";

test("`rehearse` uses a mirror of the local emulator and changes only the fork", async () => {
  const { run } = createInstalledCli();
  const offline = ["--profile", "offline", "-o", "json"];
  expect((await run(["emulator", "reset", "--seed", "empty", "--yes", ...offline])).code).toBe(0);
  expect((await run(["mirror", "create", "probe", ...offline])).code).toBe(0);
  const create = ["groups", "create", "--type", "contacts", "--name", "Probe"];
  const rehearsed = await run([
    "rehearse",
    ...offline,
    "--plan",
    "x.plan",
    "--",
    ...create,
    "--profile",
    "offline",
  ]);
  expect(rehearsed.code, rehearsed.stderr).toBe(0);
  const names = async () => {
    const { stdout } = await run(["groups", "list", "--type", "contacts", ...offline]);
    return JSON.parse(stdout).map(({ name }: { name: string }) => name);
  };
  expect(await names()).toEqual(["Default"]);

  expect((await run(["profiles", "add", "other", "--offline"])).code).toBe(0);
  const refused = await run(["rehearse", "--profile", "offline", "--", ...create, "--profile", "other"]);
  expect([refused.code, refused.stderr]).toEqual([
    12,
    expect.stringContaining('profile "other" is not part of this rehearsal of "offline"'),
  ]);

  expect((await run(["apply", "x.plan", "--yes", ...offline])).code).toBe(0);
  expect(await names()).toContain("Probe");
});

test("a rehearsed command uses the output format of `rehearse` by default", async () => {
  const { run } = createInstalledCli();
  const offline = ["--profile", "offline"];
  await run(["emulator", "reset", "--seed", "empty", "--yes", ...offline]);
  await run(["mirror", "create", "probe", "--include", "groups", ...offline]);
  const rehearse = ["rehearse", ...offline, "-o", "table", "--", "groups", "list"];
  expect((await run(rehearse)).stdout).toMatch(/^ID +/);
  expect((await run([...rehearse, "-o", "json"])).stdout).toMatch(/^\[/);
});
