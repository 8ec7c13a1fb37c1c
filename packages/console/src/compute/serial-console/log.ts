import type { ConsolePlace } from '@steading/api/rules'
import { base64ToUint8Array } from 'uint8array-extras'
import { client } from '../../data/client.ts'
import { toApiError } from '../../data/errors.ts'
import type { InstanceParams } from '../instances/queries.ts'
import type { KeptLog } from './connection.ts'
import { REPLAYED_BYTES } from './socket.ts'

const argsOf = ({ project, instance }: InstanceParams) => ({
  path: { instance },
  query: { project },
})

/** The kept log of the latest boot, also available while the instance is off. */
export async function readKeptLog(
  params: InstanceParams,
  from: ConsolePlace | 'newest' | 'all',
): Promise<KeptLog | undefined> {
  const { path, query } = argsOf(params)
  const answer = await client.serialConsoleLog({
    path,
    query: {
      ...query,
      ...(from === 'newest' && { mostRecent: REPLAYED_BYTES }),
      ...(typeof from === 'object' && { boot: from.boot, fromStart: from.offset }),
    },
  })
  if (answer.type !== 'success') throw toApiError('serialConsoleLog', answer)
  const { boot, data, firstByteOffset } = answer.data
  if (boot === null) return undefined
  return {
    place: { boot, offset: firstByteOffset },
    data: base64ToUint8Array(data),
  }
}

/** The output history of a running instance, available on every control plane. */
export async function readHistory(params: InstanceParams): Promise<KeptLog> {
  const { path, query } = argsOf(params)
  const answer = await client.instanceSerialConsole({ path, query: { ...query, fromStart: 0 } })
  if (answer.type !== 'success') throw toApiError('instanceSerialConsole', answer)
  return { data: Uint8Array.from(answer.data.data) }
}
