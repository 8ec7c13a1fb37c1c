import type { Operation } from '../../operation.ts'
import { bytes, NameOrId } from '../../schema.ts'

const tags = ['extensions']
const params = { instance: NameOrId }
const query = { project: NameOrId.optional() }

/** The screen of an instance; 501 with an engine whose machines have none. */
export const displayOperations = {
  instance_display: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/display',
    tags,
    summary: 'Connect to the screen over a WebSocket that carries RFB (VNC)',
    permission: { instance: 'modify' },
    params,
    query,
    success: { status: 101 },
    websocket: true,
  },
  instance_screenshot: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/screenshot',
    tags,
    summary: 'Show the present picture of the screen, as PNG',
    permission: { instance: 'read' },
    params,
    query,
    live: true,
    success: { status: 200, schema: bytes, contentType: 'image/png' },
  },
} as const satisfies Record<string, Operation>
