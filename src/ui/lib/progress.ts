// Share of a job that is done, by trials and epochs; pure.
/** Share of a training that is done, 0..1; undefined while it is unknown. */
export function shareOf(progress: Progress | undefined): number | undefined {
  const { eval: trial = 0, max_evals: trials = 1, epoch = 0, epochs } = progress ?? {};
  return epochs ? Math.min(1, (trial + epoch / epochs) / trials) : undefined;
}

interface Progress {
  readonly eval?: number;
  readonly max_evals?: number;
  readonly epoch?: number;
  readonly epochs?: number;
}
