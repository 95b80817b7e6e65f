// Losses of a store's database, takeovers, backups, TLS and personal data: several machines, one emulator server.
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { bin } from "../helpers/installed-cli.js";
import { type Ended, runBuilt } from "../helpers/processes.js";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.js";
import { startSlowService } from "./slow-service.js";
import { setUpStore, until, usePostgres } from "./store-machines.js";

const postgres = await usePostgres();

let schemas = 0;
let schema = "";
let store: Awaited<ReturnType<typeof setUpStore>>;
beforeEach(async () => {
  schemas += 1;
  schema = `checks_${schemas}`;
  store = await setUpStore(postgres, schema);
});

const rows = 60;

/** A machine with a file of contacts. */
function createImporter(more: Record<string, string | undefined> = {}, length = rows) {
  const machine = store.createMachine(more);
  const file = join(machine.home, "kunden.csv");
  const lines = Array.from({ length }, (_, index) => `Vera${index},Meier${index},+4930123${1000 + index}`);
  writeFileSync(file, ["first_name,last_name,phone_numbers", ...lines].join("\n"));
  const importing = [
    "contacts",
    "import",
    file,
    "--group",
    "Kunden",
    "--create-group",
    "--settle",
    "1s",
    "--timeout",
    "10s",
  ];
  return {
    ...machine,
    import: (...flags: string[]) => machine.run(...importing, "-o", "json", ...flags),
    /** Imports in a process that can get signals. */
    start() {
      const child = spawn(process.execPath, [bin, ...importing], {
        env: { ...inheritedEnvironment(), ...machine.env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const stderr = text(child.stderr);
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      return { child, ended, stderr };
    },
    importKilledAt: (step: string) => machine.runKilledAt(step, ...importing),
    resume: (id: string) =>
      machine.run("runs", "resume", id, "--settle", "1s", "--timeout", "10s", "-o", "json"),
    contacts: async (): Promise<unknown[]> => machine.json("contacts", "list", "--group", "Kunden", "--all"),
    runs: async (): Promise<{ id: string; state: string }[]> => machine.json("runs", "list"),
  };
}

/** Number of entries of all runs. */
function countEntries(): number {
  return Number(postgres.sql(`SELECT count(*) FROM ${schema}.entry`));
}

function succeed({ code, stderr }: Ended): void {
  expect(code, stderr).toBe(0);
}

describe("two machines without a store that import the same rows", () => {
  it("two machines without a store exit with code 68 and report the duplicates of an import", async () => {
    const service = await startSlowService(store.service["VOXCTL_BASE_URL"] ?? "");
    const own = { VOXCTL_STORE: "local", VOXCTL_BASE_URL: service.baseUrl };
    const machines = [createImporter(own), createImporter(own)];
    await machines[0]?.run("groups", "create", "--type", "contacts", "--name", "Kunden");
    // Both machines have read the group before a contact exists.
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
  it("a process that loses its run exits with code 6 and passes its responses to the new owner", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await store.addFault({ operation: "contacts.create", kind: "delay", delay_ms: 8_000 });
    const ended = first.import();
    await until(() => countEntries() > 1);
    const id = postgres.sql(`SELECT id FROM ${schema}.run`).trim();
    // Simulates a third machine that has taken the leases.
    const third = "gen_random_uuid(), expires_at = clock_timestamp() + interval '20 s'";
    postgres.sql(`UPDATE ${schema}.lease SET fence = ${third}`);
    await store.clearFaults();
    const resumed = await second.resume(id);
    const { code, stderr } = await ended;
    expect(code).toBe(6);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      code: "run_taken",
      message: expect.stringMatching(/responses were handed over$/),
    });
    succeed(resumed);
    expect(resumed.stderr).toContain("the other process's requests can no longer take effect");
    expect(JSON.parse(resumed.stdout)).toMatchObject({ created: rows });
    expect(await second.contacts()).toHaveLength(rows);
  });

  it("a suspended process whose run another machine resumed loses and repeats no write", async () => {
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
  it("a process whose requests took effect too late names the command that finds duplicates", async () => {
    const service = await startSlowService(store.service["VOXCTL_BASE_URL"] ?? "");
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

describe("a database that fails", () => {
  it("if its database stays down, a run stops with exit code 9 and sends no unrecorded request", async () => {
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
  /** The last entries of each run, and the leases. */
  const loss = (entries = 2) => `DELETE FROM ${schema}.lease;
    DELETE FROM ${schema}.entry USING ${schema}.run WHERE entry.run = run.id AND entry.seq > run.seq - ${entries};
    UPDATE ${schema}.run SET seq = seq - ${entries}`;

  it("a database that lost entries gets them again from the machine that continues the run", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await store.addFault({ operation: "contacts.create", kind: "delay", delay_ms: 1_500 });
    const ended = first.import();
    await until(() => countEntries() > 3);
    postgres.failOver(loss());
    succeed(await ended);
    expect(await second.contacts()).toHaveLength(rows);
    // The entries are complete: another machine can undo the run.
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

  /** Kills an import whose creates take effect late, and lets the database lose what `lost` deletes. */
  const loseImport = async (lost: string, delayMilliseconds = 4_000) => {
    const service = await startSlowService(store.service["VOXCTL_BASE_URL"] ?? "");
    const [first, second] = [1, 2].map(() => createImporter({ VOXCTL_BASE_URL: service.baseUrl }, few));
    if (first === undefined || second === undefined) throw new Error("a machine is missing");
    succeed(await first.run("groups", "create", "--type", "contacts", "--name", "Kunden"));
    service.delayMilliseconds = delayMilliseconds;
    const { child, ended } = first.start();
    await until(() => service.creates > 0);
    child.kill("SIGKILL");
    await ended;
    postgres.failOver(`DELETE FROM ${schema}.lease; ${lost}`);
    return { service, second };
  };

  it("a failover that loses even a run's plan causes no duplicate", async () => {
    const plan = `DELETE FROM ${schema}.entry; UPDATE ${schema}.run SET seq = 0, state = 'planning'`;
    const { second } = await loseImport(plan);
    succeed(await second.import());
    expect(await second.contacts()).toHaveLength(few);
  });

  it("duplicates are reported with code 68 if a failover lost the run", async () => {
    const { service, second } = await loseImport(`DELETE FROM ${schema}.run`, 60_000);
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

describe("a restored store", () => {
  it("commands that start at the same time don't mistake the store for a restored one", async () => {
    const machine = createImporter();
    const started = Array.from({ length: 12 }, () => machine.run("store", "check"));
    for (const ended of await Promise.all(started)) succeed(ended);
  });

  it("a restored store can be used after it is accepted, and nothing is written twice", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await first.importKilledAt("recorded:1");
    const dump = postgres.dump(schema);
    await first.importKilledAt("recorded:4");
    postgres.sql(`DROP SCHEMA ${schema} CASCADE`);
    postgres.restore(dump);
    const refused = await first.import();
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("store_restored");
    const accepted = await first.run("store", "check", "--accept-restored", "--yes");
    expect(accepted.stderr).toContain("Uploaded run");
    succeed(await second.import());
    expect(await second.contacts()).toHaveLength(rows);
  });

  it("a store is refused if another store with the same key replaced it", async () => {
    const machine = createImporter();
    succeed(await machine.import());
    postgres.sql(`DROP SCHEMA ${schema} CASCADE`);
    succeed(await machine.run("store", "init"));
    const { code, stderr } = await machine.import();
    expect(code).toBe(12);
    expect(stderr).toContain("store_other");
    succeed(await machine.run("store", "check", "--accept-restored", "--yes"));
    succeed(await machine.import());
  });
});

describe("a store with a newer layout", () => {
  it("a store with a newer layout is refused with exit code 12 before anything is sent", async () => {
    const machine = createImporter();
    postgres.sql(`UPDATE ${schema}.store SET layout = layout + 1`);
    const { code, stderr } = await machine.import();
    expect(code).toBe(12);
    expect(stderr).toContain("store_newer");
    const groups = await machine.json("groups", "list");
    expect(groups.map(({ name }: { name: string }) => name)).not.toContain("Kunden");
  });
});

describe("a store with an older layout", () => {
  it("`doctor` reports a store with an older layout and the command that updates it", async () => {
    const machine = createImporter();
    postgres.sql(`DROP TABLE ${schema}.member, ${schema}.fleet; UPDATE ${schema}.store SET layout = 1`);
    const check = async () =>
      (await machine.json("doctor")).find((finding: { check: string }) => finding.check === "store");
    expect(await check()).toMatchObject({
      state: "warning",
      message: "layout 1 is older than 2: as the owner of the store, run `voxctl store init`",
    });
    succeed(await machine.run("store", "init"));
    expect(await check()).toMatchObject({ state: "ok", message: "layout 2" });
  });
});

describe("the runs in a store", () => {
  it("the runs in a store can be exported and continued without the store", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await first.importKilledAt("recorded:2");
    const folder = join(temporaryFolder(), "export");
    const [run] = await second.runs();
    succeed(await second.run("store", "export", run?.id ?? "", folder));
    const runs = join(second.env["VOXCTL_DATA_DIR"] ?? "", "runs");
    mkdirSync(runs, { recursive: true });
    for (const file of readdirSync(folder)) copyFileSync(join(folder, file), join(runs, file));
    const local = { VOXCTL_STORE: "local" };
    succeed(
      await second.runWith(local, "runs", "resume", run?.id ?? "", "--settle", "1s", "--timeout", "10s"),
    );
    expect(await second.contacts()).toHaveLength(rows);
  });

  it("store prune deletes the finished runs that are older than --older-than", async () => {
    const machine = createImporter();
    succeed(await machine.import());
    const prune = (age: string) => machine.json("store", "prune", "--older-than", age, "--yes");
    expect(await prune("1h")).toEqual({ deleted: 0 });
    expect(await prune("0s")).toEqual({ deleted: 1 });
    expect(await machine.runs()).toEqual([]);
  });

  it("the runs in a store are removed 30 days after they have finished", async () => {
    const machine = createImporter();
    succeed(await machine.import());
    postgres.sql(`UPDATE ${schema}.run SET finished_at = now() - interval '31 days'`);
    succeed(await machine.import("--new-run"));
    expect(await machine.runs()).toHaveLength(1);
  });

  it("an anonymous store does not contain the user, host or process of its runs", async () => {
    const machine = createImporter({
      VOXCTL_STORE: `${store.address}&anonymous=true`,
      CI_JOB_URL: "https://ci.example/7",
    });
    succeed(await machine.import());
    const about = postgres.sql(`SELECT about FROM ${schema}.run`);
    expect(about).toContain("kunden.csv");
    for (const fact of [hostname(), `"${userInfo().username}"`, "pid", "ci.example"])
      expect(about).not.toContain(fact);
  });
});

describe("a person in the runs of a store", () => {
  it("`subject find --local` finds a person in the store's runs, and `erase` removes the person", async () => {
    const machine = createImporter();
    succeed(await machine.import());
    const [run] = await machine.runs();
    const person = ["--phone", "+49301231000", "--local"];
    const find = async (): Promise<string[]> => {
      const { local } = await machine.json("subject", "find", ...person);
      return local.occurrences.map(({ run: id }: { run?: string }) => id);
    };
    expect(await find()).toContain(run?.id);
    const { stderr } = await machine.run(
      "subject",
      "erase",
      ...person,
      "--settle",
      "1s",
      "--timeout",
      "10s",
      "--yes",
    );
    expect(await find(), stderr).not.toContain(run?.id);
    // Undoing the other rows leaves an empty group, which the undo deletes.
    succeed(await machine.run("runs", "undo", run?.id ?? "", "--settle", "1s", "--timeout", "10s", "--yes"));
  });
});

describe("a person in a key map of a store", () => {
  it("`subject export --local` finds a person in a stored key map, and `erase` removes the data", async () => {
    const machine = createImporter();
    const sync = [
      "contacts",
      "sync",
      "kunden.csv",
      "--group",
      "Kunden",
      "--settle",
      "1s",
      "--timeout",
      "10s",
      "--yes",
    ];
    succeed(await machine.import());
    succeed(await machine.run(...sync));
    const person = ["--phone", "+49301231000", "--local"];
    const findGroups = async (folder: string): Promise<string[]> => {
      succeed(await machine.run("subject", "export", folder, ...person));
      const { local } = JSON.parse(readFileSync(join(machine.home, folder, "manifest.json"), "utf8"));
      return local.occurrences.flatMap(({ group }: { group?: string }) =>
        group === undefined ? [] : [group],
      );
    };
    expect(await findGroups("before")).toHaveLength(1);
    const { stderr } = await machine.run(
      "subject",
      "erase",
      ...person,
      "--settle",
      "1s",
      "--timeout",
      "10s",
      "--yes",
    );
    expect(await findGroups("after"), stderr).toEqual([]);
  });
});

describe("programs that a command starts", () => {
  it("programs that a command starts get no address, key or password of the store", async () => {
    const machine = createImporter({ PGPASSWORD: "secret" });
    const shown = "echo [$VOXCTL_STORE$VOXCTL_STORE_KEY$PGPASSWORD]";
    const { stdout } = await machine.run("emulator", "exec", "--", "sh", "-c", shown);
    expect(stdout).toContain("[]");
  });
});

describe("a store behind TLS and a password", () => {
  let secured: PostgresServer;
  const password = "pw%/ö9";
  beforeAll(async () => {
    secured = await startPostgres(findPostgres() ?? "", { isSecured: true });
    secured.sql(`ALTER ROLE owner PASSWORD '${password}'`);
  });
  afterAll(() => secured?.remove());

  const show = (parameters: string, env: Record<string, string> = { PGPASSWORD: password }) =>
    runBuilt(["store", "init", "-o", "json", "--debug"], {
      env: {
        HOME: temporaryFolder(),
        VOXCTL_STORE: `postgres://owner@127.0.0.1:${secured.port}/postgres?schema=tls${parameters}`,
        ...env,
      },
    });

  it("a store behind TLS is used if the authority and the server's name are correct", async () => {
    succeed(await show(`&sslmode=verify-full&sslrootcert=${secured.caFile}`));
  });

  it("a store is refused with exit code 3 if an unknown authority signed its certificate", async () => {
    const { code, stderr } = await show("&sslmode=verify-full");
    expect(code).toBe(3);
    expect(stderr).toContain("store_denied");
  });

  it("a store is used without verification if sslmode allows that", async () => {
    succeed(await show("&sslmode=require"));
  });

  it.each(["allow", "prefer"])(
    "the connection to a store with sslmode=%s is encrypted if the server requires encryption",
    async (mode) => {
      succeed(await show(`&sslmode=${mode}`));
    },
  );

  it("a store causes a warning if its server is not verified, unless it runs on this machine", async () => {
    const url = `postgres://owner@127.1:${secured.port}/postgres?schema=tls&sslmode=require`;
    const { stderr } = await show("", { VOXCTL_STORE: url, PGPASSWORD: password });
    expect(stderr).toContain("sslmode=require does not verify the store's server");
    expect((await show("&sslmode=require")).stderr).not.toContain("does not verify");
  });

  it("a store that requires encryption is refused if sslmode disables it", async () => {
    expect((await show("&sslmode=disable")).code).toBe(3);
  });

  it("no output shows the store's password if the password is wrong", async () => {
    const wrong = `wrong${password}`;
    const url = `postgres://owner:${encodeURIComponent(wrong)}@127.0.0.1:${secured.port}/postgres?sslmode=require`;
    const { code, stdout, stderr } = await show("", { VOXCTL_STORE: url });
    expect(code).toBe(3);
    for (const secret of [wrong, encodeURIComponent(wrong)]) expect(stdout + stderr).not.toContain(secret);
  });
});
