/** What derives from the declarations of the kinds of things. */
export * from './access.ts'
export * from './bulk.ts'
export * from './kinds.ts'
export * from './listed.ts'
