/** Limits on the cost of a query. */
export const QUERY_LENGTH_MAX = 4096
/** Points that a query may fetch, and hold at a time. */
export const POINTS_MAX = 1_000_000
/** Weight of a fetched histogram in points, because it has many numbers. */
export const POINTS_PER_HISTOGRAM = 8
/** Visits per fetched point that a query may make: the number of operations on all of them. */
export const LOOKS_PER_POINT = 64
/** Maximum number of points that an alignment may create per point. */
export const UPSAMPLING_MAX = 100
/** Instructions of a regular expression: `[a-z]{100}` has about a hundred. */
export const REGULAR_EXPRESSION_MAX = 2000
/**
 * Steps for compiling and matching the regular expressions of a query. A step is about 20 ns, and
 * no other work runs meanwhile.
 */
export const COMPILE_STEPS_MAX = 1_000_000
export const MATCH_STEPS_MAX = 4_000_000
/** Nesting depth of `!` and parentheses, and of subqueries. */
export const LOGIC_DEPTH_MAX = 100
export const GROUP_DEPTH_MAX = 16

export const tooLong = `Queries must be <= ${QUERY_LENGTH_MAX} characters`
export const tooManyFetched = (max: number): string =>
  `Query requires fetching more than the current limit of ${max} data points from the timeseries database`
export const tooManyHistograms = (max: number): string =>
  `${tooManyFetched(max)}, where each histogram counts as ${POINTS_PER_HISTOGRAM}`
export const tooManyMade = (max: number): string =>
  `Query requires making more than the current limit of ${max} data points by alignment`
export const tooMuchWork = (max: number): string =>
  `Query requires looking at data points more often than the current limit of ${max} times`
export const tooExpensivePatterns =
  'The regular expressions of the query take too much work. Shorten them, or use fewer classes of characters.'
