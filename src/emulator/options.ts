import { isHostName } from "../base/host-name.js";
import { parseOrigin } from "../base/origin.js";
import { buckets } from "../contract/limits.js";
import { seededNames } from "./seed/keys.js";
import type { EmulatorOptions, ListenOptions } from "./types.js";

/** Returns the requirement that a value violates; undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

const isObject = (value: unknown) => typeof value === "object" && value !== null;

const ofType =
  (type: "string" | "number" | "boolean" | "function"): Check =>
  (value) =>
    typeof value === type && !Number.isNaN(value) ? undefined : `must be a ${type}`;

const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.some((allowed) => allowed === value) ? undefined : `must be one of ${values.join(", ")}`;

const withMethods =
  (...names: string[]): Check =>
  (value) =>
    isObject(value) && names.every((name) => typeof Reflect.get(Object(value), name) === "function")
      ? undefined
      : `must have ${names.join("() and ")}()`;

const limits: Check = (value) => {
  if (!isObject(value)) return "must be an object";
  for (const [bucket, limit] of Object.entries(Object(value))) {
    if (!Object.hasOwn(buckets, bucket))
      return `contain the unknown bucket ${bucket}; expected one of ${Object.keys(buckets).join(", ")}`;
    if (limit !== undefined && !(typeof limit === "number" && limit >= 0))
      return `must be numbers that are at least 0, but ${bucket} is ${String(limit)}`;
  }
  return undefined;
};

export const checkKeys: Check = (value) => {
  if (!isObject(value)) return "must be an object";
  const given = Object.entries(Object(value)).filter(([, key]) => key !== undefined);
  for (const [name, key] of given) {
    if (!seededNames().some((seededName) => seededName === name))
      return `contain the unknown key ${name}; expected one of ${seededNames().join(", ")}`;
    // Don't quote the key, because it gives access to the emulator.
    if (typeof key !== "string" || !/^[\x21-\x7e]{8,200}$/.test(key))
      return `must consist of 8 to 200 visible ASCII characters, but the value for ${name} does not`;
    if (name === "legacy" && !key.startsWith("vak_"))
      return "must contain a legacy key that starts with vak_";
  }
  return new Set(given.map(([, key]) => key)).size === given.length
    ? undefined
    : "must differ from each other";
};

const emulatorOptions: Record<keyof EmulatorOptions, Check> = {
  db: ofType("string"),
  seed: oneOf("empty", "demo"),
  clock: oneOf("real", "virtual"),
  startTime: (value) =>
    typeof value === "string" || typeof value === "number" ? undefined : "must be a string or a number",
  limits,
  randomSeed: ofType("number"),
  durability: oneOf("normal", "full"),
  exclusive: ofType("boolean"),
  keys: checkKeys,
  systemClock: withMethods("now", "sleep"),
  random: withMethods("next", "bytes"),
};

const isPort = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;

const listenOptions: Record<keyof ListenOptions, Check> = {
  port: (value) => (isPort(value) ? undefined : "must be a whole number from 0 to 65535"),
  host: ofType("string"),
  allowHosts: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === "string" && isHostName(name))
      ? undefined
      : "must be a list of host names such as emulator.test, without a port",
  cors: (value) =>
    Array.isArray(value) && value.every((origin) => typeof origin === "string" && parseOrigin(origin))
      ? undefined
      : "must be a list of origins such as http://localhost:5173",
  allowPrivateWebhooks: ofType("boolean"),
  onStop: ofType("function"),
  webhookExample: (value) => (isObject(value) ? undefined : "must be an object"),
};

/**
 * Checks options, because callers don't have to use TypeScript. Uses no schema, because building a schema
 * would take longer than opening an emulator.
 * @throws TypeError that names the unknown option or the invalid value
 */
export function checkEmulatorOptions(options: EmulatorOptions): void {
  checkOptions("openEmulator", emulatorOptions, options);
}

/** @throws TypeError like `checkEmulatorOptions` */
export function checkListenOptions(options: ListenOptions): void {
  checkOptions("listen", listenOptions, options);
}

function checkOptions(where: string, checks: Readonly<Record<string, Check>>, options: object): void {
  if (!isObject(options)) throw new TypeError(`${where}: the options must be an object`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!known) throw new TypeError(`${where}: unknown option ${name}`);
    const problem = known(value);
    if (problem !== undefined) throw new TypeError(`${where}: ${name} ${problem}`);
  }
}
