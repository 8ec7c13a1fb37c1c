/**
 * Rows written to the database: more than a test could create over the API, or in transient states.
 */
import {
  type InstanceRow,
  instanceRow,
  storeRows,
} from '../../packages/control-plane/test/support/many.ts'
import type { Database } from '../../packages/control-plane/src/kernel/db/schema.ts'
import type { Host } from './host.ts'

export {
  floatingIpRow,
  groupRow,
  imageRow,
  snapshotRow,
  sshKeyRow,
} from '../../packages/control-plane/test/support/many.ts'

/** The database of a host. */
export const databaseOf = ({ server }: Host) => server.controlPlane.database.db

export const store = <Table extends keyof Database>(
  host: Host,
  table: Table,
  rows: Parameters<typeof storeRows<Table>>[2],
): Promise<void> => storeRows(databaseOf(host), table, rows)

export async function storeInstances(
  host: Host,
  projectId: string,
  count: number,
  values: (index: number) => Partial<InstanceRow> & { name: string },
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const { name, ...rest } = values(index)
    return instanceRow(projectId, name, rest)
  })
  await store(host, 'instance', rows)
}
