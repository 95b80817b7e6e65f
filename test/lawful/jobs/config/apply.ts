import assert from "node:assert/strict";
import { jsonOf } from "../../harness/bench.js";
import { fieldsOf } from "../../server/world.js";
import type { Job } from "../job.js";
import { writes } from "../people.js";
import {
  apply,
  assertDone,
  assertOnce,
  config,
  everyKind,
  made,
  prompt,
  thingsOfEveryKind,
  writeFiles,
} from "./folder.js";

export const configuration: Job = {
  about: "a configuration applied, applied again, after a change, and after a change by others",
  async run(bench) {
    writeFiles(bench, everyKind);
    assertDone(bench, await apply(bench));
    await bench.pass();
    assertOnce(bench);
    if (bench.lossy) {
      // A thing whose id no answer told is bound by its name, not made again.
      await config(bench, "adopt", "--by-name");
      await apply(bench);
      await bench.pass();
      assertOnce(bench);
      return;
    }
    assert.equal(made(bench).length, thingsOfEveryKind);
    const before = writes(bench);
    assertDone(bench, await apply(bench));
    assert.equal(writes(bench), before, "a second apply writes nothing");
    writeFiles(bench, { "prompts/abend.md": prompt("Abends", "Wir haben jetzt geschlossen.") });
    assertDone(bench, await apply(bench));
    assert.equal(writes(bench), before + 1, "a change is one write");
    await bench.pass();
    const compared = await config(bench, "diff");
    assert.equal(compared.code, 0, `${compared.stdout} ${compared.stderr}`);
    const [row] = bench.service.world
      .rows("prompts")
      .filter((one) => fieldsOf(one)["name"]?.toString().toLowerCase() === "abends");
    assert.ok(row);
    bench.service.world.change(row, { text: "Von Hand geändert" }, "somebody");
    await bench.pass();
    const refused = await apply(bench);
    assert.equal(refused.code, 10, refused.stderr);
    assert.deepEqual(jsonOf(await config(bench, "plan")).drift, [{ key: "prompts/abend", fields: ["text"] }]);
    assert.equal(writes(bench), before + 1, "what others changed is not overwritten");
  },
};
