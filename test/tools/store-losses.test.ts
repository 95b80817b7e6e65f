// Machines that lose their run to another machine: several machines, one emulator server.
import { describe, expect, it } from "vitest";
import { startSlowService } from "./slow-service.js";
import { importedRows as rows, succeed, until, usePostgres, useStores } from "./store-machines.js";

const postgres = await usePostgres();
const stores = useStores(postgres, "losses");
const { createImporter, countEntries } = stores;

describe("two machines without a store that import the same rows", () => {
  it("two machines without a store exit with code 68 and report the duplicates of an import", async () => {
    const service = await startSlowService(stores.store.service["VOXCTL_BASE_URL"] ?? "");
    const own = { VOXCTL_STORE: "local", VOXCTL_BASE_URL: service.baseUrl };
    const machines = [createImporter(own), createImporter(own)];
    await machines[0]?.run("groups", "create", "--type", "contacts", "--name", "Kunden");
    // With this delay, both machines read the group before a contact exists.
    service.delayMilliseconds = 2_000;
    const results = await Promise.all(machines.map((machine) => machine.import()));
    expect(results.map(({ code }) => code)).toContain(68);
    expect((await machines[0]?.contacts())?.length).toBeGreaterThan(rows);
    for (const machine of machines)
      succeed(
        await machine.run(
          "contacts",
          "dedupe",
          "--group",
          "Kunden",
          "--settle",
          "1s",
          "--timeout",
          "10s",
          "--yes",
        ),
      );
    expect(await machines[0]?.contacts()).toHaveLength(rows);
  });
});

describe("a process that loses its run", () => {
  it("a process that loses its run to another machine exits with code 6", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await stores.store.addFault({ operation: "contacts.create", kind: "delay", delay_ms: 8_000 });
    const ended = first.import();
    await until(() => countEntries() > 1);
    const id = postgres.sql(`SELECT id FROM ${stores.schema}.run`).trim();
    // Simulates a third machine that has taken the leases.
    const third = "gen_random_uuid(), expires_at = clock_timestamp() + interval '20 s'";
    postgres.sql(`UPDATE ${stores.schema}.lease SET fence = ${third}`);
    await stores.store.clearFaults();
    const resumed = await second.run(
      "runs",
      "resume",
      id,
      "--settle",
      "1s",
      "--timeout",
      "10s",
      "-o",
      "json",
    );
    const { code, stderr } = await ended;
    expect(code).toBe(6);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      code: "run_taken",
      message: expect.stringMatching(/\d (?:response was|responses were) passed to the other process$/),
    });
    succeed(resumed);
    expect(resumed.stderr).toContain("when its requests can no longer take effect");
    expect(JSON.parse(resumed.stdout)).toMatchObject({ created: rows });
    expect(await second.contacts()).toHaveLength(rows);
  });

  it("resuming a suspended process's run on another machine neither loses nor repeats a write", async () => {
    const [first, second] = [createImporter(), createImporter()];
    const { child, ended } = first.start();
    await until(() => countEntries() > 1);
    child.kill("SIGSTOP");
    const resumed = await second.import();
    child.kill("SIGCONT");
    succeed(resumed);
    expect([0, 6]).toContain(await ended);
    expect(await second.contacts()).toHaveLength(rows);
  });
});

describe("a process that is suspended until another machine has finished its run", () => {
  it("if requests arrive after a run was lost, the error names the command to find duplicates", async () => {
    const service = await startSlowService(stores.store.service["VOXCTL_BASE_URL"] ?? "");
    const [first, second] = [1, 2].map(() => createImporter({ VOXCTL_BASE_URL: service.baseUrl }));
    if (first === undefined || second === undefined) throw new Error("a machine is missing");
    service.delayMilliseconds = 60_000;
    const { child, ended, stderr } = first.start();
    await until(() => service.creates > 0);
    child.kill("SIGSTOP");
    service.delayMilliseconds = 0;
    succeed(await second.import());
    service.release();
    child.kill("SIGCONT");
    expect(await ended).toBe(6);
    expect(await stderr).toContain("to find them, run `voxctl contacts dedupe --group Kunden`");
    expect((await second.contacts()).length).toBeGreaterThan(rows);
  });
});
