/**
 * v1 and v2 show the same data: the partners of v1 are the MSPs of v2, and both have the same customers
 * (v1.parallel, D-v1-shared). A partner's internal organization is the MSP with the partner's external ID
 * (D-v1-link). The table `partners` keeps a partner even after its organization was deleted.
 */
export const distributorsSchema = `
ALTER TABLE organizations ADD COLUMN distributor_id TEXT REFERENCES distributors(id) ON DELETE CASCADE;
ALTER TABLE organizations ADD COLUMN type TEXT CHECK (type IN ('msp', 'customer'));
-- v2.delete.msp: no cascade.
ALTER TABLE organizations ADD COLUMN parent_id TEXT REFERENCES organizations(id);
ALTER TABLE organizations ADD COLUMN external_id TEXT;
ALTER TABLE organizations ADD COLUMN blocked_reason TEXT;
CREATE UNIQUE INDEX organizations_by_external_id ON organizations(distributor_id, external_id);
CREATE INDEX organizations_by_distributor ON organizations(distributor_id, id);
CREATE INDEX organizations_by_parent ON organizations(parent_id, id);

CREATE TABLE licenses (
  id TEXT PRIMARY KEY,
  distributor_id TEXT NOT NULL REFERENCES distributors(id) ON DELETE CASCADE,
  external_id TEXT NOT NULL,
  product TEXT,
  status TEXT NOT NULL CHECK (status IN ('available', 'assigned', 'disabled')),
  owner_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  -- A license is assigned to at most one organization, and an organization has at most one license.
  assigned_id TEXT UNIQUE REFERENCES organizations(id),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (distributor_id, external_id),
  -- v2.license.states
  CHECK (CASE status WHEN 'available' THEN assigned_id IS NULL WHEN 'assigned' THEN assigned_id IS NOT NULL ELSE 1 END)
) STRICT, WITHOUT ROWID;
CREATE INDEX licenses_by_owner ON licenses(owner_id, id);

CREATE TABLE partners (
  id TEXT PRIMARY KEY,
  distributor_id TEXT NOT NULL REFERENCES distributors(id) ON DELETE CASCADE,
  external_id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (distributor_id, external_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE plans (
  organization_id TEXT PRIMARY KEY REFERENCES organizations(id) ON DELETE CASCADE,
  plan TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW partner_view AS
  SELECT partner.id, partner.distributor_id, partner.external_id, coalesce(msp.name, partner.name) AS name,
    coalesce(msp.status, 'inactive') AS status, msp.id AS organization_id, partner.created_at
  FROM partners partner
  LEFT JOIN organizations msp ON msp.distributor_id = partner.distributor_id
    AND msp.external_id = partner.external_id AND msp.type = 'msp'
  UNION ALL
  SELECT msp.id, msp.distributor_id, msp.external_id, msp.name, msp.status, msp.id, msp.created_at
  FROM organizations msp
  WHERE msp.type = 'msp' AND NOT EXISTS (
    SELECT 1 FROM partners partner
    WHERE partner.distributor_id = msp.distributor_id AND partner.external_id = msp.external_id
  );

CREATE VIEW customer_view AS
  SELECT customer.id, customer.distributor_id, customer.external_id, msp.external_id AS partner_external_id,
    customer.parent_id, customer.name, plans.plan, customer.status, customer.created_at
  FROM organizations customer
  JOIN organizations msp ON msp.id = customer.parent_id
  LEFT JOIN plans ON plans.organization_id = customer.id
  WHERE customer.type = 'customer';
`;
