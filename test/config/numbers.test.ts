import { expect, test } from "vitest";
import { connectEmulator } from "../../src/cli/session/connection.js";
import type { Overrides } from "../../src/cli/session/overrides.js";
import { parseError, setUpConfig } from "../helpers/config.js";

const digits = "9223372036854775807";
const tool = (maximum: string) =>
  `name: crm_lookup\nurl: https://crm.example.com/lookup\nparameters: { properties: { id: { maximum: ${maximum} } } }\n`;

test("`apply` refuses a number that a double can't represent", async () => {
  const { apply, list } = await setUpConfig({ "tools/crm.yaml": tool(digits) });
  const refused = await apply("-o", "json");
  expect([refused.code, parseError(refused).message]).toEqual([
    2,
    expect.stringContaining(
      "tools/crm.yaml, line 3: parameters.properties.id.maximum: the number has too many digits",
    ),
  ]);
  expect(await list("tools")).toEqual([]);
});

test.each(["4242", "1.5", "1e3", "+7", "-0.25", "0x1F", "9007199254740991"])(
  "`apply` stores the number %s",
  async (number) => {
    const { apply, list } = await setUpConfig({ "tools/crm.yaml": tool(number) });
    const applied = await apply();
    expect(applied.code, applied.stderr).toBe(0);
    expect(await list("tools")).toMatchObject([
      { parameters: { properties: { id: { maximum: Number(number) } } } },
    ]);
  },
);

test("`pull` skips a field with a number that a double can't represent", async () => {
  const { apply, emulator, read, root, runWith } = await setUpConfig({ "tools/crm.yaml": tool("4242") });
  await apply();
  const transport: typeof emulator.transport = async (url, request) => {
    const response = await emulator.transport(url, request);
    const text = (await response.text()).replaceAll("4242", digits);
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    return { ...response, text: async () => text, body };
  };
  const overrides: Overrides = {
    connect: async (profile, options) => ({
      ...connectEmulator({ ...emulator, startLine: emulator.startLine, transport }, profile, options),
      close: async () => {},
    }),
  };
  const pulled = await runWith({ cwd: root, overrides }, "config", "pull", "--target", "dev", "-o", "json");
  expect(pulled.code, pulled.stderr).toBe(0);
  expect(pulled.stdout).toContain("the number properties.id.maximum has too many digits");
  expect(read("tools/crm.yaml")).toBe(tool("4242"));
});
