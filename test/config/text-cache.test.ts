import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTextCache } from "../../src/features/config/text-cache.js";
import { temporaryFolder } from "../helpers/cli.js";

test("a text cache whose file can't be written stores nothing and causes no error", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const path = join(folder, "file", "texts.json");
  const cache = await openTextCache(path);
  cache.keep("id", "2026-03-02T09:00:00Z", "hash");
  await cache.save();
  expect((await openTextCache(path)).hashOf("id", "2026-03-02T09:00:00Z")).toBe(undefined);
});
