import { deletedPartFates, RESTORABLE_HOURS_MAX, restorableKinds } from './rules.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  integer,
  list,
  Name,
  named,
  oneOf,
  record,
  string,
  uint64,
  uuid,
} from '../../schema.ts'

export const RestorableKind = named('RestorableKind', oneOf(...restorableKinds))

const fields = {
  /** Id of the resource itself, before and after it is restored. */
  id: uuid,
  name: Name,
  description: string,
  project_id: uuid,
  kind: RestorableKind,
  /** Names of its containers below the project, nearest first; none directly in the project. */
  inside: list(Name),
  /** Bytes that it needs of the quota of the silo when it is restored. */
  size: ByteCount,
  /** The user who deleted it. */
  user_id: uuid,
  user_name: string,
  time_deleted: dateTime,
  /** It can be restored until then. */
  time_expires: dateTime,
}

export const DeletedResource = record('DeletedResource', fields)

/** A part that returns with a deleted resource, such as an interface, a rule or an attachment. */
const DeletedPart = record('DeletedPart', {
  /** Noun of the part. */
  noun: string,
  /** Empty for parts without a name. */
  name: string,
  fate: named('DeletedPartFate', oneOf(...deletedPartFates)),
})

export const DeletedResourceDetails = record('DeletedResourceDetails', {
  ...fields,
  parts: list(DeletedPart),
  /** Whether another resource has its name now, so that it needs a new one. */
  name_taken: boolean,
  /** Reason why it cannot be restored now, apart from its name; null if it can. */
  obstacle: string.nullable(),
})

export const DeletedResourceRestore = record('DeletedResourceRestore', {
  /** New name; by default the name that it had. */
  name: Name.nullable().optional(),
})

/** A restored resource. */
export const RestoredResource = record('RestoredResource', {
  id: uuid,
  name: Name,
  kind: RestorableKind,
  /** Other resources that were restored with it: the disks of an instance. */
  with: list(record('RestoredDependent', { id: uuid, name: Name, kind: RestorableKind })),
  /** Sentences about parts that did not return as they were. */
  notes: list(string),
})

/** Hours for which deleted resources of the silo's projects are kept; 0 deletes them at once. */
const restorable_hours = integer(
  'uint32',
  `a number of hours up to ${RESTORABLE_HOURS_MAX}`,
  0,
  RESTORABLE_HOURS_MAX,
)

export const DeletionPolicy = record('DeletionPolicy', {
  silo_id: uuid,
  restorable_hours,
  /** Number of deleted resources in the projects of the silo that can be restored. */
  kept_resources: uint64,
  /** Bytes of them, which count against no quota. */
  kept_storage: ByteCount,
})

export const DeletionPolicyUpdate = record('DeletionPolicyUpdate', { restorable_hours })
