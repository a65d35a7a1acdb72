// Where the packages of the clients go.

export interface Target {
  /** Folder of the results. */
  readonly out: string;
  /** An empty folder. */
  readonly work: string;
  /** Seconds since the epoch: the time of all files. */
  readonly releasedAt: number;
}
