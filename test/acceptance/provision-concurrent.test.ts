import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { readTree } from "../helpers/provisioning.js";
import { openSeededEmulator } from "../helpers/templates.js";

const spec = {
  msps: [
    {
      external_id: "racer",
      name: "Racer",
      license: { id: "rd-0", product: "MSP" },
      licenses: [
        { id: "rd-1", product: "Standard" },
        { id: "rd-2", product: "Standard" },
      ],
    },
  ],
};

const premium = ["licenses", "upsert", "racer", "rd-1", "--product", "Premium"];

/** @param meanwhile another engineer's command, which runs before each POST gets its response */
async function setUp(meanwhile: readonly string[]) {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
  const other = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const shell = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  const next = { external_id: "next", name: "Next", license: { id: "next-0" } };
  const [racer] = spec.msps;
  const nextThenRacer = { msps: [next, { ...racer, licenses: racer?.licenses.slice(0, 1) }] };
  for (const { home } of [other, shell]) writeFileSync(join(home, "spec.json"), JSON.stringify(spec));
  writeFileSync(join(shell.home, "next.json"), JSON.stringify(nextThenRacer));
  const slow = wrapTransport(emulator, (transport) => async (url, request) => {
    const response = await transport(url, request);
    if (request.method === "POST") {
      const ran = await other.run(...meanwhile);
      expect(ran.code, ran.stderr).toBe(0);
      await emulator.control("PATCH", "/clock", { advance_seconds: 8 });
    }
    return response;
  });
  const provision = (file: string, ...flags: string[]) =>
    shell.runWith({ overrides: slow }, "orgs", "provision", file, "--yes", ...flags);
  return { emulator, other, provision };
}

describe("`orgs provision` during another engineer's change", () => {
  test("`orgs provision` reports but keeps a license that another user adds during the run", async () => {
    const { emulator, provision } = await setUp(premium);
    const ran = await provision("spec.json", "-o", "table");
    expect([ran.code, ran.stdout], ran.stderr).toMatchObject([10, expect.stringMatching(/^Created 2, /m)]);
    expect(ran.stderr).toContain(
      "rd-1: has product Premium, expected Standard (use --converge to change it)",
    );
    expect(await readTree(emulator)).toMatchObject([
      { licenses: expect.arrayContaining([{ id: "rd-1", product: "Premium", status: "available" }]) },
    ]);
  });

  test("a license that another run disables concurrently is reported", async () => {
    const { emulator, other, provision } = await setUp(["orgs", "provision", "disabled.json", "--yes"]);
    const [msp] = spec.msps;
    const licenses = msp?.licenses.map((license) =>
      license.id === "rd-2" ? { ...license, status: "disabled" } : license,
    );
    writeFileSync(join(other.home, "disabled.json"), JSON.stringify({ msps: [{ ...msp, licenses }] }));
    const ran = await provision("spec.json", "-o", "json");
    expect(ran.json, ran.stderr).toMatchObject({ created: 1, existing: 1, differing: 1 });
    expect([ran.code, ran.stderr]).toEqual([10, expect.stringContaining("is disabled")]);
    expect(await readTree(emulator)).toMatchObject([
      { licenses: expect.arrayContaining([{ id: "rd-2", product: "Standard", status: "disabled" }]) },
    ]);
  });

  test("two machines that run the same spec count each created license only once", async () => {
    const { provision } = await setUp(["orgs", "provision", "spec.json", "--yes"]);
    const ran = await provision("spec.json", "-o", "json");
    expect([ran.code, ran.json], ran.stderr).toMatchObject([0, { created: 1, existing: 2 }]);
  });

  test("--converge keeps a product that another engineer sets during the run", async () => {
    const { emulator, other, provision } = await setUp(premium);
    const racer = { ...spec.msps[0], licenses: [{ id: "rd-1", product: "Basic" }] };
    writeFileSync(join(other.home, "basic.json"), JSON.stringify({ msps: [racer] }));
    expect((await other.run("orgs", "provision", "basic.json", "--yes")).code).toBe(0);
    const ran = await provision("next.json", "--converge", "-o", "json");
    expect([ran.code, ran.json], ran.stderr).toMatchObject([10, { created: 1, changed: 0, differing: 1 }]);
    expect(JSON.stringify(await readTree(emulator))).toContain('{"id":"rd-1","product":"Premium"');
  });
});
