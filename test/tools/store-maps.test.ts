// Key maps, configurations and provisioning runs in a store: two home directories, one emulator server.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runBuilt } from "../helpers/processes.js";
import { setUpStore, until, usePostgres } from "./store-machines.js";

const postgres = await usePostgres();

let schemas = 0;
let schema = "";
let store: Awaited<ReturnType<typeof setUpStore>>;
beforeEach(async () => {
  schemas += 1;
  schema = `voxctl_${schemas}`;
  store = await setUpStore(postgres, schema);
});

type Machine = ReturnType<typeof store.createMachine>;
const deadStore = { VOXCTL_STORE: "postgres://owner@127.0.0.1:9/postgres" };

function writeContacts({ home }: Machine, ...names: string[]): string {
  const file = join(home, "kunden.csv");
  const rows = names.map((name, index) => `K${index},${name},+4930123${1000 + index}`);
  writeFileSync(file, ["nr,first_name,phone_numbers", ...rows].join("\n"));
  return file;
}

const keyed = (file: string) => ["contacts", "import", file, "--group", "Kunden", "--key", "nr"];
const imported = (file: string) => [
  ...[...keyed(file), "--create-group", "--on-match", "update", "--settle", "1s", "--timeout", "10s"],
];
const synced = (file: string) => [
  ...[
    "contacts",
    "sync",
    file,
    "--group",
    "Kunden",
    "--key",
    "nr",
    "--settle",
    "1s",
    "--timeout",
    "10s",
    "--yes",
  ],
];

describe("the key map of a group", () => {
  it("a sync of the same file on another machine uses the stored key map", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    await first.json(...imported(writeContacts(first, "Vera", "Karl")));
    await first.json(...synced(writeContacts(first, "Vera", "Karl")));
    const again = await second.json(...synced(writeContacts(second, "Vera", "Karl")));
    expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0, requests: 0 });
  });

  it("another machine can find a contact by its stored key and rename it", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    await first.json(...imported(writeContacts(first, "Vera", "Karl")));
    const renamed = await second.json(...imported(writeContacts(second, "Vera", "Karla")));
    expect(renamed).toMatchObject({ created: 0, updated: 1 });
  });

  it("the key map in a store is encrypted", async () => {
    const machine = store.createMachine();
    await machine.json(...imported(writeContacts(machine, "Vera")));
    expect(postgres.sql(`SELECT count(*) FROM ${schema}.blob`).trim()).toBe("1");
    expect(postgres.dump(schema)).not.toContain("Vera");
  });

  it("a key map that changed after it was loaded is not replaced (exit code 6)", async () => {
    const machine = store.createMachine();
    await machine.json(...imported(writeContacts(machine, "Vera")));
    postgres.sql(
      `CREATE FUNCTION ${schema}.change() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN UPDATE ${schema}.blob SET generation = generation + 1; RETURN NEW; END';
       CREATE TRIGGER change AFTER INSERT ON ${schema}.entry FOR EACH ROW EXECUTE FUNCTION ${schema}.change()`,
    );
    const changed = imported(writeContacts(machine, "Vera", "Karl"));
    const { code, stderr } = await machine.run(...changed, "-o", "json");
    expect([code, stderr]).toEqual([6, expect.stringContaining("store_changed")]);
  });

  it("--state stores the key map in a file instead of the store", async () => {
    const machine = store.createMachine();
    await machine.json(...imported(writeContacts(machine, "Vera")), "--state", "keys.jsonl");
    expect(readFileSync(join(machine.home, "keys.jsonl"), "utf8")).toContain("Vera");
    expect(postgres.sql(`SELECT count(*) FROM ${schema}.blob`).trim()).toBe("0");
  });

  it("a dry run continues without the key map while the database is down", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    await first.json(...imported(writeContacts(first, "Vera", "Karl")));
    const preview = [...imported(writeContacts(second, "Vera", "Karla")), "--dry-run"];
    expect(await second.json(...preview)).toMatchObject({ updated: 1 });
    const { stderr } = await second.runWith(deadStore, ...preview);
    expect(stderr).toContain("continuing without the key map");
  });
});

describe("a rehearsal on another machine", () => {
  it("a rehearsal on another machine finds contacts by their stored keys", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    await first.json(...imported(writeContacts(first, "Vera", "Karl")));
    await first.json(...synced(writeContacts(first, "Vera", "Karl")));
    await second.json("mirror", "create", "copy");
    const file = writeContacts(second, "Vera", "Karl");
    writeFileSync(file, readFileSync(file, "utf8").replace("+49301231001", "+49309999999"));
    const sync = ["contacts", "sync", file, "--group", "Kunden", "--key", "nr", "--yes"];
    const { code, stderr } = await second.run("rehearse", "--plan", "r.plan", "--", ...sync);
    expect(code, stderr).toBe(0);
    const applied = await second.json("apply", "r.plan", "--settle", "1s", "--timeout", "10s", "--yes");
    expect(applied).toMatchObject({ created: 0, updated: 1, deleted: 0 });
    const again = await first.json(...synced(file));
    expect(again).toMatchObject({ created: 0, updated: 0, deleted: 0 });
  });
});

describe("store import-local", () => {
  it("`store import-local` uploads a key map only once", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    const local = { VOXCTL_STORE: "local" };
    await first.runWith(local, ...imported(writeContacts(first, "Vera", "Karl")));
    expect(await first.json("store", "import-local")).toMatchObject([
      { type: "key map", result: "imported" },
    ]);
    expect(await first.json("store", "import-local")).toMatchObject([{ type: "key map", result: "known" }]);
    const renamed = await second.json(...imported(writeContacts(second, "Vera", "Karla")));
    expect(renamed).toMatchObject({ created: 0, updated: 1 });
  });

  it("`store import-local` uploads an unfinished run", async () => {
    const [first, second] = [store.createMachine({ VOXCTL_STORE: "local" }), store.createMachine()];
    const names = Array.from({ length: 40 }, (_, index) => `Vera${index}`);
    const killed = await first.runKilledAt("sent:2", ...imported(writeContacts(first, ...names)));
    expect(killed.signal).toBe("SIGKILL");
    const uploaded = await first.runWith(
      { VOXCTL_STORE: store.address },
      ...["store", "import-local", "-o", "json"],
    );
    expect(JSON.parse(uploaded.stdout), uploaded.stderr).toMatchObject([{ type: "run", result: "imported" }]);
    expect(await first.json("runs", "list")).toEqual([]);
    const [run] = await second.json("runs", "list");
    await second.json("runs", "resume", run.id, "--settle", "1s", "--timeout", "10s");
    expect(await second.json("contacts", "list", "--group", "Kunden", "--all")).toHaveLength(40);
  });
});

describe("a run of organizations", () => {
  const spec = "msps:\n  - external_id: m\n    name: MSP\n    license: { id: l0, product: MSP }\n";
  const provision = (machine: Machine) => {
    writeFileSync(join(machine.home, "spec.yaml"), spec);
    return ["orgs", "provision", "spec.yaml", "--yes", "--settle", "1s", "--timeout", "10s"];
  };

  it("another machine can undo the provisioning of organizations", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    const made = await first.json(...provision(first));
    expect(made).toMatchObject({ created: 1, items: [{ result: "created" }] });
    await second.json("runs", "undo", made.run_id, "--yes");
    expect(await second.json("orgs", "list", "--all")).not.toContainEqual(
      expect.objectContaining({ externalOrganizationId: "m" }),
    );
  });

  it("the same command on another machine resumes a killed provisioning of organizations", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    const killed = await first.runKilledAt("recorded:1", ...provision(first));
    expect(killed.signal).toBe("SIGKILL");
    const resumed = await second.json(...provision(second));
    expect((await second.json("runs", "list")).map(({ id }: { id: string }) => id)).toEqual([resumed.run_id]);
    const organizations: { externalOrganizationId: string }[] = await second.json("orgs", "list", "--all");
    expect(organizations.filter((msp) => msp.externalOrganizationId === "m")).toHaveLength(1);
  });
});

describe("config apply", () => {
  const files: Readonly<Record<string, string>> = {
    "voxctl.project.yaml":
      'version: 1\nproject: "0123456789ab"\nkinds: [prompts, glossary]\ntargets:\n  dev: {}\n',
    "prompts/a.md": "---\nname: A\nkind: answering\n---\nText A\n",
    "prompts/b.md": "---\nname: B\nkind: answering\n---\nText B\n",
    "glossary/fach.yaml": "group: Fach\nitems:\n  - { term: PZR, definition: eins }\n",
  };
  const apply = ["config", "apply", "--target", "dev", "--yes", "--settle", "1s", "--timeout", "10s"];

  const checkOut = (): Machine => {
    const machine = store.createMachine();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(machine.home, dirname(path)), { recursive: true });
      writeFileSync(join(machine.home, path), text);
    }
    return machine;
  };

  it("another machine can resume a killed `config apply`", async () => {
    const [first, second] = [checkOut(), checkOut()];
    const killed = await first.runKilledAt("recorded:1", ...apply);
    expect(killed.signal).toBe("SIGKILL");
    await second.json(...apply);
    const prompts = await second.json("prompts", "list", "--all");
    expect(prompts.filter(({ name }: { name: string }) => /^[AB]$/.test(name))).toHaveLength(2);
    for (const verb of ["plan", "apply"]) {
      const { code, stderr } = await first.run("config", verb, "--target", "dev", "-o", "json");
      expect([code, stderr]).toEqual([10, expect.stringContaining("lock_outdated")]);
    }
  });

  it("`config apply` requires the lock file of the machine that applied last", async () => {
    const [first, second] = [checkOut(), checkOut()];
    await first.json(...apply);
    cpSync(join(first.home, "locks"), join(second.home, "locks"), { recursive: true });
    writeFileSync(join(second.home, "prompts/a.md"), "---\nname: A\nkind: answering\n---\nText neu\n");
    await second.json(...apply);
    const refused = await first.run("config", "plan", "--target", "dev");
    expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining("git pull")]);
    cpSync(join(second.home, "locks"), join(first.home, "locks"), { recursive: true });
    cpSync(join(second.home, "prompts"), join(first.home, "prompts"), { recursive: true });
    await first.json("config", "plan", "--target", "dev");
  });

  it("`config plan` accepts a lock file that `config pull` has changed", async () => {
    const machine = checkOut();
    await machine.json(...apply);
    const [prompt] = (await machine.json("prompts", "list", "--all")).filter(
      ({ name }: { name: string }) => name === "A",
    );
    await machine.json("prompts", "update", prompt.id, "--text", "Text neu");
    await machine.json("config", "pull", "--target", "dev", "--force");
    await machine.json("config", "plan", "--target", "dev");
  });

  it("`config plan` works while the database is down", async () => {
    const machine = checkOut();
    const { code, stderr } = await machine.runWith(deadStore, "config", "plan", "--target", "dev");
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("continuing without comparing locks/dev.jsonl");
  });
});

describe("an assistant", () => {
  it("only one machine at a time can place calls with an assistant", async () => {
    const [first, second] = [store.createMachine(), store.createMachine()];
    const company = ["--company-name", "Praxis", "--company-industry", "Medizin"];
    const { id, phone_number: number } = await first.json(
      ...["assistants", "create", "--name", "Empfang", "--voice", "Clara", "--language", "de"],
      ...[...company, "--introduction", "Hallo"],
    );
    const call = (assistant: string) => [
      ...["calls", "trigger", "--to", "+4915112345678", "--assistant", assistant, "--wait"],
    ];
    const kill = { after: 40_000, signal: "SIGTERM" } as const;
    const ended = runBuilt(call(id), { env: first.env, cwd: first.home, kill });
    await until(() => postgres.sql(`SELECT count(*) FROM ${schema}.lease`).trim() === "1");
    const refused = await second.run(...call(number), "--max-wait", "1s");
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining("is calling this assistant")]);
    await ended;
    expect(postgres.sql(`SELECT count(*) FROM ${schema}.lease`).trim()).toBe("0");
  });
});

describe("without a store", () => {
  it("`--version` and an in-process emulator work while the store's database is down", async () => {
    const { VOXCTL_BASE_URL: _, VOXCTL_API_KEY: __, ...more } = deadStore as Record<string, string>;
    const machine = store.createMachine({
      ...more,
      ...{ VOXCTL_BASE_URL: undefined, VOXCTL_API_KEY: undefined },
      ...{ VOXCTL_DISTRIBUTOR_URL: undefined, VOXCTL_DISTRIBUTOR_KEY: undefined },
    });
    expect((await machine.run("--version")).code).toBe(0);
    await machine.json(...imported(writeContacts(machine, "Vera")), "--profile", "offline");
    await machine
      .json("runs", "list")
      .catch((error: unknown) => expect(String(error)).toContain("store_unavailable"));
  });
});
