import { describe, expect, it } from "vitest";
import { openEmulator } from "../../src/emulator/index.js";

// Opens an emulator without type checks, like a caller in JavaScript.
const open = (options: object) => Reflect.apply(openEmulator, undefined, [options]);

describe("the emulator library", () => {
  it.each([
    [{ seed: "foo" }, "openEmulator: seed must be one of empty, demo"],
    [{ foo: 1 }, "openEmulator: unknown option foo"],
    [{ clock: "foo" }, "openEmulator: clock must be one of real, virtual"],
    [
      { limits: { wirte: 5 } },
      "openEmulator: limits contain the unknown bucket wirte; expected one of read, write, outbound_trigger, distributor, legacy",
    ],
    [{ limits: { write: "5" } }, "openEmulator: limits must be numbers that are at least 0, but write is 5"],
    [{ startTime: new Date(0) }, "openEmulator: startTime must be a string or a number"],
    [{ systemClock: {} }, "openEmulator: systemClock must have now() and sleep()"],
    [{ db: 5 }, "openEmulator: db must be a string"],
  ])("the emulator library refuses the invalid option %j with an explanation", async (options, message) => {
    await expect(open(options)).rejects.toThrow(new TypeError(message));
  });

  it("`listen` refuses an unknown option", async () => {
    await using emulator = await openEmulator();
    await expect(Reflect.apply(emulator.listen, emulator, [{ prot: 0 }])).rejects.toThrow(
      new TypeError("listen: unknown option prot"),
    );
    await expect(emulator.listen({ port: 65_536 })).rejects.toThrow(TypeError);
    const server = await emulator.listen({ port: 0 });
    expect(server.port).toBeGreaterThan(0);
  });

  it("a closed emulator rejects every method call except `close`", async () => {
    const emulator = await openEmulator();
    const { base_url } = emulator.startLine;
    await emulator.fetch(`${base_url}/ping`);
    await emulator.close();
    await emulator.close();
    const closed = { name: "ClosedError", message: "the emulator is closed" };
    await expect(emulator.fetch(`${base_url}/ping`)).rejects.toMatchObject(closed);
    await expect(
      emulator.transport(`${base_url}/ping`, { method: "GET", headers: {} }),
    ).rejects.toMatchObject(closed);
    await expect(emulator.control("GET", "/status")).rejects.toMatchObject(closed);
    await expect(emulator.snapshot()).rejects.toMatchObject(closed);
    await expect(emulator.fork()).rejects.toMatchObject(closed);
    await expect(emulator.listen({ port: 0 })).rejects.toMatchObject(closed);
    expect(() => emulator.startLine).toThrow("the emulator is closed");
  });

  it("an emulator responds to requests that were sent before it was closed", async () => {
    const emulator = await openEmulator();
    const { base_url, keys } = emulator.startLine;
    const headers = { authorization: `Bearer ${keys.admin}` };
    const responses = ["ping", "contacts", "groups"].map((path) =>
      emulator.fetch(`${base_url}/${path}`, { headers }),
    );
    const status = emulator.control("GET", "/status");
    await emulator.close();
    expect((await Promise.all(responses)).map((response) => response.status)).toEqual([200, 200, 200]);
    expect(await status).toMatchObject({ db: ":memory:" });
  });
});
