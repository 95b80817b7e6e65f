import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { wrapTransport } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

const disabled = (id: string) => ({ id, status: "disabled" });
const msp = {
  external_id: "a1",
  name: "A1",
  license: disabled("a-base"),
  licenses: [disabled("a-1"), "a-2"],
  customers: [
    { external_id: "c1", name: "C1", license: "a-1" },
    { external_id: "c2", name: "C2", license: "a-2" },
  ],
};

async function setUp(...msps: object[]) {
  const emulator = await openSeededEmulator({ clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  writeFileSync(join(shell.home, "spec.json"), JSON.stringify({ msps }));
  const v2 = (command: string) => shell.run("--profile", "offline", ...command.split(" "));
  return { ...shell, emulator, v2 };
}

async function setUpHavel(more: object) {
  const shell = await setUp({ external_id: "havel-it", name: "Havel", license: "havel-base", ...more });
  await shell.v2("orgs create --type msp --name Havel --external-id havel-it --license havel-base");
  const havel = async (id: string) =>
    (await shell.v2("licenses list havel-it")).json.find(
      (license: { externalLicenseId: string }) => license.externalLicenseId === id,
    );
  return { ...shell, havel };
}

describe("the undo of `orgs provision`", () => {
  test("[v2.license.disable] an undo deletes organizations that the run itself blocked", async () => {
    const { v2, run } = await setUp(msp);
    const before = (await v2("orgs list")).json;
    const made = await v2("orgs provision spec.json --yes");
    expect(made.json).toMatchObject({ created: 5, changed: 0 });
    const complete = { deleted: 3, restored: 0, changed_since: 0, kept: 0, with_msp: 2 };
    const preview = await v2(`runs undo ${made.json.run_id} --dry-run`);
    expect(preview).toMatchObject({ code: 0, json: complete });
    const undone = await v2(`runs undo ${made.json.run_id} --yes`);
    expect(undone).toMatchObject({ code: 0, json: complete });
    expect((await v2("orgs list")).json).toEqual(before);

    await v2("orgs provision spec.json --plan p.plan");
    const applied = await v2("apply p.plan --yes");
    expect(applied.json).toMatchObject({ created: 5, updated: 0 });
    const planned = await run("runs", "undo", applied.json.run_id, "--dry-run");
    expect(planned).toMatchObject({ code: 0, json: complete });
  });

  test("an undo doesn't enable a disabled license that the run created", async () => {
    const { v2, havel } = await setUpHavel({ licenses: [disabled("havel-010")] });
    const made = await v2("orgs provision spec.json --yes");
    const undone = await v2(`runs undo ${made.json.run_id} --yes`);
    expect(undone).toMatchObject({ code: 68, json: { restored: 0, kept: 1 } });
    expect((await v2(`runs list ${undone.json.run_id}`)).json).toMatchObject({ done: 0, kept: 1 });
    expect(await havel("havel-010")).toMatchObject({ status: "disabled" });
  });

  test("an undo enables a license that the run disabled, and deletes its new holder", async () => {
    const { v2, havel } = await setUpHavel({
      licenses: [disabled("havel-004")],
      customers: [{ external_id: "c1", name: "C1", license: "havel-004" }],
    });
    await v2("licenses upsert havel-it havel-004");
    const made = await v2("orgs provision spec.json --converge --yes");
    expect(made.code).toBe(0);
    const undone = await v2(`runs undo ${made.json.run_id} --yes`);
    expect(undone).toMatchObject({ code: 0, json: { deleted: 1, restored: 1 } });
    expect(await havel("havel-004")).toMatchObject({ status: "available" });
  });

  test("`orgs provision` warns before and after a run that the run can't be undone", async () => {
    const { run, home } = commandLine();
    await run("profiles", "add", "x", "--offline");
    const license = "altstadt-1";
    await run("licenses", "upsert", "altstadt-edv", license, "--profile", "x");
    const spec = { msps: [{ external_id: "altstadt-edv", name: "Altstadt EDV", license }] };
    writeFileSync(join(home, "spec.json"), JSON.stringify(spec));
    const made = await run("orgs", "provision", "spec.json", "--converge", "--yes", "--profile", "x");
    expect(made).toMatchObject({ code: 0, json: { changed: 1 } });
    expect(made.stderr).toContain(`assign license ${license}, which can't be undone`);
    expect(made.stderr).toContain("This run can't be undone.");
    expect(made.stderr).not.toContain("runs undo");
    const undone = await run("runs", "undo", made.json.run_id, "--yes");
    expect(undone).toMatchObject({ code: 68, json: { restored: 0, kept: 1 } });
  });

  test("the error of an undo with a different profile names the run's profile", async () => {
    const { run, home } = commandLine();
    writeFileSync(join(home, "spec.json"), JSON.stringify({ msps: [msp] }));
    for (const name of ["pa", "pb"]) await run("profiles", "add", name, "--offline");
    const made = await run("orgs", "provision", "spec.json", "--yes", "--profile", "pa");
    const id = made.json.run_id;
    const elsewhere = await run("runs", "undo", id, "--profile", "pb", "--yes");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([12, expect.stringContaining("--profile pa")]);
    await run("emulator", "reset", "--yes", "--profile", "pa");
    const reset = await run("runs", "undo", id, "--yes");
    expect([reset.code, reset.stderr]).toEqual([12, expect.stringContaining(`voxctl runs discard ${id}`)]);
  });

  test("while an undo runs, other commands report that another process uses the run", async () => {
    const { v2, run, runWith, emulator } = await setUp(msp);
    const id = (await v2("orgs provision spec.json --yes")).json.run_id;
    let listed: unknown;
    let refused: unknown;
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      if (request.method === "DELETE" && listed === undefined) {
        listed = (await run("runs", "list", id)).json;
        const { code, stderr } = await v2(`runs undo ${id} --dry-run`);
        refused = [code, stderr];
      }
      return transport(url, request);
    });
    const undone = await runWith({ overrides }, "--profile", "offline", "runs", "undo", id, "--yes");
    expect(undone.code).toBe(0);
    expect(listed).toMatchObject({ state: "running", kind: "provisioning", file: "spec.json" });
    expect(refused).toEqual([6, expect.stringContaining("another process is using this run")]);
  });

  test("after an interrupted undo, `orgs provision` warns that the undo is unfinished", async () => {
    const { v2, runWith, emulator } = await setUp(msp);
    const id = (await v2("orgs provision spec.json --yes")).json.run_id;
    const onJournalStep = (step: Step) => {
      if (step === "recorded") throw new Error("killed");
    };
    const overrides = { ...connectedTo(emulator), onJournalStep };
    await runWith({ overrides }, "--profile", "offline", "runs", "undo", id, "--yes");
    const again = await v2("orgs provision spec.json --yes");
    expect(again.code).toBe(0);
    expect(again.stderr).toContain(
      `the undo of run ${id} is unfinished; resume it with \`voxctl runs undo ${id}\``,
    );
    expect(again.stderr).not.toContain("different input");
  });

  test("`runs resume` and `runs undo` explain how to resume an undo", async () => {
    const { v2 } = await setUp(msp);
    const id = (await v2("orgs provision spec.json --yes")).json.run_id;
    await v2(`runs undo ${id} --yes`);
    for (const verb of ["resume", "undo"]) {
      const refused = await v2(`runs ${verb} ${id}-undo`);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`voxctl runs undo ${id}\``),
      ]);
    }
  });
});
