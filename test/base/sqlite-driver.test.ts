import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importPackage, packedBinary } from "../../src/base/sqlite-driver.js";
import { temporaryFolder } from "../helpers/cli.js";

const ofThisProject = join(process.cwd(), "src", "base");

test("the SQLite driver's binary is loaded without the package's JavaScript", () => {
  const driver = packedBinary(ofThisProject);
  expect(driver?.backup).toBeTypeOf("function");
  const database = driver && new driver.DatabaseSync(":memory:", { timeout: 0 });
  // The driver's rows have no prototype.
  expect({ ...database?.prepare("SELECT ? AS n").get(7) }).toEqual({ n: 7 });
  database?.close();
});

test("packedBinary returns undefined if the binary is missing or was compiled locally", () => {
  const home = temporaryFolder();
  const from = join(home, "dist", "chunks");
  const packed = join(home, "node_modules", "@photostructure", "sqlite");
  const prebuilds = join(packed, "prebuilds", `${process.platform}-${process.arch}`);
  expect(packedBinary(from)).toBeUndefined();
  mkdirSync(prebuilds, { recursive: true });
  expect(packedBinary(from)).toBeUndefined();
  for (const libc of ["glibc", "musl"])
    writeFileSync(join(prebuilds, `@photostructure+sqlite.${libc}.node`), "of another system");
  expect(packedBinary(from)).toBeUndefined();
  mkdirSync(join(packed, "build"));
  expect(packedBinary(from)).toBeUndefined();
});

describe("without the driver's package", () => {
  const missing = () => Promise.reject(new Error("not found"));

  test("without the driver's package, voxctl uses the SQLite driver of Node.js", async () => {
    const own = packedBinary(ofThisProject);
    expect(await importPackage(missing, () => own)).toBe(own);
  });

  test("if neither the package nor Node.js has a driver, the error explains how to get one", async () => {
    await expect(importPackage(missing, () => undefined)).rejects.toThrow(
      "cannot load SQLite: use Node 24, or install voxctl without --omit=optional",
    );
  });
});
