/** Writes bits in sequence, highest bit first. */
export class BitWriter {
  private readonly bytes: number[] = [];
  private current = 0;
  private filled = 0;

  /**
   * Writes the lowest `count` bits (up to 32) of a number. Negative numbers are written in two's complement.
   */
  write(value: number, count: number): void {
    let left = count;
    while (left > 0) {
      const taken = Math.min(8 - this.filled, left);
      left -= taken;
      this.current = (this.current << taken) | ((value >>> left) & ((1 << taken) - 1));
      this.filled += taken;
      if (this.filled === 8) {
        this.bytes.push(this.current);
        this.current = 0;
        this.filled = 0;
      }
    }
  }

  writeUnary(count: number): void {
    for (let remaining = count; remaining > 0; remaining -= 16) this.write(0, Math.min(16, remaining));
    this.write(1, 1);
  }

  /** Returns the written bits, padded with zeros to a whole byte. */
  finish(): Uint8Array {
    if (this.filled > 0) this.write(0, 8 - this.filled);
    return Uint8Array.from(this.bytes);
  }
}
