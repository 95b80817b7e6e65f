import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function practice() {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  const { connect } = connectedTo(emulator);
  let cut = false;
  const overrides: Overrides = {
    connect: async (profile, options) => {
      if (cut || !connect) throw new Error("nobody may connect");
      return connect(profile, options);
    },
  };
  const shell = commandLine({ overrides });
  const tab = async (...words: string[]) => {
    cut = true;
    const { code, stdout } = await shell.run("__complete", "zsh", "voxctl", ...words);
    cut = false;
    expect(code).toBe(0);
    return stdout.split("\n").filter((line) => line !== "");
  };
  return {
    ...shell,
    tab,
    values: async (...words: string[]) => (await tab(...words)).map((line) => line.split("\t")[0]),
  };
}

test("completion stores names from printed lists in a private file for each profile", async () => {
  const { run, values, data } = await practice();
  await run("groups", "list", "--profile", "offline");
  await run("contacts", "list", "--limit", "3", "--profile", "offline");
  const file = join(data, "completion", "offline.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await values("contacts", "list", "--group", "")).toEqual([
    "Default",
    "Patienten",
    "Labore und Lieferanten",
    "Überweiser",
  ]);
  expect(await values("knowledge", "create", "--group=P")).toEqual(["--group=Praxiswissen"]);
  expect(await values("rehearse", "--profile", "offline", "--", "groups", "get", "Pat")).toEqual([
    "Patienten",
  ]);
  expect(await values("rehearse", "--profile", "other", "--", "groups", "get", "Pat")).toEqual([]);
  const people = await values("contacts", "get", "");
  expect(people).toHaveLength(3);
  expect(people[0]).toMatch(/^\p{L}[^\d]+$/u);
  expect(await values("--profile", "other", "groups", "get", "")).toEqual([]);
});

test("completion offers resources by name or partial ID, and partners by external ID", async () => {
  const { run, tab, values } = await practice();
  await run("contacts", "list", "--search", "+491713920001", "--profile", "offline");
  await run("glossary", "list", "--profile", "offline");
  await run("partners", "list", "--profile", "offline");
  await run("customers", "list", "altstadt-edv", "--profile", "offline");
  const [person = ""] = await tab("contacts", "update", "");
  const [name = "", id = ""] = person.split("\t");
  expect(await tab("contacts", "get", id.slice(0, 8))).toEqual([`${id}\t${name}`]);
  expect(await tab("customers", "list", "alt")).toEqual(["altstadt-edv\tAltstadt EDV"]);
  expect(await values("customers", "get", "")).toEqual(["altstadt-optik"]);
  expect(await values("customers", "create", "--partner", "altstadt")).toEqual(["altstadt-edv"]);
  expect(await values("glossary", "get", "HK")).toEqual(["HKP"]);
});

test("completion supports comma-separated values and arguments of aliases", async () => {
  const { run, values } = await practice();
  await run("groups", "list", "--profile", "offline");
  expect(await values("calls", "list", "--status", "failed,")).toEqual([
    "failed,completed",
    "failed,no_answer",
    "failed,busy",
  ]);
  expect(await values("calls", "list", "--status=failed,no")).toEqual(["--status=failed,no_answer"]);
  expect(await values("calls", "list", "--status", "lost,")).toEqual([]);
  await run("alias", "set", "dort", "contacts list --group $1 --limit $2");
  expect(await values("dort", "Pat")).toEqual(["Patienten"]);
  expect(await values("dort", "Patienten", "")).toEqual([]);
  expect(await values("dort", "Patienten", "3", "--sea")).toEqual(["--search"]);
});

test("completion stops offering a deleted resource after a complete list was printed without it", async () => {
  const { run, values } = await practice();
  await run("contacts", "list", "--all", "--profile", "offline");
  await run("groups", "create", "--type", "contacts", "--name", "Kunden", "--profile", "offline");
  await run("groups", "list", "--profile", "offline");
  expect(await values("groups", "get", "Kun")).toEqual(["Kunden"]);
  await run("groups", "delete", "Kunden", "--yes", "--profile", "offline");
  await run("groups", "list", "--type", "contacts", "--profile", "offline");
  await run("groups", "list", "--limit", "1", "--profile", "offline");
  expect(await values("groups", "get", "Kun")).toEqual(["Kunden"]);
  await run("groups", "list", "--profile", "offline");
  expect(await values("groups", "get", "Kun")).toEqual([]);
  expect(await values("contacts", "get", "")).not.toEqual([]);
});

test("completion stores each name only once, and at most 500 names per list", async () => {
  const { run, data } = await practice();
  await run("contacts", "list", "--limit", "5", "--profile", "offline");
  await run("contacts", "list", "--all", "--profile", "offline");
  const { "contacts.list": rows } = JSON.parse(
    readFileSync(join(data, "completion", "offline.json"), "utf8"),
  );
  expect(new Set(rows.map(({ id }: { id: string }) => id)).size).toBe(rows.length);
  expect(rows.length).toBeLessThanOrEqual(500);
});

test.each([
  [["cont"], ["contacts"]],
  [["groups", "l"], ["list"]],
  [["groups", "ls", "--ty"], ["--type"]],
  [["groups", "list", "--type", "conta"], ["contacts"]],
  [["groups", "list", "--type", "contacts", "--ty"], []],
  [["contacts", "create", "--phone-number", "+49301", "--phone"], ["--phone-number"]],
  [["-o", "j"], ["json"]],
  [["--output=nd"], ["--output=ndjson"]],
  [["contacts", "import", ""], [":files"]],
  [["contacts", "import", "x.csv", "--report", ""], [":files"]],
  [["profiles", "use", "off"], ["offline"]],
  [["help", "exit"], ["exit-codes"]],
  [["knowledge", "update", "x", "--no-a"], ["--no-active"]],
  [["contacts", "list", "--", "--gr"], []],
  [
    ["report", ""],
    ["calls", "usage", "billing"],
  ],
  [["completion", "f"], ["fish"]],
  [
    ["emulator", "faults", "add", "dr"],
    ["drop_before", "drop_after"],
  ],
  [["demo", ""], ["rehearse"]],
  [["schema", "call"], ["call-suite"]],
  [["open", "d"], ["documentation"]],
  [["emulator", "control", "clock.g"], ["clock.get"]],
  [["webhook", "test", ""], [":files"]],
  [["rehearse", "--", "contacts", "del"], ["delete"]],
  [["rehearse", "--", "contacts", "list", "--gr"], ["--group"]],
  [["rehearse", "--plan"], ["--plan"]],
  [["fleet", "run", "--", "conf"], ["config"]],
  [["alias", "set", "kunden", "contacts", "li"], ["list"]],
])("the shell completes %j to %j", async (words, expected) => {
  const { values } = await practice();
  expect(await values(...words)).toEqual(expected);
});

test("completion offers assistants to call, runs to undo and API rules to explain", async () => {
  const { run, values, data } = await practice();
  await run("assistants", "list", "--profile", "offline");
  expect(await values("calls", "trigger", "--assistant", "")).toContain("Terminservice");
  expect(await values("runs", "undo", "")).toEqual([]);
  for (const id of ["2aa82de186e4", "77b5f8e343a9"]) {
    mkdirSync(join(data, "runs"), { recursive: true });
    writeFileSync(join(data, "runs", `${id}.sqlite`), "");
  }
  writeFileSync(join(data, "runs", "2aa82de186e4.report.csv"), "");
  expect((await values("runs", "undo", "")).sort()).toEqual(["2aa82de186e4", "77b5f8e343a9"]);
  expect(await values("runs", "resume", "77")).toEqual(["77b5f8e343a9"]);
  expect(await values("emulator", "explain", "public.operations.12")).toContain("public.operations.12f");
});

test("completions have descriptions without line breaks", async () => {
  const { tab } = await practice();
  expect(await tab("contacts", "exp")).toEqual([
    "export\tExport contacts to a CSV, XLSX, JSONL or vCard file",
  ]);
});

test.each([
  ["voxctl contacts li", ["list"]],
  ["cd /tmp && voxctl contacts li", ["list"]],
  ["voxctl contacts list --group Lab", ["Labore\\ und\\ Lieferanten"]],
  ["voxctl contacts list --group 'Lab", ["Labore und Lieferanten"]],
  ["voxctl contacts list --group=Pat", ["Patienten"]],
])("bash completes a command line: %s", async (line, expected) => {
  const { run } = await practice();
  await run("groups", "list", "--profile", "offline");
  const { stdout } = await run("__complete", "bash", line);
  expect(stdout.trimEnd().split("\n")).toEqual(expected);
});

test.each([
  [["contacts", "=imp"], ["import\tImport contacts from a CSV, TSV, XLSX, JSONL, JSON or vCard file"]],
  [["profiles", "use", "="], ["offline\tlocal emulator"]],
])("completion for PowerShell ignores an equals sign before a word: %j", async (words, lines) => {
  const { run } = await practice();
  const { stdout } = await run("__complete", "powershell", "voxctl", ...words);
  expect(stdout.trimEnd().split("\n")).toEqual(lines);
});

test("completion of --data offers files and directories", async () => {
  const { run, home } = commandLine();
  for (const name of ["neu.yaml", ".geheim.yaml"]) writeFileSync(join(home, name), "");
  mkdirSync(join(home, "ordner"));
  const values = async (word: string) =>
    (await run("__complete", "zsh", "voxctl", "contacts", "create", "--data", word)).stdout
      .split("\n")
      .map((line) => line.split("\t")[0])
      .filter((value) => value !== "");
  expect(await values("")).toEqual(["@neu.yaml", "@ordner/"]);
  expect(await values("@.g")).toEqual(["@.geheim.yaml"]);
  expect(await values("@nowhere/")).toEqual([]);
  expect(await values("{")).toEqual([]);
});
