import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.js";
import { openDatabase } from "../../src/base/database.js";
import { systemRandom } from "../../src/base/random.js";
import { copyDatabaseFile, createFork, openEmulator } from "../../src/emulator/index.js";
import { temporaryFolder } from "../helpers/cli.js";
import { createEmulatorAsk } from "../helpers/mirror.js";
import { runBuilt } from "../helpers/processes.js";

const whole = process.env["PROOF"] !== undefined;
const many = 100_000;
const memory =
  'import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(process.env.MEMORY_FILE,String(process.resourceUsage().maxRSS)))';

/** Starts an emulator with `count` contacts. Returns the environment variables of a command that uses it. */
async function serve(count: number): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  const db = join(folder, "source.db");
  const made = await openEmulator({ db, seed: "empty", clock: "real", exclusive: true });
  const ask = createEmulatorAsk(made);
  const { body } = await ask("GET", "/groups?type=contacts");
  const contact = { first_name: "Neu", last_name: "Weiß", phone_numbers: ["+491511000000"] };
  await ask("POST", "/contacts", { ...contact, group_id: body.data[0].id });
  await made.close();
  // Copy the contact in the database, because creating the copies with requests would take minutes.
  const database = await openDatabase(db);
  const columns = database.prepare("SELECT name FROM pragma_table_info('contacts') WHERE name <> 'id'").all();
  const names = columns.map(({ name }) => String(name)).join(", ");
  database.exec(
    `WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count - 1})
     INSERT INTO contacts (id, ${names}) SELECT '65f1' || printf('%020x', number), ${names} FROM numbers, contacts`,
  );
  database.close();
  const emulator = await openEmulator({ db, exclusive: true, limits: { read: 1_000_000 } });
  onTestFinished(() => emulator.close());
  const { url } = await emulator.listen({ port: 0 });
  return {
    HOME: folder,
    VOXCTL_DATA_DIR: join(folder, "data"),
    VOXCTL_CONFIG_DIR: join(folder, "config"),
    VOXCTL_KEYCHAIN: "off",
    VOXCTL_BASE_URL: `${url}/api/v1`,
    VOXCTL_API_KEY: emulator.startLine.keys.admin,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(memory)}`,
    MEMORY_FILE: join(folder, "memory"),
  };
}

const create = ["mirror", "create", "acme", "--include", "contacts", "-o", "json"];

// Takes a minute, so only `npm run proof -- mirrors` runs it.
describe.runIf(whole)(`a mirror of ${many} contacts`, () => {
  it("[M5] creating a mirror with ten times the contacts uses at most 1.3 times the memory", async () => {
    const taken: number[] = [];
    for (const count of [many / 10, many]) {
      const env = await serve(count);
      const { code, stdout, stderr } = await runBuilt(create, { env });
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout).counts.contacts).toBe(count);
      taken.push(Number(readFileSync(env["MEMORY_FILE"] ?? "", "utf8")));
    }
    const [few = 0, all = 0] = taken;
    expect(all / few).toBeLessThanOrEqual(1.3);
  }, 600_000);

  it("[M5] a large mirror is complete after repeated kills", async () => {
    const env = await serve(many);
    let kills = 0;
    for (const after of [900, 1_300, 2_000, 3_000]) {
      const { signal } = await runBuilt(create, { env, kill: { after, signal: "SIGKILL" } });
      if (signal === "SIGKILL") kills += 1;
    }
    expect(kills).toBeGreaterThan(0);
    const { code, stdout, stderr } = await runBuilt(create, { env });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Resuming the unfinished mirror "acme"…');
    expect(JSON.parse(stdout)).toMatchObject({ consistency: "consistent", counts: { contacts: many } });

    const mirror = join(env["VOXCTL_DATA_DIR"] ?? "", "mirrors", "acme", "world.db");
    const folder = temporaryFolder();
    const [base, fork] = [join(folder, "base.db"), join(folder, "fork.db")];
    const start = process.cpuUsage();
    copyDatabaseFile(mirror, base);
    await (await openEmulator({ db: base, exclusive: true })).close();
    const options = { clock: "virtual", latencyMilliseconds: 0, systemClock: systemClock() } as const;
    await createFork(base, fork, { ...options, random: systemRandom() });
    const opened = await openEmulator({ db: fork, exclusive: true });
    const { user, system } = process.cpuUsage(start);
    await opened.close();
    // Measure CPU time, because other processes may be busy.
    expect((user + system) / 1_000_000).toBeLessThan(1);
  }, 600_000);
});
