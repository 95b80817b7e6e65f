import { type Input, parseJsonBody, readInput } from "../input.js";
import type { ResponseRecord } from "../records.js";
import { type Exchange, routeOf, type Stage } from "./exchange.js";

/** In a mirror, adds a header if the request needs data that was not copied. */
export const reportAbsence: Stage = (exchange, next) => {
  const response = next(exchange);
  const area = findAbsentArea(exchange, response);
  if (area !== undefined) response.headers["X-Emulator-Absent"] = area;
  return response;
};

function findAbsentArea(exchange: Exchange, { status }: ResponseRecord): string | undefined {
  const { parameters, request } = exchange;
  const { mirror } = exchange.state;
  const { name, operation } = routeOf(exchange);
  const [id] = Object.values(parameters);
  const isMissed = status === 404 && id !== undefined;
  if (operation.method === "GET" ? status >= 400 && status !== 404 : !isMissed) return undefined;
  const groupId = new URLSearchParams(request.target.split("?")[1] ?? "").get("group_id") ?? undefined;
  const area = mirror.findAbsentArea(name, { groupId, id, isFound: status < 400 });
  if (area !== undefined) mirror.countAbsentRead(area, groupId);
  return area;
}

export const parseMirrored: Stage = (exchange, next) => {
  exchange.input = readMirroredInput(exchange);
  return next(exchange);
};

/**
 * Parses input less strictly than usual, because the copied data may contradict some decisions. Refuses
 * unknown fields, because the emulator doesn't know their effect.
 * @throws Refusal for invalid input
 */
function readMirroredInput(exchange: Exchange): Input {
  const { parameters, request } = exchange;
  const { mirror } = exchange.state;
  const { name, operation, policy } = routeOf(exchange);
  const { parameter = policy.parameter } = mirror;
  try {
    const relaxed = mirror.relaxOperation(operation);
    return readInput({ policy: { ...policy, parameter }, operation: relaxed }, parameters, request);
  } catch (error) {
    const sent = request.body === undefined ? undefined : parseJsonBody(request.body);
    const field = mirror.unknownField(name, sent);
    if (field === undefined) throw error;
    const message = "is not in voxctl's contract, so the mirror can't check it";
    throw policy.invalid("body", "mirror.unknown-field", [{ path: field.split("."), message }]);
  }
}
