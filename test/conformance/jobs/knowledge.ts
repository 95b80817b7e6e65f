import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type Bench, parseOutput } from "../harness/bench.js";
import { fieldsOf } from "../server/service-state.js";
import { assertUnchanged, readContents } from "./contents.js";
import type { Job } from "./job.js";
import { listInGroup, writes } from "./people.js";
import { undoRuns } from "./undo-runs.js";

const texts: Readonly<Record<string, string>> = {
  "wissen/oeffnungszeiten.md": "# Öffnungszeiten  heute\n\nMontag bis Freitag.\n",
  "wissen/anfahrt.md": "# anfahrt\n\nMit der U2.\n\n  Zwei  Leerzeichen.\n",
  "wissen/preise.txt": "Preise auf Anfrage.\n",
  "wissen/unter/team.md": "---\ntitle: Unser Team\n---\nAnna und Karl.\n",
};

const command = (bench: Bench, ...flags: string[]) => [
  "knowledge",
  "import",
  bench.path("wissen"),
  "--group",
  "Wissen",
  "--create-group",
  "-o",
  "json",
  ...bench.settle,
  ...flags,
];

function lay(bench: Bench): void {
  for (const [name, text] of Object.entries(texts)) bench.write(name, text);
}

export const folderImport: Job = {
  about: "`knowledge import` of a directory, twice and after a change; then all runs are undone",
  async run(bench) {
    const before = readContents(bench);
    lay(bench);
    const lossy = bench.lossy;
    const count = Object.keys(texts).length;
    const run = async (expected: number, ...flags: string[]) => {
      const from = writes(bench);
      const ran = await bench.run(...command(bench, ...flags));
      assert.ok(ran.code === 0 || (ran.code === 75 && lossy), `exit ${ran.code}: ${ran.stderr}`);
      if (!lossy) assert.equal(writes(bench) - from, expected, "writes");
    };
    await run(count + 1);
    await run(0, "--new-run");
    bench.write("wissen/anfahrt.md", "# anfahrt\n\nMit der U7.\n");
    await run(1, "--new-run");
    await bench.pass();
    const rows = listInGroup(bench, "knowledge", "Wissen");
    assert.ok(rows.length <= count, `${rows.length} items of ${count}`);
    if (!lossy) {
      assert.equal(rows.length, count);
      assert.equal(rows.filter((row) => String(fieldsOf(row)["text"]).includes("U7")).length, 1);
    }
    const groups = bench.service.state.rows("groups").filter((row) => fieldsOf(row)["type"] === "knowledges");
    assert.equal(groups.length, 3, "one group was made");
    await undoRuns(bench);
    await bench.pass();
    if (!lossy) assertUnchanged(bench, before);
  },
};

export const wait: Job = {
  about: "`knowledge wait` right after an import",
  async run(bench) {
    lay(bench);
    let ran = await bench.run(...command(bench));
    // If it is unknown whether the group was created, users run the command again.
    if (ran.code === 75) {
      await bench.pass();
      ran = await bench.run(...command(bench));
    }
    assert.ok(ran.code === 0 || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
    const waited = await bench.run("knowledge", "wait", "--group", "Wissen", "-o", "json");
    assert.equal(waited.code, 0, waited.stderr);
    const items = parseOutput(waited);
    const existingCount = listInGroup(bench, "knowledge", "Wissen").length;
    assert.equal(items.length, existingCount, "every item is waited for");
    for (const { sync_status } of items) assert.equal(sync_status.state, "synced");
  },
};

export const glossaryImport: Job = {
  about: "`glossary import`, twice, and its undo",
  async run(bench) {
    const before = readContents(bench);
    const lossy = bench.lossy;
    const file = bench.write(
      "terms.csv",
      "term,definition\nIGeL,Individuelle  Leistung\nGKV,\nprivat,Selbst zahlen\n",
    );
    const run = async (expected: number, ...flags: string[]) => {
      const from = writes(bench);
      const args = ["glossary", "import", file, "--group", "Team", "-o", "json", ...bench.settle, ...flags];
      const ran = await bench.run(...args);
      assert.ok(ran.code === 0 || (ran.code === 75 && lossy), `exit ${ran.code}: ${ran.stderr}`);
      if (!lossy) assert.equal(writes(bench) - from, expected, "writes");
    };
    await run(3);
    await run(0, "--new-run");
    assert.ok(listInGroup(bench, "glossary", "Team").length <= 3, "no duplicates");
    await undoRuns(bench);
    await bench.pass();
    if (!lossy) assertUnchanged(bench, before);
  },
};

export const glossarySync: Job = {
  about: "a group of terms synchronized with a file, twice and after a change, and the undo of this change",
  async run(bench) {
    const { lossy } = bench;
    const made = await bench.run(
      ...["groups", "create", "--type", "glossaries", "--name", "Begriffe", "-o", "json"],
    );
    if (made.code !== 0) {
      assert.ok(lossy, made.stderr);
      return;
    }
    await bench.pass();
    const { id: groupId } = parseOutput(made);
    const terms = ["IGeL", "GKV", "privat", "HKP"];
    const synced = async (definition: (term: string) => string, list: readonly string[]) => {
      const lines = list.map((term) => `${term},${definition(term)}\n`);
      const file = bench.write("terms.csv", `term,definition\n${lines.join("")}`);
      const from = writes(bench);
      const ran = await bench.run(
        ...["glossary", "sync", file, "--group", groupId, "-o", "json", "--yes", "--delete"],
        ...["--delete-newer", "--max-delete", "100%", ...bench.settle],
      );
      assert.ok([0, 68].includes(ran.code ?? -1) || (ran.code === 75 && lossy), ran.stderr);
      await bench.pass();
      const existingCount = bench.service.state
        .rows("glossary")
        .filter((row) => fieldsOf(row)["group_id"] === groupId).length;
      if (!lossy) assert.equal(existingCount, list.length, ran.stderr);
      return { written: writes(bench) - from, id: String(parseOutput(ran).run_id) };
    };
    const first = await synced((term) => `Was ${term} ist`, terms);
    if (!lossy) assert.equal(first.written, 4, "writes");
    const again = await synced((term) => `Was ${term} ist`, terms);
    if (!lossy) assert.equal(again.written, 0, "a second run writes nothing");
    const last = await synced((term) => (term === "GKV" ? "anders" : `Was ${term} ist`), terms.slice(0, 3));
    if (lossy) return;
    assert.equal(last.written, 2, "writes");
    const undone = await bench.run("runs", "undo", last.id, "--yes", "-o", "json", ...bench.settle);
    assert.equal(undone.code, 0, undone.stderr);
    await bench.pass();
    assert.equal(
      bench.service.state.rows("glossary").filter((row) => fieldsOf(row)["group_id"] === groupId).length,
      4,
      "the deleted item is recreated",
    );
  },
};

export const folderSync: Job = {
  about: "`knowledge import --delete` after a file was deleted, twice",
  async run(bench) {
    lay(bench);
    const { lossy } = bench;
    const first = await bench.run(...command(bench));
    assert.ok(first.code === 0 || (first.code === 75 && lossy), first.stderr);
    await bench.pass();
    rmSync(bench.path("wissen/preise.txt"));
    const removing = [
      "knowledge",
      "import",
      bench.path("wissen"),
      "--group",
      "Wissen",
      "-o",
      "json",
      "--yes",
    ];
    const flags = ["--delete", "--delete-newer", "--max-delete", "100%", ...bench.settle];
    const from = writes(bench);
    const ran = await bench.run(...removing, ...flags);
    assert.ok(ran.code === 0 || (ran.code === 75 && lossy), ran.stderr);
    await bench.pass();
    const storedTexts = listInGroup(bench, "knowledge", "Wissen").map((row) => String(fieldsOf(row)["text"]));
    if (ran.code === 0)
      assert.ok(!storedTexts.some((text) => text.includes("Preise")), "the item was deleted");
    if (lossy) return;
    assert.deepEqual([storedTexts.length, writes(bench) - from], [Object.keys(texts).length - 1, 1]);
    const again = await bench.run(...removing, ...flags);
    assert.deepEqual([again.code, writes(bench) - from], [0, 1], again.stderr);
  },
};
