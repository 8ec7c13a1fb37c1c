import { BlockSize } from '../disks/schemas.ts'
import { instanceOperations } from '../instances/operations.ts'
import type { Operation } from '../operation.ts'
import { RAW_CHUNK_MAX } from '../rules/disks.ts'
import {
  array,
  boolean,
  ByteCount,
  named,
  NameOrId,
  record,
  string,
  text,
  uint64,
} from '../schema.ts'

/** What this control plane adds to the API; clients ask before they use it. */
export const Capabilities = record('Capabilities', {
  product: string,
  version: string,
  /** `GET /x/v1/events` streams changes. */
  events: boolean,
  /** `GET /x/v1/instances` and others search, filter and sort. */
  lists: boolean,
  /** The bytes of disks and snapshots can be downloaded, and summed up. */
  disk_contents: boolean,
  /** `GET /x/v1/disks/{disk}/import` tells what an import has brought so far. */
  import_resume: boolean,
  /** `PUT /x/v1/disks/{disk}/contents` takes the bytes of an import as they are. */
  raw_import: boolean,
  /** `/x/v1/jobs` does something with many things at once. */
  jobs: boolean,
  /** `GET /x/v1/instances/{instance}/deletion` and others tell what a deletion means. */
  deletion: boolean,
  /** The stream of a serial console at `/x/v1` goes on where a lost one ended. */
  serial_console_resume: boolean,
})

const EventStream = named('EventStream', text())

const Bytes = named('Bytes', text({ format: 'binary' }))

/** A stretch of a disk, in bytes. */
export const ByteExtent = record('ByteExtent', { offset: ByteCount, length: ByteCount })

/** How far an import has come. */
export const DiskImport = record('DiskImport', {
  size: ByteCount,
  block_size: BlockSize,
  /** What has been written and acknowledged; sorted, and apart from each other. */
  written: array(ByteExtent),
})

export const DiskChecksum = record('DiskChecksum', {
  /** Bytes from the beginning of the disk that were summed up. */
  length: ByteCount,
  /** Hexadecimal. */
  sha256: string,
})

const disk = { params: { disk: NameOrId }, query: { project: NameOrId.optional() } }

const tags = ['extensions']

const consoleStream = instanceOperations.instance_serial_console_stream

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
  disk_contents: {
    method: 'GET',
    path: '/x/v1/disks/{disk}/contents',
    tags,
    summary: 'Download the bytes of a disk; takes a range',
    permission: { disk: 'read' },
    ...disk,
    success: { status: 200, schema: Bytes, contentType: 'application/octet-stream' },
  },
  disk_contents_write: {
    method: 'PUT',
    path: '/x/v1/disks/{disk}/contents',
    tags,
    summary: 'Write bytes into a disk that takes an import',
    permission: { disk: 'modify' },
    params: disk.params,
    query: { ...disk.query, offset: ByteCount },
    rawBody: true,
    maxBody: RAW_CHUNK_MAX,
    rowless: true,
    success: { status: 204 },
  },
  snapshot_contents: {
    method: 'GET',
    path: '/x/v1/snapshots/{snapshot}/contents',
    tags,
    summary: 'Download the bytes of a snapshot; takes a range',
    permission: { snapshot: 'read' },
    params: { snapshot: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: Bytes, contentType: 'application/octet-stream' },
  },
  disk_import_view: {
    method: 'GET',
    path: '/x/v1/disks/{disk}/import',
    tags,
    summary: 'Tell what an import into a disk has brought so far',
    permission: { disk: 'read' },
    ...disk,
    success: { status: 200, schema: DiskImport },
  },
  disk_checksum: {
    method: 'GET',
    path: '/x/v1/disks/{disk}/checksum',
    tags,
    summary: 'Sum up the first bytes of a disk, all of them unless told otherwise',
    permission: { disk: 'read' },
    params: disk.params,
    query: {
      ...disk.query,
      length: uint64.optional(),
      /**
       * The sum is not of the bytes, but of the hexadecimal sums of pieces of so many bytes, one after
       * the other. Browsers can sum up what is in memory, many times faster than what flows.
       */
      piece: uint64.optional(),
    },
    success: { status: 200, schema: DiskChecksum },
  },
  serial_console_follow: {
    ...consoleStream,
    path: `/x${consoleStream.path}`,
    tags,
    summary: 'Type into the serial console over a WebSocket that says where its output stands',
    query: {
      ...consoleStream.query,
      /** Where to go on; it starts over if the machine has booted since. */
      boot: string.optional(),
      from_start: consoleStream.query.most_recent,
    },
  },
} as const satisfies Record<string, Operation>
