import type { Row } from '../../../kernel/kinds.ts'
import { placedKinds } from '../../tenancy/projects/placed.ts'

export type ServiceAccountRow = Row<'service_account'>

export const {
  kindOf: serviceAccountKind,
  find: lookupAccount,
  placeOf: placeOfAccounts,
} = placedKinds('service_account', 'silo_service_account')
