import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { askerOfEmulator, copiedLists, expectSame, openFork } from "../helpers/mirror.js";
import { openWorld } from "../helpers/world.js";

const allButCalls = Object.keys(copiedLists).filter((resource) => resource !== "calls");

async function demoSource() {
  const world = await openWorld("in process", { seed: "demo" });
  // Texts that are still being indexed would be further in the copy.
  await world.advance(60);
  return world;
}

it("[M1] each list and each get of a mirror is the source's, byte for byte", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.emulator) });
  const made = await run("mirror", "create", "acme", "-o", "json");
  expect(made.code, made.stderr).toBe(0);
  expect(made.json).toMatchObject({
    name: "acme",
    consistency: "collected-twice",
    absent: { calls: "not-asked-for" },
    limits: { read: { limit: 1000, assumed: false }, write: { limit: 200, assumed: true } },
  });
  const fork = await openFork(data, "acme");
  await expectSame(askerOfEmulator(source.emulator), fork.ask, allButCalls);
});

it("[M7] a mirror's folder and files are its owner's alone", async () => {
  await using source = await demoSource();
  const { run, data } = commandLine({ overrides: connectedTo(source.emulator) });
  await run("mirror", "create", "acme", "--include", "groups");
  const mode = (...path: string[]) => (statSync(join(data, "mirrors", ...path)).mode & 0o777).toString(8);
  expect([mode("acme"), mode("acme", "world.db"), mode("acme", "world.db.key")]).toEqual([
    "700",
    "600",
    "600",
  ]);
});
