import assert from "node:assert/strict";
import { type Bench, parseOutput, type Ran } from "../harness/bench.js";
import { fieldsOf, longAgo, type Row } from "../server/service-state.js";
import type { Job } from "./job.js";

const number = "+4930777001";

export const subjectErasure: Job = {
  about:
    "a caller's data is found in every resource and is either erased or listed; other callers' data is kept",
  async run(bench) {
    const { state } = bench.service;
    const made = furnish(bench);
    await bench.pass();
    const ran = await patient(
      bench,
      ...["subject", "erase", "--phone", "030 777001", "--email", "caller@example.org", "--country", "DE"],
      ...["--details", "--recordings", "--max-delete", "2", "--yes", "-o", "json", ...bench.settle],
    );
    await bench.pass();
    const { code, stderr } = ran;
    assert.ok(code === 68 || (code === 75 && bench.lossy), `exit ${code}: ${stderr}`);
    const isExisting = (row: Row) => state.get("contacts", row.id) !== undefined;
    assert.ok(isExisting(made.otherCaller), "another caller's contact stays");
    assert.equal(fieldsOf(made.otherText)["text"], "Prices are on the wall.");
    if (code === 75) return;
    const { erased, remains } = parseOutput(ran);
    const isReported = (row: Row) =>
      [...erased, ...remains].some(({ id }: { id: unknown }) => String(id) === row.id);
    for (const row of [...made.contacts, made.text, made.call])
      assert.ok(isReported(row), `${row.id} is reported`);
    assert.equal(remains.filter(({ why }: { why: string }) => why === "failed").length, 0, stderr);
    assert.deepEqual(made.contacts.filter(isExisting), [], "the caller's contacts are deleted");
    assert.match(String(fieldsOf(made.text)["text"]), /^call \[erased\] at night\.$/i);
    assert.equal(fieldsOf(made.call)["has_recording"], false, "the recording is erased");
    assert.ok(state.get("calls", made.call.id) !== undefined, "a call can't be erased");
  },
};

function furnish({ service: { state } }: Bench) {
  const insert = (resource: string, fields: Record<string, unknown>) =>
    state.insert(resource, fields, "somebody", longAgo);
  const team = state.rows("groups").find((row) => fieldsOf(row)["name"] === "Team")?.id;
  const otherGroupId = insert("groups", { type: "contacts", name: "Others" }).id;
  const texts = insert("groups", { type: "knowledges", name: "Texts" }).id;
  const contact = (group_id: string | undefined, phone_numbers: string[], emails: string[]) =>
    insert("contacts", { group_id, first_name: "Caller", last_name: "One", phone_numbers, emails });
  const assistant = state.rows("assistants")[0]?.id;
  return {
    contacts: [contact(team, [number], []), contact(otherGroupId, ["+4930777009"], ["Caller@Example.org"])],
    otherCaller: contact(team, ["+4930777002"], ["x.caller@example.org"]),
    text: insert("knowledge", { group_id: texts, name: "Night", text: "Call 0049 30 / 777 001 at night." }),
    otherText: insert("knowledge", { group_id: texts, name: "Prices", text: "Prices are on the wall." }),
    call: insert("calls", { assistant_id: assistant, to: number, over: true }),
  };
}

/** Runs a search, and repeats it once after an outage. A search sends no writes. */
async function patient(bench: Bench, ...argv: string[]): Promise<Ran> {
  const ran = await bench.run(...argv);
  if (ran.code !== 9 || bench.service.behavior.outages.length === 0) return ran;
  await bench.pass();
  return bench.run(...argv);
}
