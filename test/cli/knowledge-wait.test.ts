import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { reshapeResponses, type Shape } from "../helpers/reshape-responses.js";
import { openSeededEmulator } from "../helpers/templates.js";

const startTime = "2026-03-02T09:00:00.000Z";

/** Lists show new resources only after `lagSeconds`. */
async function imported({ lagSeconds }: { lagSeconds: number }) {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual", startTime });
  const overrides = reshapeResponses(emulator, ({ method, path }, { body }: Shape) => {
    if (method !== "GET" || !/\/(knowledge-items|groups)(\?|$)/.test(path)) return undefined;
    const isOld = (row: { created_at: string }) =>
      Date.parse(row.created_at) + lagSeconds * 1_000 <= emulator.clock.now();
    return { body: { ...body, data: body.data.filter(isOld) } };
  });
  const shell = commandLine({ overrides });
  const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
  mkdirSync(join(shell.home, "texts"));
  for (const name of ["a", "b", "c"])
    writeFileSync(join(shell.home, "texts", `${name}.md`), `# ${name}\n\ntext\n`);
  await emulator.control("PATCH", "/clock", { advance_seconds: 60 });
  const made = await run("knowledge", "import", "texts", "--group", "New", "--create-group", "-o", "json");
  if (made.code !== 0) throw new Error(made.stderr);
  const begun = emulator.clock.now();
  return { run, emulator, waited: () => emulator.clock.now() - begun };
}

describe("`knowledge wait` with a delayed list", () => {
  test("[T4] [T7] `knowledge wait` waits for imported items that no list contains yet", async () => {
    const { run, waited } = await imported({ lagSeconds: 20 });
    const ran = await run("knowledge", "wait", "--group", "New", "--settle", "30s", "-o", "json");
    expect(ran.code).toBe(0);
    expect(ran.json.map(({ name }: { name: string }) => name).sort()).toEqual(["a", "b", "c"]);
    expect(ran.stderr).toContain('named "New"');
    expect(waited()).toBeGreaterThanOrEqual(30_000);
    expect(waited()).toBeLessThan(40_000);
  });

  test("[T4] `knowledge wait` exits with code 4 if an item is still missing after the settle time", async () => {
    const { run, waited } = await imported({ lagSeconds: 20 });
    const named = await run("knowledge", "wait", "b", "--settle", "30s", "-o", "json");
    expect(named.json).toMatchObject([{ name: "b", sync_status: { state: "synced" } }]);
    expect(waited()).toBeLessThan(30_000);
    expect((await run("knowledge", "wait", "nothing", "--settle", "30s")).code).toBe(4);
    expect(waited()).toBeGreaterThanOrEqual(50_000);
  });

  test("[T7] `knowledge wait` accepts an empty list only after the settle time", async () => {
    const { run, waited } = await imported({ lagSeconds: 3_600 });
    const short = await run("knowledge", "wait", "--for", "10s", "--settle", "30s", "-o", "json");
    expect(short.code).toBe(8);
    expect(short.stderr).toContain("the list may be incomplete");
    expect(waited()).toBeGreaterThanOrEqual(10_000);
    const whole = await run("knowledge", "wait", "--settle", "30s", "-o", "json");
    expect(whole).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(waited()).toBeGreaterThanOrEqual(40_000);
  });

  test("[T4] an item missing from the list counts as deleted only if its ID isn't found", async () => {
    const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual", startTime });
    let lists = 0;
    const overrides = reshapeResponses(emulator, ({ method, path }, { body }: Shape) => {
      if (method !== "GET" || !/\/knowledge-items(\?|$)/.test(path)) return undefined;
      lists += 1;
      // Only the first list contains the item, as if another node served the later lists.
      return lists === 1 ? undefined : { body: { ...body, data: [] } };
    });
    const shell = commandLine({ overrides });
    const run = (...argv: string[]) => shell.run("--profile", "offline", ...argv);
    const group = (await run("groups", "list", "--type", "knowledges")).json[0].id;
    await run("knowledge", "create", "--group", group, "--name", "one", "--text", "x");
    const ran = await run("knowledge", "wait", "--settle", "2s", "-o", "json");
    expect(ran.json).toMatchObject([{ name: "one", sync_status: { state: "synced" } }]);
  });

  test("[T3] `knowledge wait` ignores the case of a group's name if no other group matches", async () => {
    const { run } = await imported({ lagSeconds: 0 });
    expect((await run("knowledge", "wait", "--group", " new")).json).toHaveLength(3);
    await run("groups", "create", "--type", "knowledges", "--name", "NEW");
    expect((await run("knowledge", "wait", "--group", "nEw")).code).toBe(2);
    expect((await run("knowledge", "wait", "--group", "NEW")).json).toEqual([]);
  });
});
