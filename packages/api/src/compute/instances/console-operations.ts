import type { Operation } from '../../operation.ts'
import { NameOrId, string, uint64 } from '../../schema.ts'
import { InstanceSerialConsoleData, SerialConsoleLog } from './schemas.ts'

const tags = ['instances']
const params = { instance: NameOrId }
const query = { project: NameOrId.optional() }
const consoleBytes = uint64.nullable().optional()

export const serialConsoleOperations = {
  instance_serial_console: {
    method: 'GET',
    path: '/v1/instances/{instance}/serial-console',
    tags,
    summary: 'Read the scrollback of the serial console',
    permission: { instance: 'read' },
    params,
    query: {
      ...query,
      from_start: consoleBytes,
      most_recent: consoleBytes,
      max_bytes: consoleBytes,
    },
    success: { status: 200, schema: InstanceSerialConsoleData },
  },
  instance_serial_console_stream: {
    method: 'GET',
    path: '/v1/instances/{instance}/serial-console/stream',
    tags,
    summary: 'Type into the serial console over a WebSocket',
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
    summary: 'Read what the serial console has printed since the last boot, also after the end',
    permission: { instance: 'read' },
    params,
    query: {
      ...query,
      /** Only the newest bytes. */
      most_recent: consoleBytes,
      /** The boot whose output the reader knows; the log of a later boot is read from its start. */
      boot: string.optional(),
      /** Bytes of that boot's output that the reader has. */
      from_start: consoleBytes,
    },
    success: { status: 200, schema: SerialConsoleLog },
  },
  serial_console_follow: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/serial-console/stream',
    tags: ['extensions'],
    summary: 'Type into the serial console over a WebSocket that says where its output stands',
    permission: { instance: 'modify' },
    params,
    query: {
      ...query,
      most_recent: consoleBytes,
      /** The boot whose output the viewer knows; output starts over if the machine has booted since. */
      boot: string.optional(),
      /** Bytes of that boot's output that the viewer has. */
      from_start: consoleBytes,
    },
    success: { status: 101 },
    websocket: true,
  },
} as const satisfies Record<string, Operation>
