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
  test("the prompt of `apply --skip-drifted` counts only the steps that will be applied", async () => {
    const world = await setUpApply(4);
    const { seal, rename, ids } = world;
    const [first = "", second = "", third = "", fourth] = ids;
    seal([rename(first, "Other"), rename(second), rename(third), remove(fourth)]);
    expect(await askToApply(world, "--skip-drifted")).toContain(
      "It will update 2 contacts and delete 1; 1 outdated step will be skipped.",
    );
  });

  test("the prompt of `apply --skip-drifted` counts the steps that depend on skipped steps", async () => {
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

  test("the hint for an outdated plan contains all flags that the plan requires", async () => {
    const { seal, rename, run, group, ids } = await setUpApply(1);
    const secret = { $secret: "tools/crm" };
    seal([
      rename(ids[0] ?? "", "Other"),
      { op: "tools.create", body: { name: "crm", url: "https://example.com", secret } },
      { op: "groups.delete", path: { group_id: group }, undo: "none" },
    ]);
    const required = "--secret tools/crm=env:VARIABLE --allow groups:delete --skip-drifted --profile offline";
    const typed = ["kunden.plan", "--profile", "offline", "-o", "table"];
    expect((await run("plan", "check", ...typed)).stderr).toContain(
      `\`voxctl apply kunden.plan ${required}\``,
    );
    expect((await run("apply", "--dry-run", "--max-age", "9d", ...typed)).stderr).toContain(
      `\`voxctl apply kunden.plan --max-age 9d ${required}\``,
    );
  });

  test("the hint for an outdated plan of a configuration doesn't suggest `apply`", async () => {
    const { seal, rename, run, ids } = await setUpApply(1);
    seal([rename(ids[0] ?? "", "Other")], { config: { project: "praxis", target: "prod" } });
    const { code, stderr } = await run("plan", "check", "kunden.plan", "-o", "table");
    expect([code, stderr]).toEqual([10, expect.stringMatching(/^hint: create a new plan$/m)]);
  });

  test("the hint to confirm a plan warns about a change that can only be undone in part", async () => {
    const { seal, run, json } = await setUpApply(0);
    const { id } = await json("tools", "create", "--name", "crm", "--url", "https://example.com");
    const body = { description: "Neu", secret: { $secret: "crm" } };
    seal([{ op: "tools.update", path: { tool_id: id }, body, undo: "partial" }]);
    const { stderr } = await run("apply", "kunden.plan", "--secret", "crm=env:HOME", "-o", "table");
    expect(stderr).toContain("confirmation required, but stdin is not a terminal");
    expect(stderr).toContain("use --yes to confirm; this can only be undone in part\n");
  });

  test("`runs list --fields` accepts a count even if no run has it", async () => {
    const { seal, apply, create, run } = await setUpApply(0);
    seal([create("Neu")]);
    await apply();
    const { code, stderr } = await run("runs", "list", "--fields", "id,skipped,kept,failed", "-o", "json");
    expect(code, stderr).toBe(0);
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
