import { identity, record } from '../../schema.ts'

export const UserBuiltin = record('UserBuiltin', identity)
