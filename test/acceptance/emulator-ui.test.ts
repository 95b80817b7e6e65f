import { once } from "node:events";
import { expect, test } from "vitest";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";

const link = /http:\/\/127\.0\.0\.1:\d+\/_emulator\/ui\?ticket=[\w-]{43}/;

test("`emulator start` and `open emulator` print links to the web UI", async () => {
  const { start, command } = createInstalledCli();
  const people = start(["emulator", "start", "--port", "0", "--seed", "empty", "-o", "table"]);
  let printed = "";
  people.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed, { timeout: 10_000 }).toContain("Process");
  const [, url = ""] = /^(http\S+ticket=\S+)$/m.exec(printed) ?? [];
  expect(url).toMatch(link);
  expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([200, 401]);

  const [first, second] = [await command(["open", "emulator"]), await command(["open", "emulator"])];
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(first.stdout).not.toBe(second.stdout);
  expect(first.stdout.trim()).toMatch(link);
  expect((await fetch(first.stdout.trim())).status).toBe(200);
  const structured = JSON.parse((await command(["open", "emulator", "-o", "json"])).stdout);
  expect((await fetch(structured.url)).status).toBe(200);
  people.kill("SIGTERM");
  await once(people, "exit");

  const nobody = await command(["open", "emulator"]);
  expect(nobody.code).toBe(4);
  expect(nobody.stderr).toContain("voxctl emulator start");
});

test("a background emulator serves the web UI with the packaged script and style", async () => {
  const { run, command } = createInstalledCli();
  const started = await run([
    "emulator",
    "start",
    "--detach",
    "--db",
    ":memory:",
    "--seed",
    "empty",
    "--port",
    "0",
    "-o",
    "table",
  ]);
  try {
    const [, url = ""] = /^(http\S+ticket=\S+)$/m.exec(started.stdout) ?? [];
    const page = await fetch(url);
    expect(page.status).toBe(200);
    const cookie = page.headers.get("set-cookie")?.split(";")[0] ?? "";
    for (const file of ["ui.js", "ui.css"]) {
      const response = await fetch(new URL(`/_emulator/ui/${file}`, url), { headers: { cookie } });
      expect([file, response.status]).toEqual([file, 200]);
    }
  } finally {
    await command(["emulator", "stop"]);
  }
});

test("the web UI shows the remaining rate limits and the emulator's state as tables", async () => {
  const { start, command } = createInstalledCli();
  const child = start(["emulator", "start", "--port", "0", "-o", "json"]);
  await readFirstLine(child);
  expect((await command(["contacts", "list", "--limit", "1", "--profile", "offline"])).code).toBe(0);
  const limits: { bucket: string; remaining: number }[] = JSON.parse(
    (await command(["emulator", "control", "limits.list", "-o", "json"])).stdout,
  );
  expect(limits.some(({ bucket, remaining }) => bucket === "read" && remaining === 999)).toBe(true);
  const rows = await command([
    "emulator",
    "control",
    "tables.rows",
    "groups",
    "--query",
    "limit=2",
    "-o",
    "table",
  ]);
  expect(rows.stdout.trim().split("\n")).toHaveLength(3);
  const unknown = await command(["emulator", "control", "tables.rows", "nothing"]);
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining("the table nothing")]);
  child.kill("SIGTERM");
  await once(child, "exit");
});
