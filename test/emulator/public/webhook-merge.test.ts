import { describe, expect, it } from "vitest";
import {
  mergeWebhook,
  refusalOfRace,
  type StoredWebhook,
} from "../../../src/emulator/public/webhook-merge.js";

const stored: StoredWebhook = {
  webhook: {
    enabled: true,
    url: "https://a.example/",
    headers: { a: "1" },
    auth: { type: "bearer", has_secret: true },
  },
  credential: "encrypted",
};
const line = { enterprise: false };

describe("merging a PATCH into a webhook", () => {
  // plain-words: allow title-long
  it("[public.operations.7f] [public.operations.7h] [public.operations.7k] an omitted credential is kept", () => {
    for (const sent of [
      { enabled: false },
      { enabled: false, auth: { type: "bearer" as const, has_secret: true } },
    ]) {
      expect(mergeWebhook(stored, sent, line)).toMatchObject({ credential: { stored: "encrypted" } });
    }
  });

  it("[public.operations.7f] a PATCH replaces the credential with a new one", () => {
    const sent = { enabled: false, auth: { type: "bearer" as const, secret: "new" } };
    expect(mergeWebhook(stored, sent, line)).toMatchObject({ credential: { sent: "new" } });
  });

  it("[public.operations.7e] [public.operations.7g] auth null or none clears the credential", () => {
    for (const auth of [null, { type: "none" as const }]) {
      expect(mergeWebhook(stored, { enabled: false, auth }, line)).toMatchObject({ credential: null });
    }
  });

  it("[public.operations.7j] a PATCH conflicts only if the credential changed in the meantime", () => {
    expect(refusalOfRace(stored, null)?.code).toBe("conflict");
    expect(refusalOfRace(stored, { ...stored, credential: "another" })?.code).toBe("conflict");
    const otherUrl = { ...stored, webhook: { ...stored.webhook, url: "https://b.example/" } };
    expect(refusalOfRace(stored, otherUrl)).toBeUndefined();
  });
});
