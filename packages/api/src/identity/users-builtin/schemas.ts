import { identity, record, resultsPage } from '../../schema.ts'

export const UserBuiltin = record('UserBuiltin', identity)
export const UserBuiltinResultsPage = resultsPage('UserBuiltin', UserBuiltin)
