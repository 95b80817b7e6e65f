import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { selectFields, valueAt } from "../../src/cli/output/fields.js";
import { detailLines, fitWidths, Table } from "../../src/cli/output/table.js";
import { createPaint } from "../../src/cli/paint.js";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";

const plain = createPaint(false);

/** A service that answers `rows` to a list and the first of them to a get; fails when the rows are used up, if told to. */
async function serving(rows: unknown[], options: { failsAfter?: boolean } = {}) {
  const emulator = await openEmulator({ seed: "empty" });
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

describe("formats", () => {
  test("JSON is one document with every field that was sent, unknown ones too", async () => {
    const { list, run } = await serving(rows);
    expect((await list("-o", "json")).json).toEqual(rows);
    expect((await run("contacts", "get", "0".repeat(24), "--profile", "offline")).json).toEqual(rows[0]);
  });

  test("JSON is one document even when the service fails on the way", async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: index }));
    const { list } = await serving(many, { failsAfter: true });
    const cut = await list("-o", "json", "--all");
    expect(cut.code).toBe(1);
    expect(cut.json).toEqual(many);
  });

  test("JSON is what a pipe gets, a table what a terminal gets", async () => {
    const { list, runWith } = await serving(rows);
    expect((await list()).json).toEqual(rows);
    expect((await runWith({ terminal: 100 }, "contacts", "list", "--profile", "offline")).stdout).toMatch(
      /ID .*NAME/,
    );
  });

  test("YAML holds the same as JSON", async () => {
    const many = Array.from({ length: 230 }, (_, index) => ({
      id: String(index),
      at: "2026-01-01T00:00:00Z",
    }));
    const { list } = await serving(many);
    expect(parse((await list("-o", "yaml")).stdout)).toEqual(many);
  });

  test("NDJSON is one document per line", async () => {
    const { list } = await serving(rows);
    const lines = (await list("-o", "ndjson")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
  });

  test("CSV quotes what needs it, joins lists, and knows the fields that the service added", async () => {
    const { list } = await serving(rows);
    const { stdout } = await list("-o", "csv");
    expect(stdout.split("\n")[0]).toBe(
      "id,group_id,first_name,last_name,phone_numbers,emails,created_at,updated_at,extra,later",
    );
    expect(stdout).toContain('a,,Zoë,,+491; +492,,,,"{""deep"":{""er"":1}}",true');
    expect(stdout).toContain('"a,""b""\nc"');
  });

  test("an unknown format is a usage error that names the known ones", async () => {
    const { list } = await serving(rows);
    const refused = await list("-o", "xml");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("table, json, yaml, ndjson, csv");
  });
});

describe("--fields", () => {
  test("selects paths, nested as they were, the same for every row", async () => {
    const { list } = await serving(rows);
    expect((await list("--fields", "id,extra.deep.er")).json).toEqual([
      { id: "a", extra: { deep: { er: 1 } } },
      { id: "b", extra: { deep: { er: null } } },
    ]);
    expect((await list("--fields", "id,extra.deep.er", "-o", "csv")).stdout).toBe(
      "id,extra.deep.er\na,1\nb,\n",
    );
  });

  test("names a field that nothing has", async () => {
    const { list } = await serving(rows);
    expect((await list("--fields", "id,nam")).stderr).toContain('nothing has a field "nam"');
  });

  test("a field of any name is one", () => {
    const row = JSON.parse('{"__proto__": {"a": 1}, "b.c": 2, "constructor": 3}');
    expect(JSON.stringify(selectFields(row, ["__proto__.a", "b.c", "constructor", "toString"]))).toBe(
      '{"__proto__":{"a":1},"b.c":2,"constructor":3,"toString":null}',
    );
    expect(valueAt({ a: [{ b: 1 }, { b: 2 }] }, "a.b")).toEqual([1, 2]);
  });
});

describe("tables", () => {
  const columns = [
    { header: "ID", value: "id", keep: true },
    { header: "NAME", value: "name" },
    { header: "NOTE", value: "note", optional: true },
  ];

  test("widths are counted in cells of the terminal, not in characters", () => {
    const lines = new Table(columns, 60, plain).lines([
      { id: "1", name: "山田太郎", note: "x" },
      { id: "2", name: "Zoe\u0301", note: "x" },
      { id: "3", name: "👩‍👩‍👧", note: "x" },
    ]);
    expect(lines.split("\n")).toEqual([
      "ID  NAME      NOTE",
      "1   山田太郎  x",
      "2   Zoe\u0301       x",
      "3   👩‍👩‍👧        x",
      "",
    ]);
  });

  test("what does not fit is cut with an ellipsis, ids last; optional columns go first", () => {
    const row = {
      id: "6b016f2722b109816a000002",
      name: "A very long name that does not fit",
      note: "n".repeat(30),
    };
    const [header, line] = new Table(columns, 50, plain).lines([row]).split("\n");
    expect(header).toBe("ID                        NAME");
    expect(line).toBe("6b016f2722b109816a000002  A very long name that d…");
    expect(line).toHaveLength(50);
  });

  test("rows after the first ones keep its layout", () => {
    const table = new Table(columns, 40, plain);
    table.lines([{ id: "1", name: "short", note: "" }]);
    expect(table.lines([{ id: "2", name: "a longer name", note: "n" }])).toBe("2   a lo…  n\n");
  });

  test("no column becomes unreadable", () => {
    expect(fitWidths([30, 30, 4], [false, true, false], 20)).toEqual([6, 6, 4]);
  });

  test("control characters become visible", () => {
    const evil = { id: "1", name: "\u001b[31mred\u0007\u202egnp.exe", note: "a\nb" };
    expect(new Table(columns, undefined, plain).lines([evil])).toContain(
      "\\u001b[31mred\\u0007\\u202egnp.exe",
    );
    expect(detailLines(evil, plain)).not.toMatch(/[\u001b\u202e]/);
  });

  test("one thing is shown field by field, nested ones indented", () => {
    expect(
      detailLines(
        { id: "1", list: [], state: { a: null, at: "now" }, items: [{ x: 1 }, { x: 2 }], text: "a\nb" },
        plain,
      ),
    ).toBe("id     1\nlist   –\nstate\n  a   –\n  at  now\nitems\n  x  1\n\n  x  2\ntext\n  a\n  b\n");
  });
});

describe("colour", () => {
  test.each([
    [{}, undefined, false],
    [{}, 80, true],
    [{ NO_COLOR: "1" }, 80, false],
    [{ FORCE_COLOR: "1" }, undefined, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, 80, false],
    [{ FORCE_COLOR: "0" }, 80, false],
    [{ TERM: "dumb" }, 80, false],
  ])("NO_COLOR, FORCE_COLOR, then the terminal decide: %j on %s", async (env, terminal, coloured) => {
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
    expect(stdout.includes("\u001b[")).toBe(coloured);
  });

  test("--no-color turns it off", async () => {
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
