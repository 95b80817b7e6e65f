import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../helpers/cli.js";
import { planText } from "../helpers/plan.js";
import { runBuilt } from "../helpers/processes.js";

const isProof = process.env["PROOF"] !== undefined;
const memory =
  'import{writeFileSync}from"node:fs";process.on("exit",()=>writeFileSync(process.env.MEMORY_FILE,String(process.resourceUsage().maxRSS)))';
const group = "65f100000000000000004567";

// Plans of 100,000 steps take a minute: `npm run proof -- plans` has them.
describe.runIf(isProof)("a plan of 100,000 steps", () => {
  test.each([
    ["show", ["--format", "text"]],
    ["show", ["-o", "json"]],
    ["show", ["--format", "text", "--diff", "full"]],
    ["check", ["--profile", "offline"]],
  ])(
    "takes plan %s %j at most 1.3 times the memory of one of 1,000",
    async (verb, flags) => {
      const folder = temporaryFolder();
      const taken: number[] = [];
      for (const count of [1_000, 100_000]) {
        const steps = Array.from({ length: count }, (_, index) => ({
          step: index + 1,
          op: "contacts.create",
          body: { group_id: group, first_name: `Neu${index}`, last_name: "Weiß", emails: [`p${index}@b.de`] },
          if: { absent: { in: `contacts?group_id=${group}` }, exists: [`groups/${group}`] },
          undo: "full",
        }));
        const target = { base_url: "http://emulator.localhost/api/v1", anchors: [] };
        writeFileSync(join(folder, "kunden.plan"), planText({ header: { target }, steps }));
        const env = {
          HOME: folder,
          VOXCTL_DATA_DIR: join(folder, "data"),
          VOXCTL_CONFIG_DIR: join(folder, "config"),
          VOXCTL_KEYCHAIN: "off",
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(memory)}`,
          MEMORY_FILE: join(folder, "memory"),
        };
        const { code } = await runBuilt(["plan", verb, "kunden.plan", ...flags], { env, cwd: folder });
        // The group is not there, which each step tells.
        expect(code).toBe(verb === "check" ? 10 : 0);
        taken.push(Number(readFileSync(join(folder, "memory"), "utf8")));
      }
      const [few = 0, many = 0] = taken;
      expect(many / few).toBeLessThanOrEqual(1.3);
    },
    300_000,
  );
});
