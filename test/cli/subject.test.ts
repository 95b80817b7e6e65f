import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectedTo, scriptPrompts } from "../helpers/cli.js";
import { publicApi } from "../helpers/public-api.js";
import { reshapeResponses } from "../helpers/reshape-responses.js";
import { createSubjectShell, setUpSubject } from "../helpers/subject.js";

const anna = "+491713920001";

/** Anna's number appears in two groups, an inbound and an outbound call, and other resources' texts. */
async function withAnna() {
  const setup = await setUpSubject();
  const [patients = "", suppliers = ""] = setup.contactGroups;
  const { assistantId, knowledgeGroup } = setup;
  const contact = (group_id: string, first_name: string, phone: string[], emails: string[] = []) =>
    setup.create("/contacts", { group_id, first_name, last_name: "Schmidt", phone_numbers: phone, emails });
  const toTranscript = (...texts: string[]) =>
    texts.map((text, index) => ({ role: "user", text, offset_seconds: index }));
  const ids = {
    patient: await contact(patients, "Anna", [anna, "+4930100009"], ["Anna@Example.org"]),
    supplier: await contact(suppliers, "Anna", [], ["anna@example.org"]),
    namesake: await contact(patients, "Anna", ["+491713920002"]),
    stranger: await contact(patients, "Bert", ["+491713920003"], ["bert@example.org"]),
    called: await setup.call({
      assistant_id: assistantId,
      from: anna,
      recording: "flac",
      transcript: toTranscript("Hallo"),
    }),
    calling: await setup.call({ assistant_id: assistantId, direction: "outbound", to: anna }),
    mentioned: await setup.call({
      ...{ assistant_id: assistantId, from: "+491713920003" },
      transcript: toTranscript(
        "Guten Tag",
        "Rufen Sie null eins sieben eins drei neun zwo null null null eins an",
      ),
    }),
    other: await setup.call({
      assistant_id: assistantId,
      from: "+491713920003",
      transcript: toTranscript("Tschüss"),
    }),
    item: await setup.create("/knowledge-items", {
      ...{ group_id: knowledgeGroup, name: "Notfall", text: "Notfalls 0171/39 20 001 anrufen." },
    }),
    otherItem: await setup.create("/knowledge-items", {
      ...{ group_id: knowledgeGroup, name: "Preise", text: "Alles kostet 5 Euro." },
    }),
    prompt: await setup.create("/prompts", {
      ...{ name: "E-Mail", kind: "email", text: "Schreibe an anna@example.org." },
    }),
  };
  const colleagues = await setup.create("/groups", { type: "forwardings", name: "Team" });
  const forwarding = await setup.create("/forwardings", {
    ...{ group_id: colleagues, name: "Anna", destination_type: "phone", phone_number: anna },
  });
  return { world: setup, ids: { ...ids, forwarding }, ...createSubjectShell(setup) };
}

interface Occurrence {
  where: string;
  id: string;
  field: string;
  certainty: string;
}

const toTuples = (occurrences: Occurrence[]) =>
  occurrences.map(({ where, id, field, certainty }) => [where, id, field, certainty]);

describe("subject find", () => {
  test("`subject find` exits with code 68 if the service doesn't have the list of contacts", async () => {
    const { runWith, world, ids } = await withAnna();
    const lost = (pattern: RegExp) =>
      reshapeResponses(world.emulator, ({ path }) =>
        pattern.test(path) ? { status: 404, body: { error: { code: "not_found", message: "No." } } } : {},
      );
    const find = (pattern: RegExp) =>
      runWith(
        { overrides: lost(pattern) },
        ...["--profile", "offline", "subject", "find", "--phone", anna, "-o", "json"],
      );
    const found = await find(/\/contacts\b/);
    expect(found.code, found.stderr).toBe(68);
    expect(found.stderr).toContain("not searched: contacts: No (404)");
    expect(found.json.occurrences).toContainEqual(expect.objectContaining({ id: ids.called }));
    // The documents don't specify how tools are listed.
    expect((await find(/\/tools\b/)).code).toBe(0);
  });

  test("`subject find` finds a caller in contacts, calls and settings", async () => {
    const { run, ids } = await withAnna();
    const findings = await run("subject", "find", "--phone", "0171 3920001", "--country", "DE", "-o", "json");
    expect(findings.code, findings.stderr).toBe(0);
    expect(toTuples(findings.json.occurrences)).toEqual([
      ["contacts", ids.patient, "phone_numbers[0]", "certain"],
      ["calls", ids.calling, "to", "certain"],
      ["calls", ids.called, "from", "certain"],
      ["forwardings", ids.forwarding, "phone_number", "certain"],
    ]);
    expect(findings.json.searched.map(({ where }: Occurrence) => where)).toEqual([
      ...["contacts", "calls", "groups", "assistants", "forwardings", "glossary", "pronunciation"],
      ...["calendars", "tools"],
    ]);
    expect(findings.json.searched.slice(0, 2)).toEqual([
      { where: "contacts", read: 4, found: 1, gone: 0 },
      { where: "calls", read: 4, found: 2, gone: 0 },
    ]);
    expect(findings.json.not_searched.map(({ where }: Occurrence) => where)).toEqual([
      ...["knowledge", "prompts", "call texts"],
    ]);
    expect(findings.stderr).toContain("Not searched: knowledge, prompts (requires --details)");
    expect(findings.json.further).toEqual(["+4930100009", "Anna@Example.org"]);
    expect(findings.stderr).toContain("Searched: 4 contacts, 4 calls");
    expect(findings.stderr).toContain("Add any that belong to the caller");
  });

  test("`subject find --details` also searches transcripts", async () => {
    const { run, ids } = await withAnna();
    const { code, stdout, stderr } = await run(
      ...["subject", "find", "--phone", anna, "--country", "DE", "--email", "ANNA@example.org"],
      ...["--name", "Schmidt Anna", "--details", "-o", "ndjson"],
    );
    expect(code, stderr).toBe(0);
    const lines: Occurrence[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const certain = lines.filter(({ certainty }) => certainty === "certain");
    expect(new Set(toTuples(certain).map(([where, id, field]) => [where, id, field].join(" ")))).toEqual(
      new Set([
        `contacts ${ids.patient} phone_numbers[0]`,
        `contacts ${ids.patient} emails[0]`,
        `contacts ${ids.supplier} emails[0]`,
        `calls ${ids.called} from`,
        `calls ${ids.calling} to`,
        `calls ${ids.mentioned} transcript[1].text`,
        `knowledge ${ids.item} text`,
        `prompts ${ids.prompt} text`,
        `forwardings ${ids.forwarding} phone_number`,
      ]),
    );
    expect(lines.filter(({ certainty }) => certainty === "hint").map(({ id }) => id)).toEqual(
      expect.arrayContaining([ids.patient, ids.supplier, ids.namesake]),
    );
    expect(lines.map(({ id }) => id)).not.toContain(ids.stranger);
  });

  test("`subject find` requires a caller", async () => {
    const { run } = await withAnna();
    expect(await run("subject", "find")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("missing caller"),
    });
    for (const wrong of [
      ["--phone", "Anna"],
      ["--email", "anna"],
      ["--name", " , "],
      ["--phone", "0171 1"],
    ])
      expect((await run("subject", "find", ...wrong)).code, wrong.join(" ")).toBe(2);
    const none = await run("subject", "find", "--phone", "+4930999999", "-o", "table");
    expect([none.code, none.stderr]).toEqual([0, expect.stringContaining("no matches in the searched data")]);
  });
});

describe("subject erase", () => {
  test("`subject erase --recordings` works even if calls lack the field `recording`", async () => {
    const { runWith, world, ids } = await withAnna();
    const hide = ({ recording: _, ...call }: Record<string, unknown>) => call;
    const overrides = reshapeResponses(world.emulator, ({ path }, { body }) =>
      /\/calls\b/.test(path) && body.data
        ? { body: { ...body, data: Array.isArray(body.data) ? body.data.map(hide) : hide(body.data) } }
        : undefined,
    );
    const erased = await runWith(
      { overrides },
      ...["--profile", "offline", "subject", "erase", "--phone", anna, "--max-delete", "2"],
      ...["--recordings", "--yes"],
    );
    expect(erased.code, erased.stderr).toBe(68);
    expect(erased.json.remains.map(({ why }: { why: string }) => why)).not.toContain("failed");
    expect((await world.get(`/calls/${ids.called}`)).data.recording.available).toBe(false);
  });

  const caller = ["--phone", anna, "--country", "DE", "--email", "anna@example.org"];

  test("`subject erase` deletes the caller's data and lists remaining data", async () => {
    const { run, ids, world: setup, data } = await withAnna();
    const everybody = ["--max-delete", "2"];
    const flags = [
      ...caller,
      "--name",
      "Anna Schmidt",
      "--details",
      "--recordings",
      "--reference",
      "2026-17",
    ];
    const erased = await run("subject", "erase", ...flags, ...everybody, "--yes");
    expect(erased.code, erased.stderr).toBe(68);
    const { json } = erased;
    expect(json.erased).toEqual([
      { where: "contacts", id: ids.patient, action: "delete" },
      { where: "contacts", id: ids.supplier, action: "delete" },
      { where: "calls", id: ids.called, action: "recording" },
      { where: "knowledge", id: ids.item, action: "redact" },
      { where: "prompts", id: ids.prompt, action: "redact" },
    ]);
    expect(json.hints).toEqual([{ where: "contacts", id: ids.namesake }]);
    expect(new Set(json.remains.map(({ id }: { id: string }) => id))).toEqual(
      new Set([ids.called, ids.calling, ids.mentioned, ids.forwarding]),
    );
    for (const id of [ids.patient, ids.supplier])
      expect((await setup.get(`/contacts/${id}`)).status).toBe(404);
    for (const id of [ids.namesake, ids.stranger])
      expect((await setup.get(`/contacts/${id}`)).status).toBe(200);
    expect((await setup.get(`/calls/${ids.called}`)).data.recording.available).toBe(false);
    expect((await setup.get(`/knowledge-items/${ids.item}`)).data.text).toBe("Notfalls [erased] anrufen.");
    expect((await setup.get(`/knowledge-items/${ids.otherItem}`)).data.text).toBe("Alles kostet 5 Euro.");
    expect((await setup.get(`/prompts/${ids.prompt}`)).data.text).toBe("Schreibe an [erased].");
    const receipt = readFileSync(json.receipt, "utf8");
    expect(JSON.parse(receipt)).toMatchObject({
      ...{ reference: "2026-17", plan_id: json.plan_id },
      erased: [{ id: ids.patient, shown_by: "GET by ID returned 404" }, {}, {}, {}, {}],
    });
    for (const text of [receipt, json.operator_text])
      expect(text).not.toMatch(/1713920001|example\.org|Anna/i);
    expect(json.operator_text).toContain(`- ${ids.calling}: the call (to)`);
    expect(readdirSync(join(data, "runs"))).toEqual([]);
    expect(readdirSync(join(data, "subject"))).toEqual([basename(json.receipt)]);
    const again = await run("subject", "find", ...caller, "--details");
    expect(new Set(again.json.occurrences.map(({ where }: Occurrence) => where))).toEqual(
      new Set(["calls", "forwardings"]),
    );
    expect((await setup.get(`/forwardings/${ids.forwarding}`)).data.phone_number).toBe(anna);
  });

  test("`subject erase --dry-run` sends no writes", async () => {
    const { run, ids, world: setup, home } = await withAnna();
    const preview = await run("subject", "erase", ...caller, "--max-delete", "2", "--dry-run");
    expect(preview.code).toBe(68);
    expect(preview.json).toMatchObject({
      erased: [],
      would_erase: [{ id: ids.patient }, { id: ids.supplier }],
    });
    expect(preview.json.remains).toContainEqual(
      expect.objectContaining({ id: ids.called, what: "the recording", why: "not_asked" }),
    );
    const sealed = await run(
      ...["subject", "erase", ...caller, "--max-delete", "2", "--recordings", "--plan", "weg.plan"],
    );
    expect([sealed.code, sealed.stderr]).toEqual([68, expect.stringContaining("--allow recordings:delete")]);
    expect((await setup.get(`/contacts/${ids.patient}`)).status).toBe(200);
    const path = join(home, "weg.plan");
    expect((await run("plan", "check", path)).code).toBe(0);
    const applied = await run("apply", path, "--allow", "recordings:delete", "--yes");
    expect(applied.code, applied.stderr).toBe(0);
    for (const id of [ids.patient, ids.supplier])
      expect((await setup.get(`/contacts/${id}`)).status).toBe(404);
    expect((await setup.get(`/calls/${ids.called}`)).data.recording.available).toBe(false);
  });

  test("`subject erase` refuses unconfirmed deletions, unknown IDs and too many deletions", async () => {
    const { run, ids, world: setup } = await withAnna();
    const refused = await run("subject", "erase", ...caller, "--yes");
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("--max-delete 2")]);
    expect((await run("subject", "erase", ...caller)).code).toBe(12);
    const flags = [...caller, "--max-delete", "2", "--yes"];
    expect((await run("subject", "erase", ...flags, "--include", ids.stranger)).code).toBe(4);
    expect((await run("subject", "erase", ...flags, "--reference", "Anna, 0171 3920001")).code).toBe(2);
    expect((await setup.get(`/contacts/${ids.patient}`)).status).toBe(200);
  });

  test("`subject erase` requires --include to delete resources that match only by name", async () => {
    const { run, ids, world: setup } = await withAnna();
    const name = ["--name", "Anna Schmidt"];
    const none = await run("subject", "erase", ...name, "--yes");
    expect([none.code, none.json.erased, none.json.hints.length]).toEqual([0, [], 3]);
    const erased = await run("subject", "erase", ...name, "--include", ids.namesake, "--yes");
    expect([erased.code, erased.json.erased]).toEqual([
      0,
      [{ where: "contacts", id: ids.namesake, action: "delete" }],
    ]);
    expect((await setup.get(`/contacts/${ids.namesake}`)).status).toBe(404);
    expect((await setup.get(`/contacts/${ids.patient}`)).status).toBe(200);
  });

  test("`subject erase` keeps and lists resources that others changed", async () => {
    const { runWith, ids, world: setup } = await withAnna();
    const prompts = scriptPrompts();
    prompts.confirm = async () => {
      await publicApi(setup.emulator)("PATCH", `/contacts/${ids.patient}`, { last_name: "Neu" });
      return true;
    };
    const erased = await runWith(
      { overrides: { ...connectedTo(setup.emulator), prompts } },
      ...["--profile", "offline", "subject", "erase", ...caller, "--max-delete", "2"],
    );
    expect(erased.code, erased.stderr).toBe(68);
    expect(erased.json.erased).toEqual([{ where: "contacts", id: ids.supplier, action: "delete" }]);
    expect(erased.json.remains).toContainEqual(expect.objectContaining({ id: ids.patient, why: "failed" }));
    expect(erased.stderr).toContain(`voxctl runs discard ${erased.json.run_id}`);
    expect((await setup.get(`/contacts/${ids.patient}`)).data.last_name).toBe("Neu");
  });

  test("`subject erase --include` lists a text that it could not redact as remaining data", async () => {
    const { runWith, ids, world: setup } = await withAnna();
    const prompts = scriptPrompts();
    const text = "Immer 0171/39 20 001 anrufen.";
    prompts.confirm = async () => {
      await publicApi(setup.emulator)("PATCH", `/knowledge-items/${ids.item}`, { text });
      return true;
    };
    // Without --country, the national spelling in the text is only a possible match.
    const erased = await runWith(
      { overrides: { ...connectedTo(setup.emulator), prompts } },
      ...["--profile", "offline", "subject", "erase", "--phone", anna, "--details", "--include", ids.item],
    );
    expect(erased.code, erased.stderr).toBe(68);
    expect(erased.json.erased).not.toContainEqual(expect.objectContaining({ id: ids.item }));
    expect(erased.json.remains).toContainEqual(expect.objectContaining({ id: ids.item, why: "failed" }));
    expect((await setup.get(`/knowledge-items/${ids.item}`)).data.text).toBe(text);
  });

  test("if the service refuses the first erasure, `subject erase` doesn't suggest discarding a run", async () => {
    const { runWith, world: setup, data } = await withAnna();
    const overrides = reshapeResponses(setup.emulator, ({ method }) =>
      method === "DELETE"
        ? { status: 403, body: { error: { code: "forbidden", message: "Not for this role.", details: [] } } }
        : undefined,
    );
    const refused = await runWith(
      { overrides },
      ...["--profile", "offline", "subject", "erase", ...caller, "--max-delete", "2", "--yes"],
    );
    expect([refused.code, refused.stderr]).toEqual([3, expect.not.stringContaining("runs discard")]);
    const files = readdirSync(join(data, "runs"));
    expect(files.map((name) => readFileSync(join(data, "runs", name), "utf8"))).toEqual([""]);
  });

  test("a second run of an interrupted `subject erase` erases the remaining data", async () => {
    const { run, runWith, ids, world: setup, data } = await withAnna();
    let steps = 0;
    const overrides = {
      ...connectedTo(setup.emulator),
      onJournalStep: () => {
        steps += 1;
        if (steps === 5) throw new Error("the process ends here");
      },
    };
    const flags = ["subject", "erase", ...caller, "--max-delete", "2", "--yes"];
    const cut = await runWith({ overrides }, "--profile", "offline", ...flags);
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining("contains the data to erase")]);
    const runs = () => readdirSync(join(data, "runs")).filter((name) => name.endsWith(".sqlite"));
    expect(runs()).toHaveLength(1);
    expect(cut.stderr).toContain(`voxctl runs discard ${runs()[0]?.replace(".sqlite", "")}`);
    const again = await run(...flags);
    expect(again.code, again.stderr).toBe(68);
    for (const id of [ids.patient, ids.supplier])
      expect((await setup.get(`/contacts/${id}`)).status).toBe(404);
    const [left = ""] = runs();
    expect((await run("runs", "discard", left.replace(".sqlite", ""), "--yes")).code).toBe(0);
    expect(runs()).toEqual([]);
  });
});
