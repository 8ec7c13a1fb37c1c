/** `STEADING_BENCH=smoke`: benchmarks run with little data, to show that they run at all. */
const isSmoke = process.env.STEADING_BENCH === 'smoke'

/** A size of a benchmark, or the one of a smoke run. */
export const sized = (full: number, small: number): number => (isSmoke ? small : full)
