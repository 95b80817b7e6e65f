import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";
import { commandLine } from "../helpers/cli.js";

const secret = "s3cret-of-the-webhook";

async function exported(...flags: string[]) {
  const shell = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
  const [assistant] = (await shell.run("assistants", "list", "--limit", "1", "-o", "json")).json;
  const webhook = {
    enabled: true,
    url: "https://example.org/hook",
    headers: { "X-Token": secret },
    auth: { type: "bearer", secret },
  };
  const set = ["--data", JSON.stringify({ pre_call_webhook: webhook })];
  expect((await shell.run("assistants", "update", assistant.id, ...set)).code).toBe(0);
  const contacts = (await shell.run("contacts", "list", "--all", "-o", "json")).json;
  expect((await shell.run("emulator", "snapshots", "create", "here")).code).toBe(0);
  const path = join(shell.home, "world.json");
  const written = await shell.run("emulator", "snapshots", "export", "here", path, ...flags, "-o", "json");
  expect(written.code, written.stderr).toBe(0);
  return { ...shell, assistant, contacts, path, text: readFileSync(path, "utf8") };
}

describe("a snapshot as a file", () => {
  test("[emulator.snapshots] a snapshot file restores the whole state except keys and secrets", async () => {
    const { run, assistant, contacts, path, text } = await exported();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(text).not.toContain(secret);
    expect(JSON.parse(text).tables).not.toHaveProperty("keys");
    expect(JSON.parse(text).tables).not.toHaveProperty("requests");
    const otherShell = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
    await otherShell.run("groups", "create", "--type", "contacts", "--name", "Of the other emulator");
    const kept = await otherShell.run("emulator", "snapshots", "import", "theirs", path, "-o", "json");
    expect(kept.code, kept.stderr).toBe(0);
    const groups = async () => (await otherShell.run("groups", "list", "--all", "-o", "json")).stdout;
    expect(await groups()).toContain("Of the other emulator");
    expect((await otherShell.run("emulator", "snapshots", "restore", "theirs", "--yes")).code).toBe(0);
    expect(await groups()).not.toContain("Of the other emulator");
    expect((await otherShell.run("contacts", "list", "--all", "-o", "json")).json).toEqual(contacts);
    const shown = (await otherShell.run("assistants", "get", assistant.id, "-o", "json")).json;
    expect(shown.pre_call_webhook.url).toBe("https://example.org/hook");
    expect(JSON.stringify(shown)).not.toContain(secret);
    const again = await run("emulator", "snapshots", "export", "here", path);
    expect([again.code, again.stderr]).toEqual([12, expect.stringContaining("use --force to overwrite it")]);
  });

  test.each([":memory:", "file"])(
    "[emulator.snapshots] restoring an imported snapshot keeps the request log (%s)",
    async (db) => {
      const { path, home } = await exported();
      const emulator = await openEmulator({ db: db === "file" ? join(home, "other.db") : db, seed: "empty" });
      try {
        await emulator.control("PUT", "/snapshots/theirs", JSON.parse(readFileSync(path, "utf8")));
        const ping = () => emulator.fetch(new Request("http://127.0.0.1/api/v1/ping"));
        const log = async () => JSON.stringify(await emulator.control("GET", "/requests"));
        await ping();
        const before = await log();
        expect(JSON.parse(before)).toHaveLength(1);
        await emulator.restore("theirs");
        expect(await log()).toBe(before);
        await ping();
        expect(JSON.parse(await log())).toHaveLength(2);
      } finally {
        await emulator.close();
      }
    },
  );

  test("[emulator.snapshots] a snapshot contains keys and credentials only with --secrets", async () => {
    const { path, text, assistant, contacts } = await exported("--secrets");
    expect(text).toContain(secret);
    const memory = await openEmulator({ seed: "empty" });
    await memory.control("PUT", "/snapshots/theirs", JSON.parse(text));
    await memory.restore("theirs");
    const { tables } = JSON.parse(text);
    expect(tables.keys.length).toBeGreaterThan(5);
    const keys = (await memory.control("GET", "/keys")) as { name: string }[];
    expect(keys.map(({ name }) => name)).toContain("admin");
    const otherShell = commandLine({ env: { VOXCTL_PROFILE: "offline" } });
    await otherShell.run("ping");
    await otherShell.run("emulator", "snapshots", "import", "theirs", path);
    expect((await otherShell.run("emulator", "snapshots", "restore", "theirs", "--yes")).code).toBe(0);
    const status = (await memory.control("GET", "/status")) as { counts: Record<string, number> };
    expect(status.counts["contacts"]).toBe(contacts.length);
    const [row] = tables.assistants.filter(({ id }: { id: string }) => id === assistant.id);
    expect(row.webhook_credential).toEqual({ $secret: secret });
    await memory.close();
  });

  test("[emulator.snapshots] the error for an invalid snapshot file shows the position", async () => {
    const { run, path, text } = await exported();
    const change = (change: (file: ReturnType<typeof JSON.parse>) => void) => {
      const file = JSON.parse(text);
      change(file);
      writeFileSync(path, JSON.stringify(file));
    };
    const imported = async () => {
      const ran = await run("emulator", "snapshots", "import", "bad", path, "-o", "json");
      return [ran.code, ran.stderr];
    };
    change(({ tables }) =>
      tables.contacts.push({ ...tables.contacts[0], id: "0".repeat(24), group_id: "gone" }),
    );
    expect(await imported()).toEqual([
      2,
      expect.stringContaining(
        `tables.contacts.${"0".repeat(24)}.group_id refers to gone, which is not in the table groups`,
      ),
    ]);
    change(({ tables }) => tables.contacts.push(tables.contacts[0]));
    expect(await imported()).toEqual([2, expect.stringContaining("are not a consistent emulator state")]);
    change(({ tables }) => Object.assign(tables, { robots: [] }));
    expect(await imported()).toEqual([2, expect.stringContaining("is not a table")]);
    writeFileSync(path, "{}");
    expect(await imported()).toEqual([2, expect.stringContaining("is not a snapshot")]);
    expect((await run("emulator", "control", "snapshots.list", "-o", "json")).json).toHaveLength(1);
  });
});
