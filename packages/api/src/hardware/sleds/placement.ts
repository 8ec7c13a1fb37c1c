/** Reasons why a sled cannot take an instance. */
export const placementProblems = {
  here: 'The instance is on it',
  expunged: 'It is expunged',
  fenced: 'Its host is fenced, and is not in service again yet',
  closed: 'It takes no new instances',
  silent: 'It does not respond',
  updating: 'Its software is being updated',
  processor: 'Its processor is older than the instance requires',
  threads: (free: number, needed: number) =>
    `It has ${free} of the ${needed} hardware threads that the instance needs`,
  memory: (free: string, needed: string) =>
    `It has ${free} of the ${needed} of memory that the instance needs`,
  pool: (name: string) =>
    `It does not reach storage pool "${name}", which has disks of the instance`,
  poolUnknown: (name: string) =>
    `It was not checked yet whether it reaches storage pool "${name}", which has disks of the instance`,
  /** Why no sled can take it. */
  poolNowhere: (name: string) =>
    `No sled with room reaches storage pool "${name}", which has disks of the instance`,
  diskMoves: (name: string) =>
    `Disk "${name}" of the instance is being moved to another storage pool`,
  banned: 'An anti-affinity group keeps the instance away from it',
  required: 'An affinity group keeps the instance on another sled',
} as const
