import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Bench, parseOutput, type Ran } from "../harness/bench.js";
import { fieldsOf, longAgo, type Row } from "../server/service-state.js";
import { normalize } from "../server/values.js";
import { assertUnchanged, readContents } from "./contents.js";
import type { Job } from "./job.js";
import { csvOf, isContactOf, listInGroup, type Person, people, writes } from "./people.js";
import { undoRuns } from "./undo-runs.js";

const sealing = (bench: Bench, group: string, file: string, ...flags: string[]) =>
  bench.run(
    ...["contacts", "import", file, "--group", group, "--on-match", "update", "-o", "json"],
    ...["--plan", bench.path("people.plan"), "--force", ...bench.settle, ...flags],
  );

const applying = (bench: Bench, ...flags: string[]) => [
  ...["apply", bench.path("people.plan"), "--yes", "-o", "json"],
  ...bench.settle,
  ...flags,
];

/**
 * Checks that no contact is duplicated. Only contacts of unconfirmed or blocked steps are allowed to be
 * missing.
 */
function assertApplied(bench: Bench, ran: Ran, group: string, list: readonly Person[]): void {
  const { code, stderr } = ran;
  assert.ok(code === 0 || (code === 75 && bench.lossy), `exit ${code}: ${stderr}`);
  const { steps } = parseOutput(ran);
  assert.deepEqual([steps.rejected, steps.skipped], [0, 0], stderr);
  assert.equal(steps.unknown > 0, code === 75, "75 means that something is unknown");
  const rows = listInGroup(bench, "contacts", group);
  let existingCount = 0;
  for (const person of list) {
    const matches = rows.filter((row) => isContactOf(row, person));
    const own = matches.filter(({ author }) => author === "client");
    assert.ok(own.length <= 1, `${person.first_name} ${person.last_name} was created ${own.length} times`);
    if (matches.length > 0) existingCount += 1;
  }
  assert.ok(
    existingCount >= list.length - steps.unknown - steps.blocked,
    `${existingCount} of ${list.length} exist`,
  );
}

export const apply: Job = {
  about: "an import that is saved as a plan file and applied twice, then a corrected import",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    const sealed = await sealing(bench, "Team", file);
    assert.equal(sealed.code, 0, sealed.stderr);
    assert.equal(writes(bench), 0, "saving a plan file writes nothing");
    const first = await bench.run(...applying(bench));
    await bench.pass();
    assertApplied(bench, first, "Team", people);
    const before = writes(bench);
    const again = await bench.run(...applying(bench));
    assert.equal(again.code, first.code, again.stderr);
    assert.deepEqual([parseOutput(again).applied_before, writes(bench)], [true, before], "applied once");
    if (first.code !== 0) return;
    const corrected = people.map((person) =>
      person.first_name === "Karl" ? { ...person, last_name: "Klein" } : person,
    );
    bench.write("people.csv", csvOf(corrected));
    const second = await sealing(bench, "Team", file);
    assert.equal(second.code, 0, second.stderr);
    const last = await bench.run(...applying(bench));
    await bench.pass();
    assertApplied(bench, last, "Team", corrected);
  },
};

export const applyResumed: Job = {
  about: "a plan that is applied again after the process was killed",
  async run(bench) {
    const file = bench.write("people.csv", csvOf(people));
    const sealed = await sealing(bench, "Team", file);
    assert.equal(sealed.code, 0, sealed.stderr);
    await bench.runKilled({ write: 5 }, ...applying(bench));
    const ran = await bench.run(...applying(bench));
    await bench.pass();
    assertApplied(bench, ran, "Team", people);
  },
};

function listCustomers({ service: { state } }: Bench): Row[] {
  const group_id = state.rows("groups").find((row) => fieldsOf(row)["name"] === "Team")?.id;
  return [0, 1, 2].map((count) =>
    state.insert(
      "contacts",
      {
        group_id,
        first_name: `Kunde ${count}`,
        last_name: "Alt",
        phone_numbers: [`+493055500${count}`],
        emails: [],
      },
      "somebody",
      longAgo,
    ),
  );
}

function withStep(bench: Bench, step: object): void {
  const lines = readFileSync(bench.path("people.plan"), "utf8").trimEnd().split("\n").slice(0, -1);
  const count = lines.length;
  const text = [...lines, JSON.stringify({ step: count, ...step })].map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  bench.write("people.plan", `${text}${JSON.stringify({ end: count, sha256 })}\n`);
}

export const undoOfApply: Job = {
  about: "a plan that creates, changes and deletes resources, and its undo",
  async run(bench) {
    const [, , last] = listCustomers(bench);
    assert.ok(last);
    const before = readContents(bench);
    const list = [0, 1].map((count) => ({
      first_name: `Kunde ${count}`,
      last_name: `Neu ${count}`,
      phones: [`+493055500${count}`],
      emails: [],
    }));
    const file = bench.write("customers.csv", csvOf([...list, ...people.slice(0, 3)]));
    const sealed = await sealing(bench, "Team", file);
    assert.equal(sealed.code, 0, sealed.stderr);
    withStep(bench, { op: "contacts.delete", path: { contact_id: last.id }, undo: "new-id" });
    const ran = await bench.run(...applying(bench));
    await bench.pass();
    assertApplied(bench, ran, "Team", [...list, ...people.slice(0, 3)]);
    const isDeleted = bench.service.state.get("contacts", last.id) === undefined;
    if (ran.code === 0) assert.ok(isDeleted, "the last customer is deleted");
    const { certain } = await undoRuns(bench);
    await bench.pass();
    if (!certain || ran.code !== 0) return;
    const again = listInGroup(bench, "contacts", "Team").filter(
      (row) => fieldsOf(row)["first_name"] !== undefined && isAgain(row, last),
    );
    assert.equal(again.length, 1, "the deleted one is recreated once");
    // The contact has a different ID; all other fields are unchanged.
    const [row] = again;
    assert.ok(row);
    const { contacts = {}, ...otherContents } = before;
    const { [last.id]: was, ...remaining } = contacts;
    assertUnchanged(bench, {
      ...otherContents,
      contacts: { ...remaining, ...(was === undefined ? {} : { [row.id]: fieldsOf(row) }) },
    });
  },
};

function isAgain(row: Row, was: Row): boolean {
  const [now, before] = [fieldsOf(row), fieldsOf(was)];
  const fields = ["first_name", "last_name", "phone_numbers", "group_id"];
  return fields.every((field) => normalize(now[field]) === normalize(before[field]));
}
