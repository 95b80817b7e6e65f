import { chmodSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import type { Step } from "../../src/write/journal/journal.js";
import { connectedTo } from "../helpers/cli.js";
import { setUpApply } from "../helpers/set-up-apply.js";

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error;

describe("voxctl apply --journal", () => {
  test("another machine can resume or undo a run with the file of `apply --journal`", async () => {
    const { seal, runWith, run, create, emulator, list, home } = await setUpApply(0);
    seal(Array.from({ length: 60 }, (_, index) => create(`Neu${index}`)));
    const given = ["apply", "kunden.plan", "--yes", "-o", "json", "--journal", "lauf.sqlite"];
    let recorded = 0;
    const onJournalStep = (step: Step) => {
      if (step === "recorded" && ++recorded === 1) throw new Error("killed");
    };
    await runWith({ overrides: { ...connectedTo(emulator), onJournalStep } }, ...given);
    const sent = (await list()).length;
    expect([sent > 0, sent < 60]).toEqual([true, true]);
    const elsewhere = { env: { VOXCTL_DATA_DIR: join(home, "elsewhere") } };
    const resumed = await runWith(elsewhere, ...given);
    expect([resumed.code, resumed.json.steps.done], resumed.stderr).toEqual([0, 60]);
    expect(await list()).toHaveLength(60);
    expect((await run(...given)).json).toMatchObject({ applied_before: true });
    seal([create("Anders")], { nonce: "another nonce" }, "anders.plan");
    const refused = await run("apply", "anders.plan", "--yes", "-o", "json", "--journal", "lauf.sqlite");
    expect([refused.code, errorOf(refused.stderr).code]).toEqual([2, "journal_of_other_run"]);
    const undone = await runWith(
      elsewhere,
      "runs",
      "undo",
      resumed.json.run_id,
      "--include-matched",
      "--yes",
    );
    expect(undone.code, undone.stderr).toBe(0);
    expect(await list()).toEqual([]);
    rmSync(join(home, "lauf.sqlite"));
    expect((await run(...given)).json).toMatchObject({ applied_before: false, created: 60 });
  });

  test("`apply --journal` leaves a database of another program unchanged", async () => {
    const { seal, run, create, home } = await setUpApply(0);
    seal([create("Neu")]);
    const path = join(home, "kasse.sqlite");
    const database = await openDatabase(path);
    database.exec("CREATE TABLE sales (amount INTEGER)");
    database.close();
    chmodSync(path, 0o640);
    const before = readFileSync(path);
    const refused = await run("apply", "kunden.plan", "--yes", "-o", "json", "--journal", path);
    expect([refused.code, errorOf(refused.stderr).code]).toEqual([2, "journal_of_other_run"]);
    expect([readFileSync(path).equals(before), statSync(path).mode & 0o777]).toEqual([true, 0o640]);
  });
});
