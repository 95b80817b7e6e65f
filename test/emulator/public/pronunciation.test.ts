import { expect, it } from "vitest";
import { type TestEmulator, testOnTransports } from "../../helpers/test-emulator.js";

async function create(emulator: TestEmulator, fields: object) {
  const group_id = await emulator.groupId("pronunciations");
  return emulator.ask("POST", "/pronunciation", { body: { group_id, ...fields } });
}

testOnTransports("pronunciation and glossary", (open) => {
  it("[public.pronunciation.token holds refuses] a token is a single word in any alphabet", async () => {
    await using emulator = await open();
    for (const token of ["PZR", "Dr.", "O'Brien", "Yıldız", "歯科", "24/7"]) {
      const created = await create(emulator, { token, spell_out: true });
      expect([created.status, created.body.data.token]).toEqual([201, token]);
    }
    for (const token of ["two words", "tab\there", " lead", "non\u00a0breaking", "line\n", ""]) {
      const refused = await create(emulator, { token, spell_out: true });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("public.pronunciation.token");
    }
  });

  it("[public.pronunciation.token holds refuses] a PATCH can't change the token to a phrase", async () => {
    await using emulator = await open();
    const { body } = await create(emulator, { token: "PZR", spell_out: true });
    const at = `/pronunciation/${body.data.id}`;
    expect((await emulator.ask("PATCH", at, { body: { token: "P Z R" } })).status).toBe(400);
    expect((await emulator.ask("PATCH", at, { body: { token: "HKP" } })).body.data.token).toBe("HKP");
  });

  it("[D-pronunciation] omitted fields are empty", async () => {
    await using emulator = await open();
    const { body } = await create(emulator, { token: "PZR", ipa: "peːtsɛtˈʔɛʁ" });
    expect(body.data).toMatchObject({
      replacement: null,
      spell_out: false,
      speaking_rate: null,
      ipa: "peːtsɛtˈʔɛʁ",
    });
  });

  it("[D-pronunciation holds refuses] an entry with only a token is refused, even in a PATCH", async () => {
    await using emulator = await open();
    for (const none of [{}, { spell_out: false }, { replacement: null, ipa: null }]) {
      const refused = await create(emulator, { token: "PZR", ...none });
      expect(refused.status).toBe(400);
      expect(refused.headers.get("x-emulator-rule")).toBe("D-pronunciation");
    }
    const { body } = await create(emulator, { token: "PZR", spell_out: true, speaking_rate: 0.5 });
    const at = `/pronunciation/${body.data.id}`;
    expect((await emulator.ask("PATCH", at, { body: { spell_out: false } })).status).toBe(200);
    const refused = await emulator.ask("PATCH", at, { body: { speaking_rate: null } });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-emulator-rule")).toBe("D-pronunciation");
    const swapped = await emulator.ask("PATCH", at, {
      body: { speaking_rate: null, replacement: "cleaning" },
    });
    expect(swapped.body.data).toMatchObject({ speaking_rate: null, replacement: "cleaning" });
  });

  it("[D-pronunciation holds refuses] the speaking rate is 0.5 to 2.0", async () => {
    await using emulator = await open();
    for (const speaking_rate of [0.5, 1.25, 2]) {
      expect((await create(emulator, { token: "a", speaking_rate })).body.data.speaking_rate).toBe(
        speaking_rate,
      );
    }
    for (const speaking_rate of [0.49, 2.01, "1"]) {
      expect((await create(emulator, { token: "a", speaking_rate })).status).toBe(400);
    }
  });

  it("[D-glossary] a glossary entry requires a term, but no definition", async () => {
    await using emulator = await open();
    const group_id = await emulator.groupId("glossaries");
    const created = await emulator.ask("POST", "/glossary", { body: { group_id, term: "  PZR " } });
    expect(created.body.data).toMatchObject({ term: "PZR", definition: "" });
    for (const bad of [{}, { term: " " }, { term: 1 }]) {
      const refused = await emulator.ask("POST", "/glossary", { body: { group_id, ...bad } });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["term"]]);
    }
  });
});
