/** Pure facts and rules shared by the control plane and the console. No zod, no I/O. */
export * from './kinds/index.ts'
export * from './rules/index.ts'
