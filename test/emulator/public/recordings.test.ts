import { expect, it } from "vitest";
import { createAssistant, readCall, triggerCall } from "../../helpers/calls.js";
import { type TestEmulator, testOnBothTransports } from "../../helpers/test-emulator.js";

async function recordedCall(emulator: TestEmulator, format = "flac", seconds = 8): Promise<string> {
  const { id } = await createAssistant(emulator);
  const call = await emulator.control("POST", "/calls", {
    assistant_id: id,
    recording: format,
    duration_seconds: seconds,
  });
  return call.id;
}

testOnBothTransports("downloading a recording", (open) => {
  it.each([
    ["flac", "audio/flac", "fLaC"],
    ["wav", "audio/wav", "RIFF"],
    ["mpeg", "audio/mpeg", "\xff\xf3"],
  ])("[public.operations.13b] a recording stored as %s is served as %s", async (format, type, marker) => {
    await using emulator = await open();
    const callId = await recordedCall(emulator, format);
    const download = await emulator.ask("GET", `/calls/${callId}/recording`);
    expect(download.status).toBe(200);
    expect(download.headers.get("content-type")).toBe(type);
    expect(Buffer.from(download.bytes).toString("latin1").startsWith(marker)).toBe(true);
    expect(download.headers.get("content-length")).toBe(String(download.bytes.length));
    expect(download.headers.get("accept-ranges")).toBe("bytes");
    expect(download.headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect((await readCall(emulator, callId)).recording).toEqual({ available: true, content_type: type });
  });

  // plain-words: allow title-long
  it("[public.operations.13c holds refuses] a recording that is not ready returns 404", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to: "+491510000004" });
    for (const seconds of [0, 8, 9]) {
      await emulator.advance(seconds);
      const missing = await emulator.ask("GET", `/calls/${callId}/recording`);
      expect(missing.status).toBe(404);
      expect(missing.headers.get("content-type")).toContain("application/json");
      expect(missing.body.error).toMatchObject({ code: "not_found", details: [] });
    }
    await emulator.advance(5);
    expect((await emulator.ask("GET", `/calls/${callId}/recording`)).status).toBe(200);
    await emulator.advance(60);
    const busy = await triggerCall(emulator, { assistant_id: id, to: "+491510000002" });
    await emulator.advance(60);
    expect((await emulator.ask("GET", `/calls/${busy}/recording`)).status).toBe(404);
  });

  it.each(["flac", "wav", "mpeg"])(
    "[public.operations.13a] the parts of a %s recording form the whole file, byte for byte",
    async (format) => {
      await using emulator = await open();
      const callId = await recordedCall(emulator, format, 21);
      const whole = await emulator.ask("GET", `/calls/${callId}/recording`);
      const parts: Uint8Array[] = [];
      for (let start = 0; start < whole.bytes.length; start += 7_777) {
        const part = await emulator.ask("GET", `/calls/${callId}/recording`, {
          headers: { range: `bytes=${start}-${start + 7_776}` },
        });
        const end = Math.min(start + 7_777, whole.bytes.length);
        expect(part.status).toBe(206);
        expect(part.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${whole.bytes.length}`);
        expect(part.headers.get("content-length")).toBe(String(end - start));
        parts.push(part.bytes);
      }
      expect(Buffer.compare(Buffer.concat(parts), whole.bytes)).toBe(0);
    },
  );

  it("[public.operations.13a] [D-recording] open-ended ranges work, and invalid ones are ignored", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator, "wav");
    const size = 8 * 16_000 + 44;
    const ask = (range: string) => emulator.ask("GET", `/calls/${callId}/recording`, { headers: { range } });
    for (const [range, bounds] of [
      ["bytes=128000-", `128000-${size - 1}`],
      ["bytes=-44", `${size - 44}-${size - 1}`],
      ["bytes=-9999999", `0-${size - 1}`],
      ["bytes=0-0", "0-0"],
      ["bytes=100-99999999", `100-${size - 1}`],
    ] as const) {
      const part = await ask(range);
      expect(part.status).toBe(206);
      expect(part.headers.get("content-range")).toBe(`bytes ${bounds}/${size}`);
    }
    for (const range of [
      "bytes=0-1,4-5",
      "bytes=9-3",
      "bytes=",
      "bytes=-",
      "bytes=a-b",
      "lines=1-2",
      "0-5",
    ]) {
      const whole = await ask(range);
      expect(whole.status).toBe(200);
      expect(whole.bytes).toHaveLength(size);
    }
  });

  it("[D-recording refuses] requesting a range after the end returns 416 and the file's length", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator, "wav");
    for (const range of ["bytes=128044-", "bytes=999999-1000000", "bytes=-0"]) {
      const refused = await emulator.ask("GET", `/calls/${callId}/recording`, { headers: { range } });
      expect(refused.status).toBe(416);
      expect(refused.headers.get("content-range")).toBe("bytes */128044");
      expect(refused.body.error.code).toBe("validation_failed");
    }
  });

  it("[D-recording] a download with If-Range resumes only the same file", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator);
    const path = `/calls/${callId}/recording`;
    const etag = (await emulator.ask("GET", path)).headers.get("etag") ?? "";
    const ask = (ifRange: string) =>
      emulator.ask("GET", path, { headers: { range: "bytes=10-19", "if-range": ifRange } });
    expect((await ask(etag)).status).toBe(206);
    for (const validator of [`W/${etag}`, '"another"', "Mon, 02 Mar 2026 09:00:00 GMT"])
      expect((await ask(validator)).status).toBe(200);
  });

  it("[D-recording] the recording of a call always has the same bytes and ETag", async () => {
    await using emulator = await open();
    const [first, second] = [await recordedCall(emulator), await recordedCall(emulator)];
    const download = (id: string) => emulator.ask("GET", `/calls/${id}/recording`);
    const [once, again, otherRecording] = [
      await download(first),
      await download(first),
      await download(second),
    ];
    expect(Buffer.compare(once.bytes, again.bytes)).toBe(0);
    expect(again.headers.get("etag")).toBe(once.headers.get("etag"));
    expect(Buffer.compare(once.bytes, otherRecording.bytes)).not.toBe(0);
    expect(otherRecording.headers.get("etag")).not.toBe(once.headers.get("etag"));
  });

  it("[D-roles] a key that may read calls but not recordings can't download a recording", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator);
    const { key } = await emulator.control("POST", "/keys", { kind: "public", permissions: ["calls:read"] });
    expect((await emulator.ask("GET", `/calls/${callId}`, { key })).status).toBe(200);
    expect((await emulator.ask("GET", `/calls/${callId}/recording`, { key })).status).toBe(403);
  });
});

testOnBothTransports("erasing a recording", (open) => {
  // plain-words: allow title-long
  it("[public.operations.14a holds refuses] [public.states.recording holds refuses] deleting a recording keeps the call", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator);
    const before = await readCall(emulator, callId);
    await emulator.advance(10);
    const erased = await emulator.ask("DELETE", `/calls/${callId}/recording`);
    expect([erased.status, erased.body]).toEqual([200, { data: {} }]);
    expect(await readCall(emulator, callId)).toEqual({
      ...before,
      recording: { available: false, content_type: null },
      updated_at: "2026-03-02T09:00:10.000Z",
    });
    expect((await emulator.ask("GET", "/calls")).body.data).toHaveLength(1);
    const gone = await emulator.ask("GET", `/calls/${callId}/recording`);
    expect(gone.status).toBe(404);
    expect(gone.headers.get("x-emulator-rule")).toBe("public.operations.14a");
  });

  // plain-words: allow title-long
  it("[public.operations.14b holds refuses] [D-roles] deleting a recording requires the delete permission", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator);
    const erase = (key: string) => emulator.ask("DELETE", `/calls/${callId}/recording`, { key });
    for (const role of ["editor", "caller", "viewer"] as const)
      expect((await erase(emulator.keys[role])).status).toBe(403);
    expect((await readCall(emulator, callId)).recording.available).toBe(true);
    const { key } = await emulator.control("POST", "/keys", {
      kind: "public",
      permissions: ["call_logs.call_recording:delete"],
    });
    expect((await erase(key)).status).toBe(200);
  });

  it("[public.operations.14c] deleting a recording again succeeds without a change", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator);
    await emulator.ask("DELETE", `/calls/${callId}/recording`);
    const before = await readCall(emulator, callId);
    await emulator.advance(60);
    expect((await emulator.ask("DELETE", `/calls/${callId}/recording`)).status).toBe(200);
    expect(await readCall(emulator, callId)).toEqual(before);
  });

  it("[public.operations.14d holds refuses] a delete returns 404 for a call without a recording", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const call = await emulator.control("POST", "/calls", { assistant_id: id });
    const missing = await emulator.ask("DELETE", `/calls/${call.id}/recording`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get("x-emulator-rule")).toBe("public.operations.14d");
    expect((await emulator.ask("DELETE", `/calls/${"0".repeat(24)}/recording`)).status).toBe(404);
    const recorded = await recordedCall(emulator);
    expect((await emulator.ask("DELETE", `/calls/${recorded}/recording`)).status).toBe(200);
  });

  it("[public.operations.14e holds refuses] a delete returns 409 for a call in progress", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to: "+491510000004" });
    const erase = () => emulator.ask("DELETE", `/calls/${callId}/recording`);
    for (const seconds of [0, 2, 5, 10]) {
      await emulator.advance(seconds);
      const refused = await erase();
      expect(refused.status).toBe(409);
      expect(refused.body.error.code).toBe("conflict");
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.14e");
    }
    await emulator.advance(5);
    expect((await erase()).status).toBe(200);
  });

  it("[public.operations.14e refuses] a delete returns 409 while a call is not answered yet", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to: "+491510000001" });
    const erase = async () => (await emulator.ask("DELETE", `/calls/${callId}/recording`)).status;
    for (const seconds of [0, 2, 4]) {
      await emulator.advance(seconds);
      expect(await erase()).toBe(409);
    }
    await emulator.advance(1);
    expect(await erase()).toBe(404);
  });

  it("[public.operations.14f holds refuses] after a 500, the recording can still be deleted", async () => {
    await using emulator = await open();
    const callId = await recordedCall(emulator);
    const whole = await emulator.ask("GET", `/calls/${callId}/recording`);
    await emulator.control("POST", "/faults", { kind: "recording_erase_failure", times: 1 });
    const failed = await emulator.ask("DELETE", `/calls/${callId}/recording`);
    expect(failed.status).toBe(500);
    expect(failed.body.error.code).toBe("internal_error");
    expect(failed.headers.get("x-emulator-rule")).toBe("public.operations.14f");
    const still = await emulator.ask("GET", `/calls/${callId}/recording`);
    expect(Buffer.compare(still.bytes, whole.bytes)).toBe(0);
    expect((await emulator.ask("DELETE", `/calls/${callId}/recording`)).status).toBe(200);
    expect((await emulator.ask("GET", `/calls/${callId}/recording`)).status).toBe(404);
  });
});
