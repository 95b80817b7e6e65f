import type { ConnectionOptions } from "node:tls";
import type { Client } from "pg";
import type { StoreAddress } from "./address.js";
import { StoreError, toStoreError } from "./errors.js";
import { readTlsOptions } from "./tls.js";

export type StoreRow = Readonly<Record<string, unknown>>;

type StoreQuery = (text: string, values?: readonly unknown[]) => Promise<StoreRow[]>;

/** A connection to the store. It runs one statement at a time and reconnects after a lost connection. */
export interface StoreConnection {
  readonly address: StoreAddress;
  /**
   * Runs one statement. Table names must include the schema.
   * @throws StoreError; after a transient error, check whether the statement took effect before repeating it
   */
  query: StoreQuery;
  /**
   * Rolls back the transaction if `work` throws.
   * @throws StoreError; after a transient error, the transaction may have been committed
   */
  transaction<T>(work: (query: StoreQuery) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Time limit for a statement, after which the connection is closed. */
const statementMilliseconds = 10_000;

/** Loads the driver on demand, because most commands use no store. */
async function loadDriver(): Promise<typeof Client> {
  try {
    return (await import("pg")).default.Client;
  } catch (cause) {
    throw new StoreError("store_driver_missing", "a store requires the package pg, which is not installed", {
      hint: "install it next to voxctl: `npm install --global pg`",
      cause,
    });
  }
}

export function createStoreConnection(address: StoreAddress): StoreConnection {
  let opening: Promise<Client> | undefined;
  let waiting: Promise<unknown> = Promise.resolve();
  const open = async (): Promise<Client> => {
    const Driver = await loadDriver();
    const attempts = await readTlsOptions(address);
    for (const ssl of attempts.slice(0, -1)) {
      const client = await connect(Driver, ssl).catch(() => undefined);
      if (client !== undefined) return client;
    }
    return connect(Driver, attempts.at(-1) ?? false);
  };
  const connect = async (Driver: typeof Client, ssl: ConnectionOptions | false): Promise<Client> => {
    const client = new Driver({
      host: address.host,
      port: address.port,
      user: address.user,
      password: address.password,
      database: address.database,
      ssl,
      connectionTimeoutMillis: statementMilliseconds,
      query_timeout: statementMilliseconds,
      keepAlive: true,
    });
    // An idle connection may be lost. The next statement opens a new connection.
    client.on("error", () => {
      opening = undefined;
    });
    await client.connect();
    return client;
  };
  /** The returned function never replaces a lost client. */
  const queryWithClient = (): StoreQuery => {
    opening ??= open();
    const current = opening;
    return async (text, values = []) => {
      try {
        const client = await current;
        return (await client.query({ text, values: [...values] })).rows;
      } catch (error) {
        const failure = toStoreError(error, address);
        if (failure.isTransient) {
          if (opening === current) opening = undefined;
          void current.then((client) => client.end()).catch(() => {});
        }
        throw failure;
      }
    };
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = waiting.then(work);
    waiting = result.catch(() => {});
    return result;
  };
  return {
    address,
    query: (text, values) => inTurn(() => queryWithClient()(text, values)),
    transaction: (work) =>
      inTurn(async () => {
        // Use only one client: statements on another client would run outside the transaction.
        const run = queryWithClient();
        try {
          await run("BEGIN");
          const result = await work(run);
          await run("COMMIT");
          return result;
        } catch (error) {
          await run("ROLLBACK").catch(() => {});
          throw error;
        }
      }),
    async close() {
      await waiting;
      const client = await opening?.catch(() => undefined);
      opening = undefined;
      await client?.end().catch(() => {});
    },
  };
}
