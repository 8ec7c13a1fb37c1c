import { lookup } from '../../kernel/lookup.ts'
import { step } from '../../kernel/steps.ts'
import { deleteVpc } from './delete.ts'
import type { VpcTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    vpc: VpcTable
  }
}

storeKind('vpc', {
  table: 'vpc',
  live: 'time_deleted is null',
  steps: {
    delete: step('vpc_delete', async (work, id) => deleteVpc(work, await lookup(work, 'vpc', id))),
  },
  deletion: { columns: { project_id: 'project_id' } },
})
