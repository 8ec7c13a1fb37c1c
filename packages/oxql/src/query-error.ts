/** The query is at fault; the message is for its author. */
export class QueryError extends Error {
  override name = 'QueryError'
}
