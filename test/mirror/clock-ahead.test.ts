import { expect, it } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { createEmulatorAsk, expectSameContent, openFork } from "../helpers/mirror.js";
import { openTestEmulator } from "../helpers/test-emulator.js";

it("if the service's clock is ahead, its mirror shows the same states as the service", async () => {
  await using source = await openTestEmulator("over HTTP", { startTime: "2090-01-01T00:00:00Z" });
  const group_id = await source.groupId("knowledges");
  for (const name of ["Anfahrt", "Preise"]) {
    const body = { group_id, name, text: "Im Hof" };
    expect((await source.ask("POST", "/knowledge-items", { body })).status).toBe(201);
  }
  await source.advance(5);
  const { run, data } = commandLine({
    env: { VOXCTL_BASE_URL: `${source.url}/api/v1`, VOXCTL_API_KEY: source.keys.admin },
  });
  const created = await run("mirror", "create", "acme", "-o", "json");
  expect(created.code, created.stderr).toBe(0);
  const fork = await openFork(data, "acme");
  const { now } = (await fork.emulator.control("GET", "/clock")) as { now: string };
  expect(now >= "2090-01-01T00:00:05Z").toBe(true);
  const { body } = await fork.ask("GET", "/knowledge-items");
  expect(body.data.map((item: { sync_status: { state: string } }) => item.sync_status.state)).toEqual([
    "synced",
    "synced",
  ]);
  await expectSameContent(createEmulatorAsk(source.instance), fork.ask, ["knowledge"]);
});
