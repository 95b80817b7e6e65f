import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { surfaces } from "../../contract/surfaces.js";
import { digestOf } from "../kernel/keys.js";
import { type AnswerPolicy, bearerOf } from "../policy.js";
import { publicPolicy } from "../public/surface.js";
import type { RequestRecord } from "../records.js";
import { foreignOrigin, Refusal } from "../refusal.js";
import type { World } from "../world.js";
import { words } from "./words.js";

/** The control interface's own ways: the Public API's envelopes, but bodies and paths are taken as they come. */
export const controlPolicy: AnswerPolicy = {
  surface: surfaces.public,
  anyMediaType: true,
  // Whole pages of long texts are copied into a world.
  anySize: true,
  // Ids, and names of tables, keys and snapshots: what does not exist is not found.
  parameter: z.string(),
  words,
  invalid: publicPolicy.invalid,
  internalError: publicPolicy.internalError,
  statusOf: publicPolicy.statusOf,
  errorBody: publicPolicy.errorBody,
};

/**
 * emulator.control: lets in who has the world's token, and the page for people.
 * @throws Refusal 401, 403
 */
export function authorize(
  world: World,
  request: RequestRecord,
  isFromPage: (request: RequestRecord) => boolean,
): void {
  const foreign = foreignOrigin(request.headers);
  if (foreign) throw foreign;
  if (isFromPage(request)) return;
  const token = bearerOf(request.headers, "any case");
  if (token !== undefined && timingSafeEqual(digestOf(token), digestOf(world.controlToken))) return;
  const message = "send the header Authorization: Bearer <control token>";
  throw new Refusal("unauthorized", "emulator.control", message, [], { "WWW-Authenticate": "Bearer" });
}
