import type { Operation } from '../operation.ts'
import { named, shortText, string } from '../schema.ts'

const EventStream = named('EventStream', string)

export const eventOperations = {
  event_stream: {
    method: 'GET',
    path: '/x/v1/events',
    tags: ['extensions'],
    summary: 'Follow changes of everything the caller may read, as server-sent events',
    permission: 'session',
    evenIfLimited: true,
    headers: { 'last-event-id': shortText.optional() },
    success: { status: 200, schema: EventStream, contentType: 'text/event-stream' },
  },
} as const satisfies Record<string, Operation>
