import { type Database, type MemoryImage, openImage, type Row } from "../../base/database.js";
import {
  freeName,
  missingError,
  renew,
  type Snapshot,
  type SnapshotStore,
  type SnapshottedWorld,
  takenError,
} from "./snapshots.js";
import { tableNames } from "./tables.js";

/** Snapshots of a world in memory: images of the whole, so that taking and restoring cost a copy of the bytes. */
export class MemorySnapshots implements SnapshotStore {
  private readonly images: Map<string, { takenAt: number; image: MemoryImage }>;

  /** @param of the world that this one is a copy of: its snapshots are there in both */
  constructor(
    private readonly world: SnapshottedWorld,
    of?: MemorySnapshots,
  ) {
    this.images = new Map(of?.images);
  }

  list(): Snapshot[] {
    return [...this.images].map(([name, { takenAt }]) => ({ name, takenAt }));
  }

  async take(asked: string | undefined): Promise<Snapshot> {
    const name = asked ?? freeName(this.list());
    if (this.images.has(name)) throw takenError(name);
    const takenAt = this.world.clock.now();
    this.images.set(name, { takenAt, image: await this.world.database.image() });
    return { name, takenAt };
  }

  async restore(name: string): Promise<Snapshot> {
    const found = this.images.get(name);
    if (!found) throw missingError(name);
    await this.world.database.become(found.image);
    renew(this.world, found.takenAt);
    return { name, takenAt: found.takenAt };
  }

  async read(name: string): ReturnType<SnapshotStore["read"]> {
    const found = this.images.get(name);
    if (!found) throw missingError(name);
    const database = await openImage(found.image);
    try {
      const tables = tableNames(database).map((table): [string, Row[]] => [
        table,
        database.prepare(`SELECT * FROM "${table}"`).all(),
      ]);
      return { takenAt: found.takenAt, tables: new Map(tables) };
    } finally {
      database.close();
    }
  }

  async add(snapshot: Snapshot, database: Database): Promise<Snapshot> {
    if (this.images.has(snapshot.name)) throw takenError(snapshot.name);
    this.images.set(snapshot.name, { takenAt: snapshot.takenAt, image: await database.image() });
    return snapshot;
  }

  async delete(name: string): Promise<void> {
    if (!this.images.delete(name)) throw missingError(name);
  }
}
