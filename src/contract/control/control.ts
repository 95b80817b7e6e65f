import type * as z from "zod";
import type { Schema } from "../operation.js";
import { assistants } from "./assistants.js";
import { calls } from "./calls.js";
import { changes } from "./changes.js";
import { clock } from "./clock.js";
import { coverage } from "./coverage.js";
import { emulator } from "./emulator.js";
import { faults } from "./faults.js";
import { incomingCalls } from "./incoming-calls.js";
import { keys } from "./keys.js";
import { limits } from "./limits.js";
import { mirror } from "./mirror.js";
import { organizations } from "./organizations.js";
import { requests } from "./requests.js";
import { resources } from "./resources.js";
import { rules } from "./rules.js";
import { snapshots } from "./snapshots.js";
import { tables } from "./tables.js";
import { ui } from "./ui.js";
import { voices } from "./voices.js";

export const control = {
  ...emulator,
  ...clock,
  ...changes,
  ...faults,
  ...requests,
  ...resources,
  ...limits,
  ...tables,
  ...rules,
  ...coverage,
  ...snapshots,
  ...keys,
  ...organizations,
  ...assistants,
  ...voices,
  ...calls,
  ...incomingCalls,
  ...mirror,
  ...ui,
};

export type ControlName = keyof typeof control;

type ResponseData<O> = O extends { responseShape: infer Kind; response: infer Response extends Schema }
  ? Kind extends "page"
    ? z.output<Response>[]
    : z.output<Response>
  : never;

export type ControlData<Name extends ControlName> = ResponseData<(typeof control)[Name]>;
