/** Packets that the OpenFlow flows of access control lists have counted, as a host tells them. */
import { MACHINE_BRIDGE } from '../host/host.ts'
import type { Run } from '../host/run.ts'
import { connect } from '../ovsdb/connection.ts'
import type { Remote } from '../ovsdb/remote.ts'
import { type OvsdbRow, type PlainMap, plainOf } from '../ovsdb/values.ts'

/** The flows that realise one logical flow. */
export interface Flow {
  /** The cookie, and the priority, because cookies of few digits may be the same by chance. */
  id: string
  packets: number
  /** Seconds since the last packet; only with packets. */
  idle: number
  /** Seconds for which the oldest of the flows has been there. */
  age: number
}

/** Priorities that OVN gives to the flows of access control lists: their own, and this. */
const ADDED_PRIORITY = 1000
const PRIORITY_MAX = 32_767

/**
 * Sums the flows of `ovs-ofctl dump-flows` up on the host, of which a large one has 50,000 in 15 MB:
 * a line with cookie, priority, packets, idle seconds and age for each logical flow.
 */
const sumUp = `
{
  priority = 0
  for (i = 1; i <= NF; i++) {
    if (split($i, part, "=") < 2) continue
    if (part[1] == "cookie") cookie = part[2]
    else if (part[1] == "duration") age = part[2] + 0
    else if (part[1] == "n_packets") packets = part[2] + 0
    else if (part[1] == "idle_age") idle = part[2] + 0
    else if (part[1] == "priority") { priority = part[2] + 0; break }
    else if (part[1] == "actions") break
  }
  if (priority <= ${ADDED_PRIORITY} || priority > ${PRIORITY_MAX}) next
  id = cookie " " priority
  sum[id] += packets
  if (age > oldest[id]) oldest[id] = age
  if (packets > 0 && (!(id in newest) || idle < newest[id])) newest[id] = idle
}
END { for (id in sum) printf "%s %.0f %.0f %.3f\\n", id, sum[id], newest[id], oldest[id] }
`

/** Seconds after which a switch that does not answer is given up. */
const ANSWER_S = 10

const command = `ovs-ofctl --timeout=${ANSWER_S} dump-flows ${MACHINE_BRIDGE} | awk -F '[ ,]+' '${sumUp}'`

const line = /^0x([0-9a-f]{1,8}) (\d+) (\d+) (\d+) ([\d.]+)$/

/** Reads the lines of `sumUp`. */
export const parseFlows = (text: string): Flow[] =>
  text.split('\n').flatMap((one) => {
    const [, cookie, priority, packets, idle, age] = line.exec(one) ?? []
    if (cookie === undefined) return []
    return {
      id: flowId(cookie, Number(priority)),
      packets: Number(packets),
      idle: Number(idle),
      age: Number(age),
    }
  })

/** Cookies are written without leading zeros. */
const flowId = (cookie: string, priority: number): string =>
  `${cookie.padStart(8, '0')} ${priority}`

export const readFlows = async (run: Run): Promise<Flow[]> =>
  parseFlows(await run('bash', '-o', 'pipefail', '-c', command))

/** Stages in which access control lists decide; the last two are those of later versions of OVN. */
const stages = ['ls_in_acl', 'ls_out_acl', 'ls_in_acl_eval', 'ls_out_acl_eval']

/** Beginning of the UUID of an access control list, by which its logical flows know it. */
export const hintOf = (uuid: string): string => uuid.slice(0, 8)

function hinted({ _uuid, priority, external_ids }: OvsdbRow): [id: string, hint: string][] {
  const ids = plainOf({ type: 'string', holds: 'map' }, external_ids!) as PlainMap
  const hint = ids['stage-hint']
  // The default of a stage belongs to no list.
  if (hint === undefined) return []
  const uuid = String(plainOf({ type: 'uuid', holds: 'one' }, _uuid!))
  // The cookie of a flow is the beginning of the UUID of its logical flow.
  return [[flowId(uuid.slice(0, 8), Number(priority)), hint]]
}

/** The hint of each logical flow of an access control list, by the id of its flows. */
export async function readLogicalFlows(southbound: Remote): Promise<Map<string, string>> {
  const connection = await connect({ remote: southbound })
  try {
    const results = await connection.transact(
      'OVN_Southbound',
      stages.map((stage) => ({
        op: 'select',
        table: 'Logical_Flow',
        where: [['external_ids', 'includes', ['map', [['stage-name', stage]]]]],
        columns: ['_uuid', 'priority', 'external_ids'],
      })),
    )
    return new Map(results.flatMap(({ rows = [] }) => rows.flatMap(hinted)))
  } finally {
    connection.close()
  }
}
