import type { Operation } from '../operation.ts'
import { boolean, named, record, string, text } from '../schema.ts'

/** What this control plane adds to the API; clients ask before they use it. */
export const Capabilities = record('Capabilities', {
  product: string,
  version: string,
  /** `GET /x/v1/events` streams changes. */
  events: boolean,
})

const EventStream = named('EventStream', text())

const tags = ['extensions']

/** Additions of this product under their own prefix; foreign clients never notice them. */
export const extensionOperations = {
  capabilities_view: {
    method: 'GET',
    path: '/x/v1/capabilities',
    tags,
    summary: 'Tell which extensions there are',
    permission: 'public',
    success: { status: 200, schema: Capabilities },
  },
  openapi_view: {
    method: 'GET',
    path: '/x/v1/openapi.json',
    tags,
    summary: 'Show this document',
    permission: 'public',
    success: { status: 200, schema: record('OpenApiDocument', {}) },
  },
  event_stream: {
    method: 'GET',
    path: '/x/v1/events',
    tags,
    summary: 'Follow changes of everything the caller may read, as server-sent events',
    permission: 'session',
    success: { status: 200, schema: EventStream, contentType: 'text/event-stream' },
  },
} as const satisfies Record<string, Operation>
