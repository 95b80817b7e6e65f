import assert from "node:assert/strict";
import { type Bench, jsonOf } from "../harness/bench.js";
import { fieldsOf } from "../server/world.js";
import { assertAsBefore, contentsOf } from "./contents.js";
import type { Job } from "./job.js";
import { inGroup, writes } from "./people.js";
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
  about: "knowledge import of a folder, again, after a change, and both undone",
  async run(bench) {
    const before = contentsOf(bench);
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
    const rows = inGroup(bench, "knowledge", "Wissen");
    assert.ok(rows.length <= count, `${rows.length} items of ${count}`);
    if (!lossy) {
      assert.equal(rows.length, count);
      assert.equal(rows.filter((row) => String(fieldsOf(row)["text"]).includes("U7")).length, 1);
    }
    const groups = bench.service.world.rows("groups").filter((row) => fieldsOf(row)["type"] === "knowledges");
    assert.equal(groups.length, 3, "one group was made");
    await undoRuns(bench);
    await bench.pass();
    if (!lossy) assertAsBefore(bench, before);
  },
};

export const wait: Job = {
  about: "knowledge wait right after an import",
  async run(bench) {
    lay(bench);
    const ran = await bench.run(...command(bench));
    assert.ok(ran.code === 0 || (ran.code === 75 && bench.lossy), `exit ${ran.code}: ${ran.stderr}`);
    const waited = await bench.run("knowledge", "wait", "--group", "Wissen", "-o", "json");
    assert.equal(waited.code, 0, waited.stderr);
    const items = jsonOf(waited);
    const there = inGroup(bench, "knowledge", "Wissen").length;
    assert.equal(items.length, there, "every item is waited for");
    for (const { sync_status } of items) assert.equal(sync_status.state, "synced");
  },
};

export const glossaryImport: Job = {
  about: "glossary import, again, and undone",
  async run(bench) {
    const before = contentsOf(bench);
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
    assert.ok(inGroup(bench, "glossary", "Team").length <= 3, "nothing twice");
    await undoRuns(bench);
    await bench.pass();
    if (!lossy) assertAsBefore(bench, before);
  },
};
