import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { commandLine } from "../helpers/cli.js";
import { inheritedEnvironment } from "../helpers/environment.js";
import { readFirstLine } from "../helpers/installed-cli.js";

const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/webhook.md", import.meta.url)), "utf8");
const secret = "a-secret-of-a-guide";

function block(beginning: string): string {
  const from = guide.indexOf(`\`\`\`${beginning}\n`);
  expect([beginning, from]).toEqual([beginning, expect.toSatisfy((at: number) => at >= 0)]);
  return guide.slice(from + beginning.length + 4, guide.indexOf("\n```\n", from) + 1);
}

async function testService(code: string) {
  const line = commandLine({ env: { WEBHOOK_SECRET: secret } });
  const file = join(line.home, "hook.mjs");
  writeFileSync(file, code);
  writeFileSync(join(line.home, "contract.yaml"), block("yaml contract.yaml"));
  const env = { ...inheritedEnvironment(), WEBHOOK_SECRET: secret, PORT: "0" };
  const service = spawn(process.execPath, [file], { env, stdio: "pipe" });
  onTestFinished(() => void service.kill("SIGKILL"));
  const port = (await readFirstLine(service)).trim();
  return line.runWith(
    { env: { WEBHOOK_SECRET: secret, WEBHOOK_URL: `http://127.0.0.1:${port}/hook` } },
    ...["webhook", "test", "contract.yaml", "-o", "table"],
  );
}

test("`webhook test` finds the error in the guide's receiver", async () => {
  const code = block("js hook.mjs");
  const untimed = (text: string) => text.replace(/\d+ ms/g, "N ms").trim();
  const failed = await testService(code);
  expect(failed.code).toBe(11);
  const printed = guide.slice(guide.indexOf("```\npassed  known caller") + 4).split("\n```\n")[0] ?? "";
  expect(untimed(failed.stdout)).toBe(untimed(printed));
  const corrected = code.replace("call.from.replaceAll", "call.from?.replaceAll");
  expect(corrected).not.toBe(code);
  const right = await testService(corrected);
  expect([right.code, right.stdout.match(/^passed /gm)?.length]).toEqual([0, 10]);
});
