import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type Bench, parseOutput, type Ran } from "../harness/bench.js";
import { fieldsOf, longAgo } from "../server/service-state.js";
import { normalize } from "../server/values.js";
import type { Job } from "./job.js";
import { csvOf, listInGroup, people } from "./people.js";

const named = (bench: Bench, name: string) =>
  listInGroup(bench, "contacts", "Team").filter(
    (row) => normalize(fieldsOf(row)["last_name"]) === normalize(name),
  );

/** Repeats a read-only command if an outage lasts longer than the command's retries (exit code 9). */
async function reading(bench: Bench, ...argv: string[]): Promise<Ran> {
  const ran = await bench.run(...argv);
  if (ran.code !== 9 || bench.service.behavior.outages.length === 0) return ran;
  await bench.pass();
  return bench.run(...argv);
}

export const searchAndDelete: Job = {
  about: "`contacts delete --search` deletes only contacts that match; an undo restores them",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    const imported = await bench.run("contacts", "import", file, "--group", "Team", ...bench.settle);
    await bench.pass();
    // An incomplete import is allowed, because the search uses the current state.
    assert.ok(imported.code === 0 || bench.lossy, imported.stderr);
    const before = listInGroup(bench, "contacts", "Team").map(({ id }) => id);
    const selectedIds = named(bench, "Sommer").map(({ id }) => id);
    const ran = await bench.run(
      ...["contacts", "delete", "--search", "Sommer", "--group", "Team", "--max-delete", "100%"],
      ...["--yes", "-o", "json", ...bench.settle],
    );
    await bench.pass();
    assert.ok(
      [0, 68].includes(ran.code ?? -1) || (ran.code === 75 && bench.lossy),
      `exit ${ran.code}: ${ran.stderr}`,
    );
    const after = new Set(listInGroup(bench, "contacts", "Team").map(({ id }) => id));
    // Another user's concurrent deletion is not a change of this command.
    const sent = bench.service.log.filter(({ method }) => method === "DELETE").map(({ path }) => path);
    const gone = before.filter((id) => !after.has(id) && sent.some((path) => path.includes(String(id))));
    assert.deepEqual(
      gone.filter((id) => !selectedIds.includes(id)),
      [],
      "unrelated contacts were deleted",
    );
    const { deleted, unknown, drifted = 0, run_id } = parseOutput(ran);
    assert.ok(
      gone.length >= deleted && gone.length <= deleted + unknown,
      `${gone.length} were deleted, ${deleted} were reported`,
    );
    const left = selectedIds.filter((id) => after.has(id)).length;
    // If another user deletes a row during a read by position, the list skips a row, so a selected contact
    // can remain.
    if (!bench.switches.includes("another user deletes"))
      assert.ok(left <= drifted + unknown, `${left} were left: ${ran.stderr}`);
    if (ran.code !== 0 || deleted === 0) return;
    const undone = await bench.run("runs", "undo", run_id, "--yes", "-o", "json", ...bench.settle);
    await bench.pass();
    assert.ok([0, 68].includes(undone.code ?? -1) || (undone.code === 75 && bench.lossy), undone.stderr);
    if (undone.code === 0) assert.equal(named(bench, "Sommer").length, left + gone.length, undone.stderr);
  },
};

export const callsExport: Job = {
  about: "`calls export` with details: each call in the period is listed once",
  async run(bench) {
    const { state } = bench.service;
    const [assistant] = state.rows("assistants");
    for (let n = 0; n < 7; n += 1)
      state.insert("calls", { assistant_id: assistant?.id, over: true }, "somebody", longAgo);
    await bench.pass();
    const ids = state.rows("calls").map(({ id }) => id);
    const file = bench.path("calls.jsonl");
    const ran = await reading(bench, "calls", "export", file, "--from", "2020-01-01", "--details", "--force");
    assert.equal(ran.code, 0, ran.stderr);
    const rows = readFileSync(file, "utf8").trim().split("\n");
    const exportedIds = rows.map((row) => String(JSON.parse(row).id));
    assert.deepEqual([...exportedIds].sort(), ids.map(String).sort());
    const table = await reading(
      bench,
      "calls",
      "export",
      bench.path("calls.csv"),
      "--from",
      "2020-01-01",
      "--force",
    );
    assert.equal(table.code, 0, table.stderr);
    assert.ok(existsSync(bench.path("calls.csv")));
  },
};

export const edit: Job = {
  about: "`prompts edit` adds a line without other changes; if the text stays the same, no writes are sent",
  async run(bench) {
    const { state } = bench.service;
    const prompt = state.insert(
      "prompts",
      { name: "Begrüßung", kind: "answering", text: "Sei höflich.", rating: null },
      "somebody",
      longAgo,
    );
    await bench.pass();
    const writes = () => bench.service.log.filter(({ method }) => method === "PATCH").length;
    bench.write(
      "editor.mjs",
      'import { appendFileSync } from "node:fs"; appendFileSync(process.argv[2], "\\nSei kurz.\\n");',
    );
    const ran = await bench.run("prompts", "edit", String(prompt.id), "--yes", "-o", "json");
    await bench.pass();
    assert.ok(ran.code === 0 || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
    const { name, text } = fieldsOf(state.rows("prompts").find(({ id }) => id === prompt.id) ?? prompt);
    assert.equal(normalize(name), normalize("Begrüßung"));
    if (ran.code === 0) assert.match(normalize(text), /sei h.*flich.*sei kurz/is);
    const sent = writes();
    bench.write("editor.mjs", "");
    const again = await bench.run("prompts", "edit", String(prompt.id), "--yes", "-o", "json");
    assert.equal(again.code, 0, again.stderr);
    assert.equal(writes(), sent, "nothing is sent without a change");
  },
};
