import type { Kind } from '../../kinds/kind.ts'

const reads = [
  'service_account_search',
  'service_account_view',
  'service_account_token_list',
  'user_list',
  'identity_list',
] as const
const common = {
  type: 'service-account',
  resource: 'service-accounts',
  listed: true,
  reads,
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const

/** A user of a project without a person: it has tokens, and roles only in the project. */
export const service_account = {
  ...common,
  words: 'service account',
  access: {
    scope: 'project',
    read: ['project.viewer'],
    list: ['project.viewer'],
    create: ['project.admin'],
    modify: ['project.admin'],
  },
  parent: 'project',
} as const satisfies Kind

/** A user of a silo without a person, with its own row of the permission matrix. */
export const silo_service_account = {
  ...common,
  words: 'service account of a silo',
  access: {
    scope: 'silo',
    read: ['silo.viewer'],
    list: ['silo.viewer'],
    create: ['silo.admin'],
    modify: ['silo.admin'],
  },
  parent: 'silo',
} as const satisfies Kind
