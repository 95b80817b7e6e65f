import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { countWrites, parseError } from "../helpers/sync.js";
import { openSeededEmulator } from "../helpers/templates.js";

type Item = Record<string, unknown> & { id: string };
type Noun = "glossary" | "pronunciation" | "knowledge";

const groupTypes = {
  glossary: "glossaries",
  pronunciation: "pronunciations",
  knowledge: "knowledges",
} as const;

async function office(noun: Noun) {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00Z",
  });
  onTestFinished(() => emulator.close());
  const shell = commandLine({ overrides: connectedTo(emulator), env: { VOXCTL_PROFILE: "offline" } });
  const { run, home } = shell;
  await run("groups", "create", "--type", groupTypes[noun], "--name", "Praxis");
  const write = (name: string, text: string) => writeFileSync(join(home, name), text);
  const list = async (): Promise<Item[]> => {
    const { json } = await run(noun, "list", "--group", "Praxis", "--all", "-o", "json");
    return json;
  };
  const sync = (text: string, ...flags: string[]) => {
    write("list.csv", text);
    return run(noun, "sync", "list.csv", "--group", "Praxis", "--yes", "-o", "json", ...flags);
  };
  return { ...shell, emulator, write, list, sync };
}

const terms = (count: number, definition = (n: number) => `Bedeutung ${n}`) =>
  `Begriff;Erklärung\n${Array.from({ length: count }, (_, n) => `T${n};${definition(n)}\n`).join("")}`;
const fields = (items: Item[], ...names: string[]) =>
  items.map((item) => names.map((name) => item[name])).sort();

describe("glossary sync", () => {
  test("`glossary sync` updates a group to match a file", async () => {
    const { sync, list, run, emulator } = await office("glossary");
    expect((await sync(terms(12), "--delete")).json).toMatchObject({ created: 12 });
    const before = fields(await list(), "term", "definition");
    const changed = `${terms(11, (n) => (n === 3 ? "anders" : n === 4 ? "" : `Bedeutung ${n}`))}NEU;neu\n`;
    const ran = await sync(changed, "--delete");
    expect(ran.json).toMatchObject({ created: 1, updated: 2, deleted: 1, unchanged: 9 });
    const now = await list();
    expect(fields(now, "term", "definition")).toContainEqual(["T4", ""]);
    expect(now.map(({ term }) => term)).not.toContain("T11");
    const writes = await countWrites(emulator);
    expect((await sync(changed, "--delete")).json).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    expect(await countWrites(emulator)).toBe(writes);
    const [listed] = (await run("runs", "list", "-o", "json")).json;
    expect(listed).toMatchObject({ command: "glossary sync", group: "Praxis" });
    expect((await run("runs", "undo", ran.json.run_id, "--yes")).code).toBe(0);
    expect(fields(await list(), "term", "definition")).toEqual(before);
  });

  test.each([
    ["is truncated within a row", `${terms(11)}T11`, "file_incomplete"],
    ["has no row", "Begriff;Erklärung\n", "file_incomplete"],
    ["has less than half of the rows", terms(5), "file_shrunk"],
    ["lacks exactly the last two rows", terms(10), "file_shrunk"],
    ["lacks too many rows", terms(12).replace(/T[135];.*\n/g, ""), "too_many_deletes"],
  ])("[S1] `glossary sync` exits with code 12 and deletes no item if the file %s", async (_, text, code) => {
    const { sync, list } = await office("glossary");
    await sync(terms(12));
    const ran = await sync(text, "--delete");
    expect([ran.code, parseError(ran.stderr).code]).toEqual([12, code]);
    expect(await list()).toHaveLength(12);
  });

  test("`glossary sync --delete` deletes items without a row, but not those of other users", async () => {
    const { sync, list, run } = await office("glossary");
    await sync(terms(12));
    const kept = await sync(terms(11));
    expect(kept.json).toMatchObject({ not_in_file: 1, deleted: 0 });
    expect(readLines(kept.json.report)).toMatchObject([{ outcome: "left", term: "T11" }]);
    await run("glossary", "create", "--group", "Praxis", "--term", "Fremd", "--definition", "d");
    expect((await sync(terms(11), "--delete")).json).toMatchObject({ deleted: 1, newer: 1 });
    expect((await list()).map(({ term }) => term)).toContain("Fremd");
  });

  test("`apply` makes the changes that `glossary sync` saved with --plan", async () => {
    const { sync, run, list } = await office("glossary");
    await sync(terms(12));
    const planned = await sync(terms(11), "--delete", "--plan", "praxis.plan");
    expect(planned.json).toMatchObject({ deleted: 1, writes: 1 });
    expect((await run("apply", "praxis.plan", "--yes", "-o", "json")).json).toMatchObject({ deleted: 1 });
    expect(await list()).toHaveLength(11);
    expect((await sync(terms(11), "--delete")).json).toMatchObject({ deleted: 0, updated: 0, run_id: null });
  });
});

describe("pronunciation sync", () => {
  test("`pronunciation sync` names the row and line of each row that the service refuses", async () => {
    const { write, run, sync } = await office("pronunciation");
    write("old.csv", "token,replacement\nA,old\n");
    await run("pronunciation", "import", "old.csv", "--group", "Praxis");
    const ran = await sync('token,replacement\nA,"two\nlines"\n\nB,\nC,x\nD,\n');
    expect(ran.code).toBe(68);
    expect(ran.stderr).toMatch(/^ +2 +5 .*B /m);
    expect(ran.stderr).toMatch(/^ +4 +7 .*D /m);
    expect(readLines(ran.json.report).map(({ row, line, outcome }) => [row, line, outcome])).toEqual([
      [1, 2, "updated"],
      [2, 5, "failed"],
      [4, 7, "failed"],
    ]);
  });
});

describe("pronunciation import --on-match replace", () => {
  test("[S0] without --clear-empty, a column that is more than half empty clears no field", async () => {
    const { write, run, list } = await office("pronunciation");
    const load = (text: string, ...flags: string[]) => {
      write("list.csv", text);
      return run("pronunciation", "import", "list.csv", "--group", "Praxis", "-o", "json", ...flags);
    };
    await load("token,replacement,ipa,spell_out\nPZR,P Z R,ipa,x\nOPG,O P G,ipa,x\nHKP,H K P,ipa,x\n");
    const changed = "token,replacement,ipa,spell_out\nPZR,,,x\nOPG,O P G neu,,x\nHKP,H K P,,x\n";
    const ran = await load(changed, "--on-match", "replace");
    expect(ran.json).toMatchObject({ updated: 2, unchanged: 1 });
    expect(ran.stderr).toContain('most cells in "ipa" are empty, so voxctl ignores the empty cells');
    expect(fields(await list(), "token", "replacement", "ipa")).toEqual([
      ["HKP", "H K P", "ipa"],
      ["OPG", "O P G neu", "ipa"],
      ["PZR", null, "ipa"],
    ]);
    const cleared = await load(changed, "--on-match", "replace", "--clear-empty", "ipa");
    expect(cleared.json).toMatchObject({ updated: 3 });
    expect((await list()).every(({ ipa }) => ipa === null)).toBe(true);
    expect((await load(changed, "--on-match", "replace", "--max-update", "0")).code).toBe(0);
    const refused = await load(changed.replace("neu", "x"), "--on-match", "replace", "--max-update", "0");
    expect([refused.code, parseError(refused.stderr).code]).toEqual([12, "too_many_updates"]);
  });
});

describe("knowledge import --delete", () => {
  async function folder(count: number) {
    const it = await office("knowledge");
    mkdirSync(join(it.home, "wissen"));
    const put = (n: number, text = `Text ${n}\n`) =>
      it.write(join("wissen", `${n}.md`), `# Titel ${n}\n\n${text}`);
    for (let n = 0; n < count; n += 1) put(n);
    const load = (...flags: string[]) =>
      it.run("knowledge", "import", "wissen", "--group", "Praxis", "--yes", "-o", "json", ...flags);
    const remove = (...numbers: number[]) => {
      for (const n of numbers) rmSync(join(it.home, "wissen", `${n}.md`));
    };
    await load();
    return { ...it, put, load, remove };
  }

  test("an undo recreates items that `knowledge import --delete` deleted", async () => {
    const { load, put, remove, list, run } = await folder(12);
    remove(4);
    put(5, "neu\n");
    expect((await load()).json).toMatchObject({ updated: 1 });
    expect(await list()).toHaveLength(12);
    const ran = await load("--delete");
    expect(ran.json).toMatchObject({ deleted: 1, updated: 0, unchanged: 11 });
    expect((await list()).map(({ name }) => name)).not.toContain("Titel 4");
    expect((await load("--delete")).json).toMatchObject({ deleted: 0, updated: 0, run_id: null });
    expect((await run("runs", "undo", ran.json.run_id, "--yes")).code).toBe(0);
    const [again] = (await list()).filter(({ name }) => name === "Titel 4");
    const whole = await run("knowledge", "get", again?.id ?? "", "-o", "json");
    expect(whole.json.text).toContain("Text 4");
    // The undo recreated an item without a file. --delete still deletes it (S5).
    expect((await load("--delete")).json).toMatchObject({ deleted: 1, newer: 0 });
  });

  test("[S1] --delete exits with code 12 for an incomplete directory or too many deletions", async () => {
    const { load, remove, list, write, home } = await folder(12);
    await load("--delete");
    write(join("wissen", "bild.md"), "a\0b");
    const broken = await load("--delete");
    expect([broken.code, parseError(broken.stderr).code]).toEqual([12, "file_incomplete"]);
    write(join("wissen", "bild.md"), "# Titel 12\n\nText\n");
    remove(0, 2);
    const many = await load("--delete");
    expect([many.code, parseError(many.stderr).code]).toEqual([12, "too_many_deletes"]);
    remove(1, 3, 4, 5, 6, 7);
    const halved = await load("--delete", "--max-delete", "99%");
    expect([halved.code, parseError(halved.stderr).code]).toEqual([12, "file_shrunk"]);
    remove(8, 9, 10, 11);
    write(join("wissen", "bild.md"), "");
    const emptied = await load("--delete", "--max-delete", "100%");
    expect([emptied.code, parseError(emptied.stderr).code]).toEqual([12, "file_incomplete"]);
    rmSync(join(home, "wissen", "bild.md"));
    const none = await load("--delete", "--max-delete", "100%");
    expect([none.code, parseError(none.stderr).hint]).toEqual([
      12,
      "restore the files; no flag skips this check",
    ]);
    write(join("wissen", "bild.md"), "# Titel 12\n");
    const refused = await load("--delete", "--max-delete", "100%", "--expect-rows", "5");
    expect([refused.code, parseError(refused.stderr).code]).toEqual([12, "unexpected_rows"]);
    expect(await list()).toHaveLength(12);
    expect((await load("--max-delete", "3")).code).toBe(2);
  });

  test("`knowledge import --delete` refuses an empty file only if an item might be deleted", async () => {
    const { load, put, remove, list, write } = await folder(6);
    write(join("wissen", "leer.md"), "");
    const unchanged = await load("--delete");
    expect([unchanged.code, unchanged.json.deleted]).toEqual([0, 0]);
    remove(2);
    write(join("wissen", "3.md"), "");
    const emptied = await load("--delete", "--max-delete", "3");
    expect([emptied.code, parseError(emptied.stderr).message]).toEqual([
      12,
      expect.stringContaining(
        '3.md is empty, so its knowledge item is unknown and "Titel 3" might be deleted',
      ),
    ]);
    write(join("wissen", "3.md"), "# Titel 3\n\nText 3\n");
    const gone = await load("--delete");
    expect([gone.code, gone.json.deleted], gone.stderr).toEqual([0, 1]);
    expect((await list()).map(({ name }) => name)).not.toContain("Titel 2");
    // voxctl doesn't store which file an item came from.
    put(7);
    expect((await load("--delete")).json.created).toBe(1);
    write(join("wissen", "7.md"), "");
    const unsure = await load("--delete");
    expect([unsure.code, parseError(unsure.stderr).message]).toEqual([
      12,
      expect.stringContaining('"Titel 7"'),
    ]);
  });

  test("[S1] --delete refuses a new, empty file if an item has the file's name", async () => {
    const { load, list, write, run } = await folder(6);
    await run("knowledge", "create", "--group", "Praxis", "--name", "Preise", "--text", "T");
    write(join("wissen", "Preise.md"), "");
    expect((await load()).code).toBe(0);
    const ran = await load("--delete", "--delete-newer");
    expect([ran.code, parseError(ran.stderr).message]).toEqual([
      12,
      expect.stringContaining('"Preise" might be deleted'),
    ]);
    expect(await list()).toHaveLength(7);
  });

  test("`knowledge import --delete` keeps items that other clients created later", async () => {
    const { load, remove, list, run } = await folder(12);
    await run("knowledge", "create", "--group", "Praxis", "--name", "Fremd", "--text", "T");
    remove(4);
    const ran = await load("--delete");
    expect(ran.json).toMatchObject({ deleted: 1, newer: 1 });
    expect((await list()).map(({ name }) => name)).not.toContain("Titel 4");
  });
});
