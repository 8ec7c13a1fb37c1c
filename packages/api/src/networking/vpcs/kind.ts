import { networking } from '../../rules/roles.ts'
import { networkReads } from '../reachability/rules.ts'
import type { Kind } from '../../kinds/kind.ts'

export const vpc = {
  words: 'VPC',
  access: networking,
  parent: 'project',
  selectors: {
    both: 'when providing vpc as an ID, project should not be specified',
    neither: 'vpc should either be an ID or project should be specified',
  },
  listed: true,
  reads: ['project_deletion', ...networkReads],
  bulk: ['delete'],
  deletion: {
    inProject: 'vpc',
    after: [],
    contains: ['vpc_subnet'],
    refusal: 'VPC cannot be deleted while VPC Subnets exist',
  },
} as const satisfies Kind
