import { lookup } from '../../kernel/lookup.ts'
import { step } from '../../kernel/steps.ts'
import { deleteSubnet } from './delete.ts'
import type { VpcSubnetTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    vpc_subnet: VpcSubnetTable
  }
}

storeKind('vpc_subnet', {
  table: 'vpc_subnet',
  live: 'time_deleted is null',
  steps: {
    delete: step('vpc_subnet_delete', async (work, id) =>
      deleteSubnet(work, await lookup(work, 'vpc_subnet', id)),
    ),
  },
  deletion: { columns: { vpc_id: 'vpc_id' } },
})
