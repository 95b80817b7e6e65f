import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { commandLine, temporaryFolder } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { openSeededEmulator } from "../helpers/templates.js";

const voxctl = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));

/** A script that a user can write after reading only --help. */
const script = `set -euo pipefail
voxctl orgs create --type msp --name "Elbe Systemhaus" --external-id elbe --license elbe-base -o json > msp.json
voxctl licenses upsert elbe elbe-001 --product Standard -o json > licenses.json
voxctl orgs create --type customer --name "Optik Lange" --parent elbe --external-id optik-lange --license elbe-001 -o json > customer.json
printf 'Vorname,Nachname,Telefon\\nAnna,Alt,030 1234567\\nBen,Bär,0151 23456789\\n' > kunden.csv
voxctl contacts import kunden.csv --group Kunden --create-group --country DE -o json --fields created
call=$(voxctl calls trigger --to +4915112345678 --assistant Terminservice -o csv --fields call_id | tail -1)
voxctl calls get "$call" --wait -o json --fields status
voxctl orgs list --parent elbe -o csv --fields externalOrganizationId,status
`;

async function runScript(home: string, env: Record<string, string>) {
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "voxctl"), `#!/bin/sh\nexec "${process.execPath}" "${voxctl}" "$@"\n`);
  chmodSync(join(bin, "voxctl"), 0o755);
  const child = spawn("bash", ["-c", script], {
    cwd: home,
    env: {
      ...inheritedEnvironment(),
      PATH: [bin, process.env["PATH"] ?? ""].join(delimiter),
      HOME: home,
      VOXCTL_CONFIG_DIR: join(home, "config"),
      VOXCTL_DATA_DIR: join(home, "data"),
      VOXCTL_KEYCHAIN: "off",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { stdout, stderr, code };
}

const printed = `{
  "created": 2
}
{
  "status": "completed"
}
externalOrganizationId,status
optik-lange,active
`;

/** Tests of the guides already run scripts offline, so only PROOF=1 runs this one. */
test.runIf(process.env["PROOF"])(
  "a script creates organizations, imports contacts and waits for a call offline",
  async () => {
    const { code, stdout, stderr } = await runScript(temporaryFolder(), { VOXCTL_PROFILE: "offline" });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(printed);
  },
);

test("a script creates organizations, imports contacts and waits for a call over HTTP", async () => {
  const emulator = await openSeededEmulator({ seed: "demo", clock: "virtual" });
  const server = await emulator.listen({ port: 0 });
  // The virtual clock skips the duration of the call.
  const passing = setInterval(() => void emulator.control("PATCH", "/clock", { advance_seconds: 20 }), 200);
  onTestFinished(async () => {
    clearInterval(passing);
    await server.close();
    await emulator.close();
  });
  const { keys } = emulator.startLine;
  const { run, home } = commandLine({ env: { KEY: keys.admin, DISTRIBUTOR_KEY: keys.distributor_v2 } });
  for (const [apiName, path, variable] of [
    ["public", "/api/v1", "KEY"],
    ["distributor-v2", "/api/distributor/v2", "DISTRIBUTOR_KEY"],
  ] as const) {
    const address = ["--url", `${server.url}${path}`, "--key-env", variable];
    expect((await run("profiles", "add", "work", "--api", apiName, ...address)).code).toBe(0);
  }
  const { code, stdout, stderr } = await runScript(home, {
    VOXCTL_PROFILE: "work",
    KEY: keys.admin,
    DISTRIBUTOR_KEY: keys.distributor_v2,
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toBe(printed);
});
