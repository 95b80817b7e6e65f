import assert from "node:assert/strict";
import { parseOutput } from "../../harness/bench.js";
import { fieldsOf } from "../../server/service-state.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  allTypes,
  allTypesItemCount,
  apply,
  assertDone,
  assertOnce,
  config,
  formatPrompt,
  listCreated,
  writeFiles,
} from "./folder.js";

export const configuration: Job = {
  about: "a configuration that is applied twice, after a change to its files, and after a change by others",
  async run(bench) {
    writeFiles(bench, allTypes);
    assertDone(bench, await apply(bench));
    await bench.pass();
    assertOnce(bench);
    if (bench.lossy) {
      // If no response contained a created resource's ID, `adopt` binds the resource by its name.
      await config(bench, "adopt");
      await apply(bench);
      await bench.pass();
      assertOnce(bench);
      return;
    }
    assert.equal(listCreated(bench).length, allTypesItemCount);
    const before = writes(bench);
    assertDone(bench, await apply(bench));
    assert.equal(writes(bench), before, "a second apply writes nothing");
    writeFiles(bench, { "prompts/abend.md": formatPrompt("Abends", "Wir haben jetzt geschlossen.") });
    assertDone(bench, await apply(bench));
    assert.equal(writes(bench), before + 1, "a change is one write");
    await bench.pass();
    const compared = await config(bench, "diff");
    assert.equal(compared.code, 0, `${compared.stdout} ${compared.stderr}`);
    const [row] = bench.service.state
      .rows("prompts")
      .filter((entry) => fieldsOf(entry)["name"]?.toString().toLowerCase() === "abends");
    assert.ok(row);
    bench.service.state.change(row, { text: "Von Hand geändert" }, "somebody");
    await bench.pass();
    const refused = await apply(bench);
    assert.equal(refused.code, 10, refused.stderr);
    assert.deepEqual(parseOutput(await config(bench, "plan")).drift, [
      { key: "prompts/abend", fields: ["text"] },
    ]);
    assert.equal(writes(bench), before + 1, "a concurrent change is not overwritten");
  },
};
