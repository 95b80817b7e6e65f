import { expect, it } from "vitest";
import { createAssistant } from "../../helpers/assistants.js";
import { onTransports, type TestWorld } from "../../helpers/world.js";

const answering = { name: "Empfang", kind: "answering", text: "Hallo @preCallData" };

async function createPrompt(world: TestWorld, fields: object = {}) {
  return (await world.ask("POST", "/prompts", { body: { ...answering, ...fields } })).body.data;
}

onTransports("prompts", (open) => {
  it("[public.prompt.kinds] [public.prompt.token] a prompt is created with 201 and read back byte for byte, without a rating", async () => {
    await using world = await open();
    const created = await world.ask("POST", "/prompts", { body: answering });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ ...answering, rating: null });
    const read = await world.ask("GET", `/prompts/${created.body.data.id}`);
    expect(read.body).toEqual(created.body);
    expect((await world.ask("GET", "/prompts")).body.data).toEqual([read.body.data]);
  });

  it("[public.prompt.kinds] [D-prompt refuses] a prompt of an unknown kind is refused, and name, kind and text are required", async () => {
    await using world = await open();
    const refused = await world.ask("POST", "/prompts", { body: { ...answering, kind: "sms" } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toEqual(["kind"]);
    const empty = await world.ask("POST", "/prompts", { body: {} });
    expect(empty.body.error.details.map((detail: { path: string[] }) => detail.path[0])).toEqual([
      "name",
      "kind",
      "text",
    ]);
  });

  it("[D-prompt] the kind can't be changed, name and text can", async () => {
    await using world = await open();
    const { id } = await createPrompt(world);
    const refused = await world.ask("PATCH", `/prompts/${id}`, { body: { kind: "email" } });
    expect(refused.status).toBe(400);
    const changed = await world.ask("PATCH", `/prompts/${id}`, { body: { text: "" } });
    expect(changed.body.data).toMatchObject({ name: "Empfang", text: "", kind: "answering" });
  });

  it("[public.prompt.rating] [D-prompt] where rating is on, every save is rated 2 s later; an empty PATCH is no save", async () => {
    await using world = await open();
    await world.control("PATCH", `/organizations/${world.emulator.startLine.organization_id}`, {
      features: ["public_api", "prompt_rating"],
    });
    const created = await createPrompt(world);
    expect(created.rating).toEqual({ state: "pending", score: null, rated_at: null });
    await world.advance(1.999);
    const get = async () => (await world.ask("GET", `/prompts/${created.id}`)).body.data;
    expect((await get()).rating?.state).toBe("pending");
    await world.advance(0.001);
    const { rating } = await get();
    expect(rating).toMatchObject({ state: "rated", rated_at: "2026-03-02T09:00:02.000Z" });
    expect(rating?.score).toBeGreaterThanOrEqual(0);
    expect(rating?.score).toBeLessThanOrEqual(100);
    const untouched = await world.ask("PATCH", `/prompts/${created.id}`, { body: {} });
    expect(untouched.body.data.rating).toEqual(rating);
    const saved = await world.ask("PATCH", `/prompts/${created.id}`, { body: { name: "Anders" } });
    expect(saved.body.data.rating?.state).toBe("pending");
  });

  it("[public.prompt.rating] where rating is off, a save asks for none", async () => {
    await using world = await open();
    const { id } = await createPrompt(world);
    await world.advance(10);
    expect((await world.ask("GET", `/prompts/${id}`)).body.data.rating).toBeNull();
  });

  it("[public.operations.3a holds refuses] a prompt assigned through prompt_id can't be deleted until the reference is cleared", async () => {
    await using world = await open();
    const prompt = await createPrompt(world);
    const assistant = await createAssistant(world, { prompt_id: prompt.id });
    const refused = await world.ask("DELETE", `/prompts/${prompt.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe("conflict");
    expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.3a");
    await world.ask("PATCH", `/assistants/${assistant.id}`, { body: { prompt_id: null } });
    const deleted = await world.ask("DELETE", `/prompts/${prompt.id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({ data: {} });
    expect((await world.ask("GET", `/prompts/${prompt.id}`)).status).toBe(404);
  });

  it("[public.operations.3b] the guard does not see an email_prompt_id: the delete succeeds and the id dangles", async () => {
    await using world = await open();
    const prompt = await createPrompt(world, { kind: "email" });
    const assistant = await createAssistant(world, { email_prompt_id: prompt.id });
    expect((await world.ask("DELETE", `/prompts/${prompt.id}`)).status).toBe(200);
    const read = await world.ask("GET", `/assistants/${assistant.id}`);
    expect(read.body.data.email_prompt_id).toBe(prompt.id);
  });

  it("[D-roles] a viewer reads prompts, but does not write them; an editor deletes them", async () => {
    await using world = await open();
    const { id } = await createPrompt(world);
    expect((await world.ask("GET", "/prompts", { key: world.keys.viewer })).status).toBe(200);
    const write = await world.ask("POST", "/prompts", { key: world.keys.viewer, body: answering });
    expect(write.status).toBe(403);
    expect((await world.ask("DELETE", `/prompts/${id}`, { key: world.keys.editor })).status).toBe(200);
  });
});
