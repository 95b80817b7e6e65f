import { openStoreOf, type StoreSettings } from "../../../cli/bulk/store.js";
import type { Session } from "../../../cli/session/session.js";
import type { FleetRoles, FleetTables } from "../../../store/index.js";

export interface SharedFleets {
  tables: FleetTables;
  roles: FleetRoles;
  /** Address, key and password of the store, for members' commands. */
  variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Milliseconds for which a process waits for an unavailable store. */
const outageMilliseconds = 600_000;

/**
 * @param command command of this process, such as `fleet work`, for messages on other machines
 * @throws StoreError; `store_older` if the store has no tables for fleets
 */
export async function openSharedFleets(
  { clock, random, notes, signal }: Session,
  settings: StoreSettings,
  command: string,
): Promise<SharedFleets> {
  const { assertFleetLayout, createFleetRoles, createFleetTables, openFleetQueue, persist } = await import(
    "../../../store/index.js"
  );
  const store = await openStoreOf(settings);
  try {
    assertFleetLayout(store.info);
    const onOutage = ({ message }: Error) => notes.note(`${message}; waiting for the store…`);
    const roles = createFleetRoles({
      ...{ store, clock, random, outageMilliseconds, queue: await openFleetQueue(store.connection) },
      holder: { ...settings.holder, command },
      leaseMilliseconds: settings.leaseMilliseconds,
      onOutage,
    });
    const waiting = { clock, signal, outageMilliseconds, onOutage };
    const connection: typeof store.connection = {
      ...store.connection,
      query: (text, values) => persist(waiting, () => store.connection.query(text, values)),
    };
    const { address, password } = settings;
    const key = (await settings.readKey()) ?? "";
    return {
      tables: createFleetTables({ ...store, connection }),
      roles,
      variables: {
        ...{ VOXCTL_STORE: address, VOXCTL_STORE_KEY: key },
        ...(password === undefined ? {} : { PGPASSWORD: password }),
      },
      async close() {
        await roles.close();
        await store.connection.close();
      },
    };
  } catch (error) {
    // An open connection would keep the process alive.
    await store.connection.close();
    throw error;
  }
}

/** @throws see `openSharedFleets` */
export async function withSharedFleets<T>(
  session: Session,
  settings: StoreSettings,
  command: string,
  work: (shared: SharedFleets) => Promise<T>,
): Promise<T> {
  const shared = await openSharedFleets(session, settings, command);
  try {
    return await work(shared);
  } finally {
    await shared.close();
  }
}
