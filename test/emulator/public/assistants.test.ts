import { expect, it } from "vitest";
import { assistantFields, createAssistant, postAssistant } from "../../helpers/assistants.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

const unknownId = "0123456789abcdef01234567";

testOnTransports("assistants", (open) => {
  it("[public.assistant.required] [public.operations.4a] creating an assistant assigns a number", async () => {
    await using emulator = await open();
    const fields = await assistantFields(emulator);
    const created = await emulator.ask("POST", "/assistants", { body: fields });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      ...fields,
      prompt_id: null,
      email_prompt_id: null,
      knowledge_group_ids: [],
      glossary_group_ids: [],
      pronunciation_group_ids: [],
      forwarding_group_ids: [],
      calendar_ids: [],
      tool_ids: [],
      pre_call_webhook: null,
    });
    expect(created.body.data.phone_number).toMatch(/^\+4932\d{9}$/);
    expect(created.body.data.carrier).toEqual(expect.any(String));
    const read = await emulator.ask("GET", `/assistants/${created.body.data.id}`);
    expect(read.body).toEqual(created.body);
    expect((await emulator.ask("GET", "/assistants")).body.data).toEqual([read.body.data]);
    const second = await emulator.ask("POST", "/assistants", { body: fields });
    expect(second.body.data.phone_number).toMatch(/^\+4932\d{9}$/);
    expect(second.body.data.phone_number).not.toBe(created.body.data.phone_number);
  });

  it("[public.assistant.required refuses] the error for a create names each missing field", async () => {
    await using emulator = await open();
    const refused = await emulator.ask("POST", "/assistants", { body: {} });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-emulator-rule")).toBe("public.assistant.required");
    const paths = refused.body.error.details.map((detail: { path: string[] }) => detail.path[0]);
    expect(paths).toEqual(Object.keys(await assistantFields(emulator)));
  });

  it("[public.assistant.readonly holds refuses] phone_number and carrier are read-only", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const sent = { phone_number: "+4932221000009", carrier: "other" };
    for (const refused of [
      await postAssistant(emulator, sent),
      await emulator.ask("PATCH", `/assistants/${id}`, { body: sent }),
    ]) {
      expect(refused.status).toBe(400);
      const paths = refused.body.error.details.map((detail: { path: string[] }) => detail.path);
      expect(paths).toEqual([["phone_number"], ["carrier"]]);
    }
  });

  it("[public.operations.5] a PATCH changes only the fields that it contains", async () => {
    await using emulator = await open();
    const before = await createAssistant(emulator);
    await emulator.advance(1);
    const path = `/assistants/${before.id}`;
    const empty = await emulator.ask("PATCH", path, { body: {} });
    expect(empty.body.data).toEqual(before);
    const changed = await emulator.ask("PATCH", path, { body: { company_name: "Neu" } });
    expect(changed.body.data).toEqual({
      ...before,
      company_name: "Neu",
      updated_at: "2026-03-02T09:00:01.000Z",
    });
  });

  // plain-words: allow title-long
  it("[public.assistant.refs holds refuses] [public.operations.4b holds refuses] a create or PATCH with an unknown reference returns 404 without changing anything", async () => {
    await using emulator = await open();
    const before = await createAssistant(emulator);
    const references = {
      voice_id: unknownId,
      prompt_id: unknownId,
      email_prompt_id: unknownId,
      knowledge_group_ids: [unknownId],
      glossary_group_ids: [unknownId],
      pronunciation_group_ids: [unknownId],
      forwarding_group_ids: [unknownId],
      calendar_ids: [unknownId],
      tool_ids: [unknownId],
    };
    for (const [field, value] of Object.entries(references)) {
      const created = await postAssistant(emulator, { [field]: value });
      expect([field, created.status]).toEqual([field, 404]);
      expect(created.headers.get("x-emulator-rule")).toBe("public.assistant.refs");
      const body = { name: "Never", [field]: value };
      const patched = await emulator.ask("PATCH", `/assistants/${before.id}`, { body });
      expect([field, patched.status]).toEqual([field, 404]);
    }
    expect((await emulator.ask("GET", "/assistants")).body.data).toEqual([before]);
    // The refused requests did not use up a phone number.
    const next = await createAssistant(emulator);
    expect(Number(next.phone_number) - Number(before.phone_number)).toBe(1);
  });

  it("[public.assistant.refs] an assistant can refer to groups, prompts, calendars and tools", async () => {
    await using emulator = await open();
    const post = async (path: string, body: object) =>
      (await emulator.ask("POST", path, { body })).body.data.id;
    const references = {
      prompt_id: await post("/prompts", { name: "A", kind: "answering", text: "" }),
      email_prompt_id: await post("/prompts", { name: "E", kind: "email", text: "" }),
      knowledge_group_ids: [await emulator.groupId("knowledges")],
      glossary_group_ids: [await emulator.groupId("glossaries")],
      pronunciation_group_ids: [await emulator.groupId("pronunciations")],
      forwarding_group_ids: [await emulator.groupId("forwardings")],
      calendar_ids: [await post("/calendars", { name: "Praxis" })],
      tool_ids: [await post("/tools", { name: "look_up", url: "https://tools.example/look-up" })],
    };
    const assistant = await createAssistant(emulator, references);
    expect(assistant).toMatchObject(references);
    const cleared = await emulator.ask("PATCH", `/assistants/${assistant.id}`, {
      body: { prompt_id: null, email_prompt_id: null, knowledge_group_ids: [], tool_ids: [] },
    });
    expect(cleared.body.data).toMatchObject({
      prompt_id: null,
      email_prompt_id: null,
      knowledge_group_ids: [],
      calendar_ids: references.calendar_ids,
      tool_ids: [],
    });
  });

  it("[D-assistant refuses] [D-prompt refuses] [D-head] wrong or repeated references are refused", async () => {
    await using emulator = await open();
    const group = await emulator.groupId("contacts");
    expect((await postAssistant(emulator, { knowledge_group_ids: [group] })).status).toBe(404);
    const email = await emulator.ask("POST", "/prompts", { body: { name: "E", kind: "email", text: "" } });
    expect((await postAssistant(emulator, { prompt_id: email.body.data.id })).status).toBe(404);
    const knowledge = await emulator.groupId("knowledges");
    const twice = await postAssistant(emulator, { knowledge_group_ids: [knowledge, knowledge] });
    expect(twice.status).toBe(400);
    expect(twice.body.error.details[0].path).toEqual(["knowledge_group_ids"]);
  });

  it("[public.assistant.refs holds refuses] other organizations' resources are not found", async () => {
    await using emulator = await open();
    const otherOrganization = await emulator.control("POST", "/organizations", { name: "Other" });
    const { key } = await emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: otherOrganization.id,
    });
    const groups = await emulator.ask("GET", "/groups?type=knowledges", { key });
    const refused = await postAssistant(emulator, { knowledge_group_ids: [groups.body.data[0].id] });
    expect(refused.status).toBe(404);
    const { id } = await createAssistant(emulator);
    expect((await emulator.ask("GET", `/assistants/${id}`, { key })).status).toBe(404);
    expect((await emulator.ask("DELETE", `/assistants/${id}`, { key })).status).toBe(404);
  });

  it("[D-voice holds refuses] a voice that is not selectable can be kept but not assigned", async () => {
    await using emulator = await open();
    const assistant = await createAssistant(emulator);
    const path = `/assistants/${assistant.id}`;
    await emulator.control("PATCH", `/voices/${assistant.voice_id}`, { selectable: false });
    const kept = await emulator.ask("PATCH", path, { body: { voice_id: assistant.voice_id, name: "B" } });
    expect(kept.status).toBe(200);
    expect(kept.body.data.voice_id).toBe(assistant.voice_id);
    const left = await emulator.ask("PATCH", path, {
      body: { voice_id: (await assistantFields(emulator)).voice_id },
    });
    expect(left.status).toBe(200);
    const back = await emulator.ask("PATCH", path, { body: { voice_id: assistant.voice_id } });
    expect(back.status).toBe(404);
    expect(back.headers.get("x-emulator-rule")).toBe("D-voice");
    expect((await postAssistant(emulator, { voice_id: assistant.voice_id })).status).toBe(404);
  });

  // plain-words: allow title-long
  it("[public.operations.6a] [public.operations.6b holds refuses] an introduction changes only if it is not locked", async () => {
    await using emulator = await open();
    const assistant = await createAssistant(emulator);
    const path = `/assistants/${assistant.id}`;
    const saved = await emulator.ask("PATCH", path, { body: { introduction: "Moin!" } });
    expect(saved.body.data.introduction).toBe("Moin!");
    await emulator.control("PATCH", path, { greeting_locked: true });
    for (const introduction of ["Anders", "Moin!"]) {
      const refused = await emulator.ask("PATCH", path, { body: { introduction, name: "Never" } });
      expect(refused.status).toBe(409);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.6b");
    }
    const renamed = await emulator.ask("PATCH", path, { body: { name: "Erlaubt" } });
    expect(renamed.body.data).toMatchObject({ name: "Erlaubt", introduction: "Moin!" });
  });

  it("[public.operations.1b holds refuses] a group that an assistant uses can't be deleted", async () => {
    await using emulator = await open();
    const fields = {
      knowledges: "knowledge_group_ids",
      glossaries: "glossary_group_ids",
      pronunciations: "pronunciation_group_ids",
      forwardings: "forwarding_group_ids",
    };
    for (const [type, field] of Object.entries(fields)) {
      const { id } = (await emulator.ask("POST", "/groups", { body: { type, name: "Extra" } })).body.data;
      const assistant = await createAssistant(emulator, { [field]: [id] });
      const refused = await emulator.ask("DELETE", `/groups/${id}`);
      expect([type, refused.status]).toEqual([type, 409]);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.1b");
      await emulator.ask("PATCH", `/assistants/${assistant.id}`, { body: { [field]: [] } });
      expect([type, (await emulator.ask("DELETE", `/groups/${id}`)).status]).toEqual([type, 200]);
    }
  });

  // plain-words: allow title-long
  it("[public.operations.11c holds refuses] [D-tool holds refuses] tools and calendars in use can't be deleted", async () => {
    await using emulator = await open();
    const post = async (path: string, body: object) =>
      (await emulator.ask("POST", path, { body })).body.data.id;
    const calendar = await post("/calendars", { name: "Praxis" });
    const tool = await post("/tools", { name: "look_up", url: "https://tools.example/x" });
    const assistant = await createAssistant(emulator, { calendar_ids: [calendar], tool_ids: [tool] });
    expect((await emulator.ask("DELETE", `/calendars/${calendar}`)).status).toBe(409);
    expect((await emulator.ask("DELETE", `/tools/${tool}`)).status).toBe(409);
    await emulator.ask("DELETE", `/assistants/${assistant.id}`);
    expect((await emulator.ask("DELETE", `/calendars/${calendar}`)).status).toBe(200);
    expect((await emulator.ask("DELETE", `/tools/${tool}`)).status).toBe(200);
  });

  it("[D-assistant holds refuses] a create returns 409 until a number is free", async () => {
    await using emulator = await open();
    const organization = `/organizations/${emulator.instance.startLine.organization_id}`;
    const assistant = await createAssistant(emulator);
    await emulator.control("PATCH", organization, { number_pool: 0 });
    const refused = await postAssistant(emulator);
    expect(refused.status).toBe(409);
    expect(refused.headers.get("x-emulator-rule")).toBe("D-assistant");
    expect((await emulator.ask("DELETE", `/assistants/${assistant.id}`)).body).toEqual({ data: {} });
    expect(await emulator.control("PATCH", organization, {})).toMatchObject({ number_pool: 1 });
    expect(await createAssistant(emulator)).toMatchObject({ phone_number: assistant.phone_number });
    expect((await postAssistant(emulator)).status).toBe(409);
  });

  it("[D-assistant holds refuses] a deleted assistant's number is free after its last call ends", async () => {
    await using emulator = await open();
    const organization = `/organizations/${emulator.instance.startLine.organization_id}`;
    const assistant = await createAssistant(emulator);
    const call = await emulator.ask("POST", "/calls", {
      body: { assistant_id: assistant.id, to: "+4915112345678" },
    });
    expect(call.status).toBe(201);
    await emulator.control("PATCH", organization, { number_pool: 0 });
    await emulator.ask("DELETE", `/assistants/${assistant.id}`);
    // The call rings after 2 s, is answered 5 s later and lasts 90 s (D-lifecycle).
    await emulator.advance(96);
    expect((await postAssistant(emulator)).status).toBe(409);
    await emulator.advance(1);
    expect(await createAssistant(emulator)).toMatchObject({ phone_number: assistant.phone_number });
    const calls = await emulator.ask("GET", "/calls");
    expect(calls.body.data.map(({ id }: { id: string }) => id)).toEqual([call.body.data.call_id]);
  });

  it("[public.operations.6a] a call keeps its introduction when the assistant gets a new one", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { introduction: "Alt" });
    const body = { assistant_id: id, to: "+4915112345678" };
    const first = await emulator.ask("POST", "/calls", { body });
    await emulator.ask("PATCH", `/assistants/${id}`, { body: { introduction: "Neu" } });
    await emulator.advance(120);
    const second = await emulator.ask("POST", "/calls", { body });
    await emulator.advance(120);
    const firstText = async (call: { body: { data: { call_id: string } } }) =>
      (await emulator.ask("GET", `/calls/${call.body.data.call_id}`)).body.data.transcript[0]?.text;
    expect([await firstText(first), await firstText(second)]).toEqual(["Alt", "Neu"]);
  });

  it("[D-assistant] no two assistants have the same number, even in different organizations", async () => {
    await using emulator = await open();
    const otherOrganization = await emulator.control("POST", "/organizations", { name: "Other" });
    const { key } = await emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: otherOrganization.id,
    });
    const fields = await assistantFields(emulator);
    const numbers = new Set<string>();
    for (const bearer of [emulator.keys.admin, key, emulator.keys.admin, key]) {
      const created = await emulator.ask("POST", "/assistants", { key: bearer, body: fields });
      numbers.add(String(created.body.data.phone_number));
    }
    expect(numbers.size).toBe(4);
  });

  it("[D-strict refuses] the Public API can't change settings of the control interface", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const switched = await emulator.control("PATCH", `/assistants/${id}`, {
      enterprise: true,
      blocked_numbers: ["+4915112345678"],
    });
    expect(switched).toEqual({
      id,
      enterprise: true,
      greeting_locked: false,
      blocked_numbers: ["+4915112345678"],
    });
    const read = await emulator.ask("GET", `/assistants/${id}`);
    expect(Object.keys(read.body.data)).not.toContain("enterprise");
    expect((await emulator.ask("PATCH", `/assistants/${id}`, { body: { enterprise: false } })).status).toBe(
      400,
    );
  });
});
