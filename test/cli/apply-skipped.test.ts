import { describe, expect, test } from "vitest";
import { connectedTo, scriptPrompts } from "../helpers/cli.js";
import { readLines } from "../helpers/import.js";
import { setUpApply } from "../helpers/set-up-apply.js";

type World = Awaited<ReturnType<typeof setUpApply>>;

const remove = (contact_id = "", more: object = {}) => ({
  op: "contacts.delete",
  path: { contact_id },
  undo: "new-id",
  ...more,
});

async function askToApply({ emulator, runWith }: World, ...flags: string[]) {
  const prompts = scriptPrompts(false);
  const { stderr } = await runWith(
    { overrides: { ...connectedTo(emulator), prompts } },
    ...["apply", "kunden.plan", ...flags],
  );
  expect(prompts.messages, stderr).toHaveLength(1);
  return prompts.messages[0];
}

describe("`apply` of a plan with outdated steps", () => {
  test("the question of `apply --skip-drifted` counts only the steps that will be applied", async () => {
    const world = await setUpApply(4);
    const { seal, rename, ids } = world;
    const [first = "", second = "", third = "", fourth] = ids;
    seal([rename(first, "Other"), rename(second), rename(third), remove(fourth)]);
    expect(await askToApply(world, "--skip-drifted")).toContain(
      "It will update 2 contacts and delete 1; 1 outdated step will be skipped.",
    );
  });

  test("the question of `apply --skip-drifted` counts the steps that depend on skipped steps", async () => {
    const world = await setUpApply(0);
    const { seal, create } = world;
    const made = {
      op: "groups.create",
      body: { type: "contacts", name: "Kunden" },
      if: { absent: { in: "groups?type=contacts", name: "Kunden" } },
    };
    const member = { op: "contacts.create", body: { group_id: { $ref: 1 }, first_name: "Anna" } };
    seal([made, member, create("Neu")]);
    expect(await askToApply(world, "--skip-drifted")).toContain(
      "It will create 1 contact; 1 outdated step and 1 dependent step will be skipped.",
    );
  });

  for (const words of [["apply"], ["apply", "--dry-run"], ["apply", "--yes"], ["plan", "check"]])
    test(`the hint of \`${words.join(" ")}\` for an outdated plan is a complete command`, async () => {
      const { seal, rename, run, ids } = await setUpApply(1);
      seal([rename(ids[0] ?? "", "Other")]);
      const { code, stderr } = await run(...words, "kunden.plan", "-o", "table");
      expect([code, stderr]).toEqual([
        10,
        expect.stringContaining("with `voxctl apply kunden.plan --skip-drifted`"),
      ]);
    });

  test("`runs list RUN` names the same command as `runs list`", async () => {
    const { seal, apply, create, run } = await setUpApply(0);
    seal([create("Neu")]);
    const { run_id } = (await apply()).json;
    const { stdout } = await run("runs", "list", run_id, "-o", "table");
    expect(stdout).toMatch(/^command +apply$/m);
    expect(stdout).not.toContain("started_with");
  });

  test("the results file of `apply` lists deletions and updates, but no created resources", async () => {
    const { seal, apply, rename, create, ids } = await setUpApply(3);
    const [first = "", second = "", third] = ids;
    seal([rename(first, "Other"), rename(second), remove(third), create("Neu")]);
    const { json } = await apply("--skip-drifted");
    const listed = readLines(json.report).map(({ row, outcome, id }) => [row, outcome, id]);
    expect(listed).toEqual([
      [1, "skipped", first],
      [2, "updated", second],
      [3, "deleted", third],
    ]);
  });
});
