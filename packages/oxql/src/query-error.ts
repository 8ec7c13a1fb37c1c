/** The query is invalid; the message is for its author. */
export class QueryError extends Error {
  override name = 'QueryError'
}

/** A merging operation received no timeseries, which may change with more points. */
export class EmptyInputError extends QueryError {
  override name = 'EmptyInputError'
}

/** The query would exceed the processor time of any query, whatever it finds. */
export class TooExpensiveError extends QueryError {
  override name = 'TooExpensiveError'
}
