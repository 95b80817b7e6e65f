// Backups, layouts, exports, TLS and personal data of a store: several machines, one emulator server.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { runBuilt } from "../helpers/processes.js";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.js";
import { startSlowService } from "./slow-service.js";
import { importedRows as rows, succeed, usePostgres, useStores } from "./store-machines.js";

const postgres = await usePostgres();
const stores = useStores(postgres, "checks");
const { createImporter } = stores;

describe("a restored store", () => {
  it("concurrent commands don't mistake the store for a restored one", async () => {
    const machine = createImporter();
    const started = Array.from({ length: 12 }, () => machine.run("store", "check"));
    for (const ended of await Promise.all(started)) succeed(ended);
  });

  it("after a restored store is accepted, nothing is written twice", async () => {
    const [first, second] = [createImporter(), createImporter()];
    await first.importKilledAt("recorded:1");
    const dump = postgres.dump(stores.schema);
    await first.importKilledAt("recorded:4");
    postgres.sql(`DROP SCHEMA ${stores.schema} CASCADE`);
    postgres.restore(dump);
    const refused = await first.import();
    expect(refused.code).toBe(12);
    expect(refused.stderr).toContain("store_restored");
    const accepted = await first.run("store", "check", "--accept-restored", "--yes");
    expect(accepted.stderr).toContain("Uploaded run");
    succeed(await second.import());
    expect(await second.contacts()).toHaveLength(rows);
  });

  it("a store that replaced another store with the same key is refused", async () => {
    const machine = createImporter();
    succeed(await machine.import());
    postgres.sql(`DROP SCHEMA ${stores.schema} CASCADE`);
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
    postgres.sql(`UPDATE ${stores.schema}.store SET layout = layout + 1`);
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
    postgres.sql(
      `DROP TABLE ${stores.schema}.member, ${stores.schema}.fleet; UPDATE ${stores.schema}.store SET layout = 1`,
    );
    const check = async () =>
      (await machine.json("doctor")).find((finding: { check: string }) => finding.check === "store");
    expect(await check()).toMatchObject({
      state: "warning",
      message: "layout 1 is outdated (current: 2): as the store's owner, run `voxctl store init`",
    });
    succeed(await machine.run("store", "init"));
    expect(await check()).toMatchObject({ state: "ok", message: "layout 2" });
  });
});

describe("the runs in a store", () => {
  it("a run can be exported from a store and resumed without the store", async () => {
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

  it("`store prune` deletes the finished runs that are older than --older-than", async () => {
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
    postgres.sql(`UPDATE ${stores.schema}.run SET finished_at = now() - interval '31 days'`);
    succeed(await machine.import("--new-run"));
    expect(await machine.runs()).toHaveLength(1);
  });

  it("if a run is refused before it makes changes, it is removed from the store", async () => {
    const machine = createImporter();
    succeed(await machine.import());
    writeFileSync(join(machine.home, "kunden.csv"), "first_name,phone_numbers\nAnna,x\n");
    const refused = await machine.import("--strict");
    expect(refused.stderr).toContain("invalid_rows");
    expect(await machine.runs()).toMatchObject([{ state: "finished" }]);
  });

  it("an anonymous store does not contain the user, host or process of its runs", async () => {
    const machine = createImporter({
      VOXCTL_STORE: `${stores.store.address}&anonymous=true`,
      CI_JOB_URL: "https://ci.example/7",
    });
    succeed(await machine.import());
    const about = postgres.sql(`SELECT about FROM ${stores.schema}.run`);
    expect(about).toContain("kunden.csv");
    for (const fact of [hostname(), `"${userInfo().username}"`, "pid", "ci.example"])
      expect(about).not.toContain(fact);
  });
});

describe("a person in the runs of a store", () => {
  it("`subject erase --local` removes a person from the store's runs", async () => {
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
    // The undo works without the erased row.
    succeed(await machine.run("runs", "undo", run?.id ?? "", "--settle", "1s", "--timeout", "10s", "--yes"));
  });
});

describe("a person's calls in a store", () => {
  it("`subject erase` tolerates a missing recording even if calls lack the field `recording`", async () => {
    const service = await startSlowService(stores.store.service["VOXCTL_BASE_URL"] ?? "");
    service.hidesRecordings = true;
    const machine = createImporter({ VOXCTL_BASE_URL: service.baseUrl });
    const fields = [
      "--language",
      "de",
      "--company-name",
      "K",
      "--company-industry",
      "I",
      "--introduction",
      "Hallo",
    ];
    const [{ id: voice }] = await machine.json("voices", "list");
    const create = ["assistants", "create", "--name", "Empfang", "--voice", voice, ...fields];
    const { id } = await machine.json(...create);
    await machine.run("calls", "trigger", "--assistant", id, "--to", "+4930555550003", "--wait", "--yes");
    const person = ["--phone", "+4930555550003", "--recordings", "--settle", "1s", "--timeout", "10s"];
    const erased = await machine.run("subject", "erase", ...person, "--yes", "-o", "json");
    expect(erased.stdout + erased.stderr).not.toContain("the recording was not erased");
  });
});

describe("a person in a key map of a store", () => {
  it("`subject erase --local` removes a person from a stored key map", async () => {
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

  it("a store behind TLS is used if the certificate authority and the server name are correct", async () => {
    succeed(await show(`&sslmode=verify-full&sslrootcert=${secured.caFile}`));
  });

  it("a store is refused with exit code 3 if an unknown authority signed its certificate", async () => {
    const { code, stderr } = await show("&sslmode=verify-full");
    expect(code).toBe(3);
    expect(stderr).toContain("store_denied");
  });

  it("with sslmode=require, a store with an unverifiable certificate is used", async () => {
    succeed(await show("&sslmode=require"));
  });

  it.each(["allow", "prefer"])(
    "the connection to a store with sslmode=%s is encrypted if the server requires encryption",
    async (mode) => {
      succeed(await show(`&sslmode=${mode}`));
    },
  );

  it("voxctl warns if a store's server is not verified, unless the server is on this machine", async () => {
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
