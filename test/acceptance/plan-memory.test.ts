import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { formatPlan } from "../helpers/plan.js";
import { runBuilt } from "../helpers/processes.js";
import { publicApi } from "../helpers/public-api.js";
import { openSeededEmulator } from "../helpers/templates.js";

const isProof = process.env["PROOF"] !== undefined;
const memory =
  'import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(process.env.MEMORY_FILE,String(process.resourceUsage().maxRSS)))';
const group = "65f100000000000000004567";

async function memoryOf(
  folder: string,
  argv: readonly string[],
  variables: Record<string, string> = {},
): Promise<{ code: number | null; kilobytes: number }> {
  const env = {
    HOME: folder,
    VOXCTL_DATA_DIR: join(folder, "data"),
    VOXCTL_CONFIG_DIR: join(folder, "config"),
    VOXCTL_KEYCHAIN: "off",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(memory)}`,
    MEMORY_FILE: join(folder, "memory"),
    ...variables,
  };
  const { code } = await runBuilt(argv, { env, cwd: folder });
  return { code, kilobytes: Number(readFileSync(join(folder, "memory"), "utf8")) };
}

function planOf(count: number, { group, baseUrl }: { group: string; baseUrl: string }): string {
  const steps = Array.from({ length: count }, (_, index) => ({
    step: index + 1,
    op: "contacts.create",
    body: {
      ...{ group_id: group, first_name: `Neu${count} ${index}`, last_name: "Weiß" },
      emails: [`p${count}-${index}@b.de`],
    },
    if: { absent: { in: `contacts?group_id=${group}` }, exists: [`groups/${group}`] },
    undo: "full",
  }));
  // `apply` refuses a plan of more than 7 days, by the clock of its process.
  const made_at = new Date().toISOString();
  return formatPlan({ header: { made_at, target: { base_url: baseUrl, anchors: [] } }, steps });
}

// Plan files of 100,000 steps take a minute, so only `npm run proof -- plans` runs them.
describe.runIf(isProof)("a plan file of 100,000 steps", () => {
  test.each([
    ["show", ["--format", "text"]],
    ["show", ["-o", "json"]],
    ["show", ["--format", "text", "--diff", "full"]],
    ["check", ["--profile", "offline"]],
  ])(
    "with ten times as many steps, `plan %s` %j uses at most 1.3 times the memory",
    async (verb, flags) => {
      const folder = temporaryFolder();
      const taken: number[] = [];
      for (const count of [10_000, 100_000]) {
        const baseUrl = "http://emulator.localhost/api/v1";
        writeFileSync(join(folder, "kunden.plan"), planOf(count, { group, baseUrl }));
        const { code, kilobytes } = await memoryOf(folder, ["plan", verb, "kunden.plan", ...flags]);
        // Every step of `plan check` reports that the group doesn't exist.
        expect(code).toBe(verb === "check" ? 10 : 0);
        taken.push(kilobytes);
      }
      const [few = 0, many = 0] = taken;
      expect(many / few).toBeLessThanOrEqual(1.3);
    },
    300_000,
  );

  test("with ten times as many steps, `apply` uses at most 1.3 times the memory", async () => {
    const folder = temporaryFolder();
    const limits = { read: 10_000_000, write: 10_000_000 };
    const emulator = await openSeededEmulator({ seed: "empty", clock: "real", limits });
    onTestFinished(() => emulator.close());
    const { url } = await emulator.listen({ port: 0 });
    const baseUrl = `${url}/api/v1`;
    const made = await publicApi(emulator)("POST", "/groups", { type: "contacts", name: "Kunden" });
    const variables = { VOXCTL_BASE_URL: baseUrl, VOXCTL_API_KEY: emulator.startLine.keys.admin };
    const taken: number[] = [];
    for (const count of [10_000, 100_000]) {
      writeFileSync(
        join(folder, "kunden.plan"),
        planOf(count, { group: String(made.body.data.id), baseUrl }),
      );
      const { code, kilobytes } = await memoryOf(folder, ["apply", "kunden.plan", "--yes"], variables);
      expect(code).toBe(0);
      taken.push(kilobytes);
    }
    const [few = 0, many = 0] = taken;
    expect(many / few).toBeLessThanOrEqual(1.3);
  }, 3_600_000);
});
