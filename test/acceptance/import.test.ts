import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import {
  connectAsDeployment,
  files,
  readBeginning,
  readContacts,
  readLines,
  toExpectedContacts,
} from "../helpers/import.js";
import { readLog } from "../helpers/log.js";
import { publicApi } from "../helpers/public-api.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00Z";

async function inProcess(options: EmulatorOptions = {}) {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual", startTime, ...options });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  return { emulator, ...shell, ...importing(shell.run, shell.home) };
}

/** The limits are high, because the command would wait in real time. */
async function overHttp(options: EmulatorOptions = {}) {
  const limits = { read: 1_000_000, write: 1_000_000 };
  const emulator = await openSeededEmulator({ seed: "empty", clock: "real", limits, ...options });
  onTestFinished(() => emulator.close());
  const server = await emulator.listen({ port: 0 });
  const { keys } = emulator.startLine;
  const env = { VOXCTL_BASE_URL: `${server.url}/api/v1`, VOXCTL_API_KEY: keys.admin };
  const shell = commandLine({ env });
  return { emulator, ...shell, ...importing(shell.run, shell.home) };
}

type Run = ReturnType<typeof commandLine>["run"];

function importing(run: Run, home: string) {
  const importFile = (file: string, ...flags: string[]) =>
    run(
      "contacts",
      "import",
      file,
      "--group",
      "Kunden",
      "--create-group",
      ...(flags.includes("--country") ? [] : ["--country", "DE"]),
      "-o",
      "json",
      ...flags,
    );
  const importText = (text: string, flags: string[] = [], name = "list.csv") => {
    writeFileSync(join(home, name), text);
    return importFile(name, ...flags);
  };
  return { importFile, importText };
}

const groupOf = async (emulator: Emulator, name = "Kunden") => {
  const { body } = await publicApi(emulator)("GET", "/groups?type=contacts");
  return body.data.find((group) => group.name === name)?.id;
};

const contactsIn = async (emulator: Emulator) => {
  const id = await groupOf(emulator);
  return id === undefined ? [] : readContacts(emulator, id);
};

const whole = process.env["PROOF"] !== undefined;
const filesOverHttp = whole ? files : files.slice(-1);
const rowsOverHttp = whole ? Number.POSITIVE_INFINITY : 50;

describe.each([
  ["in process", inProcess, files, Number.POSITIVE_INFINITY],
  ["over HTTP", overHttp, filesOverHttp, rowsOverHttp],
] as const)("importing a real file, %s", (_, open, chosen, rows) => {
  test.each(chosen)("importing $file gives the expected results", async (input) => {
    const { emulator, importFile, home } = await open();
    const lines = readLines(input.expected).slice(0, rows);
    const file = rows === Number.POSITIVE_INFINITY ? input.file : join(home, basename(input.file));
    if (file !== input.file) writeFileSync(file, readBeginning(input.file, rows));
    const count = (outcome: string) => lines.filter((line) => line.outcome === outcome).length;

    const first = await importFile(file);
    expect(first.code).toBe(68);
    expect(first.json).toMatchObject({
      rows: lines.length,
      created: count("created"),
      duplicates: count("duplicate"),
      invalid: count("invalid"),
      unchanged: 0,
      updated: 0,
      failed: 0,
      unknown: 0,
      rate_limited: 0,
    });
    expect(await contactsIn(emulator)).toEqual(toExpectedContacts(lines));
    const reportedRows = readLines(first.json.report).map(({ row, outcome, field, of }) => ({
      row,
      outcome,
      field,
      of,
    }));
    expect(reportedRows).toEqual(
      lines
        .filter(({ outcome }) => outcome !== "created")
        .map(({ row, outcome, field, of }) => ({ row, outcome, field, of })),
    );

    const second = await importFile(file);
    expect(second.code).toBe(68);
    expect(second.json).toMatchObject({
      created: 0,
      unchanged: count("created"),
      duplicates: count("duplicate"),
    });
    expect(await contactsIn(emulator)).toHaveLength(count("created"));
  });
});

describe("the summary of an import", () => {
  test("`contacts import -o json` prints exactly the documented fields, only on stdout", async () => {
    const { importText } = await inProcess();
    const ran = await importText("Vorname;Telefon\nAnna;0170 1234567\n");
    expect(ran.code).toBe(0);
    expect(Object.keys(ran.json)).toEqual(
      "run_id file group_id rows created updated unchanged duplicates rejected invalid failed unknown requests rate_limited seconds report".split(
        " ",
      ),
    );
    expect(ran.json).toMatchObject({ file: "list.csv", rows: 1, created: 1 });
  });

  test("each line of the results file contains everything that is needed to correct the row", async () => {
    const { importText, home } = await inProcess();
    const report = join(home, "rejected.ndjson");
    const text = "Vorname;Telefon;Mail;Notiz\nAnna;0170 1234567;;\nBert;folgt;kein;x\nCleo;0170/1234567;;\n";
    const ran = await importText(text, ["--report", "rejected.ndjson"]);
    expect(ran.json.report).toBe(report);
    expect(readLines(report)).toEqual([
      {
        row: 2,
        line: 3,
        outcome: "invalid",
        field: "phone_numbers",
        column: "Telefon",
        value: "folgt",
        reason: "is not a valid phone number",
        problems: [
          {
            field: "phone_numbers",
            column: "Telefon",
            value: "folgt",
            reason: "is not a valid phone number",
          },
          { field: "emails", column: "Mail", value: "kein", reason: "is not a valid email address" },
        ],
        record: { Vorname: "Bert", Telefon: "folgt", Mail: "kein", Notiz: "x" },
      },
      {
        row: 3,
        line: 4,
        outcome: "duplicate",
        of: 1,
        other_name: "Anna",
        first_name: "Cleo",
        last_name: "",
        phone_numbers: ["+491701234567"],
        emails: [],
      },
    ]);
    expect(statSync(report).mode & 0o077).toBe(0);
  });

  test("an import lists unused columns once on stderr", async () => {
    const { importText } = await inProcess();
    const { stderr } = await importText("Vorname;Notiz;Anrede\nAnna;x;Frau\nBert;y;Herr\n");
    expect(stderr.match(/Notiz, Anrede/g)).toHaveLength(1);
  });

  test("an import reports that it uses an existing group", async () => {
    const { importText } = await inProcess();
    const first = await importText("Vorname;Telefon\nAnna;030 23181234\n");
    expect(first.stderr).not.toContain("existing group");
    const again = await importText("Vorname;Telefon\nBert;030 23181235\n", ["--rejects", "rejects.csv"]);
    expect(again.stderr).toContain('Using the existing group "Kunden".\n');
    expect(again.stderr).toContain("No rows were rejected, so rejects.csv was not written.\n");
  });

  test("an import counts a row that the service rejects, and continues with the next row", async () => {
    const { emulator, runWith, home } = await inProcess();
    const { importText } = importing(
      (...argv) => runWith({ overrides: connectAsDeployment(emulator) }, ...argv),
      home,
    );
    const ran = await importText(`Vorname;Telefon\n${"x".repeat(201)};\nAnna;\nBea;x\n`);
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ created: 1, failed: 1, invalid: 1, rejected: 2 });
    const listed = await runWith({}, "runs", "list", ran.json.run_id, "-o", "json");
    expect(listed.json).toMatchObject({ done: 1, rejected: 2 });
    expect(readLines(ran.json.report)[0]).toMatchObject({
      row: 1,
      outcome: "failed",
      status: 400,
      first_name: expect.any(String),
    });
    expect(await contactsIn(emulator)).toHaveLength(1);
  });

  test("in the list of rejected rows, the reason of a service error names the API field", async () => {
    const { emulator, runWith, home } = await inProcess();
    const { importText } = importing(
      (...argv) => runWith({ overrides: connectAsDeployment(emulator) }, ...argv),
      home,
    );
    const { stderr } = await importText(`Vorname;Telefon\n${"x".repeat(201)};\n`);
    expect(stderr).toMatch(/^ +1 +2 +x+… +first_name: .*$/m);
  });
});

test("the error after an incomplete import shows whether the import made any changes", async () => {
  const { emulator, home, runWith } = await inProcess();
  const { importText } = importing(
    (...argv) => runWith({ overrides: connectAsDeployment(emulator) }, ...argv),
    home,
  );
  const outcome = async (text: string, ...flags: string[]) => {
    const { code, stderr } = await importText(text, flags);
    return [code, JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.outcome];
  };
  const rejected = `Vorname\n${"x".repeat(201)}\n`;
  expect(await outcome("Vorname;Telefon\nAnna;x\n")).toEqual([68, "none"]);
  // This import creates the group, although the service rejects its only row.
  expect(await outcome(rejected)).toEqual([68, "done"]);
  expect(await outcome(rejected, "--new-run")).toEqual([68, "none"]);
  expect(await outcome(`${rejected}Anna\n`)).toEqual([68, "done"]);
  expect(await outcome(`${rejected}Anna\n`, "--new-run")).toEqual([68, "none"]);
});

test("the table of invalid rows shortens long values, but the results file has the full values", async () => {
  const { importText } = await inProcess();
  const long = "x".repeat(190);
  const { stderr, json } = await importText(`Vorname;Telefon\nAnna;${long}\nBert;12\n`);
  for (const line of stderr.split("\n").filter((line) => /^ *[12R]/.test(line)))
    expect(line.length, line).toBeLessThan(130);
  expect(stderr).toMatch(/x{39}… +is not a valid phone number/);
  expect(readLines(json.report)[0]).toMatchObject({ value: long });
});

test.each([
  ["contacts", "Vorname;Telefon\nBert;12\nAnna;0171 3920011\n", true],
  ["glossary", "Begriff;Erklärung\nPZR;kurz\n;leer\n", false],
])("`%s import` suggests --rejects only if the command has that flag", async (resource, text, hasFlag) => {
  const { home, run } = await inProcess();
  writeFileSync(join(home, "list.csv"), text);
  const ran = await run(resource, "import", "list.csv", "--group", "Neu", "--create-group", "-o", "json");
  expect(ran.code).toBe(68);
  expect(ran.stderr.includes("--rejects")).toBe(hasFlag);
});

test("`runs list` counts refused and invalid rows as rejected", async () => {
  const { emulator, home, run, runWith } = await inProcess();
  const { importText } = importing(
    (...argv) => runWith({ overrides: connectAsDeployment(emulator) }, ...argv),
    home,
  );
  const { json } = await importText(`Vorname;Telefon\nAnna;\n${"x".repeat(201)};\nBert;12\n`);
  expect((await run("runs", "list", json.run_id, "-o", "json")).json).toMatchObject({
    state: "finished",
    done: 1,
    rejected: 2,
    open: 0,
  });
  const table = (await run("runs", "list", "-o", "table", "--wide")).stdout;
  expect(table).toMatch(/DONE +REJECTED +OPEN/);
  expect(table).toMatch(/ 1 +2 +0 /);
});

describe("matching contacts", () => {
  test("--on-match update sends only differences, and clears no field", async () => {
    const { importText, emulator } = await inProcess();
    await importText(
      "Vorname;Nachname;Telefon;Mobil;Mail\nAnna;Weiß;0170 1;0170 1111111;a@b.de\n".replace("0170 1;", ";"),
    );
    const ran = await importText(
      "Vorname;Nachname;Telefon;Mail\nÄnne;;0170 1111111 / 0170 2222222;A@B.DE\nBert;;0170 3333333;\n",
      ["--on-match", "update"],
    );
    expect(ran.json).toMatchObject({ created: 1, updated: 1, unchanged: 0 });
    // The update also sends the email, because its spelling changed (T3).
    expect(await contactsIn(emulator)).toEqual([
      JSON.stringify(["Bert", "", ["+491703333333"], []]),
      JSON.stringify(["Änne", "Weiß", ["+491701111111", "+491702222222"], ["A@B.DE"]]),
    ]);
    expect(readLines(ran.json.report)).toEqual([
      {
        row: 1,
        line: 2,
        outcome: "updated",
        id: expect.any(String),
        other_name: "Anna Weiß",
        changes: {
          first_name: "Änne",
          phone_numbers: ["+491701111111", "+491702222222"],
          emails: ["A@B.DE"],
        },
        before: {
          first_name: "Anna",
          last_name: "Weiß",
          phone_numbers: ["+491701111111"],
          emails: ["a@b.de"],
        },
      },
    ]);
    const again = await importText(
      "Vorname;Nachname;Telefon;Mail\nÄnne;;0170 1111111 / 0170 2222222;A@B.DE\nBert;;0170 3333333;\n",
      ["--on-match", "update"],
    );
    expect(again.json).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  test("--match selects the fields that identify a contact", async () => {
    const rows =
      "Vorname;Telefon;Mail\nAnna;0170 1111111;a@b.de\nBert;0170 1111111;b@b.de\nCleo;0170 2222222;A@b.de\n";
    const outcome = async (match: string) =>
      (await (await inProcess()).importText(rows, ["--match", match])).json;
    expect(await outcome("phone")).toMatchObject({ created: 2, duplicates: 1 });
    expect(await outcome("email")).toMatchObject({ created: 2, duplicates: 1 });
    expect(await outcome("phone,email")).toMatchObject({ created: 1, duplicates: 2 });
  });

  test("a row without a phone number is matched by its email or, without one, by all fields", async () => {
    const { importText } = await inProcess();
    const rows = "Vorname;Nachname;Telefon;Mail\nAnna;Weiß;;a@b.de\nBert;;;\nBert;Klug;;\n";
    expect((await importText(rows)).json).toMatchObject({ created: 3 });
    expect((await importText(`${rows}Anni;;;A@B.de\n`)).json).toMatchObject({
      created: 0,
      unchanged: 3,
      duplicates: 1,
    });
  });

  test("--on-match create refuses to import a file again unless --new-run is set", async () => {
    const { importText, emulator } = await inProcess();
    const rows = "Vorname;Telefon\nAnna;0170 1111111\nAnna;0170 1111111\nBert;x\n";
    expect((await importText(rows, ["--on-match", "create"])).json).toMatchObject({ created: 2, invalid: 1 });
    const again = await importText(rows, ["--on-match", "create"]);
    expect(again.code).toBe(12);
    expect(again.stdout).toBe("");
    expect(again.stderr).toContain("--new-run");
    expect(await contactsIn(emulator)).toHaveLength(2);
    expect((await importText(rows, ["--on-match", "create", "--new-run"])).json).toMatchObject({
      created: 2,
    });
    expect(await contactsIn(emulator)).toHaveLength(4);
  });
});

describe("rows with the same number and different names", () => {
  const family =
    "Vorname;Nachname;Telefon\nAnna;Weiß;030 23181234\nBert;Weiß;030 23181234\nANNA;weiß;030 23181234\n";

  test("rows with equal numbers but different names are duplicates, with a warning", async () => {
    const { importText } = await inProcess();
    const ran = await importText(family);
    expect(ran.json).toMatchObject({ created: 1, duplicates: 2 });
    expect(ran.stderr).toContain(
      "warning: skipping 1 row whose number or email belongs to another row or contact with a different name",
    );
    expect(ran.stderr).toContain("different name: row 2 (it belongs to Anna Weiß);");
    const again = await importText(family);
    expect(again.stderr).toContain("different name: row 2 (it belongs to Anna Weiß);");
    const otherNames = readLines(again.json.report).map(({ row, other_name }) => [row, other_name]);
    expect(otherNames).toEqual([
      [1, undefined],
      [2, "Anna Weiß"],
      [3, undefined],
    ]);
  });

  test("--on-match update warns before it renames a contact", async () => {
    const { importText } = await inProcess();
    await importText("Vorname;Telefon\nAnna;030 23181234\n");
    const ran = await importText("Vorname;Telefon\nBert;030 23181234\n", [
      "--on-match",
      "update",
      "--dry-run",
    ]);
    expect(ran.json).toMatchObject({ updated: 1 });
    expect(ran.stderr).toContain("warning: 1 contact will be renamed: row 1;");
  });

  test("--match phone,name creates separate contacts from rows that share only a number", async () => {
    const { importText, emulator } = await inProcess();
    const ran = await importText(family, ["--match", "phone,name"]);
    expect(ran.json).toMatchObject({ created: 2, duplicates: 1 });
    expect(ran.stderr).not.toContain("renamed");
    expect((await importText(family, ["--match", "phone,name"])).json).toMatchObject({
      created: 0,
      unchanged: 2,
    });
    expect(await contactsIn(emulator)).toHaveLength(2);
  });
});

describe("output for a user", () => {
  test("an import names the service and lists the first ten rejected rows", async () => {
    const { run, home } = await inProcess();
    const rows = Array.from({ length: 12 }, (_, row) => `Anna${row};folgt`).join("\n");
    writeFileSync(join(home, "list.csv"), `Vorname;Telefon\nBert;0170 1111111\n${rows}\n`);
    const importing = [
      "contacts",
      "import",
      "list.csv",
      "--group",
      "Kunden",
      "--create-group",
      "--country",
      "DE",
    ];
    const ran = await run(...importing, "-o", "table");
    const lines = ran.stderr.trim().split("\n");
    expect(lines[0]).toBe(
      'Importing list.csv (CSV, UTF-8) into group "Kunden", profile offline (local emulator)',
    );
    expect(lines[1]).toBe('Created group "Kunden".');
    expect(lines[2]).toMatch(/^ROW +LINE +COLUMN +VALUE +REASON$/);
    expect(lines[3]).toMatch(/^ +2 +3 +Telefon +folgt +is not a valid phone number$/);
    expect(lines.filter((line) => line.includes("is not a valid phone number"))).toHaveLength(10);
    expect(ran.stderr).toContain("… and 2 rows more");
    expect((ran.stdout + ran.stderr).match(/report\.ndjson/g)).toHaveLength(1);
    const dry = await run(...importing, "--dry-run", "-o", "table");
    expect(dry.stderr).toContain("12 of 13 rows will be rejected: 12 invalid");
    expect((dry.stdout + dry.stderr).match(/report\.ndjson/g)).toHaveLength(1);
  });

  test("the list of rejected rows names all invalid columns of a row", async () => {
    const { runWith, home } = await inProcess();
    writeFileSync(join(home, "list.csv"), "Vorname;Telefon;E-Mail\nAnna;folgt;x@y\n");
    const importing = ["contacts", "import", "list.csv", "--group", "K", "--create-group", "--dry-run"];
    const { stderr } = await runWith({}, ...importing, "--profile", "offline");
    expect(stderr).toMatch(/^ +1 +2 +Telefon +folgt +is not .* \(also invalid: "E-Mail"\)$/m);
  });

  test("an import never shortens the reason for a rejection, even on a narrow terminal", async () => {
    const { runWith, home } = await inProcess();
    const value = `${"folgt noch ".repeat(12)}bald`;
    writeFileSync(join(home, "list.csv"), `Vorname;Telefon\nAnna;${value}\n`);
    const importing = ["contacts", "import", "list.csv", "--group", "K", "--create-group", "--dry-run"];
    const logged = await runWith({}, ...importing, "--profile", "offline");
    expect(logged.stderr).toMatch(/^ +1 +2 +Telefon +(?:folgt noch )+[^\n]*… +is not a valid phone number$/m);
    const narrow = await runWith({ terminal: 50 }, ...importing, "--profile", "offline");
    expect(narrow.stderr).toMatch(/folgt[^\n]*…\n {2}is not a valid phone number\n/);
    expect(narrow.stderr).not.toContain("REASON");
    expect(narrow.stderr).not.toContain("Reading the file: 1 row\n");
  });

  test("if an import reads standard input, its messages name that source", async () => {
    const { runWith } = await inProcess();
    const from = (stdin: string, ...flags: string[]) =>
      runWith({ stdin }, "contacts", "import", "-", "--group", "K", "--create-group", ...flags);
    expect((await from("")).stderr).toContain("standard input is empty");
    const strict = await from("Vorname;Telefon\nAnna;x\n", "--strict");
    expect(strict.stderr).toContain("can't be imported");
  });

  test("dry runs of two files write separate results files", async () => {
    const { importText } = await inProcess();
    const ran = await importText("Vorname;Telefon\nAnna;x\n", ["--dry-run"], "one.csv");
    const two = await importText("Vorname;Telefon\nBert;y\n", ["--dry-run"], "two.csv");
    expect(readLines(ran.json.report)[0]).toMatchObject({ value: "x" });
    expect(readLines(two.json.report)[0]).toMatchObject({ value: "y" });
  });

  test("an import of 399 contacts reports how long its writes will take", async () => {
    const { importText } = await inProcess();
    const rows = Array.from({ length: 399 }, (_, row) => `Anna${row}`).join("\n");
    const ran = await importText(`Vorname\n${rows}\n`, ["--dry-run"]);
    expect(ran.stderr).toContain(
      "Dry run: no changes were made. 400 writes would take 2 min at 200 per minute; the emulator doesn't wait, but advances its clock.",
    );
  });

  test("an import reports the real duration even if the emulator's clock skips waits", async () => {
    const { importText, emulator } = await inProcess();
    const before = emulator.clock.now();
    const ran = await importText(
      `Vorname\n${Array.from({ length: 450 }, (_, row) => `Anna${row}`).join("\n")}\n`,
    );
    expect(emulator.clock.now() - before).toBeGreaterThanOrEqual(120_000);
    expect(ran.json.seconds).toBeLessThan(60);
  });

  test("an import reports a file without rows", async () => {
    const { importText, emulator } = await inProcess();
    const ran = await importText("Vorname;Telefon\n");
    expect([ran.code, ran.json.rows]).toEqual([0, 0]);
    expect(ran.stderr).toContain("warning: list.csv contains no rows");
    expect(await groupOf(emulator)).toBeUndefined();
  });
});

describe("JSON other than an array of objects", () => {
  test.each([
    ["in one line", '{"data":[{"first_name":"Anna"},{"first_name":"Bert"}],"meta":{"next":null}}'],
    [
      "over several lines, after other lists",
      '{\n "meta": {"data": ["x"], "\\"data\\"": [1]},\n "data": [\n  {"first_name": "Anna"},\n  {"first_name": "Bert"}\n ]\n}\n',
    ],
  ])("an import finds the list in a JSON API response, %s", async (_, text) => {
    const { importText } = await inProcess();
    const ran = await importText(text, [], "list.json");
    expect(ran.stderr).toContain("list.json (JSON, UTF-8)");
    expect(ran.json).toMatchObject({ rows: 2, created: 2 });
  });

  test('an import reads one JSON object per line, even if an object has a field named "data"', async () => {
    const { importText } = await inProcess();
    const ran = await importText(
      '{"first_name":"Anna","data":[1]}\n{"first_name":"Bert"}\n',
      [],
      "list.json",
    );
    expect(ran.stderr).toContain("list.json (JSONL");
    expect(ran.json).toMatchObject({ rows: 2, created: 2 });
  });

  test("the error for a JSON object without a list names the expected fields", async () => {
    const { importText } = await inProcess();
    const ran = await importText('{\n "people": [{"first_name": "Anna"}]\n}\n', [], "list.json");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is a single JSON object without a \\"data');
  });
});

test("an import creates no group if no row is valid or the results file can't be written", async () => {
  const { importText, emulator } = await inProcess();
  const ran = await importText("Vorname;Telefon\nAnna;folgt\n");
  expect(ran.code).toBe(68);
  expect(ran.json).toMatchObject({ run_id: null, group_id: null, created: 0, invalid: 1 });
  expect(ran.stderr).toContain('Group "Kunden" was not created');
  expect((await importText("Vorname\nAnna\n", ["--report", "missing/report.ndjson"])).code).toBe(2);
  expect(await groupOf(emulator)).toBeUndefined();
});

describe("an import before its first request", () => {
  const requests = async (emulator: Emulator) =>
    ((await emulator.control("GET", "/requests?limit=200")) as { method: string }[]).filter(
      ({ method }) => method !== "GET",
    );

  test("`contacts import --dry-run` prints the summary without writes", async () => {
    const { importText, emulator, data } = await inProcess();
    const ran = await importText("Vorname;Telefon\nAnna;0170 1111111\nBert;x\n", ["--dry-run"]);
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ run_id: null, group_id: null, rows: 2, created: 1, invalid: 1 });
    expect(ran.json.writes).toBe(2);
    expect(JSON.parse(ran.stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      exit: 68,
      outcome: "none",
    });
    expect(await requests(emulator)).toEqual([]);
    expect(readdirSync(join(data, "runs")).filter((name) => name.endsWith(".sqlite"))).toEqual([]);
  });

  test("--strict refuses a file with an invalid row and creates no group", async () => {
    const { importText, emulator } = await inProcess();
    const ran = await importText("Vorname;Telefon\nAnna;0170 1111111\nBert;x\n", ["--strict"]);
    expect(ran.code).toBe(2);
    expect(ran.stdout).toBe("");
    expect(JSON.parse(ran.stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
      exit: 2,
      outcome: "none",
    });
    expect(await requests(emulator)).toEqual([]);
    const good = await importText("Vorname;Telefon\nAnna;0170 1111111\n", ["--strict"]);
    expect(good.json).toMatchObject({ created: 1 });
  });

  test("before any request, an import detects rows that are too long [D-text, D-contact]", async () => {
    const { importText, emulator } = await inProcess();
    const text = `Vorname;Telefon\n${"x".repeat(300)};0170 1111111\nBert;0170 1111111\n`;
    const strict = await importText(text, ["--strict"]);
    expect([strict.code, strict.stdout]).toEqual([2, ""]);
    const dry = await importText(text, ["--dry-run"]);
    expect(dry.json).toMatchObject({ created: 1, invalid: 1 });
    // No row is valid, so no group is created.
    await importText(`Vorname\n${"x".repeat(300)}\n`);
    expect(await requests(emulator)).toEqual([]);
    const ran = await importText(text);
    expect(ran.json).toMatchObject({ created: 1, invalid: 1, duplicates: 0, failed: 0 });
    expect(readLines(ran.json.report)).toMatchObject([
      { line: 2, outcome: "invalid", field: "first_name", reason: "must be at most 200 characters" },
    ]);
    const numbers = Array.from({ length: 10 }, (_, index) => `030 2318123${index}`).join("; ");
    const more = `Vorname;Telefon;Tel 2\nBert;0170 1111111;${numbers}\n`;
    const update = await importText(more, ["--on-match", "update"], "more.csv");
    expect(update.json).toMatchObject({ updated: 0, invalid: 1, failed: 0 });
  });

  test.each<[string, string, string[], string]>([
    [
      "no column of first names",
      "Ort;Telefon\nBonn;0170 1111111\n",
      [],
      "no column found for the first name",
    ],
    ["a single row, but no header", "Anna;Schmidt;030 23181234\n", [], "list.csv has no header row"],
    [
      "rows, but no header, although a column is mapped",
      "Anna;Schmidt;anna@example.org\nBen;Krug;ben@example.org\n",
      ["--map", "first_name=Anna"],
      "list.csv has no header row",
    ],
    ["a header without known names and without rows", "Ort;Plz\n", [], "no column found for the first name"],
    ["a picture", `\xff\u0001\u001b[31m${"Exif;x".repeat(60)}`, [], "no column found for the first name"],
    [
      "a mapped column that is missing from a header without rows",
      "Vorname\n",
      ["--map", "first_name=Rufname"],
      "has no column",
    ],
    ["an unknown column", "Vorname\nAnna\n", ["--map", "first_name=Rufname"], 'has no column \\"Rufname'],
    ["an unknown field", "Vorname\nAnna\n", ["--map", "name=Vorname"], "expected a contact field before ="],
    [
      "an invalid country",
      "Vorname\nAnna\n",
      ["--country", "Deutschland"],
      "expected a two-letter country code",
    ],
    ["an unknown key", "Vorname\nAnna\n", ["--match", "name"], "expected phone, email or phone,email"],
    [
      "an unwritable results file",
      "Vorname\nAnna\n",
      ["--report", "missing/report.ndjson"],
      "missing/report.ndjson can't be written: its directory doesn't exist",
    ],
    ["a spreadsheet", "PK\u0003\u0004", [], "CSV UTF-8"],
    ["an empty file", "", [], "is empty"],
    [
      "a header row without column names",
      "Kundenliste, Stand 2026\n\nVorname;Nachname;Telefon\nAnna;Weiß;0170 1111111\nBert;Klug;0170 2222222\n",
      ["--header-row", "1"],
      "no column found for the first name",
    ],
    [
      "a mapped column that is missing from a header below a title",
      "Patienten der Praxis;;\nStand: heute;;\nVorname;Name;Telefon\nAnna;Alt;030 23181234\n",
      ["--map", "first_name=Rufname"],
      'one of the file\'s columns: \\"Vorname\\", \\"Name\\", \\"Telefon',
    ],
    [
      "--header-row with the number of an empty line",
      "Vorname\n\nAnna\n",
      ["--header-row", "2"],
      "no row that starts on line 2",
    ],
    ["an unknown encoding", "Vorname\nAnna\n", ["--encoding", "ebcdic"], "is not a supported encoding"],
    [
      "a field mapped twice",
      "Vorname\nAnna\n",
      ["--map", "first_name=Vorname", "--map", "last_name+first_name=Vorname"],
      "first_name is mapped twice",
    ],
    [
      "a column to clear that is not read",
      "Vorname;Ort\nAnna;Bonn\n",
      ["--on-match", "replace", "--clear-empty", "Ort"],
      "--clear-empty",
    ],
    ["an invalid limit", "Vorname\nAnna\n", ["--max-update", "viele"], "--max-update"],
    ["--match with only the name", "Vorname\nAnna\n", ["--match", "name"], "optionally followed by ,name"],
  ])("`contacts import` exits with code 2: %s", async (_, text, flags, message) => {
    const { importText, emulator } = await inProcess();
    const ran = await importText(text, flags);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(message);
    expect((await requests(emulator)).filter(({ method }) => method !== "POST")).toEqual([]);
    expect(await contactsIn(emulator)).toEqual([]);
  });

  test("`contacts import` exits with code 2 if its results file is the input file", async () => {
    const { importText, home } = await inProcess();
    symlinkSync("list.csv", join(home, "link"));
    for (const report of ["list.csv", "./list.csv", "link"]) {
      const ran = await importText("Vorname\nAnna\n", ["--report", report]);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("can't be the input file")]);
      expect(readFileSync(join(home, "list.csv"), "utf8")).toBe("Vorname\nAnna\n");
    }
  });

  test("`contacts import` exits with code 4 for a missing group, and 2 for a group of another type", async () => {
    const { run, home, emulator } = await inProcess();
    writeFileSync(join(home, "list.csv"), "Vorname\nAnna\n");
    expect((await run("contacts", "import", "list.csv", "--group", "Kunden")).code).toBe(4);
    expect((await run("contacts", "import", "list.csv")).stderr).toContain("missing required flag: --group");
    const made = await run("groups", "create", "--type", "knowledges", "--name", "Wissen", "-o", "json");
    expect((await run("contacts", "import", "list.csv", "--group", made.json.id)).code).toBe(2);
    expect(await contactsIn(emulator)).toEqual([]);
  });
});

test("`contacts import` reads the file from standard input", async () => {
  const { runWith, emulator } = await inProcess();
  const stdin = "Vorname;Telefon\nJörg;0170 1111111\n";
  const ran = await runWith(
    { stdin },
    "contacts",
    "import",
    "-",
    "--group",
    "Kunden",
    "--create-group",
    "--country",
    "de",
  );
  expect(ran.json).toMatchObject({ file: "-", created: 1 });
  expect(await contactsIn(emulator)).toHaveLength(1);
});

const count = whole ? 1_000 : 250;
test(`[public.limits.write] ${count} rows take at most ${0.306 * count} s of emulator time, without a 429`, async () => {
  const { importText, emulator } = await inProcess();
  const rows = Array.from({ length: count }, (_, index) => `Anna${index};0170 ${1_000_000 + index}`);
  const began = performance.now();
  const ran = await importText(`Vorname;Telefon\n${rows.join("\n")}\n`);
  expect(ran.json).toMatchObject({ created: count, rate_limited: 0 });
  // The emulator's clock advanced by minutes without real waiting.
  expect(performance.now() - began).toBeLessThan(150_000);
  const log = await readLog<{ id: number; method: string; at: string }>(emulator, "path=/api/v1/contacts");
  const writes = log.filter(({ method }) => method === "POST").map(({ at }) => Date.parse(at));
  expect(writes).toHaveLength(count);
  expect(Math.max(...writes) - Math.min(...writes)).toBeLessThanOrEqual(306 * count);
});

test("an import counts numbers without a country code and suggests --country", async () => {
  const { run, home } = await inProcess();
  writeFileSync(
    join(home, "list.csv"),
    "Vorname;Telefon\nAnna;0170 1111111\nBert;0170 2222222\nCleo;+491703333333\n",
  );
  const importing = ["contacts", "import", "list.csv", "--group", "Kunden", "--create-group"];
  const advice = "2 phone numbers have no country code; to read them as German numbers, use --country DE";
  expect((await run(...importing, "--dry-run")).stderr).toContain(advice);
  expect((await run(...importing, "--strict")).stderr).toContain(advice);
  const ran = await run(...importing, "-o", "json");
  expect(ran.code).toBe(68);
  expect(ran.stderr).toContain(advice);
  const read = await run(...importing, "--country", "DE");
  expect(read.json).toMatchObject({ created: 2, unchanged: 1 });
  expect(read.stderr).not.toContain("country");
});

test("a small import does not pause if ten requests remain in the rate-limit window", async () => {
  const { importText, emulator } = await inProcess();
  const rows = Array.from({ length: 150 }, (_, index) => `Anna${index}`);
  const before = emulator.clock.now();
  expect((await importText(`Vorname\n${rows.join("\n")}\n`)).json).toMatchObject({ created: 150 });
  expect(emulator.clock.now() - before).toBeLessThan(50);
});

test("on a terminal, an import shows a complete progress bar and then the summary", async () => {
  const { runWith, home } = await inProcess();
  writeFileSync(join(home, "list.csv"), `Vorname\n${"Anna\nBert\n".repeat(1)}`);
  const ran = await runWith(
    { terminal: 100 },
    "contacts",
    "import",
    "list.csv",
    "--group",
    "Kunden",
    "--create-group",
  );
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("2/2 · 100%");
  expect(ran.stdout).toMatch(/^Created 2, /);
});

test("the files of a run can be read and written only by their owner", async () => {
  const { importText, data } = await inProcess();
  await importText("Vorname\nAnna\n");
  const folder = join(data, "runs");
  expect(statSync(folder).mode & 0o077).toBe(0);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});
