import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createInstalledCli, readFirstLine } from "../helpers/installed-cli.js";

test("`emulator env` prints the variables and current keys of a running emulator for each shell", async () => {
  const { start, command } = createInstalledCli();
  const none = await command(["emulator", "env"]);
  expect([none.code, none.stderr]).toEqual([4, expect.stringContaining("emulator database")]);

  const server = start([
    "emulator",
    "start",
    "--db",
    ":memory:",
    "--seed",
    "empty",
    "--port",
    "0",
    "-o",
    "json",
  ]);
  const line = JSON.parse(await readFirstLine(server));
  const print = async (...more: string[]) => {
    const ran = await command(["emulator", "env", ...more]);
    expect([ran.code, ran.stderr.includes("error")]).toEqual([0, false]);
    return ran.stdout;
  };
  const expected = {
    VOXCTL_EMULATOR_URL: line.url,
    VOXCTL_EMULATOR_CONTROL_TOKEN: line.control_token,
    VOXCTL_BASE_URL: line.base_url,
    VOXCTL_API_KEY: line.keys.admin,
    VOXCTL_DISTRIBUTOR_URL: line.distributor_v2_url,
    VOXCTL_DISTRIBUTOR_KEY: line.keys.distributor_v2,
    VOXCTL_DISTRIBUTOR_V1_URL: line.distributor_v1_url,
    VOXCTL_DISTRIBUTOR_V1_KEY: line.keys.distributor_v1,
    VOXCTL_LEGACY_URL: line.legacy_url,
    VOXCTL_LEGACY_KEY: line.keys.legacy,
  };
  expect(JSON.parse(await print("-o", "json"))).toEqual(expected);
  const lines = (form: (name: string, value: string) => string) =>
    Object.entries(expected)
      .map(([name, value]) => `${form(name, value)}\n`)
      .join("");
  for (const [shell, form] of [
    ["sh", (name: string, value: string) => `export ${name}='${value}'`],
    ["bash", (name: string, value: string) => `export ${name}='${value}'`],
    ["fish", (name: string, value: string) => `set -gx ${name} '${value}'`],
    ["powershell", (name: string, value: string) => `$env:${name} = '${value}'`],
    ["pwsh", (name: string, value: string) => `$env:${name} = '${value}'`],
    ["cmd", (name: string, value: string) => `set "${name}=${value}"`],
    ["dotenv", (name: string, value: string) => `${name}='${value}'`],
    ["github", (name: string, value: string) => `${name}=${value}`],
  ] as const)
    expect(await print("--shell", shell)).toBe(lines(form));

  const evaluated = execFileSync("sh", [
    "-c",
    `eval "$1"; env`,
    "sh",
    await print("--shell", "bash"),
  ]).toString();
  expect(evaluated).toContain(`VOXCTL_API_KEY=${line.keys.admin}\n`);

  expect((await command(["emulator", "reset", "--new-keys", "--yes"])).code).toBe(0);
  expect((await command(["emulator", "keys", "update", "legacy", "--status", "revoked"])).code).toBe(0);
  const now = JSON.parse(await print("-o", "json"));
  expect(now).not.toHaveProperty("VOXCTL_LEGACY_KEY");
  const headers = { authorization: `Bearer ${now.VOXCTL_API_KEY}` };
  expect((await fetch(`${line.base_url}/ping`, { headers })).status).toBe(200);
});
