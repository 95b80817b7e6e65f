import type * as z from "zod";
import type { Schema } from "../../contract/operation.js";
import type { StartLine } from "../types.js";
import type { World } from "../world.js";

/** The context of the control interface's calls. */
export interface ControlContext {
  world: World;
  /** The start line as `emulator start -o json` prints it. */
  startLine(): StartLine;
  /** May webhooks lie at loopback and private addresses? */
  allowPrivateWebhooks: boolean;
  /** A ticket that opens the page for people, once. */
  issueTicket(): Promise<string>;
}

/** One call: how it is reached, what it takes, what it does. */
export interface ControlCall {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `/keys/{id}` */
  path: string;
  body?: Schema;
  query?: Schema;
  success?: 200 | 201;
  /** Lists answer a page's envelope. */
  list?: boolean;
  prepare?(context: ControlContext, input: ControlInput<never, never>): Promise<unknown>;
  run?(context: ControlContext, input: ControlInput<never, never>, prepared: unknown): unknown;
  alone?(context: ControlContext, input: ControlInput<never, never>): Promise<unknown>;
}

interface ControlInput<B, Q> {
  /** The path's parameter. */
  id: string;
  body: B;
  query: Q;
}

/** Keeps a call's body and query typed by its schemas. */
export function controlCall<B extends Schema, Q extends Schema, P = undefined>(call: {
  method: ControlCall["method"];
  path: string;
  body?: B;
  query?: Q;
  success?: 200 | 201;
  list?: boolean;
  /** Work before the call's transaction that has to be waited for: a module, an answer from the network. */
  prepare?(context: ControlContext, input: ControlInput<z.output<B>, z.output<Q>>): Promise<P>;
  /** The call's work, in one transaction. */
  run?(context: ControlContext, input: ControlInput<z.output<B>, z.output<Q>>, prepared: P): unknown;
  /** In place of that: work that waits, without other users of the world meanwhile. */
  alone?(context: ControlContext, input: ControlInput<z.output<B>, z.output<Q>>): Promise<unknown>;
}): ControlCall {
  // The input is parsed by these very schemas before `run` is called.
  return call as unknown as ControlCall;
}
