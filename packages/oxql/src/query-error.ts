/** The query is at fault; the message is for its author. */
export class QueryError extends Error {
  override name = 'QueryError'
}

/** An operation that merges timeseries was given none, which more points may change. */
export class EmptyInputError extends QueryError {
  override name = 'EmptyInputError'
}

/** The query would keep a processor busy for longer than any query may, whatever it finds. */
export class TooExpensiveError extends QueryError {
  override name = 'TooExpensiveError'
}
