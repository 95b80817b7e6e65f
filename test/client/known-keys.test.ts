import { expect, onTestFinished, test } from "vitest";
import { commandLine, connectedTo } from "../helpers/cli.js";
import { openSeededEmulator } from "../helpers/templates.js";

const key = "vx_live_0123456789-abcdef";
const escapeAs = (toEscape: (code: string) => string) =>
  [...key].map((letter) => toEscape(letter.charCodeAt(0).toString(16))).join("");

test.each([
  ["plain", key],
  ["in base64", Buffer.from(key).toString("base64")],
  ["in base64 after a name and a colon", Buffer.from(`a:${key}`).toString("base64")],
  ["in base64 between other bytes", Buffer.from(`ab ${key} and more`).toString("base64url")],
  ["in hex", Buffer.from(key).toString("hex")],
  ["with percent signs", escapeAs((code) => `%${code}`)],
  ["with JSON's escapes", escapeAs((code) => `\\u00${code}`)],
])("a request whose text contains a configured API key is refused: %s", async (_, text) => {
  const emulator = await openSeededEmulator({ seed: "empty", clock: "virtual" });
  onTestFinished(() => emulator.close());
  const env = { VOXCTL_BASE_URL: "https://voice.example/api/v1", VOXCTL_API_KEY: key };
  const { run } = commandLine({ overrides: connectedTo(emulator), env });
  const offline = (...command: string[]) => run("--profile", "offline", ...command);
  const create = (name: string) => offline("groups", "create", "--type", "contacts", "--name", name);
  const refused = await create(`Key ${text}`);
  expect([refused.code, refused.stderr]).toEqual([12, expect.stringContaining("API key")]);
  expect((await create("Key vx_live_ 100% \\u0041")).code).toBe(0);
  const groups: { name: string }[] = (await offline("groups", "list", "--all", "-o", "json")).json;
  const names = groups.map(({ name }) => name).filter((name) => name.startsWith("Key"));
  expect(names).toEqual(["Key vx_live_ 100% \\u0041"]);
});
