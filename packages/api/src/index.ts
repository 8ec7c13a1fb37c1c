/** The contract as the control plane, the generator and the tests see it. */
export { apiDocument } from './document.ts'
export type { Method, Operation, Permission, Scan } from './operation.ts'
export * from './operations.ts'
export { bodyText, parseBody, parseParams, parseQuery, ParseError } from './parse.ts'
export { NAME_OR_ID_MISMATCH, namedSchemas, type Schema } from './schema.ts'
export * from './rules.ts'
/** Records as they stand on the wire. */
export type * as Wire from './generated/wire.ts'
