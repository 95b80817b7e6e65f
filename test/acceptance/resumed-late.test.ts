import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo, type TestIo } from "../helpers/cli.js";
import { readContacts } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Writes per minute. The limit is low, so that even a short import spaces its requests. */
const limit = 60;
/** More rows than voxctl sends at once, so that some remain after an interruption. */
const rows = limit - 5;
const last = rows - 1;

async function openPacedEmulator() {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
    limits: { write: limit },
  });
  onTestFinished(() => emulator.close());
  return emulator;
}

async function interruptedImport(...flags: string[]) {
  const emulator = await openPacedEmulator();
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const made = await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden", "-o", "json");
  const file = (name: string, header: string) =>
    writeFileSync(
      join(shell.home, name),
      `${header}\n${Array.from({ length: rows }, (_, index) => `Anna${index};0170 ${1_000_000 + index}`).join("\n")}\n`,
    );
  file("a.csv", "Vorname;Telefon");
  // A second user's file: the same rows with a different header.
  file("b.csv", "Vorname;Mobil");
  const importing = (name: string) => [
    "contacts",
    "import",
    name,
    "--group",
    "Kunden",
    "--country",
    "DE",
    "-o",
    "json",
    ...flags,
  ];

  let io: TestIo | undefined;
  let sent = 0;
  const ran = await shell.runWith(
    {
      before: (given) => {
        io = given;
      },
      overrides: {
        ...connectedTo(emulator),
        onJournalStep: (step) => {
          if (step === "sent") sent += 1;
          if (step === "sent" && sent === 10) io?.signal("SIGINT");
        },
      },
    },
    ...importing("a.csv"),
  );
  expect(ran.code).toBe(130);
  const contacts = () => readContacts(emulator, made.json.id);
  return { shell, importing, contacts, before: (await contacts()).length, groupId: made.json.id };
}

describe("resuming a run after other clients wrote", () => {
  test("a resumed import does not duplicate contacts that another client created", async () => {
    const { shell, importing, contacts, before } = await interruptedImport();
    const otherImport = await shell.run(...importing("b.csv"));
    expect(otherImport.json).toMatchObject({ created: rows - before, unchanged: before });
    const resumed = await shell.run(...importing("a.csv"));
    expect(resumed.code).toBe(0);
    expect(resumed.json).toMatchObject({ created: before, unchanged: rows - before, failed: 0, unknown: 0 });
    expect(await contacts()).toHaveLength(rows);
    expect(new Set(await contacts()).size).toBe(rows);
  });

  test("a resumed import with --on-match update updates a contact that another client created", async () => {
    const { shell, importing, contacts, groupId } = await interruptedImport("--on-match", "update");
    const body = JSON.stringify({
      group_id: groupId,
      first_name: "Anna",
      phone_numbers: [`+49170${1_000_000 + last}`, "+4930111222"],
    });
    expect((await shell.run("contacts", "create", "--data", body)).code).toBe(0);
    const resumed = await shell.run(...importing("a.csv"));
    expect(resumed.json).toMatchObject({ created: last, updated: 1 });
    const all = await contacts();
    expect(all).toHaveLength(rows);
    const updated = all.filter((contact) => contact.includes(`+49170${1_000_000 + last}`));
    expect(updated).toHaveLength(1);
    expect(updated[0]).toContain(`Anna${last}`);
    expect(updated[0]).toContain("+4930111222");
  });

  test("a repeated import compares the rows again if the last run couldn't write its results", async () => {
    const { shell, importing, contacts } = await interruptedImport();
    const done = await shell.run(...importing("a.csv"), "--report", "/dev/full");
    // No row is rejected, so the command never writes to /dev/full.
    expect(done.code).toBe(0);
    writeFileSync(join(shell.home, "c.csv"), "Vorname;Telefon\nKlara;0170 5555555\nX;folgt\n");
    await shell.run(...importing("c.csv"), "--report", "/dev/full");
    const klara = (await shell.run("contacts", "list", "--group", "Kunden", "--all", "-o", "json")).json.find(
      (contact: { first_name: string }) => contact.first_name === "Klara",
    );
    expect((await shell.run("contacts", "delete", klara.id, "--yes")).code).toBe(0);
    const again = await shell.run(...importing("c.csv"));
    expect(again.json).toMatchObject({ created: 1, unchanged: 0, invalid: 1 });
    expect(await contacts()).toHaveLength(rows + 1);
  });
});

describe("resuming an import of items after other clients wrote", () => {
  async function interruptedGlossary(...flags: string[]) {
    const emulator = await openPacedEmulator();
    const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
    const group = ["--group", "Default"];
    const lines = Array.from({ length: rows }, (_, index) => `T${index},meaning ${index}`).join("\n");
    writeFileSync(join(shell.home, "a.csv"), `term,definition\n${lines}\n`);
    writeFileSync(join(shell.home, "b.csv"), `Begriff,Definition\n${lines}\n`);
    const importing = (name: string) => ["glossary", "import", name, ...group, "-o", "json", ...flags];
    let io: TestIo | undefined;
    let sent = 0;
    const overrides = {
      ...connectedTo(emulator),
      onJournalStep: (step: string) => {
        if (step === "sent") sent += 1;
        if (step === "sent" && sent === 10) io?.signal("SIGINT");
      },
    };
    const before = (given: TestIo) => {
      io = given;
    };
    expect((await shell.runWith({ before, overrides }, ...importing("a.csv"))).code).toBe(130);
    const entries = async (): Promise<{ id: string; term: string; definition: string }[]> =>
      (await shell.run("glossary", "list", ...group, "--all", "-o", "json")).json;
    return { ...shell, importing, entries, group, before: (await entries()).length };
  }

  test("a resumed glossary import does not duplicate terms that another client created", async () => {
    const { run, importing, entries, before } = await interruptedGlossary();
    expect(before).toBeGreaterThan(0);
    expect((await run(...importing("b.csv"))).json).toMatchObject({
      created: rows - before,
      unchanged: before,
    });
    const resumed = await run(...importing("a.csv"));
    expect(resumed.json).toMatchObject({ created: before, unchanged: rows - before, failed: 0 });
    expect(new Set((await entries()).map(({ term }) => term)).size).toBe(rows);
    expect(await entries()).toHaveLength(rows);
  });

  test("undoing a resumed import with --on-match update restores other clients' items", async () => {
    const { run, importing, entries, group } = await interruptedGlossary("--on-match", "update");
    await run("glossary", "create", ...group, "--term", `T${last}`, "--definition", "of somebody else");
    const resumed = await run(...importing("a.csv"));
    expect(resumed.json).toMatchObject({ created: last, updated: 1 });
    const findLast = async () => (await entries()).filter(({ term }) => term === `T${last}`);
    expect(await findLast()).toMatchObject([{ definition: `meaning ${last}` }]);
    await run("runs", "undo", resumed.json.run_id, "--yes");
    expect(await entries()).toMatchObject([{ term: `T${last}`, definition: "of somebody else" }]);
  });
});
