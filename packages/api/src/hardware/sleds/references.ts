import { record, string, uuid } from '../../schema.ts'

/** A sled, as other resources name it. */
export const SledReference = record('SledReference', { id: uuid, serial: string })
