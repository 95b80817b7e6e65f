import type { Client } from "../../client/types.js";
import type { Found } from "../engine/reconcile.js";
import type { Reversible } from "../engine/reversal.js";
import { recordOf } from "../values.js";
import {
  changesOf,
  completed,
  fingerprintOf,
  type ItemKind,
  type Member,
  memberOf,
  readMembers,
} from "./kind.js";
import { itemRequests } from "./requests.js";

/** What undoing an import of items needs to know. */
export function reversibleItems(kind: ItemKind, client: Client, groupId: string): Reversible {
  const found = ({ id, fields }: Member): Found => ({
    id,
    fingerprint: fingerprintOf(kind, fields),
    value: fields,
  });
  return {
    operations: { get: kind.operations.get, update: kind.operations.update, delete: kind.operations.delete },
    parameter: kind.parameter,
    async *things() {
      for await (const member of readMembers(client, kind, groupId)) {
        yield found(await completed(client, kind, member));
      }
    },
    found: (data) => {
      const member = memberOf(kind, data);
      return member && found(member);
    },
    hasFields: (value, fields) => changesOf(recordOf(value), fields) === undefined,
    requests: (journal) => itemRequests(kind, client, journal, groupId),
  };
}
