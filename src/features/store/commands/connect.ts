import { openStoreOf, readStoreSettings, type StoreSettings } from "../../../cli/bulk/store.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Session } from "../../../cli/session/session.js";
import type { OpenStore } from "../../../store/open.js";

/** @throws usage error (2) if no store is selected */
export async function requireStore(session: Session): Promise<StoreSettings> {
  const settings = await readStoreSettings(session);
  if (settings !== undefined) return settings;
  throw usageError("no store selected", {
    hint: "set VOXCTL_STORE to postgres://USER@HOST/DATABASE, or run `voxctl profiles set NAME store=URL`",
  });
}

export async function withStore<T>(
  settings: StoreSettings,
  work: (store: OpenStore) => Promise<T>,
  options: Parameters<typeof openStoreOf>[1] = {},
): Promise<T> {
  const store = await openStoreOf(settings, options);
  try {
    return await work(store);
  } finally {
    await store.connection.close();
  }
}
