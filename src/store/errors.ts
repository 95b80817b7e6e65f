import { messageOf } from "../base/error-code.js";
import { BulkError } from "../write/errors.js";
import { formatStoreAddress, type StoreAddress } from "./address.js";

/**
 * Error that prevents the use of a store. voxctl sends no requests to the service until the error is
 * resolved.
 */
export class StoreError extends BulkError {
  /** True for a lost connection, a starting server and an overloaded server. A retry may then succeed. */
  readonly isTransient: boolean;

  constructor(
    code: string,
    message: string,
    options: { hint?: string | undefined; cause?: unknown; isTransient?: boolean } = {},
  ) {
    super(code, message, options.hint, options.cause === undefined ? undefined : { cause: options.cause });
    this.isTransient = options.isTransient ?? false;
  }
}

/** SQLSTATE codes of transient errors, such as lost connections, shutdowns and overload. */
const transientStates = /^(?:08...|57P0[1-5]|53...|25006|40...|55P03)$/;
const deniedStates = /^(?:28...|42501)$/;
const missingStates = /^(?:3D000|3F000|42P01)$/;
const networkCodes = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT)/;
const tlsCodes = /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL)/;

/** Converts a driver's error. The result never contains the password. */
export function toStoreError(error: unknown, address: StoreAddress): StoreError {
  if (error instanceof StoreError) return error;
  const message = withoutPassword(messageOf(error), address);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const store = `the store (${formatStoreAddress(address)})`;
  if (deniedStates.test(code))
    return new StoreError("store_denied", `${store} denied access: ${message}`, {
      hint: `check the user, the password and the permissions; to print the GRANT statements, run \`voxctl store init --role ${address.user}\``,
      cause: error,
    });
  if (tlsCodes.test(code) || /SSL|certificate/i.test(message))
    return new StoreError("store_denied", `the encrypted connection to ${store} failed: ${message}`, {
      hint: "check sslmode and sslrootcert in the URL",
      cause: error,
    });
  if (missingStates.test(code))
    return new StoreError("store_missing", `${store} does not exist: ${message}`, {
      hint: "create it: `voxctl store init`",
      cause: error,
    });
  const isTransient =
    code === "" ||
    transientStates.test(code) ||
    networkCodes.test(code) ||
    /timeout|terminated/i.test(message);
  return new StoreError("store_unavailable", `${store} is unavailable: ${message || code}`, {
    isTransient,
    cause: error,
  });
}

function withoutPassword(message: string, { password = "" }: StoreAddress): string {
  if (password === "") return message;
  return message.replaceAll(password, "***").replaceAll(encodeURIComponent(password), "***");
}
