// Run by: voxctl emulator exec --seed empty -- npm test
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { createHookServer } from "./server.mjs";

const secret = "a secret of the tests";
const server = createHookServer(secret);
before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => server.close());

async function send(url, key, method, body) {
  const response = await fetch(url, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const json = await response.json();
  assert.ok(response.ok, JSON.stringify(json));
  return json.data;
}
const { VOXCTL_BASE_URL, VOXCTL_API_KEY, VOXCTL_EMULATOR_URL, VOXCTL_EMULATOR_CONTROL_TOKEN } = process.env;
const api = (method, path, body) => send(VOXCTL_BASE_URL + path, VOXCTL_API_KEY, method, body);
const control = (path, body) =>
  send(`${VOXCTL_EMULATOR_URL}/_emulator${path}`, VOXCTL_EMULATOR_CONTROL_TOKEN, "POST", body);

test("the prompt contains the caller's data", async () => {
  const prompt = await api("POST", "/prompts", {
    name: "P",
    kind: "answering",
    text: "Bekannt ist: @preCallData",
  });
  const [voice] = await api("GET", "/voices");
  const assistant = await api("POST", "/assistants", {
    name: "Empfang",
    language: "de",
    voice_id: voice.id,
    company_name: "Firma",
    company_industry: "Handel",
    introduction: "Guten Tag.",
    prompt_id: prompt.id,
    pre_call_webhook: {
      enabled: true,
      url: `http://127.0.0.1:${server.address().port}/hook`,
      auth: { type: "bearer", secret },
    },
  });
  const known = await control("/incoming-calls", { assistant_id: assistant.id, from: "+4915112345678" });
  assert.match(known.prompt, /Anna Weiß/);
  const unknown = await control("/incoming-calls", { assistant_id: assistant.id, from: "+493099999999" });
  assert.equal(unknown.webhook.response.body, "{}");
});

test("refuses a request without the secret", async () => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/hook`, {
    method: "POST",
    body: "{}",
  });
  assert.equal(response.status, 401);
});
