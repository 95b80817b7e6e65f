import { type Database, type MemoryImage, openImage, type Row } from "../../base/database.js";
import {
  createNameTakenError,
  createNotFoundError,
  findFreeName,
  insertRows,
  logTable,
  renewIdentity,
  type Snapshot,
  type SnapshotStore,
  type SnapshottedState,
} from "./snapshots.js";
import { listTableNames } from "./tables.js";

/**
 * Each snapshot is a complete image of the database, so creating or restoring a snapshot only copies bytes.
 */
export class MemorySnapshots implements SnapshotStore {
  private readonly images: Map<string, { takenAt: number; image: MemoryImage; keepsLog?: boolean }>;

  constructor(
    private readonly state: SnapshottedState,
    original?: MemorySnapshots,
  ) {
    this.images = new Map(original?.images);
  }

  list(): Snapshot[] {
    return [...this.images].map(([name, { takenAt }]) => ({ name, takenAt }));
  }

  async take(requestedName: string | undefined): Promise<Snapshot> {
    const name = requestedName ?? findFreeName(this.list());
    if (this.images.has(name)) throw createNameTakenError(name);
    const takenAt = this.state.clock.now();
    this.images.set(name, { takenAt, image: await this.state.database.image() });
    return { name, takenAt };
  }

  async restore(name: string): Promise<Snapshot> {
    const stored = this.images.get(name);
    if (!stored) throw createNotFoundError(name);
    const { database } = this.state;
    const log = stored.keepsLog ? database.prepare(`SELECT * FROM "${logTable}"`).all() : [];
    await database.become(stored.image);
    insertRows(database, logTable, log);
    renewIdentity(this.state, stored.takenAt);
    return { name, takenAt: stored.takenAt };
  }

  async read(name: string): ReturnType<SnapshotStore["read"]> {
    const stored = this.images.get(name);
    if (!stored) throw createNotFoundError(name);
    const database = await openImage(stored.image);
    try {
      const tables = listTableNames(database).map((table): [string, Row[]] => [
        table,
        database.prepare(`SELECT * FROM "${table}"`).all(),
      ]);
      return { takenAt: stored.takenAt, tables: new Map(tables) };
    } finally {
      database.close();
    }
  }

  async add(snapshot: Snapshot, database: Database): Promise<Snapshot> {
    if (this.images.has(snapshot.name)) throw createNameTakenError(snapshot.name);
    this.images.set(snapshot.name, {
      takenAt: snapshot.takenAt,
      image: await database.image(),
      keepsLog: true,
    });
    return snapshot;
  }

  async delete(name: string): Promise<void> {
    if (!this.images.delete(name)) throw createNotFoundError(name);
  }
}
