// The write engine gives a new bulk command its dry run, plan file, resume, undo and exit codes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalog as shipped } from "../../src/cli/catalog.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import type { Step } from "../../src/write/journal/journal.js";
import { connectedTo, scriptPrompts } from "../helpers/cli.js";
import { capitalize } from "../helpers/scratch-command.js";
import { createPeople, setUpSync } from "../helpers/sync.js";

const catalog = { ...shipped, commands: [...shipped.commands, capitalize] };

async function office() {
  const shell = await setUpSync();
  await shell.syncTo(createPeople(12));
  const overrides: Overrides = { ...connectedTo(shell.emulator), catalog };
  const capitalizeAll = (more: string[] = [], replaced: Overrides = {}) => {
    const options = { overrides: { ...overrides, ...replaced } };
    return shell.runWith(options, "capitalize", "--group", "Kunden", "-o", "json", ...more);
  };
  const lastNames = async () => (await shell.contacts()).map(({ last_name }) => last_name);
  return { ...shell, capitalizeAll, lastNames };
}

describe("a bulk command whose code only yields steps", () => {
  test("a bulk command previews its changes and lists them in its results file", async () => {
    const { capitalizeAll, lastNames, home } = await office();
    const before = await lastNames();
    const ran = await capitalizeAll(["--dry-run", "--report", "out.ndjson"]);
    expect([ran.code, ran.json.found, ran.json.run_id]).toEqual([0, 12, null]);
    expect(await lastNames()).toEqual(before);
    expect(readFileSync(join(home, "out.ndjson"), "utf8").trim().split("\n")).toHaveLength(12);
  });

  test("`apply` makes the changes of a bulk command's plan file", async () => {
    const { capitalizeAll, run, lastNames } = await office();
    expect((await capitalizeAll(["--plan", "names.plan"])).code).toBe(0);
    expect((await run("apply", "names.plan", "--yes")).code).toBe(0);
    expect((await lastNames()).slice(0, 2)).toEqual(["NACH0", "NACH1"]);
  });

  test("a bulk command creates a run that can be listed, resumed and undone", async () => {
    const { capitalizeAll, run, lastNames, emulator } = await office();
    const before = await lastNames();
    let recorded = 0;
    const onJournalStep = (step: Step) => {
      if (step === "recorded" && ++recorded === 2) throw new Error("killed");
    };
    const cut = await capitalizeAll(["--yes"], { ...connectedTo(emulator), onJournalStep });
    expect(cut.stderr).toContain("killed");
    const [{ id, state }] = (await run("runs", "list", "-o", "json")).json;
    expect(state).toBe("unfinished");
    expect((await run("runs", "resume", id)).code).toBe(0);
    expect(await lastNames()).toEqual(before.map((name) => name.toUpperCase()));
    expect((await run("runs", "undo", id, "--yes")).code).toBe(0);
    expect(await lastNames()).toEqual(before);
  });

  test("a bulk command exits with code 68 if another user changed a contact", async () => {
    const { capitalizeAll, run, contacts } = await office();
    const [first] = await contacts();
    const prompts = scriptPrompts(true);
    const confirm: typeof prompts.confirm = async (question) => {
      await run("contacts", "update", first?.id ?? "", "--last-name", "Neu");
      return prompts.confirm(question);
    };
    const ran = await capitalizeAll([], { prompts: { ...prompts, confirm } });
    expect([ran.code, ran.json.updated, ran.json.drifted]).toEqual([68, 11, 1]);
  });
});
