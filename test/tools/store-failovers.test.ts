// Failures and failovers of a store's database: several machines, one emulator server.
import { describe, expect, it } from "vitest";
import { startSlowService } from "./slow-service.js";
import { importedRows as rows, succeed, until, usePostgres, useStores } from "./store-machines.js";

const postgres = await usePostgres();
const stores = useStores(postgres, "failovers");
const { createImporter, countEntries } = stores;

describe("a database that fails", () => {
  it("a run stops with exit code 9 if its database stays down", async () => {
    const machine = createImporter();
    const ended = machine.import("--outage", "2s");
    await until(() => countEntries() > 1);
    postgres.stop();
    const { code, stderr } = await ended;
    postgres.start();
    expect(code, stderr).toBe(9);
    expect(stderr).toContain("store_unavailable");
    const again = await machine.import();
    succeed(again);
    expect(await machine.contacts()).toHaveLength(rows);
  });

  it("a run continues if its database closes its connections repeatedly", async () => {
    const machine = createImporter();
    let isEnded = false;
    const ended = machine.import().finally(() => {
      isEnded = true;
    });
    const others = "pid <> pg_backend_pid() AND application_name = '' AND backend_type = 'client backend'";
    while (!isEnded) {
      postgres.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    succeed(await ended);
    expect(await machine.contacts()).toHaveLength(rows);
  });
});

describe("a database server that fails over and loses the last entries", () => {
  const loss = (entries = 2) => `DELETE FROM ${stores.schema}.lease;
    DELETE FROM ${stores.schema}.entry USING ${stores.schema}.run WHERE entry.run = run.id AND entry.seq > run.seq - ${entries};
    UPDATE ${stores.schema}.run SET seq = seq - ${entries}`;

  it("a machine restores the entries that the database lost in a failover", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await stores.store.addFault({ operation: "contacts.create", kind: "delay", delay_ms: 1_500 });
    const ended = first.import();
    await until(() => countEntries() > 3);
    postgres.failOver(loss());
    succeed(await ended);
    expect(await second.contacts()).toHaveLength(rows);
    // The undo needs all entries of the run.
    const [run] = await second.runs();
    succeed(await second.run("runs", "undo", run?.id ?? "", "--settle", "1s", "--timeout", "10s", "--yes"));
  });

  it("lost entries cause no duplicate if another machine takes over the run", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await first.importKilledAt("recorded:2");
    postgres.failOver(loss(1));
    const imported = await second.import();
    succeed(imported);
    expect(imported.stderr).toMatch(/\d+ writes/);
    expect(await second.contacts()).toHaveLength(rows);
  });

  /** Enough rows for a second round of requests. */
  const few = 20;

  /**
   * Kills an import whose creates take effect late. Then the database loses its leases, and all rows that the SQL
   * in `lost` deletes.
   */
  const loseImport = async (lost: string, delayMilliseconds = 4_000) => {
    const service = await startSlowService(stores.store.service["VOXCTL_BASE_URL"] ?? "");
    const [first, second] = [1, 2].map(() => createImporter({ VOXCTL_BASE_URL: service.baseUrl }, few));
    if (first === undefined || second === undefined) throw new Error("a machine is missing");
    succeed(await first.run("groups", "create", "--type", "contacts", "--name", "Kunden"));
    service.delayMilliseconds = delayMilliseconds;
    const { child, ended } = first.start();
    await until(() => service.creates > 0);
    child.kill("SIGKILL");
    await ended;
    postgres.failOver(`DELETE FROM ${stores.schema}.lease; ${lost}`);
    return { service, second };
  };

  it("losing a run's plan in a failover causes no duplicate", async () => {
    const plan = `DELETE FROM ${stores.schema}.entry; UPDATE ${stores.schema}.run SET seq = 0, state = 'planning'`;
    const { second } = await loseImport(plan);
    succeed(await second.import());
    expect(await second.contacts()).toHaveLength(few);
  });

  it("duplicates are reported with code 68 if a failover lost the run", async () => {
    const { service, second } = await loseImport(`DELETE FROM ${stores.schema}.run`, 60_000);
    const lost = service.creates;
    const imported = second.import();
    // The lost creates take effect after the second machine has read the group.
    await until(() => service.creates > lost);
    service.release();
    const { code, stderr } = await imported;
    expect(code, stderr).toBe(68);
    expect((await second.contacts()).length).toBeGreaterThan(few);
  });
});
