import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { planOf, treeIn, treeOf } from "../helpers/provisioning.js";
import { reshaped, type Shape } from "../helpers/reshaped.js";

const startTime = "2026-03-02T09:00:00Z";
const plan = planOf({ msps: 2, licenses: 8, customers: 6 });
const isList = ({ method, path }: { method: string; path: string }) =>
  method === "GET" && /\/organizations(\?|$)/.test(path);

/** A distributor's world, and a script's command line to a deployment that gives its answers another shape. */
async function deployment(
  ...shape: [reshape?: Parameters<typeof reshaped>[1], rewrite?: Parameters<typeof reshaped>[2]]
) {
  const [reshape = () => undefined, rewrite] = shape;
  const emulator = await openEmulator({ clock: "virtual", startTime, seed: "empty" });
  const shell = commandLine();
  writeFileSync(join(shell.home, "plan.json"), JSON.stringify(plan));
  const as = (overrides: ReturnType<typeof connectedTo>, ...argv: string[]) =>
    shell.runWith({ overrides }, "--profile", "offline", ...argv);
  return {
    ...shell,
    emulator,
    /** Through the deployment's shape. */
    run: (...argv: string[]) => as(reshaped(emulator, reshape, rewrite), ...argv),
    /** As the world answers. */
    plain: (...argv: string[]) => as(connectedTo(emulator), ...argv),
    requests: async () =>
      (await emulator.control("GET", "/requests?limit=1000")) as { method: string; path: string }[],
  };
}

/** Lists of ten rows at most, told in another way than ours. */
function firstThree(envelope: (all: number) => object) {
  return (asked: { method: string; path: string }, { body }: Shape) =>
    isList(asked) && body.data.length > 3
      ? { body: { status: "success", data: body.data.slice(0, 3), ...envelope(body.data.length) } }
      : undefined;
}

describe("a distributor's list that is paged in a way of its own", () => {
  const spellings = [
    { paging: { next: "abc" } },
    { links: { next: "https://api.example/organizations?page=2" } },
    { page: 1, totalPages: 3 },
  ];

  test("[T8] orgs list says that there may be more, and --all ends with 9", async () => {
    for (const envelope of spellings) {
      const { run, plain } = await deployment(firstThree(() => envelope));
      expect((await plain("orgs", "provision", "plan.json", "--yes")).code).toBe(0);
      const shown = await run("orgs", "list");
      expect(shown.code).toBe(0);
      expect(shown.json).toHaveLength(3);
      expect(shown.stderr).toContain("3 organizations shown, and there may be more");
      const all = await run("orgs", "list", "--all", "-o", "json");
      expect(all.code).toBe(9);
      expect(all.json).toHaveLength(3);
      expect(JSON.parse(all.stderr).error).toMatchObject({
        code: "incomplete_list",
        outcome: "none",
        exit: 9,
      });
    }
  });

  test("[T8] provisioning and its undo end with 9 before anything is sent", async () => {
    const { run, plain, emulator, requests } = await deployment(firstThree((all) => ({ total: all })));
    const first = await plain("orgs", "provision", "plan.json", "--yes");
    expect(first.code).toBe(0);
    const before = (await requests()).filter(({ method }) => method !== "GET").length;
    for (const argv of [
      ["orgs", "provision", "plan.json", "--yes"],
      ["orgs", "provision", "plan.json", "--dry-run"],
      ["runs", "undo", first.json.run_id, "--yes"],
      ["runs", "undo", first.json.run_id, "--dry-run"],
    ]) {
      const ran = await run(...argv, "-o", "json");
      expect(ran.code).toBe(9);
      expect(ran.stderr).toContain('"incomplete_list"');
      expect(ran.stderr).toContain('"outcome":"none"');
    }
    expect((await requests()).filter(({ method }) => method !== "GET")).toHaveLength(before);
    expect(await treeIn(emulator)).toEqual(treeOf(plan));
    // The same undo, once the list can be read.
    expect((await plain("runs", "undo", first.json.run_id, "--yes")).json).toMatchObject({
      deleted: 14,
      gone: 0,
    });
    expect(await treeIn(emulator)).toEqual([]);
  });
});
