import type { ControlOperation } from "../../contract/control/operation.js";
import type { Input } from "../context.js";
import type { EmulatorState } from "../emulator-state.js";
import type { Routes } from "../routes.js";
import type { StartLine } from "../types.js";

export interface ControlContext {
  readonly state: EmulatorState;
  readonly routes: Routes;
  startLine(): StartLine;
  readonly allowPrivateWebhooks: boolean;
  readonly webhookExample: Readonly<Record<string, unknown>> | undefined;
  readonly stopServer: (() => void) | undefined;
  issueTicket(): Promise<string>;
}

/**
 * A handler that is a function returns the response's data. The handler runs in a transaction unless the
 * method is GET.
 */
type ControlHandler<O extends ControlOperation> =
  | ((context: ControlContext, input: Input<O>) => object)
  | {
      /**
       * Waits, for example for a network response, and returns a function that runs like a handler without
       * `prepare`.
       */
      prepare(context: ControlContext, input: Input<O>): Promise<() => object>;
    }
  | {
      /**
       * Runs asynchronous work outside a transaction. No other request uses the emulator until the work ends.
       */
      alone(context: ControlContext, input: Input<O>): Promise<object>;
    };

/** If the response is a page, the handler returns the page's items. */
export type ControlHandlers<T extends Readonly<Record<string, ControlOperation>>> = {
  readonly [Name in keyof T]: ControlHandler<T[Name]>;
};

export type AnyControlHandler = ControlHandler<ControlOperation>;
