import { expect, test } from "vitest";
import type { Step } from "../../src/write/journal/journal.js";
import { connectedTo } from "../helpers/cli.js";
import { setUpApply } from "../helpers/set-up-apply.js";

test("`apply` writes the journal entries of concurrent steps in one transaction", async () => {
  const { seal, runWith, emulator, rename, ids } = await setUpApply(60, { limits: { write: 1_000 } });
  const contact = { group_id: { $ref: 1 }, first_name: "Neu" };
  seal([
    { op: "groups.create", body: { type: "contacts", name: "Neue" } },
    ...Array.from({ length: 60 }, () => ({ op: "contacts.create", body: contact })),
    ...ids.map((id) => rename(id)),
  ]);
  const commits: Step[] = [];
  const onJournalStep = (step: Step) => {
    if (step === "sent" || step === "recorded") commits.push(step);
  };
  const overrides = { ...connectedTo(emulator), onJournalStep };
  const { code, json } = await runWith({ overrides }, "apply", "kunden.plan", "--yes", "-o", "json");
  expect([code, json.created, json.updated]).toEqual([0, 61, 60]);
  expect(commits.length).toBeLessThan(20);
});

test("[A10] undo also restores old values that the plan file did not contain", async () => {
  const { seal, apply, run, json, group, ids } = await setUpApply(1);
  const [id = ""] = ids;
  const path = { contact_id: id };
  seal([
    {
      op: "contacts.update",
      path,
      body: { first_name: "Erste", last_name: "Zweite" },
      if: { fields: { last_name: "Weiß" } },
    },
  ]);
  expect((await apply()).code).toBe(0);
  const [{ id: runId }] = await json("runs", "list");
  expect((await run("runs", "undo", runId, "--yes")).code).toBe(0);
  expect(await json("contacts", "get", id)).toMatchObject({
    first_name: "Anna0",
    last_name: "Weiß",
    group_id: group,
  });
});

test("[A3] `apply --yes` lists the contacts only once to check the plan's preconditions", async () => {
  const { seal, apply, requests, rename, ids } = await setUpApply(8);
  seal(ids.map((id) => rename(id)));
  const before = (await requests("GET")).length;
  expect((await apply()).code).toBe(0);
  const reads = (await requests("GET")).slice(before).map(({ path }) => path);
  expect(reads.filter((path) => /\/contacts(\?|$)/.test(path))).toHaveLength(1);
  // Each contact is read right before its change.
  expect(reads.filter((path) => /\/contacts\/\w+$/.test(path))).toHaveLength(8);
});
