import { expect, it } from "vitest";
import { createAssistant, readCall, triggerCall } from "../../helpers/calls.js";
import { testOnTransports } from "../../helpers/test-emulator.js";

const to = "+4915112345678";

testOnTransports("outbound calls", (open) => {
  it("[public.call.trigger-fields] [public.operations.12e] a new call is `queued`", async () => {
    await using emulator = await open();
    const assistant = await createAssistant(emulator);
    const queued = await emulator.ask("POST", "/calls", { body: { assistant_id: assistant.id, to } });
    expect(queued.status).toBe(201);
    expect(queued.body.data).toEqual({
      call_id: expect.stringMatching(/^[a-f0-9]{24}$/),
      assistant_id: assistant.id,
      assistant_phone: assistant.phone_number,
      to,
      status: "queued",
      created_at: "2026-03-02T09:00:00.000Z",
    });
  });

  it("[public.operations.12a holds refuses] assistant_id or a number identifies the assistant", async () => {
    await using emulator = await open();
    const { id, phone_number } = await createAssistant(emulator);
    const byNumber = await emulator.ask("POST", "/calls", { body: { assistant_phone: phone_number, to } });
    expect(byNumber.body.data.assistant_id).toBe(id);
    for (const [body, path, message] of [
      [{ to }, "assistant_id", "is required unless assistant_phone is given"],
      [
        { to, assistant_id: id, assistant_phone: phone_number },
        "assistant_phone",
        "can't be combined with assistant_id",
      ],
    ] as const) {
      const refused = await emulator.ask("POST", "/calls", { body });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0]).toEqual({ path: [path], message });
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.12a");
    }
  });

  it("[public.operations.12b holds refuses] the destination is `to` or `target_phone`", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const byAlias = await emulator.ask("POST", "/calls", { body: { assistant_id: id, target_phone: to } });
    expect(byAlias.body.data.to).toBe(to);
    for (const [body, path] of [
      [{ assistant_id: id }, "to"],
      [{ assistant_id: id, to, target_phone: to }, "target_phone"],
    ] as const) {
      const refused = await emulator.ask("POST", "/calls", { body });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toEqual([path]);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.12b");
    }
  });

  it("[public.operations.12c] details are optional text for the call and the assistant", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const details = "Der Termin am Freitag fällt aus.";
    const callId = await triggerCall(emulator, { assistant_id: id, to, details });
    await emulator.advance(200);
    const call = await readCall(emulator, callId);
    expect(call.details).toBe(details);
    expect(call.transcript.map((entry: { text: string }) => entry.text)).toContain(details);
    const refused = await emulator.ask("POST", "/calls", { body: { assistant_id: id, to, details: 7 } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].path).toEqual(["details"]);
    const without = await triggerCall(emulator, { assistant_id: id, to });
    expect((await readCall(emulator, without)).details).toBeNull();
  });

  it.each([
    ["+49 (151) 123-456.78", "+4915112345678"],
    ["0049 151/12345678", "+4915112345678"],
    ["0151 12345678", "+4915112345678"],
    ["151 12345678", "+4915112345678"],
    ["0043 1 58858", "+43158858"],
  ])(
    "[public.operations.12d] [D-normalize] a German assistant that calls %s reaches %s",
    async (written, called) => {
      await using emulator = await open();
      const { id } = await createAssistant(emulator);
      const queued = await emulator.ask("POST", "/calls", { body: { assistant_id: id, to: written } });
      expect(queued.body.data.to).toBe(called);
    },
  );

  it.each([
    ["to", "0800 CALL ME"],
    ["to", ""],
    ["to", "+12345"],
    ["target_phone", "+123456789012345678901"],
    ["target_phone", "049+151"],
    ["to", "012"],
  ])(
    "[public.operations.12d refuses] [D-normalize refuses] %s with the value %j returns 400",
    async (field, written) => {
      await using emulator = await open();
      const { id } = await createAssistant(emulator);
      const refused = await emulator.ask("POST", "/calls", { body: { assistant_id: id, [field]: written } });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toEqual([field]);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-normalize");
    },
  );

  it("[public.errors.4 refuses] creating a call with an unknown assistant returns 404", async () => {
    await using emulator = await open();
    const bodies = [
      { assistant_id: "0".repeat(24), to },
      { assistant_phone: "+493299999", to },
    ];
    for (const body of bodies) expect((await emulator.ask("POST", "/calls", { body })).status).toBe(404);
    const nowhere = await emulator.ask("POST", "/calls", { body: { assistant_id: "0".repeat(24), to: "x" } });
    expect(nowhere.status).toBe(400);
  });

  it("[public.operations.12f holds refuses] a call to a blocked destination is refused", async () => {
    await using emulator = await open();
    const assistant = await createAssistant(emulator);
    await emulator.control("PATCH", `/assistants/${assistant.id}`, { blocked_numbers: [to] });
    for (const written of [to, "0151 1234 5678", to]) {
      const refused = await emulator.ask("POST", "/calls", {
        body: { assistant_id: assistant.id, to: written },
      });
      expect(refused.status).toBe(409);
      expect(refused.body.error.code).toBe("outbound_target_blocked");
      expect(refused.headers.get("x-emulator-rule")).toBe("public.operations.12f");
    }
    expect((await emulator.ask("GET", "/calls")).body.data).toEqual([]);
    await triggerCall(emulator, { assistant_id: assistant.id, to: `${to}9` });
    // The destination is also refused during the assistant's cooldown.
    const again = await emulator.ask("POST", "/calls", { body: { assistant_id: assistant.id, to } });
    expect(again.status).toBe(409);
  });

  it("[public.limits.1 holds refuses] [public.errors.2b holds refuses] a 2nd call in 60 s fails", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const otherAssistant = await createAssistant(emulator);
    await triggerCall(emulator, { assistant_id: id, to });
    await emulator.advance(59.999);
    const refused = await emulator.ask("POST", "/calls", { body: { assistant_id: id, to } });
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe("rate_limit_exceeded");
    expect(refused.headers.get("retry-after")).toBeNull();
    expect(refused.headers.get("x-ratelimit-limit")).toBe("60");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("58");
    expect(refused.headers.get("x-emulator-rule")).toBe("public.limits.1");
    await triggerCall(emulator, { assistant_id: otherAssistant.id, to });
    await emulator.advance(0.001);
    await triggerCall(emulator, { assistant_id: id, to });
  });

  it("[public.limits.1 holds refuses] [D-cooldown] only outbound calls start a cooldown", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    await emulator.ask("POST", "/calls", { body: { assistant_id: id, to: "nobody" } });
    await emulator.control("POST", "/calls", { assistant_id: id, direction: "inbound", duration_seconds: 5 });
    await triggerCall(emulator, { assistant_id: id, to });
    await emulator.advance(60);
    await emulator.control("POST", "/calls", {
      assistant_id: id,
      direction: "outbound",
      duration_seconds: 5,
    });
    const refused = await emulator.ask("POST", "/calls", { body: { assistant_id: id, to } });
    expect(refused.status).toBe(429);
    await emulator.advance(55);
    await triggerCall(emulator, { assistant_id: id, to });
  });

  it("[public.limits.outbound refuses] [public.errors.2a refuses] the 61st call in an hour fails", async () => {
    await using emulator = await open();
    for (let count = 0; count < 60; count += 1) {
      await emulator.ask("POST", "/calls", { body: { assistant_id: "0".repeat(24), to } });
    }
    await emulator.advance(100);
    const refused = await emulator.ask("POST", "/calls", { body: { assistant_id: "0".repeat(24), to } });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3500");
    // The limit for calls does not refuse other writes.
    expect((await emulator.ask("DELETE", `/calls/${"0".repeat(24)}/recording`)).status).toBe(404);
  });

  it("[public.auth.5 holds refuses] [public.auth.6 holds refuses] calls need a role and feature", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const ask = (key: string) => emulator.ask("POST", "/calls", { key, body: { assistant_id: id, to } });
    expect((await ask(emulator.keys.viewer)).status).toBe(403);
    expect((await ask(emulator.keys.caller)).status).toBe(201);
    await emulator.control("PATCH", `/organizations/${emulator.instance.startLine.organization_id}`, {
      features: ["public_api"],
    });
    expect((await ask(emulator.keys.admin)).status).toBe(402);
  });
});

testOnTransports("the stages of a call", (open) => {
  it("[D-lifecycle] an outbound call rings after 2 s, is answered after 7 s and ends after 97 s", async () => {
    await using emulator = await open();
    const { id, phone_number } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to });
    const queued = await readCall(emulator, callId);
    expect(queued).toMatchObject({
      id: callId,
      assistant_id: id,
      direction: "outbound",
      status: "queued",
      from: phone_number,
      to,
      started_at: null,
      ended_at: null,
      duration_seconds: null,
      recording: { available: false, content_type: null },
      transcript: [],
      analyses: [],
    });
    await emulator.advance(1.999);
    expect((await readCall(emulator, callId)).status).toBe("queued");
    await emulator.advance(0.001);
    expect((await readCall(emulator, callId)).status).toBe("ringing");
    await emulator.advance(5);
    const call = await readCall(emulator, callId);
    expect(call).toMatchObject({ status: "in_progress", started_at: "2026-03-02T09:00:07.000Z" });
    expect(call.transcript).toHaveLength(1);
    await emulator.advance(89.999);
    expect((await readCall(emulator, callId)).status).toBe("in_progress");
    await emulator.advance(0.001);
    const over = await readCall(emulator, callId);
    expect(over).toMatchObject({
      status: "completed",
      ended_at: "2026-03-02T09:01:37.000Z",
      duration_seconds: 90,
      updated_at: "2026-03-02T09:01:37.000Z",
      recording: { available: false },
    });
    expect(over.transcript.length).toBeGreaterThan(call.transcript.length);
    expect(over.analyses.length).toBeGreaterThan(0);
    await emulator.advance(5);
    expect((await readCall(emulator, callId)).recording).toEqual({
      available: true,
      content_type: "audio/flac",
    });
  });

  it.each([
    ["0001", "no_answer"],
    ["0002", "busy"],
    ["0003", "failed"],
  ])("[D-lifecycle] a call to a number that ends in %s has status %s after 7 s", async (ending, status) => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to: `+49151000${ending}` });
    await emulator.advance(6.999);
    expect((await readCall(emulator, callId)).status).toBe("ringing");
    await emulator.advance(0.001);
    expect(await readCall(emulator, callId)).toMatchObject({
      status,
      started_at: null,
      ended_at: "2026-03-02T09:00:07.000Z",
      duration_seconds: 0,
      recording: { available: false, content_type: null },
    });
  });

  it("[D-lifecycle] a call to a number ending in 0004 is answered and ends after 10 s", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to: "+491510000004" });
    await emulator.advance(17);
    expect(await readCall(emulator, callId)).toMatchObject({ status: "completed", duration_seconds: 10 });
  });

  it("[D-lifecycle] one jump of the clock has the same result as many steps", async () => {
    const states = [];
    for (const steps of [1, 40]) {
      await using emulator = await open();
      const { id } = await createAssistant(emulator, { name: "Empfang" });
      const callId = await triggerCall(emulator, { assistant_id: id, to });
      for (let step = 0; step < steps; step += 1) {
        await emulator.advance(80 / steps);
        await readCall(emulator, callId);
      }
      states.push(await readCall(emulator, callId));
    }
    expect(states[1]).toEqual(states[0]);
  });

  it("[public.operations.6a] a call keeps its introduction when the assistant gets a new one", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator, { introduction: "Die alte Begrüßung." });
    const first = await triggerCall(emulator, { assistant_id: id, to });
    await emulator.ask("PATCH", `/assistants/${id}`, { body: { introduction: "Die neue Begrüßung." } });
    await emulator.advance(60);
    const second = await triggerCall(emulator, { assistant_id: id, to });
    await emulator.advance(120);
    expect((await readCall(emulator, first)).transcript[0]?.text).toBe("Die alte Begrüßung.");
    expect((await readCall(emulator, second)).transcript[0]?.text).toBe("Die neue Begrüßung.");
  });
});

testOnTransports("the list of calls", (open) => {
  it("[public.call.detail] only a GET of a call returns its transcript, analyses and notes", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const callId = await triggerCall(emulator, { assistant_id: id, to });
    const [listed] = (await emulator.ask("GET", "/calls")).body.data;
    const read = await readCall(emulator, callId);
    const { details, transcript, analyses, notes, ...shared } = read;
    expect(listed).toEqual(shared);
    for (const list of [transcript, analyses, notes]) expect(Array.isArray(list)).toBe(true);
    expect(details).toBeNull();
  });

  it("[public.endpoints.filters] [D-call] calls are filtered by assistant, number and period", async () => {
    await using emulator = await open();
    const first = await createAssistant(emulator);
    const second = await createAssistant(emulator);
    const times = ["2026-02-01T10:00:00Z", "2026-02-02T10:00:00Z", "2026-02-03T10:00:00Z"];
    const ids: string[] = [];
    for (const created_at of times) {
      ids.push((await emulator.control("POST", "/calls", { assistant_id: first.id, created_at })).id);
    }
    const otherId = (await emulator.control("POST", "/calls", { assistant_id: second.id })).id;
    const list = async (query: string) =>
      (await emulator.ask("GET", `/calls?${query}`)).body.data.map((call: { id: string }) => call.id);
    expect(await list("")).toEqual([otherId, ids[2], ids[1], ids[0]]);
    expect(await list(`assistant_id=${second.id}`)).toEqual([otherId]);
    expect(await list(`assistant_phone=${encodeURIComponent(first.phone_number)}`)).toEqual([
      ids[2],
      ids[1],
      ids[0],
    ]);
    expect(await list(`created_from=${times[1]}&created_to=${times[2]}`)).toEqual([ids[1]]);
    expect(await list(`created_from=${encodeURIComponent("2026-02-03T11:00:00+01:00")}`)).toEqual([
      otherId,
      ids[2],
    ]);
    expect(await list(`created_from=${times[1]}&created_to=${times[1]}`)).toEqual([]);
    const finer = (time: string | undefined) => `${time?.slice(0, 19)}.0005Z`;
    expect(await list(`created_from=${finer(times[0])}&created_to=${finer(times[1])}`)).toEqual([ids[1]]);
  });

  it("[public.endpoints.filters] [D-call refuses] invalid filters and assistants are refused", async () => {
    await using emulator = await open();
    const status = async (query: string) => (await emulator.ask("GET", `/calls?${query}`)).status;
    for (const query of [
      "assistant_id=x",
      "assistant_phone=0123",
      "created_from=yesterday",
      "created_from=2026-02-03T00:00:00Z&created_to=2026-02-01T00:00:00Z",
      "cursor=abc",
    ])
      expect(await status(query)).toBe(400);
    expect(await status(`assistant_id=${"0".repeat(24)}`)).toBe(404);
    expect(await status("assistant_phone=%2B4932999999")).toBe(404);
    const unused = await createAssistant(emulator);
    expect(await status(`assistant_id=${unused.id}`)).toBe(200);
  });

  it("[D-limit] new calls cause no gaps or repeated rows in later pages", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const expected: string[] = [];
    for (const hour of ["10", "08", "09", "09", "07"]) {
      const created_at = `2026-02-01T${hour}:00:00Z`;
      expected.push((await emulator.control("POST", "/calls", { assistant_id: id, created_at })).id);
    }
    const [a, b, c, d, e] = expected;
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await emulator.ask("GET", `/calls?limit=2${cursor}`);
      expect(page.status).toBe(200);
      seen.push(...page.body.data.map((call: { id: string }) => call.id));
      cursor = page.body.meta.next_cursor === null ? "" : `&cursor=${page.body.meta.next_cursor}`;
      await emulator.control("POST", "/calls", { assistant_id: id });
    } while (cursor !== "");
    expect(seen).toEqual([a, d, c, b, e]);
  });

  it("[D-assistant] calls of a deleted assistant stay in the list with its ID", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const call = await emulator.control("POST", "/calls", { assistant_id: id });
    expect((await emulator.ask("DELETE", `/assistants/${id}`)).status).toBe(200);
    expect((await emulator.ask("GET", "/calls")).body.data).toMatchObject([
      { id: call.id, assistant_id: id },
    ]);
    expect((await emulator.ask("GET", `/calls?assistant_id=${id}`)).body.data).toHaveLength(1);
  });

  it("[public.errors.4 refuses] a request for another organization's calls returns 404", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const call = await emulator.control("POST", "/calls", { assistant_id: id });
    const organization = await emulator.control("POST", "/organizations", {});
    const { key } = await emulator.control("POST", "/keys", {
      kind: "public",
      organization_id: organization.id,
    });
    expect((await emulator.ask("GET", "/calls", { key })).body.data).toEqual([]);
    expect((await emulator.ask("GET", `/calls/${call.id}`, { key })).status).toBe(404);
    expect((await emulator.ask("GET", `/calls?assistant_id=${id}`, { key })).status).toBe(404);
    expect((await emulator.ask("GET", "/calls/nonsense")).status).toBe(400);
  });
});

testOnTransports("added past calls", (open) => {
  it("[emulator.control] an added call is inbound, completed and a minute long by default", async () => {
    await using emulator = await open();
    const { id, phone_number } = await createAssistant(emulator);
    const call = await emulator.control("POST", "/calls", { assistant_id: id });
    expect(call).toMatchObject({
      assistant_id: id,
      direction: "inbound",
      status: "completed",
      to: phone_number,
      duration_seconds: 60,
      created_at: "2026-03-02T08:59:00.000Z",
      ended_at: "2026-03-02T09:00:00.000Z",
      recording: { available: false, content_type: null },
    });
  });

  it("[emulator.control] added calls have the specified fields and recording", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    const past = {
      assistant_id: id,
      direction: "outbound",
      from: "+493212345",
      to: "+4915100000",
      created_at: "2026-02-02T10:00:00.000Z",
      status: "completed",
      duration_seconds: 7,
      transcript: [{ role: "assistant", text: "Hallo", offset_seconds: 0 }],
    };
    const call = await emulator.control("POST", "/calls", { ...past, recording: "wav" });
    expect(call).toMatchObject(past);
    expect(call.recording).toEqual({ available: true, content_type: "audio/wav" });
  });

  it("[emulator.control] adding an impossible call is refused", async () => {
    await using emulator = await open();
    const { id } = await createAssistant(emulator);
    for (const wrong of [
      { created_at: "2026-03-02T09:00:01Z" },
      { status: "ringing" },
      { recording: "ogg" },
      { recording: "flac", status: "busy" },
      { duration_seconds: -1 },
      { colour: "red" },
    ]) {
      await expect(emulator.control("POST", "/calls", { assistant_id: id, ...wrong })).rejects.toThrow(/400/);
    }
    await expect(emulator.control("POST", "/calls", { assistant_id: "0".repeat(24) })).rejects.toThrow(/404/);
  });
});
