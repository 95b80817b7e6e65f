import { expect, it } from "vitest";
import { createAssistant } from "../../helpers/assistants.js";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

const answeringPrompt = { name: "Empfang", kind: "answering", text: "Hallo @preCallData" };

async function createPrompt(emulator: TestEmulator, fields: object = {}) {
  return (await emulator.ask("POST", "/prompts", { body: { ...answeringPrompt, ...fields } })).body.data;
}

testOnTransports("prompts", (open) => {
  it("[public.prompt.kinds] [public.prompt.token] a prompt is returned byte for byte", async () => {
    await using emulator = await open();
    const created = await emulator.ask("POST", "/prompts", { body: answeringPrompt });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ ...answeringPrompt, rating: null });
    const read = await emulator.ask("GET", `/prompts/${created.body.data.id}`);
    expect(read.body).toEqual(created.body);
    expect((await emulator.ask("GET", "/prompts")).body.data).toEqual([read.body.data]);
  });

  it("[public.prompt.kinds] [D-prompt refuses] unknown types and missing fields are refused", async () => {
    await using emulator = await open();
    const refused = await emulator.ask("POST", "/prompts", { body: { ...answeringPrompt, kind: "sms" } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toEqual(["kind"]);
    const empty = await emulator.ask("POST", "/prompts", { body: {} });
    expect(empty.body.error.details.map((detail: { path: string[] }) => detail.path[0])).toEqual([
      "name",
      "kind",
      "text",
    ]);
  });

  it("[D-prompt] `kind` is read-only, but `text` can be changed", async () => {
    await using emulator = await open();
    const { id } = await createPrompt(emulator);
    const refused = await emulator.ask("PATCH", `/prompts/${id}`, { body: { kind: "email" } });
    expect(refused.status).toBe(400);
    const changed = await emulator.ask("PATCH", `/prompts/${id}`, { body: { text: "" } });
    expect(changed.body.data).toMatchObject({ name: "Empfang", text: "", kind: "answering" });
  });

  it("[public.prompt.rating] [D-prompt] every save except an empty PATCH is rated after 2 s", async () => {
    await using emulator = await open();
    await emulator.control("PATCH", `/organizations/${emulator.instance.startLine.organization_id}`, {
      features: ["public_api", "prompt_rating"],
    });
    const created = await createPrompt(emulator);
    expect(created.rating).toEqual({ state: "pending", score: null, rated_at: null });
    await emulator.advance(1.999);
    const get = async () => (await emulator.ask("GET", `/prompts/${created.id}`)).body.data;
    expect((await get()).rating?.state).toBe("pending");
    await emulator.advance(0.001);
    const { rating } = await get();
    expect(rating).toMatchObject({ state: "rated", rated_at: "2026-03-02T09:00:02.000Z" });
    expect(rating?.score).toBeGreaterThanOrEqual(0);
    expect(rating?.score).toBeLessThanOrEqual(100);
    const untouched = await emulator.ask("PATCH", `/prompts/${created.id}`, { body: {} });
    expect(untouched.body.data.rating).toEqual(rating);
    const saved = await emulator.ask("PATCH", `/prompts/${created.id}`, { body: { name: "Anders" } });
    expect(saved.body.data.rating?.state).toBe("pending");
  });

  it("[public.prompt.rating] a save requests no rating if rating is disabled", async () => {
    await using emulator = await open();
    const { id } = await createPrompt(emulator);
    await emulator.advance(10);
    expect((await emulator.ask("GET", `/prompts/${id}`)).body.data.rating).toBeNull();
  });

  it("[public.operations.3a holds refuses] a prompt referenced by a prompt_id can't be deleted", async () => {
    await using emulator = await open();
    const prompt = await createPrompt(emulator);
    const assistant = await createAssistant(emulator, { prompt_id: prompt.id });
    const refused = await emulator.ask("DELETE", `/prompts/${prompt.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe("conflict");
    expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.3a");
    await emulator.ask("PATCH", `/assistants/${assistant.id}`, { body: { prompt_id: null } });
    const deleted = await emulator.ask("DELETE", `/prompts/${prompt.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ data: {} });
    expect((await emulator.ask("GET", `/prompts/${prompt.id}`)).status).toBe(404);
  });

  it("[public.operations.3b] a prompt referenced only by email_prompt_id can be deleted", async () => {
    await using emulator = await open();
    const prompt = await createPrompt(emulator, { kind: "email" });
    const assistant = await createAssistant(emulator, { email_prompt_id: prompt.id });
    expect((await emulator.ask("DELETE", `/prompts/${prompt.id}`)).status).toBe(200);
    const read = await emulator.ask("GET", `/assistants/${assistant.id}`);
    expect(read.body.data.email_prompt_id).toBe(prompt.id);
  });

  it("[D-roles] a viewer can read prompts, and an editor can delete them", async () => {
    await using emulator = await open();
    const { id } = await createPrompt(emulator);
    expect((await emulator.ask("GET", "/prompts", { key: emulator.keys.viewer })).status).toBe(200);
    const write = await emulator.ask("POST", "/prompts", {
      key: emulator.keys.viewer,
      body: answeringPrompt,
    });
    expect(write.status).toBe(403);
    expect((await emulator.ask("DELETE", `/prompts/${id}`, { key: emulator.keys.editor })).status).toBe(200);
  });
});
