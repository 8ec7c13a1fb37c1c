import type { Operation } from '../../operation.ts'
import { boolean, named, oneOf, record, uuid } from '../../schema.ts'
import { bootSourceTypes } from './rules.ts'

export const BootSource = record('BootSource', {
  /**
   * Whether a machine finds a boot loader in it. Null if that is not known: machines are simulated,
   * it is still being made, or a machine has it open.
   */
  boots: boolean.nullable(),
})

/** Whether machines boot from an image, a snapshot or a disk, before an instance is made of it. */
export const bootSourceOperations = {
  boot_source_view: {
    method: 'GET',
    path: '/x/v1/boot-source',
    tags: ['extensions'],
    summary: 'Show whether machines boot from an image, a snapshot or a disk',
    permission: { image: 'read', silo_image: 'read', snapshot: 'read', disk: 'read' },
    query: { type: named('BootSourceType', oneOf(...bootSourceTypes)), id: uuid },
    success: { status: 200, schema: BootSource },
  },
} as const satisfies Record<string, Operation>
