import type { Transport } from "../../src/base/transport.js";
import type { Emulator } from "../../src/emulator/types.js";
import { publicApi } from "./public-api.js";

/** Simulates another user who changes contacts while a command runs. */
export function createColleague() {
  let requests = 0;
  let isDue: (request: { number: number; method: string; path: string }) => boolean = () => false;
  let edit: (emulator: Emulator) => Promise<void> = async () => {};
  return {
    around:
      (transport: Transport, emulator: Emulator): Transport =>
      async (url, request) => {
        requests += 1;
        const { pathname } = new URL(url);
        const isNow = isDue({ number: requests, method: request.method, path: pathname });
        if (isNow) isDue = () => false;
        // Edit before a write takes effect, but after a read has its response.
        if (isNow && request.method !== "GET") await edit(emulator);
        const response = await transport(url, request);
        if (isNow && request.method === "GET") await edit(emulator);
        return response;
      },
    /** Makes one edit, at the next command's first request for which `when` returns true. */
    edits(when: typeof isDue, work: typeof edit): void {
      requests = 0;
      isDue = when;
      edit = work;
    },
    /** Cancels an edit that was not made. */
    stop(): void {
      isDue = () => false;
    },
  };
}

/** Changes the nth contact in the order of IDs. */
export async function editContact(
  emulator: Emulator,
  nth: number,
  change: Readonly<Record<string, unknown>>,
): Promise<void> {
  const api = publicApi(emulator);
  const { body } = await api("GET", "/contacts?limit=200");
  const ids = body.data.map(({ id }) => id).sort();
  const id = ids[nth % ids.length];
  if (id !== undefined) await api("PATCH", `/contacts/${id}`, change);
}
