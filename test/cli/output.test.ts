import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { getValueAt, selectFields } from "../../src/base/fields.js";
import { formatRelativeTime } from "../../src/cli/output/relative-time.js";
import { fitWidths, formatDetails, Table } from "../../src/cli/output/table.js";
import { cutToCells, displayWidth } from "../../src/cli/terminal/cells.js";
import { createPaint, toShown } from "../../src/cli/terminal/paint.js";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const plain = createPaint(false);

async function serving(rows: unknown[], options: { failsAfter?: boolean } = {}) {
  const emulator = await openSeededEmulator({ seed: "empty" });
  const { connect } = connectedTo(emulator);
  const shell = commandLine({
    overrides: {
      connect: async (profile, given) => {
        if (!connect) throw new Error("no connection");
        const connection = await connect(profile, given);
        const client: typeof connection.client = {
          ...connection.client,
          async *items() {
            yield* rows;
            if (options.failsAfter) throw new Error("cut");
          },
          call: async () => ({ status: 200, headers: {}, body: { data: rows[0] }, data: rows[0] }),
        };
        return { ...connection, client };
      },
    },
  });
  return {
    ...shell,
    list: (...flags: string[]) => shell.run("contacts", "list", "--profile", "offline", ...flags),
  };
}

const rows = [
  { id: "a", first_name: "Zoë", phone_numbers: ["+491", "+492"], extra: { deep: { er: 1 } }, later: true },
  { id: "b", first_name: 'a,"b"\nc', phone_numbers: [], extra: null },
];

describe("output formats", () => {
  test("JSON output is one document with all fields of the response, even unknown ones", async () => {
    const { list, run } = await serving(rows);
    expect((await list("-o", "json")).json).toEqual(rows);
    expect((await run("contacts", "get", "0".repeat(24), "--profile", "offline")).json).toEqual(rows[0]);
  });

  test("JSON output is one document even if the service fails midway", async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: index }));
    const { list } = await serving(many, { failsAfter: true });
    const cut = await list("-o", "json", "--all");
    expect(cut.code).toBe(1);
    expect(cut.json).toEqual(many);
  });

  test("a command prints JSON to a pipe and a table to a terminal", async () => {
    const { list, runWith } = await serving(rows);
    expect((await list()).json).toEqual(rows);
    expect((await runWith({ terminal: 100 }, "contacts", "list", "--profile", "offline")).stdout).toMatch(
      /ID .*NAME/,
    );
  });

  test("YAML output contains the same data as JSON", async () => {
    const many = Array.from({ length: 230 }, (_, index) => ({
      id: String(index),
      at: "2026-01-01T00:00:00Z",
    }));
    const { list } = await serving(many);
    expect(parse((await list("-o", "yaml")).stdout)).toEqual(many);
  });

  test("NDJSON output has one document per line", async () => {
    const { list } = await serving(rows);
    const lines = (await list("-o", "ndjson")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
  });

  test("CSV quotes cells if necessary, joins lists, and includes undocumented fields", async () => {
    const { list } = await serving(rows);
    const { stdout } = await list("-o", "csv");
    expect(stdout.split("\n")[0]).toBe(
      "id,group_id,first_name,last_name,phone_numbers,emails,created_at,updated_at,extra,later",
    );
    expect(stdout).toContain('a,,Zoë,,+491; +492,,,,"{""deep"":{""er"":1}}",true');
    expect(stdout).toContain('"a,""b""\nc"');
  });

  test.each([
    ["runs", "id,state,kind,command,started_with,file,group,"],
    ["mirror", "name,state,profile,base_url,"],
    ["alias", "name,command\n"],
  ])("CSV of an empty %s list has a header", async (noun, header) => {
    const ran = await commandLine().run(noun, "list", "-o", "csv");
    expect(ran.stdout.startsWith(header), ran.stdout).toBe(true);
  });

  test("an unknown output format is a usage error that lists the formats", async () => {
    const { list } = await serving(rows);
    const refused = await list("-o", "xml");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("table, json, yaml, ndjson, csv");
  });
});

describe("--fields", () => {
  test("--fields prints a nested path in every row, even if a row lacks it", async () => {
    const { list } = await serving(rows);
    expect((await list("--fields", "id,extra.deep.er")).json).toEqual([
      { id: "a", extra: { deep: { er: 1 } } },
      { id: "b", extra: { deep: { er: null } } },
    ]);
    expect((await list("--fields", "id,extra.deep.er", "-o", "csv")).stdout).toBe(
      "id,extra.deep.er\na,1\nb,\n",
    );
  });

  test("--fields exits with code 2 for an unknown field and lists the known fields", async () => {
    const { list, run } = await serving(rows);
    const get = (...flags: string[]) =>
      run("contacts", "get", "0".repeat(24), "--profile", "offline", ...flags);
    for (const format of ["json", "table", "csv"]) {
      for (const ran of [
        await list("--fields", "id,first_nam", "-o", format),
        await get("--fields", "first_nam", "-o", format),
      ]) {
        expect(ran).toMatchObject({ code: 2, stdout: "" });
        expect(ran.stderr).toMatch(/unknown field .*first_nam/);
        expect(ran.stderr).toContain("did you mean first_name? fields: id, group_id, first_name,");
      }
    }
    for (const [path, suggestion] of [
      ["extra.dep", "extra.deep"],
      ["phone_numbers.0", "phone_numbers?"],
    ] as const) {
      const nested = await list("--fields", path);
      expect(nested).toMatchObject({ code: 2, stdout: "" });
      expect(nested.stderr).toContain(suggestion);
    }
  });

  test("--fields accepts a known field that no row has", async () => {
    const { list, run } = await serving(rows);
    expect((await list("--fields", "id,emails")).json[0]).toEqual({ id: "a", emails: null });
    expect((await list("--fields", "later,extra.deep.er,phone_numbers")).code).toBe(0);
    const none = await serving([]);
    expect((await none.list("--fields", "nothing")).json).toEqual([]);
    const group = "0".repeat(24);
    const planned = await run(
      ...["contacts", "create", "--group", group, "--first-name", "A", "--phone-number", "+49301234567"],
      ...["--dry-run", "--fields", "id", "--profile", "offline"],
    );
    expect(planned.code).toBe(0);
  });

  test("after a change, an unknown field in --fields causes a warning instead of exit code 2", async () => {
    const emulator = await openEmulator({ seed: "empty" });
    const { run } = commandLine({ overrides: connectedTo(emulator) });
    const ran = await run(
      ...["groups", "create", "--type", "contacts", "--name", "A", "--fields", "nam", "--profile", "offline"],
    );
    expect(ran).toMatchObject({ code: 0, json: { nam: null } });
    expect(ran.stderr).toContain('no result has a field "nam"');
  });

  test("--fields accepts field names with any characters", () => {
    const row = JSON.parse('{"__proto__": {"a": 1}, "b.c": 2, "constructor": 3}');
    expect(JSON.stringify(selectFields(row, ["__proto__.a", "b.c", "constructor", "toString"]))).toBe(
      '{"__proto__":{"a":1},"b.c":2,"constructor":3,"toString":null}',
    );
    expect(getValueAt({ a: [{ b: 1 }, { b: 2 }] }, "a.b")).toEqual([1, 2]);
  });
});

describe("tables", () => {
  const columns = [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "NOTE", value: "note", optional: true },
  ];

  const tableOf = (available: number | undefined) =>
    new Table(columns, { available: () => available, paint: plain });

  test("tables count terminal columns, not characters", () => {
    const lines = tableOf(60).lines([
      { id: "1", name: "山田太郎", note: "x" },
      { id: "2", name: "Zoe\u0301", note: "x" },
      { id: "3", name: "👩‍👩‍👧", note: "x" },
    ]);
    expect(String(lines).split("\n")).toEqual([
      "ID  NAME      NOTE",
      "1   山田太郎  x",
      "2   Zoe\u0301       x",
      "3   👩‍👩‍👧        x",
      "",
    ]);
  });

  test("tables omit optional columns without values, but keep other columns", () => {
    const table = tableOf(undefined);
    const lines = (note: unknown) => String(table.lines([{ id: "1", name: "", note }])).split("\n");
    expect(lines(null)).toEqual(["ID  NAME", "1", ""]);
    expect(lines("")).toEqual(["1", ""]);
    expect(table.omittedColumns).toEqual([]);
    expect(lines("late")).toEqual(["ID  NAME  NOTE", "1         late", ""]);
    expect(lines(null)[0]).toMatch(/^1/);
  });

  test("a plain table, for screen readers, omits optional columns without values", () => {
    const table = new Table(columns, { available: () => 80, paint: plain, plain: true });
    expect(String(table.lines([{ id: "1", name: "A", note: "" }]))).toBe("ID: 1\nNAME: A\n");
  });

  test("tables drop optional columns before they shorten wide cells", () => {
    const row = {
      id: "6b016f2722b109816a000002",
      name: "A very long name that does not fit",
      note: "n".repeat(30),
    };
    const [header, line] = String(tableOf(50).lines([row])).split("\n");
    expect(header).toBe("ID                        NAME");
    expect(line).toBe("6b016f2722b109816a000002  A very long name that d…");
    expect(line).toHaveLength(50);
  });

  test("tables never shorten an ID", () => {
    const id = "6b016f2722b109816a000002";
    const row = { id, name: "A long name of somebody", note: id };
    const lines = (available: number) => String(tableOf(available).lines([row])).split("\n");
    expect(lines(36)[1]).toBe(`${id}  A long na…`);
    expect(lines(30)[1]).toBe(id);
    expect(lines(10)[1]).toBe(id);
    const named = new Table(
      [
        { header: "ORG_ID", value: "organization_id" },
        { header: "GROUP", value: (record) => record["group"] },
        { header: "TEXT", value: "text" },
      ],
      { available: () => 60, paint: plain },
    );
    const first = String(
      named.lines([{ organization_id: "ORG/4711-of-the-east", group: id, text: "t".repeat(40) }]),
    );
    expect(first).toContain("ORG/4711-of-the-east  ");
    expect(first).toContain(id);
    expect(
      String(named.lines([{ organization_id: "ORG/4712-of-the-far-east-side", group: "x", text: "y" }])),
    ).toContain("ORG/4712-of-the-far-east-side");
  });

  test("tables drop optional columns one by one from the right, and list them below", async () => {
    const { runWith } = await serving([
      {
        id: "6b016f2722b109816a000002",
        name: "Default",
        type: "contacts",
        updated_at: "2026-01-01T00:00:00Z",
      },
    ]);
    const list = (terminal: number, ...flags: string[]) =>
      runWith({ terminal }, "groups", "list", "--profile", "offline", "--no-color", ...flags);
    const narrow = await list(50);
    expect(narrow.stdout).toMatch(/^ID +NAME +TYPE\n/);
    expect(narrow.stderr).toContain("Hidden columns: UPDATED. To show them, use --wide.");
    const wide = await list(50, "--wide");
    expect(wide.stdout).toMatch(/^ID +NAME +TYPE +UPDATED\n/);
    expect(wide.stderr).not.toContain("Hidden columns");
  });

  test.each([
    [{}, 0, "UPDATED"],
    [{}, 1, "UPDATED"],
    [{ COLUMNS: "200" }, 0, "UPDATED"],
    [{ COLUMNS: "50" }, 120, "TYPE\n"],
    [{ COLUMNS: "0" }, 120, "UPDATED"],
    [{ COLUMNS: "wide" }, 1, "UPDATED"],
  ])(
    "with the environment %j and %i columns, a table shows at least names and IDs",
    async (env, terminal, last) => {
      const row = { id: "6b016f2722b109816a000002", name: "Default", type: "contacts" };
      const { runWith } = await serving([{ ...row, updated_at: "2026-01-01T00:00:00Z" }]);
      const list = ["groups", "list", "--profile", "offline", "--no-color"];
      const { stdout } = await runWith({ env, terminal }, ...list);
      expect(stdout).toMatch(/^ID +NAME +TYPE/);
      expect(stdout).toContain("Default");
      expect(stdout).toContain(last);
    },
  );

  test("a table adapts to a new terminal width and prints a new header", () => {
    let columns = 40;
    const table = new Table([{ header: "NAME", value: "name" }], { available: () => columns, paint: plain });
    expect(String(table.lines([{ name: "abcdefghij" }]))).toBe("NAME\nabcdefghij\n");
    columns = 8;
    expect(String(table.lines([{ name: "abcdefghij" }]))).toBe("NAME\nabcdefg…\n");
    expect(String(table.lines([{ name: "abc" }]))).toBe("abc\n");
  });

  test("a table widens columns for longer values, up to the available width", () => {
    const short = { id: "1", name: "Anna", note: "x" };
    const long = { id: "2", name: "Maximiliane", note: "twelve chars" };
    const whole = tableOf(undefined);
    whole.lines([short]);
    expect(String(whole.lines([long]))).toBe("2   Maximiliane  twelve chars\n");
    expect(String(whole.lines([short]))).toBe("1   Anna         x\n");
    const narrow = tableOf(20);
    narrow.lines([short]);
    expect(String(narrow.lines([long]))).toBe("2   Maximilia…  twe…\n");
  });

  test("tables align columns with any script and any emoji, even if text has colors", () => {
    const lines = new Table(
      [
        { header: "A", value: "a", as: "status" },
        { header: "B", value: "b", align: "right" },
        { header: "C", value: "c" },
      ],
      { available: () => undefined, paint: createPaint(true) },
    ).lines([
      { a: "failed", b: "🫠🫠", c: "x" },
      { a: "ก็", b: "1", c: "x" },
      { a: "\ue000\ue000", b: "\u0301", c: "x" },
      { a: "", b: "👍🏽", c: "x" },
    ]);
    const bare = String(lines).split("\n").slice(1, -1);
    expect(toShown(lines)).toContain("\u001b[31mfailed\u001b[39m");
    for (const line of bare) expect([line, displayWidth(line)]).toEqual([line, 6 + 2 + 4 + 2 + 1]);
  });

  test("times are relative to a running emulator's clock, even if that clock was advanced", async () => {
    const { run, runWith, data } = commandLine();
    const db = join(data, "offline.db");
    await run("groups", "list", "--profile", "offline");
    const emulator = await openEmulator({ db });
    try {
      await emulator.listen({ port: 0 });
      await emulator.control("PATCH", "/clock", { advance_seconds: 1_320 });
      await run("groups", "create", "--name", "Neu", "--type", "contacts", "--profile", "offline");
      const listed = await runWith({ terminal: 120 }, "groups", "list", "--profile", "offline");
      expect(listed.stdout).toMatch(/Neu +contacts +(now|\d+ s ago)/);
    } finally {
      await emulator.close();
    }
  });

  test("a note names the emulator's clock only if relative times are shown", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
    const { runWith } = commandLine({ overrides: connectedTo(emulator) });
    const note = /^Relative times use the emulator's clock, which shows \d{4}-\d\d-\d\dT\d\d:\d\dZ\.$/m;
    const onTerminal = (...argv: string[]) => runWith({ terminal: 120 }, ...argv, "--profile", "offline");
    expect((await onTerminal("groups", "list")).stderr).toMatch(note);
    expect((await onTerminal("contacts", "export", "a.csv")).stderr).not.toMatch(note);
    await emulator.close();
  });

  test("times are relative to the service's clock on a terminal, and in ISO format in a pipe", async () => {
    const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
    const { run, runWith } = commandLine({ overrides: connectedTo(emulator) });
    const group = ["groups", "create", "--type", "contacts", "--name", "Neu", "--profile", "offline"];
    await runWith({ terminal: 120 }, ...group);
    await emulator.clock.sleep(3 * 3_600_000);
    const list = ["groups", "list", "--profile", "offline", "-o", "table", "--all"];
    expect((await runWith({ terminal: 120 }, ...list)).stdout).toMatch(/Neu +contacts +3 h ago/);
    expect((await run(...list)).stdout).toMatch(/Neu +contacts +20\d\d-\d\d-\d\dT[\d:.]+Z/);
    await emulator.close();
  });

  test.each([
    ["2026-01-02T00:00:00Z", "now"],
    ["2026-01-01T23:59:15Z", "45 s ago"],
    ["2026-01-02T00:05:00.000Z", "in 5 min"],
    ["2026-01-02T00:59:59Z", "in 1 h"],
    ["2026-01-08T23:59:59Z", "in 7 days"],
    ["2026-01-01T00:00:00+01:00", "1 day ago"],
    ["2025-12-20T00:00:00Z", "13 days ago"],
    ["2025-01-01T00:00:00Z", "2025-01-01"],
    ["2026", undefined],
    ["2026-99-99T00:00:00Z", undefined],
  ])("on January 2, the time %s is displayed as %s", (time, text) => {
    expect(formatRelativeTime(time, () => Date.parse("2026-01-02T00:00:00Z"))).toBe(text);
  });

  test("a list prints the number of rows and the flag for more rows on stderr", async () => {
    const { runWith, run } = await serving(rows);
    const list = ["contacts", "list", "--profile", "offline"];
    expect((await runWith({ terminal: 100 }, ...list)).stderr).toContain("2 contacts\n");
    expect((await run(...list)).stderr).not.toContain("2 contacts");
    const emulator = await openSeededEmulator({ seed: "demo" });
    const real = commandLine({ overrides: connectedTo(emulator) });
    expect((await real.run(...list, "--limit", "2")).stderr).toContain(
      "Showing the first 2 contacts. For more, use --limit or --all.",
    );
    await emulator.close();
  });

  test("--plain prints one line per value, without columns or colors", async () => {
    const { runWith } = await serving(rows);
    const { stdout, stderr } = await runWith(
      { terminal: 40 },
      ...["contacts", "list", "--profile", "offline", "--plain"],
    );
    expect(stdout).toBe(
      'ID: a\nNAME: Zoë\nPHONE NUMBERS: +491, +492\nEMAILS: –\n\nID: b\nNAME: a,"b"\\nc\nPHONE NUMBERS: –\nEMAILS: –\n',
    );
    expect(stdout + stderr).not.toContain("\u001b");
    expect(String(formatDetails({ long_name: "x", a: 1 }, { paint: plain, plain: true }))).toBe(
      "long_name: x\na: 1\n",
    );
  });

  test("a table distributes the width so that every column stays readable", () => {
    expect(fitWidths([30, 30, 4], [false, true, false], 20)).toEqual([6, 6, 4]);
  });

  test("output shows control characters as escape sequences", () => {
    const evil = { id: "1", name: "\u001b[31mred\u0007\u202egnp.exe", note: "a\nb" };
    expect(toShown(tableOf(undefined).lines([evil]))).toContain("\\u001b[31mred\\u0007\\u202egnp.exe");
    expect(toShown(formatDetails(evil, { paint: plain }))).not.toMatch(/[\u001b\u202e]/);
  });

  test("a single resource is printed field by field, with nested fields indented", () => {
    expect(
      String(
        formatDetails(
          { id: "1", list: [], state: { a: null, at: "now" }, items: [{ x: 1 }, { x: 2 }], text: "a\nb" },
          { paint: plain },
        ),
      ),
    ).toBe("id     1\nlist   –\nstate\n  a   –\n  at  now\nitems\n  x  1\n\n  x  2\ntext\n  a\n  b\n");
  });
});

describe("color of the output", () => {
  test.each([
    [{}, undefined, false],
    [{}, 80, true],
    [{ NO_COLOR: "1" }, 80, false],
    [{ FORCE_COLOR: "1" }, undefined, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, 80, false],
    [{ FORCE_COLOR: "0" }, 80, false],
    [{ TERM: "dumb" }, 80, false],
    [{ CLICOLOR_FORCE: "1" }, undefined, true],
    [{ CLICOLOR_FORCE: "0" }, undefined, false],
    [{ CLICOLOR: "0" }, 80, false],
    [{ CLICOLOR: "0", CLICOLOR_FORCE: "1" }, 80, true],
    [{ NO_COLOR: "1", CLICOLOR_FORCE: "1" }, 80, false],
    [{ FORCE_COLOR: "0", CLICOLOR_FORCE: "1" }, 80, false],
  ])(
    "the environment decides whether output has color: %j, terminal width %s",
    async (env, terminal, colored) => {
      const { runWith } = await serving(rows);
      const { stdout } = await runWith(
        { env, ...(terminal === undefined ? {} : { terminal }) },
        "contacts",
        "list",
        "-o",
        "table",
        "--profile",
        "offline",
      );
      expect(stdout.includes("\u001b[")).toBe(colored);
    },
  );

  test("--no-color disables color", async () => {
    const { runWith } = await serving(rows);
    const { stdout } = await runWith(
      { terminal: 80 },
      "contacts",
      "list",
      "--no-color",
      "--profile",
      "offline",
    );
    expect(stdout).not.toContain("\u001b[");
  });
});

describe("cells that a spreadsheet would run as formulas", () => {
  const formulas = [
    { id: "1", name: "=HYPERLINK(1)" },
    { id: "2", name: "@SUM(1)", phone: "+491" },
  ];

  test.each([["list"], ["get", "0".repeat(24)]])(
    "contacts %s -o csv warns about cells that look like formulas",
    async (...words) => {
      const { run } = await serving(formulas);
      const { stdout, stderr } = await run("contacts", ...words, "--profile", "offline", "-o", "csv");
      expect(stdout).toContain("=HYPERLINK(1)");
      expect(stderr).toMatch(/warning: a spreadsheet would run \d cells? as formulas; .*--excel/);
    },
  );

  test("--excel adds an apostrophe to cells that look like formulas", async () => {
    const { list } = await serving(formulas);
    const { stdout, stderr } = await list("-o", "csv", "--excel");
    expect(stdout).toMatch(/^\ufeff/);
    expect(stdout).toContain("'=HYPERLINK(1)");
    expect(stdout).toContain("'@SUM(1)");
    expect(stderr).not.toContain("formula");
  });

  test("--excel is refused for formats other than CSV", async () => {
    const { list } = await serving(formulas);
    const { code, stderr } = await list("-o", "json", "--excel");
    expect(code).toBe(2);
    expect(stderr).toContain("--excel requires -o csv");
  });
});

test("-o csv prints an empty cell in quotes if it is the only one in its row", async () => {
  const { list } = await serving([
    { id: "a", name: null },
    { id: "b", name: "B" },
  ]);
  expect((await list("-o", "csv", "--fields", "name")).stdout).toBe('name\n""\nB\n');
  expect((await list("-o", "csv", "--fields", "id,name")).stdout).toBe("id,name\na,\nb,B\n");
});

test("-o csv warns about a field that only later rows have", async () => {
  const many = Array.from({ length: 101 }, (_, index) => ({
    id: index,
    ...(index === 100 ? { vip: true } : {}),
  }));
  const { list } = await serving(many);
  const { stdout, stderr } = await list("-o", "csv", "--all");
  expect(stdout).not.toContain("vip");
  expect(stderr).toContain('omitted "vip"');
});

describe("-o csv for a single resource that contains a list", () => {
  const csv = async (...argv: string[]) =>
    (await commandLine().run(...argv, "-o", "csv", "--profile", "offline")).stdout.split("\n");

  test("-o csv prints one line per item for a resource that contains a list", async () => {
    const [head, ...days] = await csv("stats", "usage");
    expect(head).toBe("period,begins,calls,duration_seconds");
    expect(days.filter((line) => line.startsWith("day,"))).toHaveLength(7);
    expect(days.filter((line) => line.startsWith("hour,"))).toHaveLength(24);
    expect((await csv("stats", "summary"))[1]).toMatch(/^week,\d{4}-W\d\d,$/);
    expect((await csv("billing", "--v1", "altstadt-edv"))[1]).toMatch(
      /^altstadt-edv,\d{4}-\d\d,altstadt-optik,starter,/,
    );
  });

  test("-o csv prints only the requested fields", async () => {
    expect(await csv("stats", "usage", "--fields", "weekly.total_calls,week")).toHaveLength(3);
  });
});

test.each(["✗ blocked (license_disabled)", "✓ ok then longer", "→ 日本語のテキスト", "Überweiser und mehr"])(
  "text is shortened to fit the available width, regardless of its first character: %s",
  (text) => {
    for (let width = 2; width < 12; width += 1) {
      expect(displayWidth(cutToCells(text, width))).toBeLessThanOrEqual(width);
      expect(displayWidth(cutToCells(text, width))).toBeGreaterThanOrEqual(width - 1);
    }
  },
);

test("long values are wrapped between words, and their continuation lines are indented", async () => {
  const shell = commandLine({ terminal: 80, env: { NO_COLOR: "1" } });
  const { stdout } = await shell.run("assistants", "get", "Empfang", "--profile", "offline");
  expect(stdout.split("\n").every((line) => displayWidth(line) <= 80)).toBe(true);
  expect(stdout).toMatch(/\nknowledge_group_ids {6}[0-9a-f]{24}, [0-9a-f]{24},\n {25}[0-9a-f]{24}\n/);
  const wide = await shell.run("assistants", "get", "Empfang", "--wide", "--profile", "offline");
  expect(wide.stdout).toMatch(/\nknowledge_group_ids {6}[0-9a-f]{24}, [0-9a-f]{24}, [0-9a-f]{24}\n/);
});
