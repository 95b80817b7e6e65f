// Runs of several machines with one store: two home directories, one emulator server and a PostgreSQL server.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { emptySeed, startServer } from "../helpers/installed-cli.js";
import { type Ended, runBuilt, runKilledAt } from "../helpers/processes.js";
import { usePostgres } from "./store-machines.js";

const postgres = await usePostgres();

let schemas = 0;
let schema = "";
let key = "";
let service: Record<string, string> = {};

function createMachine(more: Record<string, string> = {}) {
  const home = join(temporaryFolder(), "Otto Berg");
  mkdirSync(home);
  const env = {
    HOME: home,
    VOXCTL_CONFIG_DIR: join(home, "config"),
    VOXCTL_DATA_DIR: join(home, "data"),
    VOXCTL_STORE: postgres.address(schema),
    VOXCTL_STORE_KEY: key,
    VOXCTL_STORE_LEASE: "3s",
    ...service,
    ...more,
  };
  const file = join(home, "kunden.csv");
  const rows = Array.from({ length: 60 }, (_, index) => `Vera${index},Meier${index},+4930123${1000 + index}`);
  writeFileSync(file, ["first_name,last_name,phone_numbers", ...rows].join("\n"));
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
  const run = (...argv: string[]): Promise<Ended> => runBuilt(argv, { env, cwd: home });
  return {
    ...{ home, env, run },
    import: () => run(...importing, "-o", "json"),
    importKilledAt: (step: string) => runKilledAt(step, importing, { env, cwd: home }),
    async contacts(): Promise<number> {
      const listed = await run("contacts", "list", "--group", "Kunden", "--all", "-o", "json");
      return listed.code === 0 ? JSON.parse(listed.stdout).length : 0;
    },
    async runs(): Promise<{ id: string; state: string }[]> {
      return JSON.parse((await run("runs", "list", "-o", "json")).stdout);
    },
  };
}

describe("a shared store", () => {
  beforeEach(async () => {
    schemas += 1;
    schema = `voxctl_${schemas}`;
    const { line } = await startServer("--db", ":memory:", ...emptySeed);
    service = {
      ...{ VOXCTL_BASE_URL: line.base_url, VOXCTL_API_KEY: line.keys.admin },
      ...{
        VOXCTL_DISTRIBUTOR_URL: line.distributor_v2_url,
        VOXCTL_DISTRIBUTOR_KEY: line.keys.distributor_v2,
      },
    };
    key = "";
    const made = await runBuilt(["store", "init", "-o", "json"], {
      env: { HOME: temporaryFolder(), VOXCTL_STORE: postgres.address(schema) },
    });
    key = JSON.parse(made.stdout).key;
  });

  it("concurrent imports of two machines create each contact once", async () => {
    const [first, second] = [createMachine(), createMachine()];
    const results = await Promise.all([first.import(), second.import()]);
    const created = results.map(({ stdout, stderr }) => {
      expect(stdout, stderr).not.toBe("");
      return JSON.parse(stdout).created;
    });
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(created.sort((left, right) => left - right)).toEqual([0, 60]);
    expect(await first.contacts()).toBe(60);
  });

  it("a command that finds a run only on this machine suggests VOXCTL_STORE=local", async () => {
    const { run, env, home } = createMachine();
    const local = { env: { ...env, VOXCTL_STORE: "local" }, cwd: home };
    const group = ["--group", "Kunden", "--create-group", "-o", "json"];
    const imported = await runBuilt(["contacts", "import", "kunden.csv", ...group], local);
    const id = JSON.parse(imported.stdout).run_id;
    for (const words of [["list"], ["undo", "--yes"], ["export"]]) {
      const [verb = "", ...flags] = words;
      const { code, stderr } = await run("runs", verb, id, ...flags);
      expect([code, stderr]).toEqual([4, expect.stringContaining("set VOXCTL_STORE=local")]);
    }
  });

  it("other machines can resume and undo a killed run", async () => {
    const [first, second, third] = [createMachine(), createMachine(), createMachine()];
    expect((await first.importKilledAt("sent:3")).signal).toBe("SIGKILL");
    const [run] = await second.runs();
    const resumed = await second.run(
      "runs",
      "resume",
      run?.id ?? "",
      "--settle",
      "1s",
      "--timeout",
      "10s",
      "-o",
      "json",
    );
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(await second.contacts()).toBe(60);
    const undone = await third.run("runs", "undo", run?.id ?? "", "--include-matched", "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    expect(await third.contacts()).toBe(0);
  });

  it.each(["created:1", "planned:1", "sending:1", "sent:1", "recorded:1", "finished:1"])(
    "after a kill at %s, the same command on another machine neither loses nor repeats a write",
    async (step) => {
      const [first, second] = [createMachine(), createMachine()];
      await first.importKilledAt(step);
      const again = await second.import();
      expect(again.code, again.stderr).toBe(0);
      expect(await second.contacts()).toBe(60);
    },
  );

  it("an import imports all rows even if the database stops during the run", async () => {
    const machine = createMachine();
    const ended = machine.import();
    await until(() => postgres.sql(`SELECT count(*) FROM ${schema}.entry`).trim() !== "0");
    postgres.stop();
    postgres.start();
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(await machine.contacts()).toBe(60);
  });

  it("a command exits with code 9 if the store's database is unreachable", async () => {
    const machine = createMachine({ VOXCTL_STORE: "postgres://owner@127.0.0.1:9/postgres" });
    const { code, stderr } = await machine.import();
    expect(code).toBe(9);
    expect(stderr).toContain("store_unavailable");
    expect(await machine.contacts()).toBe(0);
  });

  it("a wrong store key is refused with exit code 3 before anything is sent", async () => {
    const machine = createMachine({ VOXCTL_STORE_KEY: Buffer.alloc(32, 1).toString("base64url") });
    const { code, stderr } = await machine.import();
    expect(code).toBe(3);
    expect(stderr).toContain("store_key_wrong");
    expect(await machine.contacts()).toBe(0);
  });

  it("an entry that was changed in the store is refused before a write is sent", async () => {
    const [first, second] = [createMachine(), createMachine()];
    await first.importKilledAt("sent:2");
    postgres.sql(
      `UPDATE ${schema}.entry SET payload = set_byte(payload, 60, (get_byte(payload, 60) + 1) % 256) WHERE seq = 1`,
    );
    const before = await second.contacts();
    const { code, stderr } = await second.import();
    expect(code).toBe(12);
    expect(stderr).toContain("store_damaged");
    expect(await second.contacts()).toBe(before);
  });

  it("no name, number, key or directory reaches the database unencrypted", async () => {
    const machine = createMachine();
    await machine.importKilledAt("sent:2");
    const dump = postgres.dump(schema);
    expect(dump).toContain("contacts import kunden.csv");
    for (const secret of [
      "Otto",
      "Vera",
      "Meier",
      "4930123",
      machine.home,
      key,
      service["VOXCTL_API_KEY"] ?? "",
    ])
      expect(dump).not.toContain(secret);
  });

  it("`store show` shows the layout, runs and leases of a store", async () => {
    const machine = createMachine();
    await machine.import();
    const shown = await machine.run("store", "show", "-o", "json");
    expect(shown.code, shown.stderr).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({ layout: 2, runs: { finished: 1 }, leases: [] });
  });

  it("several machines that create a store concurrently create it only once", async () => {
    const env = { HOME: temporaryFolder(), VOXCTL_STORE: postgres.address("voxctl_race") };
    const made = await Promise.all(
      Array.from({ length: 4 }, () => runBuilt(["store", "init", "-o", "json"], { env })),
    );
    expect(made.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(made.filter(({ stdout }) => JSON.parse(stdout).created)).toHaveLength(1);
  });

  it("the store works with a role that has only the printed privileges", async () => {
    const machine = createMachine();
    const printed = await machine.run("store", "init", "--role", "worker", "-o", "json");
    postgres.sql("DROP ROLE IF EXISTS worker; CREATE ROLE worker LOGIN");
    postgres.sql(JSON.parse(printed.stdout).grants.join("\n"));
    const worker = createMachine({ VOXCTL_STORE: postgres.address(schema, "worker") });
    const imported = await worker.import();
    expect(imported.code, imported.stderr).toBe(0);
    expect(postgres.sql(`SELECT has_schema_privilege('worker', '${schema}', 'CREATE')`).trim()).toBe("f");
    postgres.sql(`DROP OWNED BY worker; DROP ROLE worker`);
  });

  it("a restored older backup is refused until the user accepts it", async () => {
    const machine = createMachine();
    const dump = postgres.dump(schema);
    await machine.import();
    postgres.sql(`DROP SCHEMA ${schema} CASCADE`);
    postgres.restore(dump);
    const refused = await machine.import();
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("store_restored");
    const accepted = await machine.run("store", "check", "--accept-restored", "--yes", "-o", "json");
    expect(accepted.code, accepted.stderr).toBe(0);
    expect((await machine.import()).code).toBe(0);
    expect(await machine.contacts()).toBe(60);
  });

  it("a dry run and an in-process emulator need no store", async () => {
    const machine = createMachine({ VOXCTL_STORE: "postgres://owner@127.0.0.1:9/postgres" });
    expect((await machine.run("contacts", "list", "--profile", "offline")).code).toBe(0);
    const file = join(machine.home, "kunden.csv");
    const to = ["contacts", "import", file, "--group", "Kunden", "--create-group"];
    expect((await machine.run(...to, "--dry-run")).code).toBe(0);
    expect((await machine.run(...to, "--profile", "offline")).code).toBe(0);
  });

  it("`store unlock` needs --force to end the lease of a recently active process", async () => {
    const machine = createMachine({ VOXCTL_STORE_LEASE: "10m" });
    await machine.importKilledAt("sent:1");
    const [run] = await machine.runs();
    expect((await machine.run("store", "unlock", run?.id ?? "", "--yes")).code).toBe(12);
    const unlocked = await machine.run("store", "unlock", run?.id ?? "", "--force", "--yes");
    expect(unlocked.code, unlocked.stderr).toBe(0);
    expect((await machine.import()).code).toBe(0);
    expect(await machine.contacts()).toBe(60);
  });
});

async function until(isMet: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !isMet(); attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
