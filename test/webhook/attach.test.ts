import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Emulator } from "../../src/emulator/index.js";
import { commandLine, connectedTo, type RunOptions, scriptPrompts } from "../helpers/cli.js";
import { freePort } from "../helpers/ports.js";
import { openSeededEmulator } from "../helpers/templates.js";
import { attachedOf, post, startListening } from "./receiving.js";

/** Sets up a service whose assistant "Empfang" has a disabled webhook with credentials and headers. */
async function setUpService(webhook: readonly string[] | undefined = undefined) {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  onTestFinished(() => emulator.close());
  const options: RunOptions = {
    overrides: connectedTo(emulator),
    env: { VOXCTL_PROFILE: "offline", HOOK: "s3cret-value" },
  };
  const cli = commandLine(options);
  const flags = webhook ?? [
    "--url",
    "https://crm.example/hook",
    "--no-enabled",
    "--auth",
    "bearer",
    "--secret",
    "env:HOOK",
    "--header",
    "X-Site: Berlin",
  ];
  await cli.run("assistants", "webhook", "set", "Empfang", "--url", "", "--yes");
  if (flags.length > 0)
    expect((await cli.run("assistants", "webhook", "set", "Empfang", ...flags)).code).toBe(0);
  const assistant = async () => (await cli.run("assistants", "get", "Empfang", "-o", "json")).json;
  return { ...cli, emulator, assistant };
}

const attaching = (port: number) => [
  "--port",
  String(port),
  "--public-url",
  `http://127.0.0.1:${port}`,
  "--attach",
  "Empfang",
  "--yes",
];

/** Simulates a call: the service sends its request with the stored credential. */
function somebodyCalls(emulator: Emulator, id: string) {
  return emulator.control("POST", "/incoming-calls", { assistant_id: id, from: "+4915112345678" });
}

describe("webhook listen --attach", () => {
  test("--attach in a script requires --yes", async () => {
    const setup = await setUpService();
    const port = await freePort();
    const refused = await setup.run("webhook", "listen", ...attaching(port).slice(0, -1));
    expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("use --yes to confirm")]);
    expect(refused.stderr).not.toContain("can't be undone");
  });

  test("--attach redirects the assistant to the receiver and later restores the webhook", async () => {
    const setup = await setUpService();
    const before = await setup.assistant();
    const port = await freePort();
    const receiver = await startListening(setup, [
      ...attaching(port),
      "--auth",
      "bearer",
      "--secret",
      "env:HOOK",
    ]);
    await attachedOf(receiver.stderr);
    expect((await setup.assistant()).pre_call_webhook).toMatchObject({
      enabled: true,
      url: `http://127.0.0.1:${port}/`,
    });
    await somebodyCalls(setup.emulator, before.id);
    const { code, stdout, stderr } = await receiver.stop();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      checks: expect.arrayContaining([{ name: "auth", ok: true, found: "ok" }]),
    });
    expect(stderr).toContain("restored the webhook of");
    const { updated_at: _then, ...was } = before;
    const { updated_at: _now, ...is } = await setup.assistant();
    expect(is).toEqual(was);
    expect(readdirSync(join(setup.data, "webhooks"))).toEqual([]);
    // The credential and headers are unchanged, as a call with the enabled webhook shows.
    await setup.run("assistants", "webhook", "set", "Empfang", "--url", receiver.url, "--enabled");
    const again = await startListening(setup, [
      "--port",
      String(port),
      "--auth",
      "bearer",
      "--secret",
      "env:HOOK",
      "--expect-header",
      "X-Site=Berlin",
      "--max=1",
    ]);
    await somebodyCalls(setup.emulator, before.id);
    expect(JSON.parse((await again.ended).stdout).checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
  });

  test("--attach leaves no webhook on an assistant that had none", async () => {
    const setup = await setUpService([]);
    const port = await freePort();
    const receiver = await startListening(setup, [...attaching(port)]);
    await attachedOf(receiver.stderr);
    expect((await setup.assistant()).pre_call_webhook).toMatchObject({ auth: { type: "none" } });
    expect((await receiver.stop()).code).toBe(0);
    expect((await setup.assistant()).pre_call_webhook).toBeNull();
  });

  test("--attach keeps concurrent changes and reports them", async () => {
    const setup = await setUpService();
    const port = await freePort();
    const receiver = await startListening(setup, attaching(port));
    await attachedOf(receiver.stderr);
    await setup.run("assistants", "webhook", "set", "Empfang", "--url", "https://new.example/hook");
    const { code, stderr } = await receiver.stop();
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("changed by another user, so it was not restored"),
    ]);
    expect((await setup.assistant()).pre_call_webhook.url).toBe("https://new.example/hook");
  });

  test.each(["kept", "sent"])(
    "after a kill in the state %s, `webhook restore` restores the webhook",
    async (moment) => {
      const setup = await setUpService();
      const before = (await setup.assistant()).pre_call_webhook;
      const { id } = await setup.assistant();
      const ours = "http://127.0.0.1:1/";
      // Write the file that a killed process leaves behind, with the process ID.
      const { makePrivateFolder } = await import("../../src/base/private-file.js");
      await makePrivateFolder(join(setup.data, "webhooks"));
      const baseUrl = "http://emulator.localhost/api/v1";
      writeFileSync(
        join(setup.data, "webhooks", `${id}.json`),
        JSON.stringify({
          version: 1,
          profile: "offline",
          base_url: baseUrl,
          assistant_id: id,
          assistant: "Empfang",
          former: { enabled: false, url: before.url },
          url: ours,
          pid: 2 ** 30,
          at: "2026-11-22T08:00:00Z",
        }),
      );
      if (moment === "sent")
        await setup.run(
          "api",
          "PATCH",
          `/assistants/${id}`,
          "--data",
          JSON.stringify({ pre_call_webhook: { enabled: true, url: ours } }),
        );
      expect((await setup.run("voices", "list")).stderr).toContain(
        "restore it: `voxctl webhook restore --profile offline`",
      );
      const restored = await setup.run("webhook", "restore", "-o", "json");
      expect([restored.code, restored.stderr]).toEqual([0, ""]);
      expect(restored.json).toMatchObject([
        { assistant: "Empfang", result: moment === "sent" ? "restored" : "kept" },
      ]);
      expect((await setup.assistant()).pre_call_webhook).toEqual(before);
      expect((await setup.run("voices", "list")).stderr).not.toContain("restore");
      expect((await setup.run("webhook", "restore", "-o", "json")).json).toEqual([]);
    },
  );

  test("`webhook restore` works despite deleted assistants and other profiles' assistants", async () => {
    const setup = await setUpService();
    const { id, pre_call_webhook: before } = await setup.assistant();
    const { makePrivateFolder } = await import("../../src/base/private-file.js");
    await makePrivateFolder(join(setup.data, "webhooks"));
    const keep = (assistant_id: string, profile: string) =>
      writeFileSync(
        join(setup.data, "webhooks", `${assistant_id}.json`),
        JSON.stringify({
          ...{ version: 1, profile, base_url: "http://emulator.localhost/api/v1", assistant_id },
          ...{
            assistant: "Empfang",
            former: { enabled: false, url: before.url },
            url: "http://127.0.0.1:1/",
          },
          ...{ pid: 2 ** 30, at: "2026-11-22T08:00:00Z" },
        }),
      );
    const [other, deleted] = ["0".repeat(24), `${"0".repeat(23)}1`];
    keep(other, "second");
    keep(deleted, "offline");
    keep(id, "offline");
    const ours = { pre_call_webhook: { enabled: true, url: "http://127.0.0.1:1/" } };
    await setup.run("api", "PATCH", `/assistants/${id}`, "--data", JSON.stringify(ours));
    const { code, json, stderr } = await setup.run("webhook", "restore", "-o", "json");
    expect([code, stderr]).toEqual([0, expect.stringContaining("webhook restore --profile second")]);
    expect(json).toMatchObject([
      { id: deleted, result: "gone", url: before.url },
      { id, result: "restored" },
    ]);
    expect((await setup.assistant()).pre_call_webhook).toEqual(before);
    expect(readdirSync(join(setup.data, "webhooks"))).toEqual([`${other}.json`]);
  });

  test("`webhook restore` works even if the change by --attach took effect late", async () => {
    const setup = await setUpService();
    const before = await setup.assistant();
    const port = await freePort();
    await setup.emulator.control("POST", "/faults", { kind: "drop_before", operation: "assistants.update" });
    expect((await setup.run("webhook", "listen", ...attaching(port))).code).toBe(75);
    await setup.emulator.control("DELETE", "/faults");
    const [name = ""] = readdirSync(join(setup.data, "webhooks"));
    const file = join(setup.data, "webhooks", name);
    // Replace the process ID with an ID that no process has.
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), pid: 2 ** 30 }));
    const late = { pre_call_webhook: { enabled: true, url: `http://127.0.0.1:${port}` } };
    await setup.run("api", "PATCH", `/assistants/${before.id}`, "--data", JSON.stringify(late));
    expect((await setup.run("webhook", "restore", "-o", "json")).json).toMatchObject([
      { result: "restored" },
    ]);
    expect((await setup.assistant()).pre_call_webhook).toEqual(before.pre_call_webhook);
  });

  test("--attach makes no change if the URL doesn't lead to the receiver", async () => {
    const setup = await setUpService();
    const before = await setup.assistant();
    const elsewhere = await freePort();
    const flags = [
      "--port",
      "0",
      "--public-url",
      `http://127.0.0.1:${elsewhere}`,
      "--attach",
      "Empfang",
      "--yes",
    ];
    const { code, stderr } = await setup.run("webhook", "listen", ...flags);
    expect([code, stderr]).toEqual([12, expect.stringContaining("does not lead to this receiver")]);
    expect(await setup.assistant()).toEqual(before);
    expect(existsSync(join(setup.data, "webhooks"))).toBe(false);
  });

  test("--attach makes no change if --once has already received its request", async () => {
    const setup = await setUpService();
    const before = await setup.assistant();
    const port = await freePort();
    const tunnel = createServer((_, response) => {
      void post(`http://127.0.0.1:${port}`, "{}").finally(() => response.end("starting"));
    });
    await new Promise<void>((resolve) => tunnel.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void tunnel.close().closeAllConnections());
    const publicUrl = `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
    const flags = ["--port", String(port), "--public-url", publicUrl, "--attach", "Empfang", "--yes"];
    const { code, stderr } = await setup.run("webhook", "listen", ...flags, "--once");
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 request")]);
    expect(await setup.assistant()).toEqual(before);
  });

  test("--attach exits with code 6 without a change if an enterprise line refuses the webhook", async () => {
    const setup = await setUpService();
    await setup.emulator.control("PATCH", `/assistants/${(await setup.assistant()).id}`, {
      enterprise: true,
    });
    const before = await setup.assistant();
    const { code } = await setup.run("webhook", "listen", ...attaching(await freePort()));
    expect(code).toBe(6);
    expect(await setup.assistant()).toEqual(before);
    expect((await setup.run("voices", "list")).stderr).not.toContain("restore");
  });

  test("--attach asks for confirmation and explains the effect for callers", async () => {
    const setup = await setUpService();
    const port = await freePort();
    const unasked = await setup.run(
      "webhook",
      "listen",
      ...attaching(port).filter((flag) => flag !== "--yes"),
    );
    expect([unasked.code, unasked.stderr]).toEqual([12, expect.stringContaining("--yes")]);
    const plain = await setup.run(
      "webhook",
      "listen",
      "--attach",
      "Empfang",
      "--yes",
      "--public-url",
      "http://hooks.example.com",
    );
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining("must use https")]);
  });

  test("--attach restores a URL that another user set while the confirmation prompt was open", async () => {
    const setup = await setUpService();
    const port = await freePort();
    const flags = attaching(port).filter((flag) => flag !== "--yes");
    const prompts = {
      ...scriptPrompts(),
      confirm: async () => {
        await setup.run("assistants", "webhook", "set", "Empfang", "--url", "https://new.example/hook");
        return true;
      },
    };
    const overrides = { ...connectedTo(setup.emulator), prompts };
    const receiver = await startListening(setup, flags, { overrides });
    await attachedOf(receiver.stderr);
    expect((await receiver.stop()).code).toBe(0);
    expect((await setup.assistant()).pre_call_webhook.url).toBe("https://new.example/hook");
  });

  test("--attach requires --public-url if the service is on another machine", async () => {
    const flags = ["--attach", "Empfang", "--yes", "--port", "0"];
    const env = { VOXCTL_BASE_URL: "https://voice.example.com/api/v1", VOXCTL_API_KEY: "k" };
    const { code, stderr } = await commandLine({ env }).run("webhook", "listen", ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining("missing required flag: --public-url")]);
  });

  test("--attach restores the webhook when the time limit of --for is reached", async () => {
    const setup = await setUpService();
    const before = (await setup.assistant()).pre_call_webhook;
    const port = await freePort();
    const receiver = await startListening(setup, [...attaching(port), "--for", "1s"]);
    await attachedOf(receiver.stderr);
    await post(receiver.url, "{}");
    const { code, stderr } = await receiver.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining("the time limit of --for was reached")]);
    expect((await setup.assistant()).pre_call_webhook).toEqual(before);
  });
});
