import assert from "node:assert/strict";
import { type Bench, parseOutput } from "../harness/bench.js";
import { fieldsOf, longAgo } from "../server/service-state.js";
import { assertUnchanged, readContents } from "./contents.js";
import type { Job } from "./job.js";
import { assertImported, csvOf, isContactOf, listInGroup, people, writes } from "./people.js";
import { undoRuns } from "./undo-runs.js";

const importInto = (bench: Bench, group: string, file: string, ...flags: string[]) => [
  "contacts",
  "import",
  file,
  "--group",
  group,
  "-o",
  "json",
  ...bench.settle,
  ...flags,
];

export const importJob: Job = {
  about: "`contacts import` into a group that others change concurrently",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    const ran = await bench.run(...importInto(bench, "Team", file));
    await bench.pass();
    assertImported(bench, ran, "Team");
  },
};

export const secondRun: Job = {
  about: "an import that is repeated immediately, then with a correction, and then once more",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    assertImported(bench, await bench.run(...importInto(bench, "Team", file)), "Team");
    const again = async (...flags: string[]) => {
      const before = writes(bench);
      const ran = await bench.run(...importInto(bench, "Team", file, "--new-run", ...flags));
      return { summary: assertImported(bench, ran, "Team", list), written: writes(bench) - before };
    };
    let list = people;
    const lossy = bench.lossy;
    const second = await again();
    if (!lossy) assert.equal(second.written, 0, "a second run writes nothing");
    const updating = await again("--on-match", "update");
    if (!lossy) assert.equal(updating.written, 0, "an update run writes nothing");
    // Only the spelling changes, and a service may store both spellings as the same value.
    list = people.map((person) =>
      person.first_name === "Karl" ? { ...person, last_name: "GROSS" } : person,
    );
    bench.write("people.csv", csvOf(list));
    const corrected = await again("--on-match", "update");
    if (!lossy) assert.equal(corrected.written, 1, "a correction is one write");
    const last = await again("--on-match", "update");
    if (!lossy) assert.equal(last.written, 0, "the last run writes nothing");
  },
};

export const resume: Job = {
  about: "an import that is repeated after it was killed",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    const command = importInto(bench, "Team", file);
    await bench.runKilled({ write: 5 }, ...command);
    const ran = await bench.run(...command);
    await bench.pass();
    assertImported(bench, ran, "Team");
  },
};

export const undo: Job = {
  about: "an import into a new group, and its immediate undo",
  async run(bench) {
    const before = readContents(bench);
    const file = bench.write("people.csv", csvOf(people));
    const ran = await bench.run(...importInto(bench, "Neue", file, "--create-group"));
    assertImported(bench, ran, "Neue");
    const { certain, deleted } = await undoRuns(bench);
    await bench.pass();
    if (certain && ran.code === 0) assertUnchanged(bench, before);
    const left = listInGroup(bench, "contacts", "Neue").filter(({ author }) => author === "client");
    assert.ok(
      deleted + left.length >= people.length - parseOutput(ran).unknown,
      `${deleted} deleted, ${left.length} left`,
    );
  },
};

export const undoAfterOtherWrites: Job = {
  about: "an undo after other users have changed one contact and added another",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    const ran = await bench.run(...importInto(bench, "Neue", file, "--create-group"));
    assertImported(bench, ran, "Neue");
    const { state } = bench.service;
    const own = listInGroup(bench, "contacts", "Neue").filter(({ author }) => author === "client");
    const first = own.find((row) => people[0] && isContactOf(row, people[0]));
    // If the first create was lost, the import reports it as unconfirmed.
    const changed = first ?? (bench.lossy ? own[0] : undefined);
    assert.ok(changed, "the first of them exists");
    state.change(changed, { notes: "called back on Monday" }, "colleague");
    const groupId = fieldsOf(changed)["group_id"];
    const unmanaged = state.insert("contacts", { group_id: groupId, first_name: "Stranger" }, "stranger");
    const { certain } = await undoRuns(bench);
    await bench.pass();
    assert.ok(state.get("contacts", changed.id), "a colleague's change is kept");
    assert.ok(state.get("contacts", unmanaged.id), "another user's contact is kept");
    assert.ok(state.get("groups", String(groupId)), "a group that others use is kept");
    const left = listInGroup(bench, "contacts", "Neue").filter(({ author }) => author === "client");
    if (certain && !bench.lossy)
      assert.deepEqual(
        left.map(({ id }) => id),
        [changed.id],
        "the remaining contacts are deleted",
      );
  },
};

export const undoOfUpdates: Job = {
  about: "an import that updates contacts that others created, and its undo",
  async run(bench) {
    const { state } = bench.service;
    const groupId = state.rows("groups").find((row) => fieldsOf(row)["name"] === "Team")?.id;
    for (const [count, last_name] of ["", "Alt", ""].entries())
      state.insert(
        "contacts",
        {
          group_id: groupId,
          first_name: `Kunde ${count}`,
          last_name,
          phone_numbers: [`+493055500${count}`],
          emails: [],
        },
        "somebody",
        longAgo,
      );
    const before = readContents(bench);
    const list = [0, 1, 2].map((count) => ({
      first_name: `Kunde ${count}`,
      last_name: `Neu ${count}`,
      phones: [`+493055500${count}`],
      emails: [`kunde${count}@example.org`],
    }));
    const file = bench.write("customers.csv", csvOf(list));
    const ran = await bench.run(...importInto(bench, "Team", file, "--on-match", "update"));
    const { updated, unknown } = assertImported(bench, ran, "Team", list);
    if (!bench.lossy) assert.equal(updated + unknown, 3, ran.stdout);
    const { certain } = await undoRuns(bench);
    await bench.pass();
    if (certain && ran.code === 0) assertUnchanged(bench, before);
  },
};

export const exportJob: Job = {
  about: "`contacts export` from a group that others change concurrently",
  async run(bench) {
    const target = bench.path("out.jsonl");
    await bench.pass();
    const before = listInGroup(bench, "contacts", "Team").map(({ id }) => id);
    const ran = await bench.run(
      "contacts",
      "export",
      target,
      "--group",
      "Team",
      "--format",
      "jsonl",
      "--force",
    );
    assert.equal(ran.code, 0, ran.stderr);
    const { readFileSync } = await import("node:fs");
    const lines = readFileSync(target, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const ids = lines.map((line) => String(JSON.parse(line).id));
    assert.equal(new Set(ids).size, ids.length, "no duplicates");
    const after = new Set(listInGroup(bench, "contacts", "Team").map(({ id }) => id));
    const missing = before.filter((id) => after.has(id) && !ids.includes(id));
    assert.deepEqual(missing, [], "no permanent row is missing");
    if (bench.switches.includes("numbers beyond 2^53"))
      assert.ok(
        lines.every((line) => line.includes("9007199254740993")),
        "numbers keep their digits",
      );
  },
};
