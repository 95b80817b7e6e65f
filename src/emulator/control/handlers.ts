import type { ControlOperation } from "../../contract/control/operation.js";
import type { Input } from "../context.js";
import type { EmulatorState } from "../emulator-state.js";
import type { Routes } from "../routes.js";
import type { StartLine } from "../types.js";

/** The context of the control interface's calls. */
export interface ControlContext {
  readonly state: EmulatorState;
  /** The service's own operations. */
  readonly routes: Routes;
  /** The start line as `emulator start -o json` prints it. */
  startLine(): StartLine;
  /** Whether webhooks may have loopback and private addresses. */
  readonly allowPrivateWebhooks: boolean;
  /** An example of a webhook's body, if the server was started with one. */
  readonly webhookExample: Readonly<Record<string, unknown>> | undefined;
  /** Stops the server; undefined if there is no server to stop. */
  readonly stopServer: (() => void) | undefined;
  /** Creates a ticket that opens the emulator's page once. */
  issueTicket(): Promise<string>;
}

/** The work of a call. A function runs in one transaction and returns the data. */
type ControlHandler<O extends ControlOperation> =
  | ((context: ControlContext, input: Input<O>) => object)
  | {
      /** First waits for its requirements (a module, a network response), then returns the work. */
      prepare(context: ControlContext, input: Input<O>): Promise<() => object>;
    }
  | {
      /** Work that waits outside a transaction, while no other request uses the emulator. */
      alone(context: ControlContext, input: Input<O>): Promise<object>;
    };

/** A handler for each call of a table of the contract; for a page it returns all items. */
export type ControlHandlers<T extends Readonly<Record<string, ControlOperation>>> = {
  readonly [Name in keyof T]: ControlHandler<T[Name]>;
};

/** A handler as the router calls it, after the call's own schemas have parsed the input. */
export type AnyControlHandler = ControlHandler<ControlOperation>;
