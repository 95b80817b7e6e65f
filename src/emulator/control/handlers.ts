import type { ControlOperation } from "../../contract/control/operation.js";
import type { Input } from "../context.js";
import type { EmulatorState } from "../emulator-state.js";
import type { Routes } from "../routes.js";
import type { StartLine } from "../types.js";

export interface ControlContext {
  readonly state: EmulatorState;
  /** Routes of the service's operations. */
  readonly routes: Routes;
  /** Returns the start line as `emulator start -o json` prints it. */
  startLine(): StartLine;
  /** Whether webhooks may be sent to loopback and private addresses. */
  readonly allowPrivateWebhooks: boolean;
  /** Example webhook body, if the server was started with one. */
  readonly webhookExample: Readonly<Record<string, unknown>> | undefined;
  /** Stops the server; undefined if there is no server that can be stopped. */
  readonly stopServer: (() => void) | undefined;
  /** Creates a one-time ticket for the emulator's web page. */
  issueTicket(): Promise<string>;
}

/**
 * Handler of a control operation. A function returns the data. For every method except GET, the function runs
 * in a transaction.
 */
type ControlHandler<O extends ControlOperation> =
  | ((context: ControlContext, input: Input<O>) => object)
  | {
      /**
       * Waits, for example for a module or a network response. Returns a function for the remaining work.
       * That function runs like a handler without `prepare`.
       */
      prepare(context: ControlContext, input: Input<O>): Promise<() => object>;
    }
  | {
      /**
       * Runs asynchronous work outside a transaction. No other request uses the emulator until the work ends.
       */
      alone(context: ControlContext, input: Input<O>): Promise<object>;
    };

/**
 * Handlers for the operations of a contract (src/contract/control). If an operation's response is a page, the
 * handler returns the page's items.
 */
export type ControlHandlers<T extends Readonly<Record<string, ControlOperation>>> = {
  readonly [Name in keyof T]: ControlHandler<T[Name]>;
};

/** A handler as called by the router. The operation's schemas have already parsed the input. */
export type AnyControlHandler = ControlHandler<ControlOperation>;
