/** The query is at fault; the message is for its author. */
export class QueryError extends Error {
  override name = 'QueryError'
}

/** An operation that merges timeseries was given none, which more points may change. */
export class EmptyInputError extends QueryError {
  override name = 'EmptyInputError'
}
