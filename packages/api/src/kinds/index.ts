/** Rules derived from the declarations of the kinds. */
export * from './access.ts'
export * from './bulk.ts'
export * from './kinds.ts'
export * from './listed.ts'
export * from './stale-reads.ts'
