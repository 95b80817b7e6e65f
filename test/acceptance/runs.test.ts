import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { commandLine, connectedTo, type RunOptions, scriptPrompts, type TestIo } from "../helpers/cli.js";
import { readContacts, readLines, wrapTransport } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

/** Writes per minute. The limit is low, so that even a short import spaces its requests. */
const limit = 60;
/** With this many rows, an import spaces its requests, so each request has its own journal step. */
const spaced = limit - 5;

async function setUp(rows = 12) {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
    ...(rows === spaced ? { limits: { write: limit } } : {}),
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const group = (await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden", "-o", "json"))
    .json;
  const write = (text: string) => writeFileSync(join(shell.home, "list.csv"), text);
  write(
    `Vorname;Telefon\n${Array.from({ length: rows }, (_, index) => `Anna${index};0170 ${1_000_000 + index}`).join("\n")}\n`,
  );
  const importing = ["contacts", "import", "list.csv", "--group", "Kunden", "--country", "DE", "-o", "json"];
  const again = (...flags: string[]) => shell.run(...importing, ...flags);
  const contacts = () => readContacts(emulator, group.id);
  const fault = (body: object): Promise<unknown> => emulator.control("POST", "/faults", body);
  const noFaults = () => emulator.control("DELETE", "/faults");
  const interrupted = (name: "SIGINT" | "SIGTERM", step: Step, nth: number, ...flags: string[]) => {
    let io: TestIo | undefined;
    let seen = 0;
    const options: RunOptions = {
      before: (given) => {
        io = given;
      },
      overrides: {
        ...connectedTo(emulator),
        onJournalStep: (at) => {
          if (at === step) seen += 1;
          if (at === step && seen === nth) io?.signal(name);
        },
      },
    };
    return shell.runWith(options, ...importing, ...flags);
  };
  const runs = async () => (await shell.run("runs", "list", "-o", "json")).json;
  return { ...shell, emulator, group, importing, write, again, contacts, fault, noFaults, interrupted, runs };
}

const errorOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}").error;

test("eight concurrent `runs list` commands in one process show the same unfinished run", async () => {
  const { interrupted, runs } = await setUp(spaced);
  await interrupted("SIGINT", "sent", 10);
  const seen = await Promise.all(Array.from({ length: 8 }, () => runs()));
  expect(seen.flat().map(({ state }: { state: string }) => state)).toEqual(Array(8).fill("unfinished"));
});

describe("an interrupted import", () => {
  test("`runs list` omits a run that was interrupted before its first change", async () => {
    const { interrupted, runs } = await setUp(spaced);
    expect((await interrupted("SIGINT", "planned", 1)).code).toBe(130);
    expect(await runs()).toEqual([]);
  });

  test("a run that is resumed in a copied data directory writes its results to the copy", async () => {
    const { interrupted, runs, runWith, data } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 10);
    const [{ id }] = await runs();
    const copy = { env: { VOXCTL_DATA_DIR: `${data}-copy`, VOXCTL_PROFILE: "offline" } };
    cpSync(data, `${data}-copy`, { recursive: true });
    const { code, json, stderr } = await runWith(copy, "runs", "resume", id, "-o", "json");
    expect([code, json.report], stderr).toEqual([0, join(`${data}-copy`, "runs", `${id}.report.ndjson`)]);
  });

  test("`runs resume --dry-run` reports the remaining rows", async () => {
    const { interrupted, again, contacts, runs, run } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 10);
    const before = await contacts();
    const [{ id, done, open }] = await runs();
    const planned = await run("runs", "resume", id, "--dry-run");
    expect([planned.code, planned.json]).toEqual([
      0,
      expect.objectContaining({ id, state: "unfinished", done, open }),
    ]);
    expect(planned.stderr).toContain("Dry run: no changes were made.");
    expect(await contacts()).toEqual(before);
    await again();
    expect((await run("runs", "resume", id, "--dry-run")).code).toBe(12);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("on %s, an import finishes open requests and exits with code %i", async (name, code) => {
    const { interrupted, again, contacts, runs } = await setUp(spaced);
    const ran = await interrupted(name, "sent", 10);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toContain("to resume, run the same command again");
    expect(errorOf(ran.stderr)).toMatchObject({ exit: code, outcome: "done", retryable: true });
    const before = (await contacts()).length;
    expect(before).toBeGreaterThan(5);
    expect(before).toBeLessThan(spaced);
    const [run] = await runs();
    expect(run).toMatchObject({
      state: "unfinished",
      done: before,
      open: spaced - before,
      file: "list.csv",
      group: "Kunden",
    });

    const resumed = await again();
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toContain(`Resuming run ${run.id}: ${before} done`);
    expect(resumed.json).toMatchObject({ run_id: run.id, created: spaced, unchanged: 0, unknown: 0 });
    expect(await contacts()).toHaveLength(spaced);
  });

  test("on Ctrl-C, an import explains how to stop immediately", async () => {
    const { emulator, runWith, importing, contacts } = await setUp(spaced);
    let io: TestIo | undefined;
    let steps = 0;
    const onJournalStep = (step: Step) => {
      if (step === "sent") steps += 1;
      if (step === "sent" && steps === 3) io?.signal("SIGINT");
    };
    const before = (given: TestIo) => {
      io = given;
    };
    const overrides = {
      ...connectedTo(emulator),
      onJournalStep,
      clock: { now: Date.now, sleep: async () => {} },
    };
    const ran = await runWith({ terminal: 100, before, overrides }, ...importing);
    expect(ran.code).toBe(130);
    const [, after = ""] = ran.stderr.split(
      "Waiting for pending requests… To stop immediately, press Ctrl-C again.\n",
    );
    expect(after).toContain("interrupted");
    expect(after).not.toContain("█");
    expect((await contacts()).length).toBeLessThan(spaced);
  });

  test("on Ctrl-C, an import completes if all its rows were already sent", async () => {
    const { interrupted, contacts, runs } = await setUp(5);
    // The last row is sent only after all other rows have a response (T5).
    const ended = await interrupted("SIGINT", "sent", 2);
    expect([ended.code, ended.json]).toEqual([130, expect.objectContaining({ created: 5, unknown: 0 })]);
    expect(errorOf(ended.stderr)).toMatchObject({ outcome: "done" });
    expect(await runs()).toMatchObject([{ state: "finished", done: 5, open: 0 }]);
    expect(await contacts()).toHaveLength(5);
  });

  test("a resumed import continues its progress bar with the remaining time", async () => {
    const { interrupted, runWith, importing, contacts } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 10);
    const before = (await contacts()).length;
    const { stderr } = await runWith({ terminal: 100 }, ...importing);
    const shown = [...stderr.matchAll(new RegExp(`(\\d+)/${spaced} · (\\d+)%`, "g"))].map(([, done]) =>
      Number(done),
    );
    expect(shown[0]).toBe(before);
    expect(shown.at(-1)).toBe(spaced);
    expect(stderr).toMatch(new RegExp(`${before}/${spaced} · \\d+%`));
  });

  test("`runs resume` needs no input file", async () => {
    const { interrupted, run, runs, write, contacts, home } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 4, "--report", "mine.ndjson");
    write("gone");
    const [{ id }] = await runs();
    const resumed = await run("runs", "resume", id, "-o", "json");
    expect(resumed.code).toBe(0);
    expect(resumed.json).toMatchObject({ run_id: id, created: spaced, report: join(home, "mine.ndjson") });
    expect(resumed.stderr).toContain(`Resuming run ${id} (list.csv) in group "Kunden", profile offline`);
    expect((await run("runs", "list", id, "-o", "json")).json.report).toBe(join(home, "mine.ndjson"));
    expect(await contacts()).toHaveLength(spaced);
    expect((await run("runs", "resume", id)).code).toBe(12);
  });

  test("`runs resume` writes rejected rows to the file of the original command", async () => {
    const { interrupted, run, runs, write, home } = await setUp(spaced);
    const rows = Array.from({ length: spaced }, (_, index) => `Anna${index};0170 ${1_000_000 + index}`);
    write(["Vorname;Telefon", "Bert;12", ...rows, ""].join("\n"));
    await interrupted("SIGINT", "sent", 4, "--rejects", "rest.csv");
    const [{ id }] = await runs();
    const resumed = await run("runs", "resume", id, "-o", "json");
    expect([resumed.code, resumed.json.rejects]).toEqual([68, join(home, "rest.csv")]);
    expect(readFileSync(join(home, "rest.csv"), "utf8")).toMatch(
      /^Vorname;Telefon;voxctl_error\r?\nBert;12;.+\r?\n$/,
    );
  });

  test.each([
    ["gone", "no column found for the first name in"],
    ["Vorname;Telefon\nBert;12\n", "list.csv was changed after the run was started"],
  ])("`runs resume` states why it wrote no rejects file: the input file is now %j", async (text, reason) => {
    const { interrupted, run, runs, write, home } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 4, "--rejects", "rest.csv");
    const [{ id }] = await runs();
    write(text);
    const resumed = await run("runs", "resume", id, "-o", "json");
    expect([resumed.code, existsSync(join(home, "rest.csv"))]).toEqual([0, false]);
    expect(resumed.stderr).toContain("rest.csv was not written: ");
    expect(resumed.stderr).toContain(reason);
  });

  test("--new-run starts at the first row again", async () => {
    const { interrupted, again, contacts } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 10);
    const written = (await contacts()).length;
    expect((await again("--new-run")).json).toMatchObject({ unchanged: written, created: spaced - written });
    expect(await contacts()).toHaveLength(spaced);
  });

  test("an import of a different file or with different options starts a new run", async () => {
    const { interrupted, again, write, run, runs } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 10);
    const [{ id }] = await runs();
    write("Vorname\nBert\n");
    const ran = await again();
    expect(ran.json).toMatchObject({ rows: 1, created: 1 });
    expect(ran.stderr).toContain(
      `resume it with \`voxctl runs resume ${id}\`, or discard it with \`voxctl runs discard ${id}\``,
    );
    await run("runs", "discard", id, "--yes");
    write("Vorname\nUdo\n");
    expect((await again()).stderr).not.toContain("unfinished");
  });

  test("an import that is interrupted during planning stores no run", async () => {
    const { interrupted, data, contacts } = await setUp();
    expect((await interrupted("SIGINT", "created", 1)).code).toBe(130);
    expect(readdirSync(join(data, "runs")).filter((name) => name.endsWith(".sqlite"))).toEqual([]);
    expect(await contacts()).toEqual([]);
  });

  test("`runs resume` refuses a run from before a reset of the emulator", async () => {
    const { interrupted, run, runs, emulator } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 4);
    const [{ id }] = await runs();
    await emulator.control("POST", "/reset", {});
    const resumed = await run("runs", "resume", id, "-o", "json");
    expect(resumed.code).toBe(12);
    expect(errorOf(resumed.stderr).code).toBe("run_elsewhere");
  });
});

describe("failed requests by type", () => {
  test.each([
    ["a revoked key (401)", "keys", { status: "revoked" }, { status: "active" }],
    ["a feature that is off (402)", "organizations", { features: [] }, { features: ["public_api"] }],
  ])("%s stops an import immediately, and the run can be resumed", async (_, fault, off, on) => {
    const { emulator, runWith, again, contacts, importing } = await setUp(spaced);
    const keys = (await emulator.control("GET", "/keys")) as { id: string; name: string }[];
    const key = keys.find(({ name }) => name === "admin")?.id;
    const path = `/${fault}/${fault === "keys" ? key : emulator.startLine.organization_id}`;
    let sent = 0;
    const onJournalStep = (step: Step) => {
      if (step === "sent") sent += 1;
      if (step === "sent" && sent === 5) void emulator.control("PATCH", path, off);
    };
    const stopped = await runWith({ overrides: { ...connectedTo(emulator), onJournalStep } }, ...importing);
    expect(stopped.code).toBe(3);
    expect(errorOf(stopped.stderr)).toMatchObject({ retryable: true, outcome: "done" });
    expect(errorOf(stopped.stderr).hint).toContain("to resume, run the same command again");
    await emulator.control("PATCH", path, on);
    expect(await contacts()).not.toEqual([]);
    expect((await again()).json).toMatchObject({ created: spaced, failed: 0, unknown: 0 });
    expect(await contacts()).toHaveLength(spaced);
  });

  test("a key without write permission (403) stops an import immediately", async () => {
    const emulator = await openSeededEmulator({ seed: "empty" });
    const server = await emulator.listen({ port: 0 });
    onTestFinished(async () => {
      await server.close();
      await emulator.close();
    });
    const { admin, viewer } = emulator.startLine.keys;
    const shell = commandLine({ env: { VOXCTL_BASE_URL: `${server.url}/api/v1`, VOXCTL_API_KEY: admin } });
    const group = (await shell.run("groups", "create", "--type", "contacts", "--name", "Kunden")).json;
    const names = Array.from({ length: 40 }, (_, row) => `Anna${row}`);
    writeFileSync(join(shell.home, "list.csv"), `Vorname\n${names.join("\n")}\n`);
    const importing = ["contacts", "import", "list.csv", "--group", group.id, "-o", "json"];
    const stopped = await shell.runWith({ env: { VOXCTL_API_KEY: viewer } }, ...importing);
    expect(stopped.code).toBe(3);
    expect(errorOf(stopped.stderr)).toMatchObject({ status: 403, outcome: "none" });
    expect(stopped.stderr).not.toContain("to resume");
    expect((await shell.run("runs", "list", "-o", "json")).json).toEqual([]);
    const refused = await emulator.control("GET", "/requests?status=403");
    expect((refused as unknown[]).length).toBeLessThanOrEqual(16);
    expect((await shell.run(...importing)).json).toMatchObject({ created: 40 });
    expect(await readContacts(emulator, group.id)).toHaveLength(40);
  });

  test("after a lost response, an import checks the write's outcome instead of repeating it", async () => {
    const { again, fault, contacts } = await setUp(40);
    await fault({ operation: "contacts.create", kind: "drop_after", times: 3 });
    await fault({ operation: "contacts.create", kind: "drop_before", skip: 5, times: 2 });
    await fault({ operation: "contacts.create", kind: "error_after", skip: 9, times: 1 });
    const ran = await again();
    expect(ran.code).toBe(0);
    expect(ran.json).toMatchObject({ created: 40, unknown: 0 });
    expect(ran.stderr).toContain("writes without a response");
    expect(await contacts()).toHaveLength(40);
  });

  test("an import repeats only the lost creates, even if all rows are identical", async () => {
    const { again, fault, contacts, write } = await setUp();
    write(`Vorname\n${"Anna\n".repeat(20)}`);
    await fault({ operation: "contacts.create", kind: "drop_after", times: 2 });
    await fault({ operation: "contacts.create", kind: "drop_before", skip: 3, times: 3 });
    expect((await again("--on-match", "create")).json).toMatchObject({ created: 20 });
    expect(await contacts()).toHaveLength(20);
  });

  test("an import waits while the service's rate limiter is unavailable", async () => {
    const { again, fault } = await setUp(5);
    await fault({ operation: "contacts.create", kind: "limiter_down", times: 2 });
    expect((await again()).json).toMatchObject({ created: 5, rate_limited: 2 });
  });

  test("a row fails if its error persists after five attempts", async () => {
    const { again, fault, contacts } = await setUp(2);
    await fault({ operation: "contacts.create", kind: "error_before" });
    const ran = await again();
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ created: 0, failed: 2, unknown: 0 });
    expect(readLines(ran.json.report)[0]).toMatchObject({ outcome: "failed", status: 500, attempts: 5 });
    expect(await contacts()).toEqual([]);
  });

  test("an import exits with code 75 if a write stays unconfirmed", async () => {
    const { again, fault, noFaults, contacts } = await setUp(10);
    await fault({ operation: "contacts.create", kind: "drop_after", skip: 2, times: 1 });
    // The first two reads of the list succeed: for the plan, and before the first write.
    await fault({ operation: "contacts.list", kind: "drop_before", skip: 2 });
    const ran = await again();
    expect(ran.code).toBe(75);
    expect(errorOf(ran.stderr)).toMatchObject({ outcome: "unknown", retryable: true });
    await noFaults();
    expect((await again()).json).toMatchObject({ created: 10 });
    expect(await contacts()).toHaveLength(10);
  });

  test("[T14] after five connection failures in a row, an import sends one request per minute", async () => {
    const { again, fault, contacts, emulator } = await setUp(100);
    await fault({ operation: "contacts.create", kind: "drop_before", times: 36 });
    const before = emulator.clock.now();
    const ran = await again();
    expect(ran.code).toBe(0);
    expect(ran.stderr.match(/; pausing for 1 min/g)?.length).toBeGreaterThan(1);
    expect(await contacts()).toHaveLength(100);
    expect(emulator.clock.now() - before).toBeGreaterThan(60_000);
  });

  test("an interrupted import can't be resumed after its group was deleted", async () => {
    const { interrupted, again, run, runs, group, contacts } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 4);
    expect(await contacts()).not.toEqual([]);
    await run("groups", "delete", group.id, "--yes");
    expect((await again()).code).toBe(4);
    const [{ id }] = await runs();
    const stopped = await run("runs", "resume", id, "-o", "json");
    expect(stopped.code).toBe(4);
    expect(errorOf(stopped.stderr)).toMatchObject({ code: "group_gone", outcome: "done" });
    expect(errorOf(stopped.stderr).hint).not.toContain("run the same command again");
    expect(errorOf(stopped.stderr).hint).toContain(`\`voxctl runs discard ${id}\``);
  });
});

describe("runs undo", () => {
  test("`runs undo` deletes created contacts and restores updated ones, but keeps later changes", async () => {
    const { run, again, write, contacts, runs, group } = await setUp();
    const create = (name: string, number: string) =>
      run(
        "contacts",
        "create",
        "--group",
        group.id,
        "--first-name",
        name,
        "--phone-number",
        number,
        "-o",
        "json",
      );
    const known = (await create("Wolf", "+491701111111")).json;
    const secondContact = (await create("Udo", "+491702222222")).json;
    write(
      "Vorname;Nachname;Telefon;Mail\nWolf;Ahr;0170 1111111;w@b.de\nUdo;Klug;0170 2222222;\nAnna;;0170 3333333;\nBert;;0170 4444444;\n",
    );
    const ran = await again("--on-match", "update");
    expect(ran.json).toMatchObject({ created: 2, updated: 2 });

    // Another user changes a contact concurrently.
    const bert = (await run("contacts", "list", "--group", group.id, "-o", "json")).json.find(
      (contact: { first_name: string }) => contact.first_name === "Bert",
    );
    await run("contacts", "update", bert.id, "--last-name", "Neu");
    await run("contacts", "update", known.id, "--last-name", "Neu");
    await run("contacts", "update", secondContact.id, "--first-name", "Udo-Kai");

    const undone = await run("runs", "undo", ran.json.run_id, "--yes", "-o", "json");
    expect(undone.code).toBe(68);
    expect(undone.stderr).toContain("was not completely undone: 1 changed after the run");
    expect((await runs()).find((run: { id: string }) => run.id === undone.json.run_id)).toMatchObject({
      done: 3,
      rejected: 0,
      kept: 1,
    });
    expect(undone.json).toMatchObject({
      undone: ran.json.run_id,
      deleted: 1,
      restored: 2,
      changed_since: 1,
      failed: 0,
    });
    expect(await contacts()).toEqual(
      [
        ["Bert", "Neu", ["+491704444444"], []],
        ["Udo-Kai", "", ["+491702222222"], []],
        ["Wolf", "Neu", ["+491701111111"], []],
      ].map((contact) => JSON.stringify(contact)),
    );
    expect(readLines(undone.json.report)).toEqual([
      expect.objectContaining({ outcome: "restored", left: [expect.any(String)] }),
      expect.objectContaining({ outcome: "changed", id: bert.id }),
    ]);
    expect((await runs()).find((run: { id: string }) => run.id === ran.json.run_id).state).toBe("undone");
    // A repeated undo covers only the resources that remain (T6).
    const repeated = await run("runs", "undo", ran.json.run_id, "--yes", "-o", "json");
    expect(repeated.code).toBe(68);
    expect(repeated.stderr).toContain(`Run ${ran.json.run_id} was undone before`);
    expect(repeated.json).toMatchObject({ deleted: 0, restored: 0, changed_since: 1, gone: 0 });
    const shown = await run("runs", "undo", ran.json.run_id, "--yes", "-o", "table");
    expect(shown.stdout).toBe("Nothing to undo. No changes were made.\n");
    const preview = await run("runs", "undo", ran.json.run_id, "--dry-run", "-o", "table");
    expect(preview.stdout).toBe(
      "Dry run: nothing to undo, 1 kept because of later changes. No changes were made.\n",
    );
  });

  describe("a group that the run created", () => {
    const made = async (name = "Neu") => {
      const shell = await setUp(3);
      const into = ["--group", name, "--create-group", "--country", "DE", "-o", "json"];
      const imported = await shell.run("contacts", "import", "list.csv", ...into);
      const undo = () => shell.run("runs", "undo", imported.json.run_id, "--yes", "-o", "json");
      const groups = async () =>
        (await shell.run("groups", "list", "--type", "contacts", "-o", "json")).json.map(
          (group: { name: string }) => group.name,
        );
      return { ...shell, undo, groups, groupId: imported.json.group_id };
    };

    test("undo deletes the group that the run created, with its content", async () => {
      const { undo, groups } = await made();
      expect(await groups()).toContain("Neu");
      const undone = await undo();
      expect(undone.json).toMatchObject({ deleted: 3, group_deleted: true });
      expect(await groups()).not.toContain("Neu");
    });

    test("undo deletes the run's group even if responses to the delete are lost", async () => {
      const { undo, groups, fault } = await made();
      await fault({ operation: "groups.delete", kind: "drop_before", times: 1 });
      await fault({ operation: "groups.delete", kind: "drop_after", skip: 1, times: 1 });
      expect((await undo()).json).toMatchObject({ deleted: 3, group_deleted: true });
      expect(await groups()).not.toContain("Neu");
    });

    test("undo keeps the run's group if another client renamed the group or added a contact", async () => {
      const used = await made();
      await used.run("contacts", "create", "--group", used.groupId, "--first-name", "Wolf");
      const undone = await used.undo();
      expect(undone.code).toBe(68);
      expect(undone.json).toMatchObject({ deleted: 3, group_deleted: false });
      expect(await used.groups()).toContain("Neu");
      expect(undone.stderr).toContain(
        'Kept group "Neu", which the run created: the group contains other resources',
      );
      const renamed = await made();
      await renamed.run("groups", "update", renamed.groupId, "--name", "Alt");
      const kept = await renamed.undo();
      expect(kept.json).toMatchObject({ deleted: 3, group_deleted: false, group_kept_because: "renamed" });
      expect(kept.stderr).toContain("which the run created: the group was renamed");
      expect(await renamed.groups()).toContain("Alt");
    });

    test("undo keeps the last group of its type", async () => {
      const { run, undo, group, groupId } = await made();
      const listed: { id: string }[] = (await run("groups", "list", "--type", "contacts", "-o", "json")).json;
      for (const { id } of listed) if (id !== groupId) await run("groups", "delete", id, "--yes");
      expect(listed.map(({ id }) => id)).toContain(group.id);
      const undone = await undo();
      expect([undone.code, undone.json]).toEqual([
        68,
        expect.objectContaining({ deleted: 3, group_kept_because: "in_use" }),
      ]);
      expect(undone.stderr).toContain("or the group is the last of its type");
    });

    test("undo keeps a group that a later run changed", async () => {
      const { undo, run, home, groupId, groups } = await made();
      writeFileSync(join(home, "more.csv"), "Vorname;Telefon\nEva;0170 5550001\n");
      const more = ["contacts", "import", "more.csv", "--group", groupId, "--country", "DE", "-o", "json"];
      const { run_id } = (await run(...more)).json;
      const kept = await undo();
      expect(kept.json).toMatchObject({ group_deleted: false, group_kept_because: "not_empty" });
      expect(kept.stderr).toContain(`other resources. Run ${run_id} also wrote to the group: undo it`);
      // The results file does not list the group, so no hint refers to the file.
      expect(kept.stderr).not.toContain("see /");
      await run("runs", "undo", run_id, "--yes");
      expect((await undo()).json).toMatchObject({ group_deleted: true });
      expect(await groups()).not.toContain("Neu");
    });

    test("a repeated undo makes no changes", async () => {
      const { undo, run, runs, data } = await made();
      expect((await undo()).json).toMatchObject({ group_deleted: true });
      const files = readdirSync(join(data, "runs"));
      expect((await undo()).json).toMatchObject({ run_id: null, group_deleted: false, group_kept: null });
      expect(await runs()).toHaveLength(2);
      expect(readdirSync(join(data, "runs"))).toEqual(files);
      const [{ id }] = (await run("runs", "list", "-o", "json")).json.filter(
        ({ kind }: { kind: string }) => kind === "contacts",
      );
      const preview = await run("runs", "undo", id, "--dry-run", "-o", "json");
      expect(preview.json).toMatchObject({ group_deleted: false, writes: 0 });
    });

    test("`runs undo --dry-run` lists the changes that the undo will make", async () => {
      const { run, groups, groupId, undo } = await made();
      const listed = async () => (await run("runs", "list", "-o", "json")).json;
      const runs = await listed();
      const [{ id }] = runs;
      const preview = await run("runs", "undo", id, "--dry-run", "-o", "json");
      expect(preview.code).toBe(0);
      expect(preview.json).toMatchObject({ deleted: 3, group_deleted: true, writes: 4 });
      expect(preview.json).not.toHaveProperty("report");
      expect(preview.stderr.match(/will be deleted/g)).toHaveLength(3);
      expect(preview.stderr).toContain("Dry run: no changes were made.");
      expect((await run("runs", "undo", id, "--dry-run", "-o", "table")).stdout).toBe(
        "Dry run: 3 resources and the group will be deleted, 0 restored. No changes were made.\n",
      );
      await run("contacts", "create", "--group", groupId, "--first-name", "Wolf");
      const kept = await run("runs", "undo", id, "--dry-run", "-o", "json");
      expect(kept.json).toMatchObject({ group_deleted: false, group_kept_because: "not_empty", writes: 3 });
      expect(await groups()).toContain("Neu");
      expect(await listed()).toEqual(runs);
      expect((await undo()).json).toMatchObject({ deleted: 3 });
    });

    test("undo keeps a group that the run did not create", async () => {
      const { again, run, group } = await setUp(3);
      const imported = await again();
      const undone = await run("runs", "undo", imported.json.run_id, "--yes", "-o", "json");
      expect(undone.json).toMatchObject({ deleted: 3, group_deleted: false });
      expect((await run("groups", "get", group.id)).code).toBe(0);
    });
  });

  test("undoing an unfinished run first resolves its unconfirmed writes", async () => {
    const { interrupted, run, runs, contacts, fault, again } = await setUp(spaced);
    await fault({ operation: "contacts.create", kind: "drop_after", times: 1 });
    await interrupted("SIGINT", "sent", 6);
    expect(await contacts()).not.toEqual([]);
    const [{ id }] = await runs();
    // A match by content may be another user's resource (T5).
    const undone = await run("runs", "undo", id, "--yes", "-o", "json");
    expect(undone.code).toBe(68);
    expect(undone.json).toMatchObject({ matched: 1 });
    expect(undone.stderr).toContain("--include-matched");
    expect(await contacts()).toHaveLength(1);
    expect((await run("runs", "undo", id, "--yes", "--include-matched")).code).toBe(0);
    expect(await contacts()).toEqual([]);
    expect((await again()).json).toMatchObject({ created: spaced, unchanged: 0 });
  });

  test("[T5] an undo exits with code 75 if a write of the run is still unconfirmed", async () => {
    const { importing, contacts, emulator, run, runWith } = await setUp(2);
    let isLost = false;
    // Another user creates the same contact while voxctl waits for a response, which is then lost.
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      const response = await transport(url, request);
      if (isLost || request.method !== "POST" || request.body?.includes("1000001") !== true) return response;
      isLost = true;
      await transport(url, request);
      return { ...response, status: 503 };
    });
    const imported = await runWith({ overrides }, ...importing);
    expect([imported.code, imported.json]).toEqual([75, expect.objectContaining({ created: 1, unknown: 1 })]);
    const undo = ["runs", "undo", imported.json.run_id, "--yes", "-o", "json"];
    const undone = await run(...undo);
    expect([undone.code, undone.json]).toEqual([75, expect.objectContaining({ deleted: 1, unknown: 1 })]);
    expect(readLines(undone.json.report)).toEqual([
      expect.objectContaining({ row: 2, outcome: "unknown", name: "Anna1", candidates: expect.any(Array) }),
    ]);
    expect(await contacts()).toHaveLength(2);
    const [{ id }] = (await run("contacts", "list", "--all", "-o", "json")).json;
    await run("contacts", "delete", id, "--yes");
    expect((await run(...undo, "--include-matched")).json).toMatchObject({ deleted: 1, unknown: 0 });
    expect(await contacts()).toEqual([]);
  });

  test("an interrupted undo can be resumed and resolves its lost responses", async () => {
    // With this many rows, the undo spaces its requests to stay within the service's limit.
    const rows = 195;
    const { again, runWith, run, emulator, contacts, fault } = await setUp(rows);
    const { json } = await again();
    await fault({ operation: "contacts.delete", kind: "drop_after", skip: 2, times: 3 });
    let io: TestIo | undefined;
    let sent = 0;
    const stopped = await runWith(
      {
        before: (given) => {
          io = given;
        },
        overrides: {
          ...connectedTo(emulator),
          onJournalStep: (step) => {
            if (step === "sent") sent += 1;
            if (sent === 8) io?.signal("SIGINT");
          },
        },
      },
      "runs",
      "undo",
      json.run_id,
      "--yes",
    );
    expect(stopped.code).toBe(130);
    const left = (await contacts()).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(rows);
    const undone = await run("runs", "undo", json.run_id, "--yes", "-o", "json");
    expect(undone.json).toMatchObject({ deleted: rows, unknown: 0, gone: 0 });
    expect(await contacts()).toEqual([]);
  });

  test("`runs undo --dry-run` exits with code 68 if the undo will keep a change", async () => {
    const { again, run, contacts } = await setUp(3);
    const { json } = await again();
    const [{ id }] = (await run("contacts", "list", "--all", "-o", "json")).json;
    await run("contacts", "update", id, "--last-name", "Neu");
    const preview = await run("runs", "undo", json.run_id, "--dry-run", "-o", "json");
    expect([preview.code, preview.json]).toEqual([
      68,
      expect.objectContaining({ deleted: 2, changed_since: 1 }),
    ]);
    expect(errorOf(preview.stderr)).toMatchObject({
      message: `run ${json.run_id} will not be completely undone: 1 changed after the run`,
      outcome: "none",
      hint: null,
    });
    expect(await contacts()).toHaveLength(3);
  });

  test("`runs undo` exits with code 12 in a script without --yes", async () => {
    const { again, run, contacts } = await setUp(3);
    const { json } = await again();
    expect((await run("runs", "undo", json.run_id)).code).toBe(12);
    expect(await contacts()).toHaveLength(3);
  });

  test("`runs undo` lists the contacts that it will delete", async () => {
    const { again, runWith, emulator } = await setUp(3);
    const { json } = await again();
    const prompts = scriptPrompts(true);
    const overrides = { ...connectedTo(emulator), prompts };
    const undone = await runWith({ terminal: 100, overrides }, "runs", "undo", json.run_id);
    expect(prompts.messages.join()).toContain("3 resources will be deleted, 0 restored.");
    expect(undone.stderr.match(/ will be deleted$/gm)).toHaveLength(3);
    expect(undone.stdout).toMatch(/^Deleted 3, restored 0 in [\d.]+ s\.$/m);
  });

  test("an undo's preview lists the items to delete even if more than ten items are kept", async () => {
    const { again, run } = await setUp(12);
    const { json } = await again();
    const listed = (await run("contacts", "list", "--all", "-o", "json")).json as { id: string }[];
    for (const { id } of listed.slice(0, 11)) await run("contacts", "update", id, "--last-name", "Neu");
    const { stderr } = await run("runs", "undo", json.run_id, "--dry-run");
    expect(stderr.match(/will be deleted$/gm)).toHaveLength(1);
  });

  test("an undo's preview lists ten items, or all of them with --wide", async () => {
    const { again, run } = await setUp(12);
    const { json } = await again();
    const words = ["runs", "undo", json.run_id, "--dry-run"];
    const { stderr } = await run(...words);
    expect(stderr.match(/will be deleted/g)).toHaveLength(10);
    expect(stderr).toContain(`… and 2 more. To list them all, run \`voxctl ${words.join(" ")} --wide\`.`);
    expect((await run(...words, "--wide")).stderr.match(/will be deleted/g)).toHaveLength(12);
  });

  test("the prompt before a large undo shows how many resources it will delete", async () => {
    const { run, runWith, emulator } = await setUp(510);
    const flags = ["--group", "Neu", "--create-group", "--country", "DE", "-o", "json"];
    const { json } = await run("contacts", "import", "list.csv", ...flags);
    const prompts = scriptPrompts(true);
    const overrides = { ...connectedTo(emulator), prompts };
    const undone = await runWith({ terminal: 100, overrides }, "runs", "undo", json.run_id);
    expect(prompts.messages.join()).toContain(
      "At most 510 resources and the group will be deleted, 0 restored. Resources that were changed after the run will be kept.",
    );
    expect(undone.stdout).toMatch(/^Deleted 510 resources and the group, restored 0 in [\d.]+ s\.$/m);
  });

  test("an import with --on-match create can be repeated after it was undone", async () => {
    const { again, run, contacts } = await setUp(3);
    const { json } = await again("--on-match", "create");
    expect((await again("--on-match", "create")).code).toBe(12);
    await run("runs", "undo", json.run_id, "--yes");
    expect((await again("--on-match", "create")).json).toMatchObject({ created: 3 });
    expect(await contacts()).toHaveLength(3);
  });
});

describe("a run that was undone", () => {
  test("a run that was undone can't be resumed", async () => {
    const { again, run } = await setUp(3);
    const { json } = await again();
    await run("runs", "undo", json.run_id, "--yes");
    const { code, stderr } = await run("runs", "resume", json.run_id);
    expect([code, stderr]).toEqual([12, expect.stringContaining("was undone")]);
  });
});

describe("`runs list` and `runs discard`", () => {
  test("`runs list` shows each run's profile, and at most --limit runs", async () => {
    const { again, run, write } = await setUp(1);
    for (const name of ["Anna", "Bert", "Cleo"]) {
      write(`Vorname\n${name}\n`);
      await again();
    }
    const some = await run("runs", "list", "--limit", "2", "-o", "json");
    expect(some.json).toHaveLength(2);
    expect(some.stderr).toContain("--all");
    expect((await run("runs", "list", "--all", "-o", "json")).json).toHaveLength(3);
    const table = await run("runs", "list", "-o", "table");
    expect(table.stdout).toMatch(/COMMAND +PROFILE/);
    expect(table.stdout).toMatch(/Kunden .* offline/);
  });

  test("`runs list` shows the progress of a run in another process", async () => {
    const { emulator, runWith, importing, runs, data } = await setUp();
    let seen: unknown;
    const overrides = wrapTransport(emulator, (transport) => async (url, request) => {
      // The first create is delayed until the runs are listed.
      if (request.method === "POST") seen ??= (await runs())[0];
      return transport(url, request);
    });
    expect((await runWith({ overrides }, ...importing)).code).toBe(0);
    expect(seen).toMatchObject({
      state: "running",
      kind: "contacts",
      file: "list.csv",
      group: "Kunden",
      profile: "offline",
      done: null,
      started_at: expect.any(String),
    });
    expect(readdirSync(join(data, "runs")).filter((name) => name.endsWith(".about.json"))).toEqual([]);
  });

  test("`runs list` shows the command of each run", async () => {
    const { again, run } = await setUp(1);
    await run("runs", "undo", (await again()).json.run_id, "--yes");
    const { stdout } = await run("runs", "list", "-o", "table", "--wide");
    expect(stdout).toMatch(/-undo .* runs undo .*\n.* contacts import /);
  });

  test("`runs list` and `runs export` show the same command for a run", async () => {
    const { again, run } = await setUp(1);
    await run("runs", "undo", (await again()).json.run_id, "--yes");
    const listed = (await run("runs", "list", "-o", "json")).json;
    const writes = (await run("runs", "export", "-o", "json")).json;
    const commands = (rows: Record<string, string>[], id: string, command: string) =>
      Object.fromEntries(rows.map((row) => [row[id], row[command]]));
    expect(commands(writes, "run", "command")).toEqual(commands(listed, "id", "started_with"));
  });

  test("`runs list RUN` shows a run until `runs discard` removes the run", async () => {
    const { again, run, runs, data } = await setUp(3);
    const { json } = await again();
    const shown = (await run("runs", "list", json.run_id, "-o", "json")).json;
    expect(shown).toMatchObject({
      id: json.run_id,
      state: "finished",
      kind: "contacts",
      done: 3,
      open: 0,
      profile: "offline",
    });
    expect((await run("runs", "discard", json.run_id)).code).toBe(12);
    expect((await run("runs", "discard", json.run_id, "--yes")).code).toBe(0);
    expect(await runs()).toEqual([]);
    expect(existsSync(join(data, "runs", `${json.run_id}.sqlite`))).toBe(false);
    expect((await run("runs", "list", json.run_id)).code).toBe(4);
  });

  test("the files of killed dry runs are removed after a week", async () => {
    const { again, data } = await setUp(1);
    await again("--dry-run");
    const folder = join(data, "runs");
    for (const [name, age] of [
      ["dry-run-old", 8],
      ["dry-run-new", 6],
      ["mine", 8],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "run.sqlite"), "");
      const at = statSync(folder).mtimeMs / 1000 - age * 24 * 60 * 60;
      utimesSync(join(folder, name), at, at);
    }
    await again();
    const left = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(left.map(({ name }) => name).sort()).toEqual(["dry-run-new", "mine"]);
  });

  test("finished runs are removed after 30 days", async () => {
    const { again, interrupted, runs, data, write, runWith, emulator } = await setUp(spaced);
    await interrupted("SIGINT", "sent", 4);
    const [unfinished] = await runs();
    write("Vorname\nBert\n");
    const { json } = await again();
    const later = Date.now() + 31 * 24 * 60 * 60 * 1000;
    for (const name of readdirSync(join(data, "runs"))) utimesSync(join(data, "runs", name), 1, 1);
    const clock = { now: () => later, sleep: async () => {} };
    write("Vorname\nCleo\n");
    const overrides = { ...connectedTo(emulator), clock };
    await runWith({ overrides }, "contacts", "import", "list.csv", "--group", "Kunden");
    const ids = (await runs()).map(({ id }: { id: string }) => id);
    expect(ids).toContain(unfinished.id);
    expect(ids).not.toContain(json.run_id);
  });
});
