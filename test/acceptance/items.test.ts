import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { encodeByTable } from "../../src/features/import/sources/code-pages.js";
import { commandLine, connectedTo, type RunOptions, scriptPrompts } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { openSeededEmulator } from "../helpers/templates.js";

async function practice(options: RunOptions & { seed?: "empty" | "demo" } = {}) {
  const { seed = "demo", ...run } = options;
  const emulator = await openSeededEmulator({ seed, clock: "virtual", startTime: "2026-03-02T09:00:00Z" });
  onTestFinished(() => emulator.close());
  const overrides = { ...connectedTo(emulator), ...run.overrides };
  return {
    emulator,
    ...commandLine({ ...run, overrides, env: { VOXCTL_PROFILE: "offline", ...run.env } }),
  };
}

type Shell = Awaited<ReturnType<typeof practice>>;

function writeFolder(home: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, "wissen", name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, content);
  }
}

const importFolder = ({ run }: Shell, ...flags: string[]) =>
  run("knowledge", "import", "wissen", "--group", "Wissen", "--create-group", "-o", "json", ...flags);
const texts = async ({ run }: Shell) => {
  const list = (await run("knowledge", "list", "--group", "Wissen", "--all", "-o", "json")).json;
  const items: Record<string, string> = {};
  for (const { id, name } of list) items[name] = (await run("knowledge", "get", id, "-o", "json")).json.text;
  return items;
};

describe("symbolic links in a directory of texts", () => {
  const deletingImport = ({ run }: Shell) =>
    run("knowledge", "import", "wissen", ...["--group", "Wissen", "--delete", "--yes", "-o", "json"]);

  test("`knowledge import --delete` keeps the item of a file that is a symbolic link", async () => {
    const shell = await practice();
    writeFolder(shell.home, { "preise.md": "Füllung 60 EUR", "zeiten.md": "Mo bis Fr" });
    expect((await importFolder(shell)).json.created).toBe(2);
    renameSync(join(shell.home, "wissen", "zeiten.md"), join(shell.home, "anderswo.md"));
    symlinkSync(join(shell.home, "anderswo.md"), join(shell.home, "wissen", "zeiten.md"));
    const again = await deletingImport(shell);
    expect([again.code, again.json.deleted]).toEqual([0, 0]);
    expect(await texts(shell)).toEqual({ preise: "Füllung 60 EUR", zeiten: "Mo bis Fr" });
  });

  test.each([
    [
      "a directory",
      (home: string) => mkdirSync(join(home, "anderswo")),
      "anderswo",
      /is a symbolic link to a directory/,
    ],
    ["a missing file", () => {}, "anderswo.md", /is a broken symbolic link/],
  ])("`knowledge import` refuses a symbolic link to %s", async (_, make, target, message) => {
    const shell = await practice();
    writeFolder(shell.home, { "preise.md": "Füllung 60 EUR", "zeiten.md": "Mo bis Fr" });
    await importFolder(shell);
    make(shell.home);
    rmSync(join(shell.home, "wissen", "zeiten.md"));
    symlinkSync(join(shell.home, target), join(shell.home, "wissen", "zeiten.md"));
    const refused = await deletingImport(shell);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(message);
    expect(Object.keys(await texts(shell))).toEqual(["preise", "zeiten"]);
  });
});

describe("every resource in the demo data", () => {
  test.each([
    ["knowledge", "Implantate"],
    ["forwardings", "Empfang"],
    ["glossary", "HKP"],
    ["pronunciation", "Veneer"],
    ["calendars", "Praxis"],
    ["tools", "book_appointment"],
  ])("`%s` commands list the demo data, and find an item by name", async (resource, name) => {
    const { run, runWith } = await practice();
    const list = await run(resource, "list", "-o", "json");
    const label = ["name", "term", "token"].find((field) => field in list.json[0]) ?? "";
    const listed = list.json.find((item: Record<string, string>) => item[label] === name);
    expect((await run(resource, "get", name, "-o", "json")).json).toMatchObject(listed);
    const table = await runWith({ terminal: 80 }, resource, "list");
    expect(table.stdout).toContain(name);
    for (const line of table.stdout.split("\n")) expect([...line].length).toBeLessThanOrEqual(90);
    const deleted = await run(resource, "delete", name, "--yes", "-o", "json");
    if (resource === "calendars" || resource === "tools") expect(deleted.code).toBe(6);
    else expect(deleted.json).toEqual({ id: listed.id, deleted: true });
  });

  test("every type of resource that can be imported can also be created with flags", async () => {
    const { run } = await practice();
    const created = [
      await run("knowledge", "create", "--group", "Praxiswissen", "--name", "Urlaub", "--text", "Im August."),
      await run(
        "forwardings",
        "create",
        "--group",
        "Praxisteam",
        "--destination-type",
        "phone",
        "--phone-number",
        "+493023125104",
      ),
      await run("glossary", "create", "--group", "Zahnmedizin", "--term", "KVA"),
      await run("pronunciation", "create", "--group", "Namen und Kürzel", "--token", "KVA", "--spell-out"),
    ];
    expect(created.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(
      (await run("pronunciation", "update", "KVA", "--no-spell-out", "--replacement", "Kawea")).json,
    ).toMatchObject({ spell_out: false, replacement: "Kawea" });
  });
});

describe("knowledge wait", () => {
  test("[public.general.10] `knowledge wait` ends when all items are synced", async () => {
    const { run } = await practice({ seed: "empty" });
    await run("knowledge", "create", "--group", "Default", "--name", "Hours", "--text", "x");
    const waited = await run("knowledge", "wait", "-o", "json");
    expect(waited.code).toBe(0);
    expect(waited.json).toMatchObject([{ name: "Hours", sync_status: { state: "synced" } }]);
  });

  test("[public.states.failed] `knowledge wait` exits with code 11 if indexing fails", async () => {
    const { run, emulator } = await practice({ seed: "empty" });
    await emulator.control("POST", "/faults", { kind: "index_failure", times: 1 });
    await run("knowledge", "create", "--group", "Default", "--name", "Broken", "--text", "x");
    const waited = await run("knowledge", "wait", "Broken");
    expect(waited.code).toBe(11);
    expect(waited.stderr).toContain("Broken");
    // An empty PATCH starts the indexing again.
    expect((await run("knowledge", "update", "Broken", "--data", "{}")).code).toBe(0);
    expect((await run("knowledge", "wait", "Broken")).code).toBe(0);
  });

  test("[public.states.queue] `knowledge wait` exits with code 8 on a timeout", async () => {
    const { run, emulator } = await practice({ seed: "empty" });
    await emulator.control("POST", "/faults", { kind: "index_queue_down", times: 1 });
    await run("knowledge", "create", "--group", "Default", "--name", "Stuck", "--text", "x");
    const waited = await run("knowledge", "wait", "--group", "Default", "--for", "1m");
    expect(waited.code).toBe(8);
    expect(waited.stderr).toContain("1 pending");
  });

  test("`knowledge wait` shows its progress only on a terminal", async () => {
    const { run, runWith } = await practice({ seed: "empty" });
    await run("knowledge", "create", "--group", "Default", "--name", "Hours", "--text", "x");
    const live = await runWith({ terminal: 80 }, "knowledge", "wait");
    expect(live.stderr).toContain("0 of 1 item indexed, 1 pending");
    await run("knowledge", "update", "Hours", "--data", "{}");
    expect((await run("knowledge", "wait")).stderr).not.toContain("indexed");
  });
});

describe("knowledge import", () => {
  const files = {
    "urlaub.md": "# Urlaub\n\nIm August zu.\n",
    "unten/preise.md": '---\ntitle: "Preise: neu"\n---\n\nTeurer.',
    "Parken.txt": Buffer.from("Auf dem Hof. Gr\u00fc\u00dfe", "latin1"),
    "bild.png": "no text",
    ".versteckt.md": "# Hidden",
  };

  test("`knowledge import` names an item after its title, heading or file name", async () => {
    const shell = await practice();
    writeFolder(shell.home, files);
    const first = await importFolder(shell);
    expect(first.code).toBe(0);
    expect(first.json).toMatchObject({ rows: 3, created: 3 });
    expect(await texts(shell)).toEqual({
      Urlaub: "# Urlaub\n\nIm August zu.\n",
      "Preise: neu": "Teurer.",
      Parken: "Auf dem Hof. Grüße",
    });
    expect((await importFolder(shell)).json).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });

  test("an item's name keeps a # that is part of a word, as in C#", async () => {
    const shell = await practice();
    writeFolder(shell.home, { "a.md": "# Anfahrt C#\n\nLinks.", "b.md": "# Preise ##\n\n60 EUR" });
    expect((await importFolder(shell)).json).toMatchObject({ created: 2 });
    expect(Object.keys(await texts(shell)).sort()).toEqual(["Anfahrt C#", "Preise"]);
  });

  test("`knowledge import` warns about empty files and about files with a title but no text", async () => {
    const shell = await practice();
    writeFolder(shell.home, files);
    await importFolder(shell);
    writeFolder(shell.home, {
      "leer.md": " \n",
      "marke.txt": "\ufeff",
      "Parken.txt": "",
      "name.md": "---\ntitle: Nur ein Name\n---\n",
    });
    const ran = await importFolder(shell);
    expect(ran.code).toBe(0);
    expect(ran.json).toMatchObject({ rows: 3, created: 1, updated: 0, unchanged: 2, invalid: 0 });
    expect(ran.stderr).toContain("warning: skipping 3 empty files: Parken.txt, leer.md, marke.txt\n");
    expect(ran.stderr).toContain(
      "warning: 1 file has a title but no text, so existing items keep their text: name.md\n",
    );
    expect(await texts(shell)).toMatchObject({ "Nur ein Name": "", Parken: "Auf dem Hof. Grüße" });
    for (const name of [...Object.keys(files), "name.md"]) rmSync(join(shell.home, "wissen", name));
    expect((await importFolder(shell)).stderr).toContain(
      "wissen contains no text: leer.md, marke.txt are empty",
    );
  });

  test("`knowledge import --dry-run` shows only the changed part of a long text", async () => {
    const shell = await practice();
    const text = "Wir sind jeden Tag für Sie da, auch am Samstag und nach Absprache";
    writeFolder(shell.home, { "zeiten.md": `${text} um acht.\n` });
    await importFolder(shell);
    writeFolder(shell.home, { "zeiten.md": `${text} um neun.\n` });
    const { stdout, stderr } = await importFolder(shell, "--dry-run", "-o", "table");
    expect(stdout + stderr).toMatch(/um acht\..* → .*um neun\./);
  });

  test("an inactive item stays inactive when it is exported and imported", async () => {
    const shell = await practice();
    writeFolder(shell.home, {
      "alt.md": "---\ntitle: Alt\nactive: false\n---\nPreise 2019\n",
      "neu.md": "# Neu\n",
    });
    await importFolder(shell);
    const states = async (group: string) => {
      const { json } = await shell.run("knowledge", "list", "--group", group, "--all", "-o", "json");
      return json.map(({ name, active }: { name: string; active: boolean }) => [name, active]).sort();
    };
    expect(await states("Wissen")).toEqual([
      ["Alt", false],
      ["Neu", true],
    ]);
    await shell.run("knowledge", "export", "kopie", "--group", "Wissen");
    await shell.run("knowledge", "import", "kopie", "--group", "Kopie", "--create-group");
    expect(await states("Kopie")).toEqual(await states("Wissen"));
    writeFolder(shell.home, { "alt.md": "---\ntitle: Alt\n---\nPreise 2019\n", "neu.md": "# Neu\n" });
    expect((await importFolder(shell)).json).toMatchObject({ updated: 0, unchanged: 2 });
    writeFolder(shell.home, { "alt.md": "---\ntitle: Alt\nactive: never\n---\nPreise 2019\n" });
    const refused = await importFolder(shell);
    expect([refused.code, refused.stderr]).toEqual([
      68,
      expect.stringContaining("line 3: in the front matter, active must be true or false"),
    ]);
  });

  test("a file with only a title keeps the existing text of its item", async () => {
    const shell = await practice();
    writeFolder(shell.home, { "preise.md": "---\ntitle: Preise\n---\nKrone 500 Euro\n" });
    await importFolder(shell);
    writeFolder(shell.home, { "preise.md": "---\ntitle: Preise\n---\n" });
    const kept = await importFolder(shell);
    expect(kept.json).toMatchObject({ updated: 0, unchanged: 1 });
    expect(kept.stderr).toContain(
      "1 file has a title but no text, so existing items keep their text: preise.md",
    );
    expect((await texts(shell))["Preise"]).toContain("Krone 500 Euro");
    const equal = await shell.run(
      ...["knowledge", "import", "wissen", "--group", "Wissen", "--delete", "--yes", "-o", "json"],
    );
    expect(equal.stderr).toContain(
      "1 file has a title but no text, so existing items keep their text: preise.md",
    );
    expect((await texts(shell))["Preise"]).toContain("Krone 500 Euro");
    // Without the data directory, voxctl knows nothing about earlier runs.
    rmSync(shell.data, { recursive: true });
    writeFolder(shell.home, { "neu.md": "---\ntitle: Neu\n---\n" });
    const again = await shell.run(
      ...["knowledge", "import", "wissen", "--group", "Wissen", "--delete", "--yes", "-o", "json"],
    );
    expect(again.json).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
    expect((await texts(shell))["Preise"]).toContain("Krone 500 Euro");
  });

  test("the error for invalid front matter contains the line number", async () => {
    const shell = await practice();
    const rule = "---\nWillkommen bei uns!\n---\nWir sind da.\n";
    writeFolder(shell.home, {
      "gut.md": "--- \ntitle: 007\ntags: [a, b]\n---  \n\nText.\n",
      "kaputt.md": "---\ntitle: Preise\n tags: [a\n---\nText.\n",
      "offen.md": "---\ntitle: Urlaub\n\nIm August.\n",
      "ohne.md": "---\ntags: [a]\ntitle:\n---\nText.\n",
      "regel.md": rule,
      "linie.txt": "---\nEin Text unter einer Linie\n",
      "felder.md": "---\nHinweis: geschlossen\n---\nText.\n",
    });
    const first = await importFolder(shell);
    expect(first.code).toBe(68);
    expect(first.json).toMatchObject({ rows: 7, created: 4, invalid: 3 });
    expect(first.stderr).toContain(
      'treating "---" in the first line as a horizontal rule in 3 files, because no title follows it: felder.md, linie.txt, regel.md',
    );
    const report = readLines(first.json.report).map(({ file, line, reason }) => [file, line, reason]);
    expect(report).toEqual([
      [
        "kaputt.md",
        2,
        expect.stringMatching(
          /^line 2: the front matter is not valid YAML: .*; fix this line, or, if --- is a horizontal rule/,
        ),
      ],
      [
        "offen.md",
        1,
        expect.stringContaining(
          "line 1: the front matter is not closed: add a line that contains only --- after its last field",
        ),
      ],
      ["ohne.md", 3, expect.stringContaining("line 3: the front matter has no valid title")],
    ]);
    expect(await texts(shell)).toMatchObject({ "007": "Text.\n", regel: rule });
    // A file that starts with an empty line has no front matter.
    writeFolder(shell.home, { "kaputt.md": "\n---\ntitle: Preise\n tags: [a\n---\nText.\n" });
    expect((await importFolder(shell)).json).toMatchObject({ created: 1, invalid: 2 });
    expect((await shell.run("knowledge", "export", "neu", "--group", "Wissen")).code).toBe(0);
    const again = await shell.run("knowledge", "import", "neu", "--group", "Wissen", "-o", "json");
    expect(again.json).toMatchObject({ rows: 5, unchanged: 5 });
    expect(again.stderr).not.toContain("---");
  });

  test("`knowledge import` rejects a file with a wrong encoding", async () => {
    const shell = await practice();
    const text = "# Öffnungszeiten\nWir haben früh geöffnet, für Größe und Übung.\n";
    const prose = "Für „alle“: 20 m² um £5, 30 °C · Größe³, ™";
    writeFolder(shell.home, {
      "dos.md": encodeByTable(text, "ibm850"),
      "twice.md": Buffer.from(Buffer.from(text).toString("latin1")),
      "wide.md": Buffer.from(`\ufeff${text}`, "utf16le"),
      "prose.txt": prose,
      "about.txt": "Steht „Ã¼“ für ü, wurde für ö oder ä falsch gewählt.",
      "nul.txt": Buffer.from("\ufeffa\0b", "utf16le"),
    });
    const ran = await importFolder(shell, "--report", "all.jsonl");
    expect([ran.code, ran.json.created, ran.json.invalid]).toEqual([68, 3, 3]);
    expect((await texts(shell))["prose"]).toBe(prose);
    expect((await texts(shell))["Öffnungszeiten"]).toBe(text);
    const report = readFileSync(join(shell.home, "all.jsonl"), "utf8");
    expect(report).toMatch(/dos\.md.*windows-1252.*save it as UTF-8/);
    expect(report).toMatch(/twice\.md.*converted with the wrong encoding/);
    writeFileSync(
      join(shell.home, "terms.csv"),
      encodeByTable("Begriff;Bedeutung\nKZ;früh\nHKP;Plan\n", "ibm850"),
    );
    const table = await shell.run(
      "glossary",
      "import",
      "terms.csv",
      "--group",
      "G",
      "--create-group",
      "-o",
      "json",
    );
    expect(table.json).toMatchObject({ created: 1, invalid: 1 });
  });

  test("an item without text can be exported and imported unchanged, even with --delete", async () => {
    const shell = await practice({ seed: "empty" });
    await shell.run("groups", "create", "--type", "knowledges", "--name", "Wissen");
    for (const [name, text] of [
      ["Leer", ""],
      ["Urlaub", "Im August zu."],
      ["Parken", "Auf dem Hof."],
    ] as const)
      await shell.run(
        "knowledge",
        "create",
        "--group",
        "Wissen",
        "--name",
        name,
        "--data",
        JSON.stringify({ text }),
      );
    expect(await texts(shell)).toMatchObject({ Leer: "", Parken: "Auf dem Hof." });
    await shell.run("knowledge", "export", "wissen", "--group", "Wissen");
    const dry = await importFolder(shell, "--dry-run");
    expect(dry.json).toMatchObject({ rows: 3, created: 0, updated: 0, unchanged: 3 });
    expect(dry.stderr).not.toContain("no file");
    const sync = () =>
      shell.run("knowledge", "import", "wissen", "--group", "Wissen", "--delete", "--yes", "-o", "json");
    expect((await sync()).json).toMatchObject({ deleted: 0, updated: 0, unchanged: 3 });
    // A truncated file does not prove that an item or its text was deleted.
    writeFileSync(join(shell.home, "wissen", "Urlaub.md"), "");
    await sync();
    expect(await texts(shell)).toMatchObject({ Urlaub: "Im August zu." });
    expect((await importFolder(shell)).json).toMatchObject({ updated: 0, unchanged: 2 });
  });

  test("an import changes neither of two items if their names differ only in case", async () => {
    const shell = await practice();
    writeFolder(shell.home, { "parken.md": "# Parken\n", "parken.txt": "# Parken\n" });
    expect((await importFolder(shell)).json).toMatchObject({ created: 2 });
    for (const _ of [1, 2])
      expect((await importFolder(shell)).json).toMatchObject({ updated: 0, unchanged: 2 });
    expect(Object.keys(await texts(shell)).toSorted()).toEqual(["Parken", "parken"]);
  });

  test("`knowledge import` doesn't list items of other groups if the service ignores the filter", async () => {
    const shell = await practice({ seed: "empty" });
    await shell.run("groups", "create", "--type", "knowledges", "--name", "Andere");
    await shell.run("knowledge", "create", "--group", "Andere", "--name", "Fremd", "--text", "x");
    writeFolder(shell.home, files);
    await importFolder(shell);
    const connect: Overrides["connect"] = async (profile, options) => {
      const connection = connectEmulator(shell.emulator, profile, options);
      const { client } = connection;
      const items: typeof client.items = (operation, _, more) => client.items(operation, {}, more);
      return { ...connection, client: { ...client, items }, close: async () => {} };
    };
    const importing = ["knowledge", "import", "wissen", "--group", "Wissen"];
    const { code, stderr } = await shell.runWith({ overrides: { connect } }, ...importing);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("Fremd")]);
  });

  test("`knowledge import` lists and keeps items whose files were deleted", async () => {
    const shell = await practice();
    writeFolder(shell.home, files);
    expect((await importFolder(shell)).stderr).not.toContain("no file");
    rmSync(join(shell.home, "wissen", "urlaub.md"));
    const note = 'note: 1 item in the group has no file: "Urlaub". To delete it, use --delete.';
    expect((await importFolder(shell, "--dry-run")).stderr).toContain(note.replace("note: ", ""));
    const ran = await importFolder(shell);
    expect([ran.code, ran.json.unchanged]).toEqual([0, 2]);
    expect(ran.stderr).toContain(note.replace("note: ", ""));
    expect(Object.keys(await texts(shell))).toContain("Urlaub");
    writeFileSync(join(shell.home, "wissen", "urlaub.md"), "");
    expect((await importFolder(shell)).stderr).toContain(
      '1 item in the group has no file with text: "Urlaub" (empty files: urlaub.md)',
    );
    rmSync(join(shell.home, "wissen", "urlaub.md"));
    writeFileSync(join(shell.home, "wissen", "bild.txt"), "a\0b");
    expect((await importFolder(shell)).stderr).toContain(
      '1 item in the group has no valid file: "Urlaub" (empty or invalid files: bild.txt)',
    );
  });

  test("[public.operations.2] `knowledge import` updates items by name and skips unchanged ones", async () => {
    const shell = await practice();
    writeFolder(shell.home, files);
    await importFolder(shell);
    await shell.run("knowledge", "wait", "--group", "Wissen");
    writeFolder(shell.home, { "urlaub.md": "# Urlaub\n\nIm Juli zu.\n" });
    expect((await importFolder(shell)).json).toMatchObject({ updated: 1, unchanged: 2 });
    expect((await texts(shell))["Urlaub"]).toContain("Juli");
    const states = (await shell.run("knowledge", "list", "--group", "Wissen", "-o", "json")).json;
    const pending = states.filter(
      (item: { sync_status: { state: string } }) => item.sync_status.state !== "synced",
    );
    expect(pending.map((item: { name: string }) => item.name)).toEqual(["Urlaub"]);
  });

  test("`knowledge import` rejects a second file with the same name but a different text", async () => {
    const shell = await practice();
    writeFolder(shell.home, {
      "a.md": "# Zeiten\n\neins",
      "b.md": "# Zeiten\n\nzwei",
      "c.md": "# Zeiten\n\neins",
    });
    const ran = await importFolder(shell);
    expect(ran.code).toBe(68);
    expect(ran.json).toMatchObject({ rows: 3, created: 1, duplicates: 1, invalid: 1 });
    expect(ran.stderr).toContain('wissen (3 files) into group "Wissen", profile offline');
    expect(ran.stderr).toMatch(/^b\.md +"Zeiten" is also the name of a\.md, which has different content$/m);
    expect(ran.stderr).toContain("1 of 3 files was rejected");
    expect(await texts(shell)).toEqual({ Zeiten: "# Zeiten\n\neins" });
  });

  test.each([
    ["gone", "the directory does not exist"],
    ["file.md", "it is a file, not a directory"],
  ])("`knowledge import` refuses an invalid directory (%s) and explains why", async (name, reason) => {
    const { run, home } = await practice();
    writeFileSync(join(home, "file.md"), "# A");
    const ran = await run("knowledge", "import", name, "--group", "Praxiswissen");
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`${name} can't be read: ${reason}`)]);
  });

  test("`knowledge import --dry-run` refuses a directory without text files", async () => {
    const shell = await practice();
    writeFolder(shell.home, files);
    const dry = await shell.run(
      "knowledge",
      "import",
      "wissen",
      "--group",
      "Behandlungen",
      "--dry-run",
      "-o",
      "json",
    );
    expect(dry.json).toMatchObject({ run_id: null, created: 3 });
    expect((await shell.run("knowledge", "list", "--group", "Behandlungen", "-o", "json")).json).toHaveLength(
      5,
    );
    mkdirSync(join(shell.home, "leer"));
    expect((await shell.run("knowledge", "import", "leer", "--group", "Behandlungen")).code).toBe(2);
  });

  test("`knowledge import` does not repeat writes after lost responses", async () => {
    const shell = await practice();
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${index}.md`, `# Item ${index}\n\nText ${index}`]),
    );
    writeFolder(shell.home, many);
    await shell.emulator.control("POST", "/faults", {
      kind: "drop_after",
      operation: "knowledge.create",
      times: 4,
    });
    await shell.emulator.control("POST", "/faults", {
      kind: "drop_before",
      operation: "knowledge.create",
      skip: 6,
      times: 4,
    });
    expect((await importFolder(shell)).json).toMatchObject({ rows: 30, created: 30, unknown: 0 });
    const list = (await shell.run("knowledge", "list", "--group", "Wissen", "--all", "-o", "json")).json;
    expect(new Set(list.map((item: { name: string }) => item.name)).size).toBe(30);
    expect(list).toHaveLength(30);
  });

  test("exported items can be imported unchanged, regardless of their names and content", async () => {
    const shell = await practice({ seed: "empty" });
    const odd = [
      ["a/b: c?", "plain"],
      ["Heading", "# Another heading\n\ntext"],
      ["---", "---\ntitle: x\n---\n\ninner"],
      ["Same", "one"],
      ["sAME", "two"],
      ["..", ""],
    ] as const;
    await shell.run("groups", "create", "--type", "knowledges", "--name", "Wissen");
    for (const [name, text] of odd) {
      const created = await shell.run(
        "knowledge",
        "create",
        "--group",
        "Wissen",
        `--name=${name}`,
        `--text=${text}`,
      );
      expect(created.code).toBe(0);
    }
    expect((await shell.run("knowledge", "export", "wissen", "--group", "Wissen")).code).toBe(0);
    expect(readdirSync(join(shell.home, "wissen"))).toHaveLength(odd.length);
    expect((await importFolder(shell)).json).toMatchObject({ rows: odd.length, unchanged: odd.length });
    const again = await shell.run("knowledge", "export", "wissen");
    expect(again.code).toBe(12);
  });
});

describe("`runs undo` of imported items", () => {
  test("undoing a directory import keeps later changes by other users", async () => {
    const shell = await practice();
    writeFolder(shell.home, { "a.md": "# A\n\none", "b.md": "# B\n\none" });
    await importFolder(shell);
    writeFolder(shell.home, { "a.md": "# A\n\ntwo", "c.md": "# C\n\ntwo", "d.md": "# D\n\ntwo" });
    const { run_id } = (await importFolder(shell)).json;
    await shell.run("knowledge", "update", "D", "--text", "by somebody else");
    const undone = await shell.run("runs", "undo", run_id, "--yes", "-o", "json");
    expect(undone.json).toMatchObject({ deleted: 1, restored: 1, changed_since: 1 });
    expect(await texts(shell)).toEqual({ A: "# A\n\none", B: "# B\n\none", D: "by somebody else" });
  });

  test("`runs undo` reverts an import of a glossary", async () => {
    const { run, home } = await practice();
    const before = (await run("glossary", "list", "-o", "json")).json;
    writeFileSync(join(home, "g.csv"), "term,definition\nPZR,kurz\nKVA,neu\n");
    const imported = await run(
      "glossary",
      "import",
      "g.csv",
      "--group",
      "Zahnmedizin",
      "--on-match",
      "update",
      "-o",
      "json",
    );
    const undone = await run("runs", "undo", imported.json.run_id, "--yes", "-o", "json");
    expect(undone.json).toMatchObject({ deleted: 1, restored: 1 });
    const fields = (items: { term: string; definition: string }[]) =>
      items.map(({ term, definition }) => [term, definition]);
    expect(fields((await run("glossary", "list", "-o", "json")).json)).toEqual(fields(before));
  });
});

describe("glossary and pronunciation files", () => {
  test("`glossary import` recognizes German column headers", async () => {
    const { run, home } = await practice();
    writeFileSync(
      join(home, "g.csv"),
      "Begriff;Erklärung\nPZR;\nKVA;Kostenvoranschlag\nKVA;noch einmal\n;leer\n",
    );
    const update = () =>
      run("glossary", "import", "g.csv", "--group", "Zahnmedizin", "--on-match", "update", "-o", "json");
    const first = await update();
    expect(first.code).toBe(68);
    expect(first.json).toMatchObject({ created: 1, updated: 0, unchanged: 1, duplicates: 0, invalid: 2 });
    expect(readLines(first.json.report)).toContainEqual(
      expect.objectContaining({
        row: 3,
        outcome: "invalid",
        of: 2,
        value: "KVA",
        reason: expect.stringContaining("row 2"),
      }),
    );
    expect((await update()).json).toMatchObject({ created: 0, unchanged: 2 });
    expect((await run("glossary", "get", "PZR", "-o", "json")).json.definition).not.toBe("");
  });

  test("the list of rejected rows names the columns of the table", async () => {
    const { run, home } = await practice();
    writeFileSync(join(home, "g.csv"), "Begriff;Erklärung\n;leer\n");
    const ran = await run("glossary", "import", "g.csv", "--group", "Zahnmedizin", "-o", "json");
    expect(ran.stderr).toMatch(/^ +1 +2 +Begriff +is missing$/m);
    expect(readLines(ran.json.report)).toMatchObject([{ field: "term", column: "Begriff" }]);
  });

  test("--map distinguishes known and unknown column names in Cyrillic", async () => {
    const { run, home } = await practice();
    writeFileSync(join(home, "g.csv"), "Перевод,Термин\nсмета,KVA\n");
    const into = (map: string) =>
      run("glossary", "import", "g.csv", "--group", "Zahnmedizin", "-o", "json", "--map", map);
    const refused = await into("term=Слово,definition=Перевод");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("has no column")]);
    expect((await into("term=Термин,definition=Перевод")).json).toMatchObject({ created: 1 });
    expect((await run("glossary", "get", "KVA", "-o", "json")).json.definition).toBe("смета");
  });

  test("--on-match decides what happens to an existing glossary term", async () => {
    const { run, home } = await practice();
    writeFileSync(join(home, "g.csv"), "term,definition,note\nPZR,kurz,x\n");
    const into = (...flags: string[]) =>
      run("glossary", "import", "g.csv", "--group", "Zahnmedizin", "-o", "json", ...flags);
    const kept = await into();
    expect(kept.json).toMatchObject({ unchanged: 1, differing: 1 });
    expect(kept.stderr).toContain(
      "1 row differs from the existing glossary entry, which was kept; to update it, use --on-match update",
    );
    expect(kept.stderr).toContain("Columns without a glossary field: note\n");
    expect(readLines(kept.json.report)).toMatchObject([{ outcome: "unchanged", differs: ["definition"] }]);
    expect((await into("-o", "table")).stdout).toContain("skipped 1 (1 with different values)");
    expect((await into("--on-match", "update")).json).toMatchObject({ updated: 1 });
    expect((await run("glossary", "get", "PZR", "-o", "json")).json.definition).toBe("kurz");
    expect((await into("--on-match", "create")).json).toMatchObject({ created: 1 });
    expect((await into("--on-match", "create")).code).toBe(12);
  });

  test("[public.pronunciation.token] an invalid phrase is refused before any request", async () => {
    const { run, home } = await practice();
    writeFileSync(
      join(home, "p.csv"),
      'token,replacement,spell_out,speaking_rate\nzwei Wörter,x,,\nA,,ja,\nB,,,"0,9"\nC,,vielleicht,\nD,,,\n',
    );
    const imported = await run(
      "pronunciation",
      "import",
      "p.csv",
      "--group",
      "Neu",
      "--create-group",
      "-o",
      "json",
    );
    expect(imported.code).toBe(68);
    expect(imported.json).toMatchObject({ created: 2, invalid: 2, failed: 1 });
    const list = (await run("pronunciation", "list", "--group", "Neu", "-o", "json")).json;
    expect(list).toMatchObject([
      { token: "A", spell_out: true },
      { token: "B", speaking_rate: 0.9 },
    ]);
  });

  test.each(["glossary", "pronunciation", "contacts"])(
    "%s: importing an exported file makes no changes",
    async (resource) => {
      const { run, home } = await practice();
      const group =
        { glossary: "Zahnmedizin", pronunciation: "Namen und Kürzel", contacts: "Patienten" }[resource] ?? "";
      expect((await run(resource, "export", "all.csv", "--group", group)).code).toBe(0);
      const stripped = async (name: string) =>
        (await run(resource, "list", "--group", name, "--all", "-o", "json")).json.map(
          ({ id, group_id, created_at, updated_at, ...fields }: Record<string, unknown>) => fields,
        );
      const imported = await run(
        resource,
        "import",
        "all.csv",
        "--group",
        "Kopie",
        "--create-group",
        "--on-match",
        "create",
      );
      expect(imported.code).toBe(0);
      expect(await stripped("Kopie")).toEqual(await stripped(group));
      const refused = await run(resource, "export", "all.csv");
      expect(refused.code).toBe(12);
      const nowhere = await run(resource, "export", "missing/all.csv");
      expect(nowhere.code).toBe(2);
      expect(nowhere.stderr).toContain("missing/all.csv can't be written: its directory doesn't exist");
      expect((await run(resource, "export", "all.jsonl", "--group", group)).code).toBe(0);
      const lines = readFileSync(join(home, "all.jsonl"), "utf8").trim().split("\n");
      expect(JSON.parse(lines[0] ?? "")).toHaveProperty("id");
      expect(existsSync(join(home, "all.jsonl.part"))).toBe(false);
    },
  );
});

describe("pronunciation rules of v1 voices", () => {
  async function withVoice(generation: string) {
    const shell = await practice({ seed: "empty" });
    const voices = (await shell.run("voices", "list", "-o", "json")).json;
    const voice = voices.find((voice: { generation: string }) => voice.generation === generation);
    const group = (await shell.run("groups", "list", "--type", "pronunciations", "-o", "json")).json[0];
    const body = {
      ...{ name: "Empfang", language: "de", voice_id: voice.id, company_name: "A", company_industry: "B" },
      ...{ introduction: "C", pronunciation_group_ids: [group.id] },
    };
    expect((await shell.run("assistants", "create", "--data", JSON.stringify(body))).code).toBe(0);
    return (...flags: string[]) => shell.run("pronunciation", ...flags);
  }

  test("`pronunciation` commands warn about a rule that an assistant's voice ignores", async () => {
    const run = await withVoice("v1");
    const create = (...flags: string[]) => run("create", "--group", "Default", "--token", "Inlay", ...flags);
    expect((await create("--replacement", "Inlee")).stderr).not.toContain("ignores");
    const created = await create("--ipa", "x", "--speaking-rate", "0.9");
    expect(created.code).toBe(0);
    expect(created.stderr).toContain(
      `"Inlay": the v1 voice of "Empfang" ignores the rule's speaking rate and IPA`,
    );
    const listed = await run("list", "-o", "json");
    expect(listed.stderr).toContain("ignores the rule's speaking rate and IPA");
    expect(listed.json).toHaveLength(2);
  });

  test("`pronunciation create` prints no warning if the assistant's voice is v2", async () => {
    const run = await withVoice("v2");
    const created = await run("create", "--group", "Default", "--token", "Inlay", "--ipa", "x");
    expect([created.code, created.stderr]).toEqual([0, expect.not.stringContaining("ignores")]);
  });
});

describe("`calendars get` and `calendars create`", () => {
  test("`calendars get` prints a readable week on a terminal, and JSON in a script", async () => {
    const { run, runWith } = await practice();
    const shown = (await runWith({ terminal: 80, env: { NO_COLOR: "1" } }, "calendars", "get", "Praxis"))
      .stdout;
    expect(shown).toMatch(/opening\n\s+Monday\s+08:00–12:00, 13:00–18:00\n/);
    expect(shown).toMatch(/Sunday\s+closed\n\s+2026-03-11 \(Wednesday\)\s+08:00–11:00/);
    const { schedules } = (await run("calendars", "get", "Praxis", "-o", "json")).json;
    expect(schedules[0].weekly.sunday).toEqual([]);
  });

  test("`calendars create --data` accepts YAML in the format of `calendars get`", async () => {
    const { run, home } = await practice();
    const yaml =
      "name: Labor\nschedules:\n  - kind: office\n    weekly:\n      monday: [{from: 08:00, to: 24:00}]\n    overrides:\n      - {date: 2026-12-24, closed: true}\n";
    writeFileSync(join(home, "labor.yaml"), yaml);
    const created = await run(
      "calendars",
      "create",
      "--data",
      "@labor.yaml",
      "--timezone",
      "Europe/Vienna",
      "-o",
      "json",
    );
    expect(created.json).toMatchObject({
      timezone: "Europe/Vienna",
      schedules: [{ kind: "office", overrides: [{ date: "2026-12-24", closed: true }] }],
    });
    const printed = await run("calendars", "get", "Labor", "-o", "yaml", "--fields", "schedules");
    writeFileSync(join(home, "again.yaml"), printed.stdout);
    const again = await run("calendars", "update", "Labor", "--data", "@again.yaml", "-o", "json");
    expect(again.json.schedules).toEqual(created.json.schedules);
  });
});

describe("secrets of tools", () => {
  const create = ["tools", "create", "--name", "look_up", "--url", "https://a.example", "-o", "json"];

  test("[public.tool.secret] a secret from a variable, file or stdin is never shown", async () => {
    const { run, runWith, home } = await practice({ seed: "empty" });
    writeFileSync(join(home, "secret"), "hush-hush\n");
    const ways: [RunOptions, string[]][] = [
      [{ env: { TOOL_SECRET: "hush-hush" } }, ["--secret", "env:TOOL_SECRET"]],
      [{}, ["--secret", "file:secret"]],
      [{ stdin: "hush-hush\n" }, ["--secret", "-"]],
    ];
    for (const [options, flags] of ways) {
      const created = await runWith(options, ...create, ...flags);
      expect(created.json.has_secret).toBe(true);
      const dry = await runWith(options, "tools", "update", "look_up", ...flags, "--dry-run", "--debug");
      expect(created.stdout + created.stderr + dry.stdout + dry.stderr).not.toContain("hush-hush");
      expect(
        (await run("tools", "update", "look_up", "--secret", "none", "-o", "json")).json.has_secret,
      ).toBe(false);
      await run("tools", "delete", "look_up", "--yes");
    }
    const elsewhere = await run(...create, "--secret", "ask");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("--secret env:VARIABLE")]);
  });

  test("`tools create` asks for missing secrets on a terminal", async () => {
    const prompts = scriptPrompts("hush-hush");
    const { run } = await practice({ seed: "empty", overrides: { prompts } });
    expect((await run(...create, "--secret", "ask")).json.has_secret).toBe(true);
    expect(prompts.messages).toEqual(["secret:"]);
  });
});
