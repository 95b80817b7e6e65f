import * as z from "zod";
import { createOrganization, features, organizationOf } from "../kernel/organizations.js";
import { numberPool, setNumberPool } from "../public/numbers.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import { type ControlCall, controlCall } from "./call.js";

const Features = z.array(z.enum(features, `must be of ${features.join(", ")}`));

function show(world: World, id: string) {
  const row = world.database.prepare("SELECT * FROM organizations WHERE id = ?").get(id);
  if (!row) throw notFound(`the organization ${id}`, "emulator.control");
  const organization = organizationOf(row);
  return {
    ...organization,
    features: [...organization.features],
    number_pool: numberPool(world.database, id, world.clock.now()),
  };
}

export const organizationCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/organizations",
    list: true,
    run: ({ world }) =>
      world.database
        .prepare("SELECT id, type, parent_id, distributor_id FROM organizations ORDER BY id")
        .all()
        .map(({ id, ...place }) => ({ ...show(world, String(id)), ...place })),
  }),
  controlCall({
    method: "GET",
    path: "/distributors",
    list: true,
    run: ({ world }) => world.database.prepare("SELECT id, name FROM distributors ORDER BY id").all(),
  }),
  controlCall({
    method: "POST",
    path: "/organizations",
    body: z.strictObject({
      name: z.string().trim().min(1).max(200).default("Organization"),
      features: Features.optional(),
    }),
    success: 201,
    run: ({ world }, { body }) =>
      show(
        world,
        createOrganization(world.database, () => world.ids.next(), world.clock.now(), body),
      ),
  }),
  controlCall({
    method: "PATCH",
    path: "/organizations/{id}",
    body: z.strictObject({
      features: Features.optional(),
      status: z.enum(["active", "blocked"]).optional(),
      /** D-assistant: how many more numbers can be provisioned. */
      number_pool: z.int().min(0).max(100_000).optional(),
    }),
    run: ({ world }, { id, body }) => {
      const now = world.clock.now();
      if (body.features) {
        world.database
          .prepare("UPDATE organizations SET features = ?, updated_at = ? WHERE id = ?")
          .run(JSON.stringify(body.features), now, id);
      }
      if (body.status) {
        world.database
          .prepare("UPDATE organizations SET status = ?, blocked_reason = NULL, updated_at = ? WHERE id = ?")
          .run(body.status, now, id);
      }
      if (body.number_pool !== undefined) setNumberPool(world.database, id, body.number_pool, now);
      return show(world, id);
    },
  }),
  controlCall({
    method: "POST",
    path: "/distributors",
    body: z.strictObject({ name: z.string().trim().min(1).max(200).default("Distributor") }),
    success: 201,
    run: ({ world }, { body }) => {
      const id = world.ids.next();
      const now = world.clock.now();
      world.database
        .prepare("INSERT INTO distributors (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)")
        .run(id, body.name, now, now);
      return { id, name: body.name };
    },
  }),
];
