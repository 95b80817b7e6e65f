import { formatThousands } from "../../base/text.js";
import { ClientError } from "../../client/errors.js";
import type { RunContext } from "../engine/context.js";
import { createExisting } from "../existing.js";
import { type Fields, pick } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { setDoubled } from "../journal/doubled.js";
import type { Item, ItemState } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { tickOfMade } from "../journal/unconfirmed-creates.js";
import { listInScope } from "../remote.js";
import { recordOf } from "../values.js";
import { hasValues, printsOf, sharedAbsences } from "./absences.js";
import { createdFingerprint, scopeOf } from "./canonical.js";
import { createExistedBefore } from "./existed-before.js";
import { parseScope } from "./expectations.js";
import { createPlannedSteps } from "./planned-steps.js";
import { plainFields } from "./references.js";
import { sentOf } from "./sent.js";

const resource = "contacts";
const largestGroup = 100_000;
const defaultWaitMilliseconds = 5 * 60_000;

/**
 * Returns the values by which a create matches other resources. Without values, only an equal resource
 * matches.
 */
type Identity = ImportAdapter["identity"];

/**
 * Reads the run's groups again and journals duplicates that another process created. Two machines without a
 * shared store may import the same rows, because the service has no locks.
 * @param imported group of an import, and the values by which its contacts match; by default, those in the plan's steps
 */
export async function findDoubled(
  context: RunContext,
  journal: Journal,
  imported?: { groupId: string; identity: Identity },
): Promise<void> {
  const { finalCheck, sharedRuns, listener } = context;
  if (finalCheck === undefined) return;
  // With a shared store, duplicates are possible only if this process took over a lease.
  if (sharedRuns !== undefined && !sharedRuns.hasTakenOver()) return;
  if (!hasCreated(journal)) return;
  if (!finalCheck) return listener.finalCheckSkipped("--no-final-check");
  // Usually, the groups contain only contacts that existed or that this run created. Fingerprints are then not needed.
  let created: Map<string, CreatedContacts> | undefined;
  const createdIn = (scope: string) => {
    created ??= collectCreated(journal, imported?.identity);
    return created.get(scope) ?? { items: new Map(), shapes: new Set() };
  };
  const scopes = imported
    ? [scopeOf(resource, { group_id: imported.groupId }) ?? resource]
    : findScopes(journal);
  const pairs: (readonly [number: number, id: string])[] = [];
  try {
    for (const scope of scopes)
      for await (const pair of readGroup(context, journal, scope, () => createdIn(scope))) pairs.push(pair);
  } catch (error) {
    if (!(error instanceof GroupTooLarge) && !(error instanceof ClientError)) throw error;
    return listener.finalCheckSkipped(error.message);
  }
  setDoubled(journal, pairs);
}

class GroupTooLarge extends Error {
  constructor() {
    super(`the group has more than ${formatThousands(largestGroup)} contacts`);
  }
}

function hasCreated({ database }: Journal): boolean {
  const created = "SELECT 1 FROM items WHERE action = 'create' AND state = 'done' LIMIT 1";
  return database.prepare(created).get() !== undefined;
}

interface CreatedContacts {
  /** Item numbers by shape and fingerprint. Undefined for a create without a response. */
  items: Map<string, number | undefined>;
  shapes: Set<string>;
}

/** Yields the creates of contacts in this state, with the group of each. */
function* eachCreate(journal: Journal, state: ItemState) {
  const plannedOf = createPlannedSteps(journal);
  for (const item of eachIn(journal, state)) {
    const planned = item.action === "create" ? plannedOf(item) : undefined;
    if (planned?.resource !== resource) continue;
    const { body = {} } = sentOf(journal, planned);
    const scope = scopeOf(resource, body);
    if (scope !== undefined) yield { item, step: planned.step, body, scope };
  }
}

function findScopes(journal: Journal): Set<string> {
  const scopes = new Set<string>();
  for (const state of ["done", "unknown"] as const)
    for (const { scope } of eachCreate(journal, state)) scopes.add(scope);
  return scopes;
}

function collectCreated(journal: Journal, identity: Identity | undefined): Map<string, CreatedContacts> {
  const groups = new Map<string, CreatedContacts>();
  const collect = (
    state: ItemState,
    add: (item: Item, contacts: CreatedContacts, keys: string[]) => void,
  ) => {
    for (const { item, step, body, scope } of eachCreate(journal, state)) {
      const contacts = groups.get(scope) ?? { items: new Map(), shapes: new Set() };
      groups.set(scope, contacts);
      const sharing = identity?.(body) ?? recordOf(step.if?.absent?.sharing);
      const prints = [body, ...(item.answer === undefined ? [] : [recordOf(item.answer)])].flatMap((fields) =>
        printsLike(body, fields, sharing),
      );
      for (const { shape } of prints) contacts.shapes.add(shape);
      add(
        item,
        contacts,
        prints.map(({ shape, print }) => keyOf(shape, print)),
      );
    }
  };
  collect("done", ({ number }, { items }, keys) => {
    for (const key of keys) if (!items.has(key)) items.set(key, number);
  });
  // A contact that matches an unconfirmed create may be the result of this create.
  collect("unknown", (_, { items }, keys) => {
    for (const key of keys) items.set(key, undefined);
  });
  return groups;
}

/** Returns one fingerprint for each way in which another contact can match. */
function printsLike(sent: Fields, fields: Fields, sharing: Fields): { shape: string; print: string }[] {
  if (hasValues(sharing)) return sharedAbsences(resource, pick(fields, Object.keys(sharing)));
  const names = Object.keys(plainFields(sent)).sort();
  return [{ shape: names.join(), print: createdFingerprint(resource, names, fields) }];
}

function keyOf(shape: string, print: string): string {
  return `${shape} ${print}`;
}

async function* readGroup(
  { client, signal, maxWaitMilliseconds = defaultWaitMilliseconds }: RunContext,
  journal: Journal,
  scope: string,
  created: () => CreatedContacts,
): AsyncGenerator<readonly [number: number, id: string], void> {
  if (createExisting(journal.database).size() > largestGroup) throw new GroupTooLarge();
  const hasExisted = createExistedBefore(journal);
  const reading = {
    signal,
    client: {
      call: client.call,
      items: (...[operation, input, options]: Parameters<typeof client.items>) =>
        client.items(operation, input, { ...options, maxWaitMilliseconds }),
    },
  };
  let count = 0;
  for await (const { id, record } of listInScope(reading, resource, parseScope(scope).query)) {
    signal.throwIfAborted();
    count += 1;
    if (count > largestGroup) throw new GroupTooLarge();
    if (hasExisted(id) || tickOfMade(journal, id) !== undefined) continue;
    const { items, shapes } = created();
    const keys = [...shapes].flatMap((shape) =>
      printsOf(resource, shape, record).map((print) => keyOf(shape, print)),
    );
    const matches = keys.filter((key) => items.has(key)).map((key) => items.get(key));
    const [number] = matches;
    if (number !== undefined && !matches.includes(undefined)) yield [number, id];
  }
}
