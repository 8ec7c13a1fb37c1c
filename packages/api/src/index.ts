/** The contract for the control plane, the generator and the tests. */
export { loginQuery } from './identity/auth/schemas.ts'
export { composeOperations, type OperationTable, replacedRead } from './compose.ts'
export { apiDocument } from './document.ts'
export {
  type BodyType,
  type Method,
  type Operation,
  type Permission,
  type Scan,
  type Success,
  transactionOf,
  writesRows,
  type TransactionUse,
  isAudited,
} from './operation.ts'
export * from './operations.ts'
export { changedBy } from './changed-by.ts'
export * from './kinds/issues.ts'
export * from './observability/briefings/sentences.ts'
export { placeWords } from './observability/issues/rules.ts'
export * from './observability/briefings/steps.ts'
export {
  bodyText,
  parseBody,
  ParseError,
  parseForm,
  parseHeaders,
  parseParams,
  parseQuery,
  parseValue,
} from './parse.ts'
export { publishedVersions } from './generated/version-facts.ts'
export { isOptional, NAME_OR_ID_MISMATCH, namedSchemas, type Schema } from './schema.ts'
export * from './rules.ts'
export * from './observability/timeseries/index.ts'
export {
  type ApiVersion,
  apiVersionNumber,
  FORMER_FIELDS,
  NEWEST_API_VERSION,
  NotAcceptableError,
  presentResponse,
} from './versions.ts'
/** Records in wire spelling. */
export type * as Wire from './generated/wire.ts'
