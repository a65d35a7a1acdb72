// Compensated sums: the digits that each addition loses are added at the end (Neumaier, 1974).

export class KahanSum {
  sum = 0;
  lost = 0;

  add(value: number): void {
    const next = this.sum + value;
    this.lost += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
  }

  get total(): number {
    return this.sum + this.lost;
  }
}
