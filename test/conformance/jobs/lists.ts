import assert from "node:assert/strict";
import { type Bench, parseOutput, type Ran } from "../harness/bench.js";
import { fieldsOf, longAgo } from "../server/service-state.js";
import type { Job } from "./job.js";
import { furnishOrganizations, pagesUnknown } from "./organizations.js";

const lists = [
  ["contacts", "contacts"],
  ["groups", "groups"],
  ["assistants", "assistants"],
  ["tools", "tools"],
] as const;

export const listing: Job = {
  about: "complete lists of every type, as JSON and as tables",
  async run(bench) {
    furnishOrganizations(bench);
    const { state } = bench.service;
    state.insert(
      "tools",
      { name: "look_up", url: "https://tools.example/x", type: "webhook" },
      "somebody",
      longAgo,
    );
    state.insert(
      "partners",
      { externalPartnerId: "spree", name: "Spree", status: "active" },
      "somebody",
      longAgo,
    );
    state.insert(
      "partners",
      { externalPartnerId: "dahme", name: "Dahme", status: "active" },
      "somebody",
      longAgo,
    );
    await bench.pass();
    for (const [command, resource] of lists) {
      const before = state.rows(resource).map(({ id }) => id);
      const ran = await reading(bench, command, "list", "--all", "-o", "json");
      assert.equal(ran.code, 0, ran.stderr);
      const ids: string[] = parseOutput(ran).map(({ id }: { id: unknown }) => String(id));
      assert.equal(new Set(ids).size, ids.length, `${command}: no duplicates`);
      const after = new Set(state.rows(resource).map(({ id }) => id));
      assert.deepEqual(
        before.filter((id) => after.has(id) && !ids.includes(id)),
        [],
        `${command}: nothing missing`,
      );
      if (bench.switches.includes("numbers beyond 2^53"))
        assert.ok(ran.stdout.includes("9007199254740993"), ran.stdout);
      const shown = await reading(bench, command, "list", "-o", "table");
      assert.equal(shown.code, 0, shown.stderr);
    }
    const voices = await reading(bench, "voices", "list", "-o", "json");
    assert.equal(parseOutput(voices).length, state.rows("voices").length, voices.stderr);
    await assertListed(
      bench,
      ["orgs", "list"],
      state.rows("organizations").map((row) => String(fieldsOf(row)["name"])),
    );
    await assertListed(bench, ["partners", "list"], ["Spree", "Dahme"]);
    const tree = await reading(bench, "orgs", "list", "--tree", "-o", "json");
    assert.equal(tree.code, 0, tree.stderr);
    for (const row of state.rows("organizations"))
      assert.ok(tree.stdout.includes(String(fieldsOf(row)["externalOrganizationId"])), tree.stdout);
  },
};

/** Checks that voxctl does not treat a possibly incomplete list as complete (T8). */
async function assertListed(
  bench: Bench,
  command: readonly string[],
  names: readonly string[],
): Promise<void> {
  const all = await reading(bench, ...command, "--all", "-o", "json");
  const isLong = names.length > bench.service.behavior.rowsPerPage;
  if (pagesUnknown(bench) && isLong) {
    assert.equal(all.code, 9, `${command.join(" ")} --all: exit ${all.code}: ${all.stderr}`);
    const first = await reading(bench, ...command, "-o", "json");
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /more/, "the output reports that more may exist");
    return;
  }
  assert.equal(all.code, 0, all.stderr);
  const listedNames = parseOutput(all).map(({ name }: { name: unknown }) => String(name));
  assert.deepEqual(listedNames.sort(), [...names].sort());
}

/** Repeats a read-only command if an outage lasts longer than the command's retries (exit code 9). */
async function reading(bench: Bench, ...argv: string[]): Promise<Ran> {
  const ran = await bench.run(...argv);
  if (ran.code !== 9 || bench.service.behavior.outages.length === 0) return ran;
  await bench.pass();
  return bench.run(...argv);
}
