import type { ControlOperation } from "../../contract/control/operation.js";
import type { Input } from "../context.js";
import type { EmulatorState } from "../emulator-state.js";
import type { Routes } from "../routes.js";
import type { StartLine } from "../types.js";

/** The context of control operations. */
export interface ControlContext {
  readonly state: EmulatorState;
  /** The operations of the service. */
  readonly routes: Routes;
  /** Returns the start line in the form that `emulator start -o json` prints. */
  startLine(): StartLine;
  /** Whether webhooks may be sent to loopback and private addresses. */
  readonly allowPrivateWebhooks: boolean;
  /** Example body for webhooks; undefined if the server was started without one. */
  readonly webhookExample: Readonly<Record<string, unknown>> | undefined;
  /** Stops the server; undefined if there is no server to stop. */
  readonly stopServer: (() => void) | undefined;
  /** Creates a ticket that opens the emulator's page once. */
  issueTicket(): Promise<string>;
}

/** A control operation's handler. A function runs in one transaction and returns the data. */
type ControlHandler<O extends ControlOperation> =
  | ((context: ControlContext, input: Input<O>) => object)
  | {
      /** Waits for requirements, such as a module or a network response, and then returns the work to run in a transaction. */
      prepare(context: ControlContext, input: Input<O>): Promise<() => object>;
    }
  | {
      /** Runs asynchronous work outside a transaction, while no other request uses the emulator. */
      alone(context: ControlContext, input: Input<O>): Promise<object>;
    };

/** Handlers for the operations in a contract table. For a page, a handler returns all items. */
export type ControlHandlers<T extends Readonly<Record<string, ControlOperation>>> = {
  readonly [Name in keyof T]: ControlHandler<T[Name]>;
};

/** A handler in the form that the router calls, after the operation's schemas have parsed the input. */
export type AnyControlHandler = ControlHandler<ControlOperation>;
