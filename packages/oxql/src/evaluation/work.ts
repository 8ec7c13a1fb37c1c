/** Accounts for the cost of a query, and yields to other work. */
import {
  COMPILE_STEPS_MAX,
  LOOKS_PER_POINT,
  MATCH_STEPS_MAX,
  POINTS_PER_HISTOGRAM,
  tooExpensivePatterns,
  tooManyFetched,
  tooManyHistograms,
  tooManyMade,
  tooMuchWork,
} from '../limits.ts'
import { QueryError, TooExpensiveError } from '../query-error.ts'
import {
  type PatternBudget,
  type RegularExpression,
  regularExpression,
} from '../regular-expression.ts'

/** Visited points between two turns of other work, some milliseconds. */
const TURN = 200_000

export class Work {
  readonly maxPoints: number
  private readonly pause: (() => Promise<void>) | undefined
  private fetched = 0
  private looked = 0
  private sinceTurn = 0
  private readonly patterns: PatternBudget = {
    compile: this.spending(COMPILE_STEPS_MAX),
    match: this.spending(MATCH_STEPS_MAX),
  }
  private readonly expressions = new Map<string, RegularExpression>()
  /** Points held by finished subqueries while the next ones are evaluated. */
  held = 0

  constructor(maxPoints: number, pause?: () => Promise<void>) {
    this.maxPoints = maxPoints
    this.pause = pause
  }

  /** Charges regular expression steps, up to a maximum, which count as visits as well. */
  private spending(max: number): (steps: number) => void {
    let left = max
    return (steps) => {
      left -= steps
      if (left < 0) throw new TooExpensiveError(tooExpensivePatterns)
      this.look(steps)
    }
  }

  /** @param histograms whether the points are histograms */
  mayFetch(histograms: boolean): number {
    return Math.floor((this.maxPoints - this.fetched) / (histograms ? POINTS_PER_HISTOGRAM : 1))
  }

  fetch(points: number, histograms: boolean): void {
    this.fetched += points * (histograms ? POINTS_PER_HISTOGRAM : 1)
    if (this.fetched > this.maxPoints) throw this.tooManyFetched(histograms)
  }

  tooManyFetched(histograms: boolean): QueryError {
    return new QueryError((histograms ? tooManyHistograms : tooManyFetched)(this.maxPoints))
  }

  /** Call before an alignment creates points. */
  make(points: number): void {
    if (this.held + points > this.maxPoints) throw new QueryError(tooManyMade(this.maxPoints))
  }

  /** Call before an operation visits points, or does anything else of similar cost. */
  look(points: number): void {
    const max = LOOKS_PER_POINT * this.maxPoints
    this.looked += points
    this.sinceTurn += points
    if (this.looked > max) throw new TooExpensiveError(tooMuchWork(max))
  }

  /** Compiled once per query, and passed to stores with the conditions. */
  regularExpression(pattern: string): RegularExpression {
    let known = this.expressions.get(pattern)
    if (!known) this.expressions.set(pattern, (known = regularExpression(pattern, this.patterns)))
    return known
  }

  /** Call between two timeseries. */
  async turn(): Promise<void> {
    if (this.sinceTurn < TURN) return
    this.sinceTurn = 0
    await this.pause?.()
  }
}
