// The writes of runs in a store, for an audit: several machines, one emulator server.
import { writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpStore, usePostgres } from "./store-machines.js";

const postgres = await usePostgres();

let schemas = 0;
let schema = "";
let store: Awaited<ReturnType<typeof setUpStore>>;
beforeEach(async () => {
  schemas += 1;
  schema = `writes_${schemas}`;
  store = await setUpStore(postgres, schema);
});

const phones = ["+4930123101", "+4930123102"];

function createImporter(more: Record<string, string> = {}) {
  const machine = store.createMachine(more);
  const file = join(machine.home, "kunden.csv");
  writeFileSync(file, ["first_name,phone_numbers", ...phones.map((phone) => `Vera,${phone}`)].join("\n"));
  return {
    ...machine,
    import: async (...flags: string[]): Promise<string> => {
      const importing = ["contacts", "import", file, "--group", "Kunden", "--create-group", "--settle", "1s"];
      return (await machine.json(...importing, ...flags)).run_id;
    },
    writes: (id: string): Promise<unknown[]> => machine.json("runs", "export", id),
    runs: async (): Promise<string[]> =>
      (await machine.json("runs", "list")).map((run: { id: string }) => run.id),
  };
}

describe("the writes of runs in a store", () => {
  it("`runs export` lists the writes of another machine, even after the run was removed", async () => {
    const [first, second] = [createImporter(), createImporter()];
    const id = await first.import();
    const writes = await second.writes(id);
    expect(writes).toHaveLength(3);
    expect(writes[2]).toMatchObject({
      ...{ by: `${userInfo().username}@${hostname()}`, command: "contacts import", run: id, item: 2 },
      ...{ operation: "contacts.create", outcome: "done" },
    });
    postgres.sql(`UPDATE ${schema}.run SET finished_at = now() - interval '31 days'`);
    const other = await second.import("--new-run", "--on-match", "create");
    expect(await second.runs()).toEqual([other]);
    expect(await second.writes(id)).toEqual(writes);
  });

  it("`runs export` lists the writes of runs that `store prune` or `runs discard` deleted", async () => {
    const machine = createImporter();
    const ids = [await machine.import(), await machine.import("--new-run", "--on-match", "create")];
    const writes = await Promise.all(ids.map((id) => machine.writes(id)));
    await machine.json("runs", "discard", ids[0] ?? "", "--yes");
    expect(await machine.json("store", "prune", "--older-than", "0s", "--yes")).toEqual({ deleted: 1 });
    expect(await machine.runs()).toEqual([]);
    expect(await Promise.all(ids.map((id) => machine.writes(id)))).toEqual(writes);
  });

  it("`subject erase --local` keeps the list of a stored run's writes", async () => {
    const machine = createImporter();
    const id = await machine.import();
    const writes = await machine.writes(id);
    await machine.run("subject", "erase", "--phone", phones[0] ?? "", "--local", "--settle", "1s", "--yes");
    expect(await machine.writes(id)).toEqual(writes);
  });

  it("the writes in an anonymous store name no user or machine", async () => {
    const machine = createImporter({ VOXCTL_STORE: `${store.address}&anonymous=true` });
    const id = await machine.import();
    await machine.json("runs", "discard", id, "--yes");
    expect(await machine.writes(id)).toEqual(Array(3).fill(expect.objectContaining({ by: null, job: null })));
    const stored = postgres.sql(
      `SELECT encode(payload, 'escape') FROM ${schema}.blob WHERE name LIKE 'audit/%'`,
    );
    expect(stored).not.toBe("");
    expect(stored).not.toContain("contacts.create");
  });
});
