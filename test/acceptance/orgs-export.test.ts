import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { createPlan } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

test("[O4] `orgs export` writes a spec that `orgs provision` accepts without changes", async () => {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  writeFileSync(
    join(shell.home, "plan.json"),
    JSON.stringify(createPlan({ msps: 2, licenses: 6, customers: 3 })),
  );
  await shell.run("orgs", "provision", "plan.json", "--yes");
  await shell.run("licenses", "disable", "msp-0", "seat-2");
  const exported = await shell.run("orgs", "export");
  expect(exported.code).toBe(0);
  expect(exported.stdout).toContain("external_id: msp-0");
  writeFileSync(join(shell.home, "there.yaml"), exported.stdout);
  const again = await shell.run("orgs", "provision", "there.yaml", "--yes", "-o", "json");
  expect(again.code, again.stderr).toBe(0);
  expect(again.json).toMatchObject({ created: 0, differing: 0 });
  const json = await shell.run("orgs", "export", "-o", "json");
  writeFileSync(join(shell.home, "there.json"), json.stdout);
  expect((await shell.run("orgs", "provision", "there.json", "--yes", "-o", "json")).json).toMatchObject({
    created: 0,
    differing: 0,
  });
  await emulator.close();
});

test("`orgs export` names each skipped organization", async () => {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const all = (await shell.run("orgs", "list", "--all", "-o", "json")).json as {
    externalOrganizationId: string;
  }[];
  const { stdout, stderr } = await shell.run("orgs", "export");
  for (const { externalOrganizationId: id } of all)
    expect(stdout.includes(`external_id: ${id}\n`) || stderr.includes(`skipping ${id}:`), id).toBe(true);
  expect(stderr).toContain("which is skipped");
});
