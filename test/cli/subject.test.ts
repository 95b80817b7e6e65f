import { describe, expect, test } from "vitest";
import { subjectShell, subjectWorld } from "../helpers/subject.js";

const anna = "+491713920001";

/** Anna in two groups, in a call each way, and in what is said and written elsewhere. */
async function withAnna() {
  const world = await subjectWorld();
  const [patients = "", suppliers = ""] = world.contactGroups;
  const { assistantId, knowledgeGroup } = world;
  const contact = (group_id: string, first_name: string, phone: string[], emails: string[] = []) =>
    world.create("/contacts", { group_id, first_name, last_name: "Schmidt", phone_numbers: phone, emails });
  const say = (...texts: string[]) =>
    texts.map((text, index) => ({ role: "user", text, offset_seconds: index }));
  const ids = {
    patient: await contact(patients, "Anna", [anna, "+4930100009"], ["Anna@Example.org"]),
    supplier: await contact(suppliers, "Anna", [], ["anna@example.org"]),
    namesake: await contact(patients, "Anna", ["+491713920002"]),
    stranger: await contact(patients, "Bert", ["+491713920003"], ["bert@example.org"]),
    called: await world.call({
      assistant_id: assistantId,
      from: anna,
      recording: "flac",
      transcript: say("Hallo"),
    }),
    calling: await world.call({ assistant_id: assistantId, direction: "outbound", to: anna }),
    mentioned: await world.call({
      ...{ assistant_id: assistantId, from: "+491713920003" },
      transcript: say("Guten Tag", "Rufen Sie null eins sieben eins drei neun zwo null null null eins an"),
    }),
    other: await world.call({ assistant_id: assistantId, from: "+491713920003", transcript: say("Tschüss") }),
    item: await world.create("/knowledge-items", {
      ...{ group_id: knowledgeGroup, name: "Notfall", text: "Notfalls 0171/39 20 001 anrufen." },
    }),
    otherItem: await world.create("/knowledge-items", {
      ...{ group_id: knowledgeGroup, name: "Preise", text: "Alles kostet 5 Euro." },
    }),
    prompt: await world.create("/prompts", {
      ...{ name: "E-Mail", kind: "email", text: "Schreibe an anna@example.org." },
    }),
  };
  return { world, ids, ...subjectShell(world) };
}

interface Occurrence {
  where: string;
  id: string;
  field: string;
  certainty: string;
}

const placesOf = (occurrences: Occurrence[]) =>
  occurrences.map(({ where, id, field, certainty }) => [where, id, field, certainty]);

describe("subject find", () => {
  test("finds a caller in every group and both numbers of calls, and says what was searched and what not", async () => {
    const { run, ids } = await withAnna();
    const found = await run("subject", "find", "--phone", "0171 3920001", "--country", "DE", "-o", "json");
    expect(found.code, found.stderr).toBe(0);
    expect(placesOf(found.json.occurrences)).toEqual([
      ["contacts", ids.patient, "phone_numbers[0]", "certain"],
      ["calls", ids.calling, "to", "certain"],
      ["calls", ids.called, "from", "certain"],
    ]);
    expect(found.json.searched).toEqual([
      { where: "contacts", read: 4, found: 1, gone: 0 },
      { where: "calls", read: 4, found: 2, gone: 0 },
    ]);
    expect(found.json.not_searched.map(({ where }: Occurrence) => where)).toEqual([
      "knowledge",
      "prompts",
      "call texts",
    ]);
    expect(found.json.further).toEqual(["+4930100009", "Anna@Example.org"]);
    expect(found.stderr).toContain("searched: 4 contacts, 4 calls");
    expect(found.stderr).toContain("not looked for; give them, too");
  });

  test("--texts finds what was said and written, a name only hints", async () => {
    const { run, ids } = await withAnna();
    const { code, stdout, stderr } = await run(
      ...["subject", "find", "--phone", anna, "--country", "DE", "--email", "ANNA@example.org"],
      ...["--name", "Schmidt Anna", "--texts", "-o", "ndjson"],
    );
    expect(code, stderr).toBe(0);
    const lines: Occurrence[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const certain = lines.filter(({ certainty }) => certainty === "certain");
    expect(new Set(placesOf(certain).map(([where, id, field]) => [where, id, field].join(" ")))).toEqual(
      new Set([
        `contacts ${ids.patient} phone_numbers[0]`,
        `contacts ${ids.patient} emails[0]`,
        `contacts ${ids.supplier} emails[0]`,
        `calls ${ids.called} from`,
        `calls ${ids.calling} to`,
        `calls ${ids.mentioned} transcript[1].text`,
        `knowledge ${ids.item} text`,
        `prompts ${ids.prompt} text`,
      ]),
    );
    expect(lines.filter(({ certainty }) => certainty === "hint").map(({ id }) => id)).toEqual(
      expect.arrayContaining([ids.patient, ids.supplier, ids.namesake]),
    );
    expect(lines.map(({ id }) => id)).not.toContain(ids.stranger);
  });

  test("wants a caller, and says what of it can't be read", async () => {
    const { run } = await withAnna();
    expect(await run("subject", "find")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the caller is missing"),
    });
    for (const wrong of [
      ["--phone", "Anna"],
      ["--email", "anna"],
      ["--name", " , "],
      ["--phone", "0171 1"],
    ])
      expect((await run("subject", "find", ...wrong)).code, wrong.join(" ")).toBe(2);
    const none = await run("subject", "find", "--phone", "+4930999999", "-o", "table");
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("not found in what was searched")]);
  });
});
