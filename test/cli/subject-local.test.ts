import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/base/database.js";
import { Journal } from "../../src/write/journal/journal.js";
import { createSubjectShell, setUpSubject } from "../helpers/subject.js";

const anna = "+491713920001";
const rows = [
  "nr,first_name,last_name,phone,email",
  `1,Anna,Sommer,${anna},anna@example.org`,
  "2,Bert,Winter,+491713920002,bert@example.org",
  "3,Cora,Herbst,+491713920003,cora@example.org",
  "4,Anna,Zwei,0171,", // The number is invalid, so the results list the row.
];

/** After an import and a sync, local files contain the organization's contacts. */
async function setUpLocalFiles() {
  const setup = await setUpSubject();
  const shell = createSubjectShell(setup);
  const { run, home, data } = shell;
  writeFileSync(join(home, "kunden.csv"), `${rows.join("\n")}\n`);
  const imported = await run("contacts", "import", "kunden.csv", "--group", "Patienten", "--country", "DE");
  expect(imported.code, imported.stderr).toBe(68);
  writeFileSync(join(home, "crm.csv"), `${rows.slice(0, 4).join("\n")}\n`);
  const synced = await run(
    ...["contacts", "sync", "crm.csv", "--group", "Lieferanten", "--key", "nr", "--country", "DE", "--yes"],
  );
  expect(synced.code, synced.stderr).toBe(0);
  await run("contacts", "list", "--all");
  const pathOf = (...parts: string[]) => join(home, ...parts);
  return { ...shell, world: setup, runId: imported.json.run_id as string, place: pathOf, data };
}

/** Searches raw bytes, including free pages and logs of SQLite databases. */
function filesWith(folder: string, ...texts: string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path).toString("latin1");
      return texts.some((text) => content.includes(text));
    });
}

const resultLine = { row: 1, line: 2, outcome: "deleted" };

const caller = ["--phone", anna, "--email", "anna@example.org", "--max-delete", "2"];

describe("`subject find` and `erase --local`", () => {
  test("`subject find --local` finds the caller in runs, results, key maps and cached completions", async () => {
    const { run } = await setUpLocalFiles();
    const findings = await run("subject", "find", "--phone", anna, "--local", "-o", "json");
    expect(findings.code, findings.stderr).toBe(0);
    const areas = findings.json.local.occurrences.map(({ area }: { area: string }) => area);
    for (const area of ["runs", "key maps", "completion cache"]) expect(areas).toContain(area);
    expect(findings.stderr).toContain("Searched local files: ");
    expect((await run("subject", "find", "--phone", anna, "--in", ".")).code).toBe(2);
    expect((await run("subject", "find", "--phone", anna, "--local", "--in", "nowhere")).code).toBe(2);
  });

  test("`subject erase --local` removes the caller from all local files", async () => {
    const { run, data, world: setup, runId } = await setUpLocalFiles();
    const before = filesWith(data, anna, anna.slice(1), "anna@example.org");
    expect(before.length).toBeGreaterThan(2);
    const erased = await run("subject", "erase", ...caller, "--local", "--yes");
    expect(erased.code, erased.stderr).toBe(0);
    expect(erased.json.local.remains).toEqual([]);
    expect(filesWith(data, anna, anna.slice(1), "anna@example.org", "Sommer")).toEqual([]);
    const receipt = JSON.parse(readFileSync(erased.json.receipt, "utf8"));
    expect(receipt.local.map(({ area }: { area: string }) => area)).toContain("key maps");
    expect(erased.stderr).not.toContain("runs undo");
    const undone = await run("runs", "undo", runId, "--yes");
    expect(undone.code, undone.stderr).toBe(0);
    expect(undone.json.deleted).toBe(2);
    const left = (await setup.get("/contacts")).data as { last_name: string }[];
    expect(left.map(({ last_name }) => last_name).sort()).toEqual(["Herbst", "Winter"]);
  });

  test("`subject erase --local` erases lines in the logs of fleet runs", async () => {
    const { run, data } = await setUpLocalFiles();
    const log = join(data, "fleet", "2aa82de186e4", "praxis.log");
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, `Row 1: ${anna}\nRow 2: Bert\n`);
    const erased = await run("subject", "erase", ...caller, "--local", "--yes");
    expect(erased.json.local.erased).toContainEqual(expect.objectContaining({ path: log, what: "1 line" }));
    expect(readFileSync(log, "utf8")).toBe("Row 2: Bert\n");
  });

  test("`subject erase` reports what it erased even if it can't write the receipt", async () => {
    const { run, data } = await setUpLocalFiles();
    const log = join(data, "fleet", "2aa82de186e4", "praxis.log");
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, "Row 1: +491713920099\n");
    writeFileSync(join(data, "subject"), "no directory");
    const erased = await run("subject", "erase", "--phone", "+491713920099", "--local", "--yes");
    expect(erased.json).toMatchObject({ receipt: null, local: { erased: [{ path: log, what: "1 line" }] } });
    expect(erased.json).not.toHaveProperty("would_erase");
  });

  test("`runs export` lists the same writes after `subject erase --local`", async () => {
    const { run, runId } = await setUpLocalFiles();
    const listWrites = async () => (await run("runs", "export", runId, "-o", "json")).json;
    const before = await listWrites();
    expect(before).toHaveLength(3);
    await run("subject", "erase", ...caller, "--local", "--yes");
    expect(await listWrites()).toEqual(before);
  });

  test("`subject erase` keeps journals of unfinished runs and journals in use", async () => {
    const { run, data, runId } = await setUpLocalFiles();
    const path = join(data, "runs", `${runId}.sqlite`);
    const journal = await Journal.open(path, { create: false });
    const busy = await run("subject", "erase", ...caller, "--local", "--yes");
    journal.removeSetting("finished_at");
    journal.close();
    expect(busy.code).toBe(68);
    expect(busy.json.local.remains).toContainEqual(
      expect.objectContaining({ path, todo: expect.stringContaining("another process is using this run") }),
    );
    const unfinished = await run("subject", "erase", ...caller, "--local", "--yes");
    expect(unfinished.json.local.remains).toContainEqual(
      expect.objectContaining({
        path,
        todo: expect.stringContaining("resume or discard it with `voxctl runs`"),
      }),
    );
    const database = await openDatabase(path);
    expect(database.prepare("SELECT count(*) AS n FROM items").get()).toEqual({ n: 4 });
    database.close();
  });

  test("`subject erase --in` erases the caller from plan files, captures and results", async () => {
    const { run, place: pathOf } = await setUpLocalFiles();
    mkdirSync(pathOf("mine"));
    await run("subject", "erase", ...caller, "--plan", pathOf("mine", "weg.plan"));
    const recording = {
      version: 1,
      at: "2026-05-04T08:00:00Z",
      request: { body_base64: "", body_text: anna },
    };
    writeFileSync(pathOf("mine", "0001-call.json"), `${JSON.stringify(recording, null, 2)}\n`);
    const line = (last_name: string, phone: string) =>
      `${JSON.stringify({ ...resultLine, last_name, phone_numbers: [phone] })}\n`;
    const otherRow = line("Win\u2028ter", "+491713920002");
    writeFileSync(pathOf("mine", "report.ndjson"), otherRow + line("Sommer", anna) + otherRow);
    writeFileSync(pathOf("mine", "export.csv"), `Anna;${anna}\n`);
    writeFileSync(pathOf("mine", `${anna}.flac`), Buffer.from([0, 1, 2]));
    const erased = await run("subject", "erase", ...caller, "--local", "--in", "mine", "--yes");
    expect(erased.code, erased.stderr).toBe(68);
    expect(readdirSync(pathOf("mine")).sort()).toEqual([`${anna}.flac`, "export.csv", "report.ndjson"]);
    expect(readFileSync(pathOf("mine", "report.ndjson"), "utf8")).toBe(otherRow + otherRow);
    expect(erased.json.local.remains.map(({ path }: { path: string }) => path).sort()).toEqual([
      pathOf("mine", `${anna}.flac`),
      pathOf("mine", "export.csv"),
    ]);
  });

  test("`subject erase --in` keeps the user's own files that resemble files of voxctl", async () => {
    const { run, place: pathOf } = await setUpLocalFiles();
    mkdirSync(pathOf("mine"));
    const other = { plan: "basic", outcome: "sold", phone: "+491713920002" };
    const texts = {
      "plans.json": [{ ...other, phone: anna }, other],
      "sales.ndjson": [
        { id: 1, ...other },
        { id: 2, ...other, phone: anna },
      ],
    };
    for (const [name, entries] of Object.entries(texts))
      writeFileSync(pathOf("mine", name), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const before = readdirSync(pathOf("mine")).map((name) => readFileSync(pathOf("mine", name), "utf8"));
    const erased = await run("subject", "erase", ...caller, "--local", "--in", "mine", "--yes");
    expect(erased.code, erased.stderr).toBe(68);
    expect(readdirSync(pathOf("mine")).map((name) => readFileSync(pathOf("mine", name), "utf8"))).toEqual(
      before,
    );
    expect(erased.json.local.remains).toMatchObject([
      { area: "your own files", path: pathOf("mine", "plans.json") },
      { area: "your own files", path: pathOf("mine", "sales.ndjson") },
    ]);
  });

  test("`subject erase` warns that a file import or an undo can recreate the erased contact", async () => {
    const { run } = await setUpLocalFiles();
    const erased = await run("subject", "erase", ...caller, "--yes");
    expect(erased.code, erased.stderr).toBe(0);
    expect(erased.stderr).toContain(
      "sync of a file that still contains the caller creates the contact again",
    );
    expect(erased.stderr).toContain(
      "`voxctl runs undo` can also create the contact again; to erase runs, use --local",
    );
    const nothing = await run("subject", "erase", ...caller, "--yes");
    expect(nothing.stderr).not.toContain("creates the contact again");
  });

  test("`subject erase --local` for an offline profile suggests only clearing the request log", async () => {
    const { run, data } = await setUpLocalFiles();
    const sql = `CREATE TABLE t (x); INSERT INTO t VALUES ('${anna}')`;
    for (const name of ["offline.db", "other.db"]) {
      const database = await openDatabase(join(data, name));
      database.exec(sql);
      database.close();
    }
    const erased = await run("subject", "erase", ...caller, "--local", "--yes");
    const todos = erased.json.local.remains.map(({ todo }: { todo: string }) => todo);
    const clear = (name: string) => `\`voxctl emulator control requests.clear --profile ${name}\``;
    expect(todos).toEqual([
      expect.stringContaining(`run ${clear("offline")}`),
      expect.stringContaining(`run \`voxctl subject erase --profile other …\`, then ${clear("other")}`),
    ]);
    expect(todos[0]).not.toContain("subject erase");
  });

  test.each(["utf-16le", "utf-16le without a mark", "utf-16be"])(
    "`subject find --in` searches a file in %s, as an import does",
    async (encoding) => {
      const { run, home } = createSubjectShell(await setUpSubject());
      const text = `${rows.join("\n")}\n`;
      const bytes = Buffer.from(encoding.endsWith("mark") ? text : `\ufeff${text}`, "utf16le");
      writeFileSync(join(home, "kunden.csv"), encoding === "utf-16be" ? bytes.swap16() : bytes);
      const found = await run(
        ...["subject", "find", "--phone", anna, "--local", "--in", "kunden.csv", "-o", "json"],
      );
      expect([found.code, found.json.local.not_searched]).toEqual([0, []]);
      expect(found.json.local.occurrences).toMatchObject([{ places: ["line 2"], certainty: "certain" }]);
    },
  );

  test("`subject erase --in` reports possible matches and file names that it can't erase", async () => {
    const { run, place: pathOf } = await setUpLocalFiles();
    const path = pathOf(`${anna}.ndjson`);
    const line = (phone: string) => `${JSON.stringify({ ...resultLine, phone_numbers: [phone] })}\n`;
    // Without --country, a national spelling is only a possible match.
    const possible = line("0171 3920001");
    writeFileSync(path, line(anna) + possible);
    for (const erased of ["1 line", undefined]) {
      const { code, json } = await run(
        ...["subject", "erase", "--phone", anna, "--max-delete", "2", "--local", "--in", path, "--yes"],
      );
      expect(code).toBe(68);
      const ofPath = (entries: { path: string; what: string }[]) =>
        entries.filter((entry) => entry.path === path).map(({ what }) => what);
      expect(ofPath(json.local.erased)).toEqual(erased === undefined ? [] : [erased]);
      expect(ofPath(json.local.remains)).toEqual([`its name, line ${erased === undefined ? 1 : 2}`]);
      expect(readFileSync(path, "utf8")).toBe(possible);
    }
  });

  // As root, no permission makes a file unreadable, but reading this file always fails.
  test.skipIf(process.platform !== "linux")(
    "`subject find` reports a local file that can't be read (exit code 68)",
    async () => {
      const { run } = createSubjectShell(await setUpSubject());
      const path = "/proc/self/mem";
      const found = await run("subject", "find", "--phone", anna, "--local", "--in", path, "-o", "json");
      expect(found.code).toBe(68);
      expect(found.json.local.not_searched).toEqual([expect.objectContaining({ path })]);
    },
  );

  // As root, no permission makes a directory unreadable, but a path can be too long.
  test.skipIf(process.platform !== "linux")(
    "`subject find` searches the other directories if one can't be read",
    async () => {
      const { run, home } = createSubjectShell(await setUpSubject());
      const folder = join(home, "mine");
      const names = (length: number) => Array.from({ length }, () => "d".repeat(250));
      const deep = join(folder, "a", ...names(14));
      mkdirSync(deep, { recursive: true });
      mkdirSync(join(home, "b", ...names(3)), { recursive: true });
      renameSync(join(home, "b"), join(deep, "b"));
      writeFileSync(join(folder, "z.csv"), anna);
      const found = await run("subject", "find", "--phone", anna, "--local", "--in", folder, "-o", "json");
      renameSync(join(deep, "b"), join(home, "b"));
      expect(found.code, found.stderr).toBe(68);
      expect(found.json.local.not_searched).toMatchObject([
        { area: "your own files", path: expect.stringMatching(/\/b\/d+/) },
      ]);
      expect(found.json.local.occurrences).toMatchObject([{ path: join(folder, "z.csv") }]);
    },
  );

  test("`subject find` lists each file once even if --in contains the data directory", async () => {
    const { run, data } = await setUpLocalFiles();
    const find = ["subject", "find", "--phone", anna, "--local"];
    const found = await run(...find);
    const within = await run(...find, "--in", dirname(data));
    const { occurrences } = found.json.local;
    expect(within.json.local.occurrences.slice(0, occurrences.length)).toEqual(occurrences);
    const paths = within.json.local.occurrences.map(({ path }: { path: string }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("`subject erase` suggests deleting a mirror that contains the caller", async () => {
    const { run, data } = await setUpLocalFiles();
    mkdirSync(join(data, "mirrors", "kopie"), { recursive: true });
    const mirror = await openDatabase(join(data, "mirrors", "kopie", "world.db"));
    mirror.exec("CREATE TABLE contacts (id TEXT PRIMARY KEY, phone_numbers TEXT)");
    mirror.prepare("INSERT INTO contacts VALUES (?, ?)").run("65f1", JSON.stringify([anna]));
    mirror.close();
    const dry = await run("subject", "erase", ...caller, "--local", "--dry-run");
    expect(dry.code).toBe(68);
    expect(dry.json.local.remains).toContainEqual(
      expect.objectContaining({ area: "mirrors", todo: "delete it: `voxctl mirror delete kopie`" }),
    );
    expect(dry.json.local.would_erase.length).toBeGreaterThan(2);
    expect(existsSync(join(data, "mirrors", "kopie", "world.db"))).toBe(true);
  });
});
