import type { Operation } from '../../operation.ts'
import { NameOrId, shortText, uint64 } from '../../schema.ts'
import { InstanceSerialConsoleData, SerialConsoleLog } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['instances']
const params = { instance: NameOrId }
const query = { project: NameOrId.optional() }
const consoleBytes = uint64.nullable().optional()

export const serialConsoleOperations = {
  ...usual('instance')({
    instance_serial_console: {
      route: 'GET serial-console',
      summary: 'Read the scrollback of the serial console',
      query: { from_start: consoleBytes, most_recent: consoleBytes, max_bytes: consoleBytes },
      answer: InstanceSerialConsoleData,
    },
  }),
  instance_serial_console_stream: {
    method: 'GET',
    path: '/v1/instances/{instance}/serial-console/stream',
    tags,
    summary: 'Connect to the serial console over a WebSocket',
    permission: { instance: 'modify' },
    params,
    query: { ...query, most_recent: consoleBytes },
    success: { status: 101 },
    websocket: true,
  },
  serial_console_log: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/serial-console',
    tags: ['extensions'],
    summary: 'Read the serial console output since the last boot, even if the machine is off',
    permission: { instance: 'read' },
    params,
    query: {
      ...query,
      /** Return only this many of the latest bytes. */
      most_recent: consoleBytes,
      /** Boot ID known to the reader. The log of a later boot is read from its start. */
      boot: shortText.optional(),
      /** Bytes of that boot that the reader already has. */
      from_start: consoleBytes,
    },
    success: { status: 200, schema: SerialConsoleLog },
  },
  serial_console_follow: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/serial-console/stream',
    tags: ['extensions'],
    summary: 'Connect to the serial console over a WebSocket with output positions',
    permission: { instance: 'modify' },
    params,
    query: {
      ...query,
      most_recent: consoleBytes,
      /** Boot ID known to the viewer. The output starts over if the machine has booted since. */
      boot: shortText.optional(),
      /** Bytes of that boot that the viewer already has. */
      from_start: consoleBytes,
    },
    success: { status: 101 },
    websocket: true,
  },
} as const satisfies Record<string, Operation>
