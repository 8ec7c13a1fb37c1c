/** Keeps account of what a query costs, and gives other work its turns. */
import {
  LOOKS_PER_POINT,
  POINTS_PER_HISTOGRAM,
  tooManyFetched,
  tooManyHistograms,
  tooManyMade,
  tooMuchWork,
} from '../limits.ts'
import { QueryError } from '../query-error.ts'
import { type RegularExpression, regularExpression } from '../regular-expression.ts'

/** Looks at points between two turns of other work, some milliseconds. */
const TURN = 200_000

/** An instruction of a regular expression takes as long to compile as so many looks. */
const COMPILATION = 50

export class Work {
  readonly maxPoints: number
  private readonly pause: (() => Promise<void>) | undefined
  private fetched = 0
  private looked = 0
  private sinceTurn = 0
  private readonly expressions = new Map<string, RegularExpression>()
  /** Points of subqueries that are done, while the next ones are evaluated. */
  held = 0

  constructor(maxPoints: number, pause?: () => Promise<void>) {
    this.maxPoints = maxPoints
    this.pause = pause
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

  /** Before an alignment makes points. */
  make(points: number): void {
    if (this.held + points > this.maxPoints) throw new QueryError(tooManyMade(this.maxPoints))
  }

  /** Before an operation looks at points, or at anything else for about as long. */
  look(points: number): void {
    const max = LOOKS_PER_POINT * this.maxPoints
    this.looked += points
    this.sinceTurn += points
    if (this.looked > max) throw new QueryError(tooMuchWork(max))
  }

  /**
   * Compiled once for a query. A store compiles the expression as well, for each selection, so each
   * use counts.
   */
  regularExpression(pattern: string): RegularExpression {
    let known = this.expressions.get(pattern)
    if (!known) {
      known = regularExpression(pattern, (steps) => this.look(steps))
      this.expressions.set(pattern, known)
    }
    this.look(COMPILATION * known.size)
    return known
  }

  /** Between two timeseries. */
  async turn(): Promise<void> {
    if (this.sinceTurn < TURN) return
    this.sinceTurn = 0
    await this.pause?.()
  }
}
