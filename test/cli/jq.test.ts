import { describe, expect, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function demo() {
  const emulator = await openSeededEmulator({ seed: "demo" });
  const shell = commandLine({ overrides: connectedTo(emulator) });
  return { ...shell, emulator, run: (...argv: string[]) => shell.run("--profile", "offline", ...argv) };
}

describe("--jq", () => {
  test("--jq prints strings without quotes, and other results as JSON", async () => {
    const { run } = await demo();
    const rows: { id: string; name: string }[] = (await run("groups", "list", "--all")).json;
    const ids = await run("groups", "list", "--all", "--jq", ".[].id");
    expect(ids.stdout).toBe(rows.map(({ id }) => `${id}\n`).join(""));
    expect((await run("groups", "list", "--all", "--jq", "map(.name)|sort")).json).toEqual(
      rows.map(({ name }) => name).sort(),
    );
    expect((await run("groups", "list", "--all", "--jq", "empty")).stdout).toBe("");
    const lines = await run("groups", "list", "--all", "-o", "ndjson", "--jq", ".[]|{id}");
    expect(lines.stdout).toBe(rows.map(({ id }) => `${JSON.stringify({ id })}\n`).join(""));
  });

  test("--jq prints all results before `halt`", async () => {
    const { run } = await demo();
    const { stdout } = await run("groups", "list", "--limit", "2", "--jq", ".[].type, halt, 1");
    expect(stdout).toBe("contacts\nknowledges\n");
  });

  test("--jq escapes invisible characters in JSON, and prints strings unchanged", async () => {
    const { run } = await demo();
    const unseen = "\u009b31m\u007f\u202e";
    const named = [...["groups", "create", "--type", "contacts"], "--name", `A${unseen}`];
    const { stdout } = await run(...named, "-o", "json", "--jq", "{name}, [.name], .name");
    const escaped = '"A\\u009b31m\\u007f\\u202e"';
    expect(stdout).toBe(`{\n  "name": ${escaped}\n}\n[\n  ${escaped}\n]\nA${unseen}\n`);
  });

  test("--jq filters one resource, even on a terminal and after --fields", async () => {
    const { run, runWith } = await demo();
    expect((await run("profiles", "show", "--jq", ".type")).stdout).toBe("offline\n");
    const shown = await runWith({ terminal: 80 }, "groups", "list", "--limit", "1", "--jq", "length");
    expect(shown.stdout).toBe("1\n");
    const fields = await run("groups", "list", "--limit", "1", "--fields", "id", "--jq", ".[0]|keys");
    expect(fields.json).toEqual(["id"]);
  });

  test("$ENV and env in --jq contain the environment of the command", async () => {
    const { runWith } = await demo();
    const env = { PREFIX: 'Grüße \\(1) "' };
    const expressions = ["$ENV.PREFIX", "env.PREFIX", "def own: $ENV.PREFIX; own # a remark"];
    for (const expression of expressions) {
      const shown = await runWith({ env }, "groups", "list", "--limit", "1", "--jq", expression);
      expect([shown.stdout, shown.stderr], expression).toEqual([`${env.PREFIX}\n`, expect.anything()]);
    }
  });

  test("--jq prints empty strings and strings with leading or trailing spaces unchanged", async () => {
    const { run } = await demo();
    for (const [expression, printed] of [
      ['"", "a", ""', "\na\n\n"],
      ['" x ", " y"', " x \n y\n"],
      ['""', "\n"],
      ["empty", ""],
      ['{a: 1}, "#"', '{\n  "a": 1\n}\n#\n'],
      ['def f: "f"; f # a remark', "f\n"],
    ])
      expect((await run("version", "--jq", expression ?? "")).stdout, expression).toBe(printed);
    const lines = await run("groups", "list", "--limit", "1", "-o", "ndjson", "--jq", '"", ""');
    expect(lines.stdout).toBe('""\n""\n');
  });

  test("an invalid --jq expression is a usage error before any request", async () => {
    const { run, emulator } = await demo();
    for (const expression of [".[", "nothing_of_this_name", " "]) {
      const failed = await run("groups", "create", "--type", "contacts", "--name", "X", "--jq", expression);
      expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("--jq: ")]);
    }
    expect(await emulator.control("GET", "/requests")).toEqual([]);
    expect((await run("groups", "list", "-o", "csv", "--jq", ".")).code).toBe(2);
  });

  test("if --jq fails after a change, voxctl prints the unfiltered result", async () => {
    const { run } = await demo();
    const read = await run("groups", "list", "--jq", 'error("no")');
    expect([read.code, read.stdout, read.stderr]).toEqual([2, "", expect.stringContaining("--jq: no")]);
    const made = await run(
      ...["groups", "create", "--type", "contacts", "--name", "X", "--jq", 'error("no")'],
    );
    expect(made.code).toBe(0);
    expect(made.json).toMatchObject({ name: "X" });
    expect(made.stderr).toContain("printing the unfiltered result");
  });
});
