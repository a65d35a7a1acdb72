// Head of a bucket's file: points that are acknowledged and not in blocks yet, in a journal and in memory.
import { rmSync } from "node:fs";
import type { JournalState } from "../file.ts";
import type { PointColumns } from "./batch.ts";
import { Generation, HeadView } from "./generation.ts";
import { Journal, listJournals, readJournal } from "./journal.ts";

/** When points become blocks. */
export interface HeadLimits {
  /**
   * Points of all heads together, by their weight (`weightOf`); of one head, half as many: the other half may be on its
   * way into blocks.
   */
  readonly points: number;
  /** Fields of a head: each takes some 100 bytes beside its points. */
  readonly fields: number;
  /** Age of the first one, ms. */
  readonly ageMs: number;
}

/** Weight of the points of all heads, and the heads that have some. */
const all = { weight: 0, heads: new Set<Head>() };

/** A generation that takes no more points, and becomes blocks. */
export interface Frozen {
  readonly generation: Generation;
  /** The first journal whose points are not in it. */
  readonly replayFrom: number;
  readonly journals: readonly Journal[];
  /** Journals that an earlier process has written. */
  readonly found: readonly string[];
}

export class Head {
  #active = new Generation();
  #frozen: Frozen | undefined;
  #journal: Journal | undefined;
  /** Of the journal that is written to, or that comes next. */
  #number: number;
  #startedAt = 0;

  /**
   * Takes over the journals beside a file, as a crash has left them.
   * @param state undefined where the file has none
   * @throws TorusError `bucket_damaged`
   */
  constructor(
    private readonly path: string,
    state: JournalState | undefined,
  ) {
    const found = listJournals(path);
    this.#number = Math.max(state?.replay_from ?? 1, (found.at(-1)?.number ?? 0) + 1);
    if (!state) return;
    const generation = new Generation();
    for (const journal of found) {
      if (journal.number < state.replay_from) rmSync(journal.path, { force: true });
      else for (const points of readJournal(journal.path, state.file_id)) generation.append(points);
    }
    const kept = found.filter(({ number }) => number >= state.replay_from).map((journal) => journal.path);
    if (kept.length === 0) return;
    this.#frozen = { generation, replayFrom: this.#number, journals: [], found: kept };
    all.weight += generation.weight;
  }

  get frozen(): Frozen | undefined {
    return this.#frozen;
  }

  /** Number of the journal that the next point after a `clear` goes to. */
  get nextNumber(): number {
    return this.#number + 1;
  }

  /** Bytes of the journals. */
  get size(): number {
    const frozen = this.#frozen?.journals.reduce((sum, journal) => sum + journal.size, 0) ?? 0;
    return frozen + (this.#journal?.size ?? 0);
  }

  /** Whether it has as many points as it may have, or all have and it is not one of the smaller ones. */
  isFull({ points, fields }: HeadLimits): boolean {
    const own = this.#active.weight;
    if (own >= points / 2 || this.#active.fieldIds.length >= fields) return true;
    return all.weight >= points && own * all.heads.size >= all.weight;
  }

  isOld({ ageMs }: HeadLimits, now: number): boolean {
    return this.#active.length > 0 && now - this.#startedAt >= ageMs;
  }

  /** Fields that have points here. */
  fieldIds(): number[] {
    return [...(this.#frozen?.generation.fieldIds ?? []), ...this.#active.fieldIds];
  }

  view(): HeadView | undefined {
    const all = this.#frozen ? [this.#frozen.generation, this.#active] : [this.#active];
    const filled = all.filter(({ length }) => length > 0);
    return filled.length > 0 ? new HeadView(filled) : undefined;
  }

  /** Adds points. @returns waits until they are on disk @throws TorusError `storage_full`, `bucket_unavailable`: none was added */
  append(points: PointColumns, { fileId, now }: { readonly fileId: number; readonly now: number }) {
    this.#journal ??= new Journal(`${this.path}-head-${this.#number}`, fileId);
    const journal = this.#journal;
    journal.append(points);
    if (this.#active.length === 0) this.#startedAt = now;
    const before = this.#active.weight;
    this.#active.append(points);
    all.weight += this.#active.weight - before;
    all.heads.add(this);
    return () => journal.sync();
  }

  /** Lets what is there become blocks; what comes next goes to another journal. @throws Error beside a frozen generation */
  freeze(): void {
    if (this.#active.length === 0) return;
    if (this.#frozen) throw new Error("a generation is frozen already");
    const journals = this.#journal ? [this.#journal] : [];
    this.#number++;
    this.#frozen = { generation: this.#active, replayFrom: this.#number, journals, found: [] };
    this.#active = new Generation();
    this.#journal = undefined;
  }

  /** Drops the frozen generation: its points are in blocks, for good. */
  drop(): void {
    for (const journal of this.#frozen?.journals ?? []) journal.close({ remove: true });
    for (const path of this.#frozen?.found ?? []) rmSync(path, { force: true });
    this.#forget(this.#frozen?.generation);
    this.#frozen = undefined;
  }

  #forget(generation: Generation | undefined): void {
    all.weight -= generation?.weight ?? 0;
    if (this.#active.length === 0) all.heads.delete(this);
  }

  /** Drops all points. */
  clear(): void {
    this.#journal?.close({ remove: true });
    this.#journal = undefined;
    const active = this.#active;
    this.#active = new Generation();
    this.#forget(active);
    this.drop();
    this.#number++;
  }

  /** Closes the journals; the next process takes them over. */
  close(): void {
    for (const journal of this.#frozen?.journals ?? []) journal.close({ remove: false });
    this.#journal?.close({ remove: false });
    this.#journal = undefined;
    const left = [this.#frozen?.generation, this.#active];
    this.#frozen = undefined;
    this.#active = new Generation();
    for (const generation of left) this.#forget(generation);
  }
}
