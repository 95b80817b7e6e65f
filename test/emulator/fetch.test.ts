import { expect, it, onTestFinished } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";

async function opened() {
  const emulator = await openEmulator({ seed: "empty" });
  onTestFinished(() => emulator.close());
  const { base_url, url, keys } = emulator.startLine;
  return { emulator, base_url, url, headers: { authorization: `Bearer ${keys.admin}` } };
}

it("emulator.fetch accepts a string, URL or Request with options, like the global fetch", async () => {
  const { emulator, base_url, headers } = await opened();
  const emulatorFetch: typeof fetch = emulator.fetch;
  const address = `${base_url}/ping`;
  for (const response of [
    await emulatorFetch(address, { headers }),
    await emulatorFetch(new URL(address), { headers }),
    await emulatorFetch(new Request(address, { headers })),
    await emulatorFetch(new Request(address), { headers }),
  ]) {
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { ok: true } });
  }
  expect((await emulatorFetch(address)).status).toBe(401);
});

it("emulator.fetch uses the method and body of its options, even if its input is a Request", async () => {
  const { emulator, base_url, headers } = await opened();
  const create = (name: string) => ({
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ type: "contacts", name }),
  });
  expect((await emulator.fetch(`${base_url}/groups`, create("Kunden"))).status).toBe(201);
  const got = new Request(`${base_url}/groups`, { headers: { "content-type": "text/plain" } });
  expect((await emulator.fetch(got, create("Praxis"))).status).toBe(201);
});

it("emulator.fetch resolves `ping` against the Public API, and `/api/v1/ping` against the host", async () => {
  const { emulator, headers } = await opened();
  expect((await emulator.fetch("ping", { headers })).status).toBe(200);
  expect((await emulator.fetch("/api/v1/ping", { headers })).status).toBe(200);
});

it("emulator.fetch rejects invalid and aborted requests", async () => {
  const { emulator, base_url } = await opened();
  await expect(emulator.fetch("http://[", {})).rejects.toBeInstanceOf(TypeError);
  await expect(emulator.fetch(`${base_url}/ping`, { method: "GET", body: "x" })).rejects.toBeInstanceOf(
    TypeError,
  );
  const signal = AbortSignal.abort(new Error("too late"));
  await expect(emulator.fetch(`${base_url}/ping`, { signal })).rejects.toThrow("too late");
});
