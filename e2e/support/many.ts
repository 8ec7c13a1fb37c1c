/** More instances than could be made over the API in a test. */
import {
  type InstanceRow,
  instanceRow,
  storeRows,
} from '../../packages/control-plane/test/support/many.ts'
import type { Host } from './host.ts'

export async function storeInstances(
  { server }: Host,
  projectId: string,
  count: number,
  values: (index: number) => Partial<InstanceRow> & { name: string },
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const { name, ...rest } = values(index)
    return instanceRow(projectId, name, rest)
  })
  await storeRows(server.controlPlane.database.db, 'instance', rows)
}
