import type { Operation } from '../../operation.ts'
import { boolean, named, NameOrId, oneOf, record, uuid } from '../../schema.ts'
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
    permission: {
      image: 'read',
      silo_image: 'read',
      snapshot: 'read',
      disk: 'read',
      project: 'read',
    },
    query: {
      type: named('BootSourceType', oneOf(...bootSourceTypes)),
      id: uuid,
      /** The project that would use an image, for members who may not read images of the silo. */
      project: NameOrId.optional(),
    },
    success: { status: 200, schema: BootSource },
  },
} as const satisfies Record<string, Operation>
